// The columns of a file from another program: its first rows, and which column a field takes.
import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";
import { choice } from "./choice.js";
import { field } from "./field.js";

const { div, table, tbody, td, th, thead, tr } = tags;
const SHOWN = 3; // rows of the file

// The head of the file, so that one sees what one chooses.
export const sample = ({ headings, rows }) =>
  div(
    { class: "scrolls", tabindex: "0", role: "group", "aria-label": t("The first rows") },
    table(
      { class: "plain" },
      thead(tr(headings.map((heading) => th({ scope: "col", class: "nowrap" }, heading)))),
      tbody(rows.slice(0, SHOWN).map((row) => tr(row.map((cell) => td({ class: "nowrap" }, cell))))),
    ),
  );

// `value` is the signal of the chosen heading, null for no column.
export const columnChoice = ({ name, label, value, headings }) =>
  field(
    { label, name },
    choice({
      value,
      name,
      empty: t("no column"),
      options: headings.filter(Boolean).map((heading) => ({ value: heading, text: heading })),
    }),
  );
