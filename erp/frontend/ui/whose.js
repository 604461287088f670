// Two people have changed the same record: what the other changed, field by field, and whose version remains.
import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";
import { button } from "./button.js";
import { dialog } from "./dialog.js";

const { p, table, tbody, td, th, thead, tr } = tags;

// `before`, `theirs` and `mine` are plain objects; `names` says which fields are compared and what they are called.
// Answers "theirs", "mine", or undefined where nothing was chosen.
export function askWhose({ before, theirs, mine, names }) {
  const rows = Object.keys(names).filter((name) => text(before[name]) !== text(theirs[name]));
  const heads = [t("Field"), t("Theirs"), t("Yours")];
  const shown = table(
    { class: "plain" },
    thead(tr(heads.map((one) => th({ scope: "col" }, one)))),
    tbody(rows.map((name) => tr(th({ scope: "row" }, names[name]), td(text(theirs[name])), td(text(mine[name]))))),
  );
  return dialog({
    title: t("Someone else has changed this"),
    size: "wide",
    body: () =>
      tags.div(
        { class: "stack" },
        p(t("Someone has changed this record while you were typing. Which version should be kept?")),
        rows.length > 0 &&
          tags.div({ class: "scrolls", tabindex: "0", role: "group", "aria-label": t("Changes") }, shown),
      ),
    actions: (
      close,
    ) => [
      button(t("Keep theirs"), () => close("theirs")),
      button(t("Keep mine"), () => close("mine"), { kind: "main" }),
    ],
  });
}

const text = (value) => String(value ?? "");
