// A list as a file, and on paper.
import { download } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { tags } from "../../core/view.js";
import { button } from "../button.js";
import { dialog } from "../dialog.js";
import { readOn } from "./all.js";
import { fieldsOf } from "./fields.js";

const TABLE = /([?&])(limit=\d+|total=true|cursor=[^&]*)(?=&|$)/g;

// All rows of a list as a file with the columns that are shown; `ids` are the rows that are chosen.
function saved(state, format, ids = null) {
  const [base, asked = ""] = pathOf(state).replace(TABLE, "$1").split("?");
  const parameters = new URLSearchParams(ids ? "" : asked);
  if (ids) parameters.set("ids", ids.join(","));
  parameters.set("format", format);
  parameters.set("columns", fieldsOf(state));
  const name = `${state.label} ${today()}.${format}`;
  return download(`${base}?${parameters}`, undefined, name.replaceAll(/[\\/:]/g, "-"));
}

const pathOf = ({ list, path }) => (path ? path() : list.path);

export async function save(state, format) {
  if (pathOf(state)) await saved(state, format);
}

const AT_ONCE = 200; // ids in an address

// All that the list has are asked for by its filters; others by their ids, in as many files as that takes.
export function saveChosen(state, rows) {
  const isAll = !state.list.hasMore && rows.length === state.rows.peek().length;
  const run = async (format) => {
    if (isAll) return save(state, format);
    const ids = rows.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      await saved(state, format, ids.slice(at, at + AT_ONCE));
    }
  };
  return asFile(tn("Export {n} row", "Export {n} rows", rows.length), [
    [t("CSV"), () => run("csv")],
    [t("Excel"), () => run("xlsx")],
  ]);
}

// Ask in which form to save, by a button for each.
export const asFile = (title, forms) =>
  dialog({
    title,
    body: (close) =>
      tags.div(
        { class: "row" },
        forms.map(([text, run], at) =>
          button(text, async () => (await run(), close()), { icon: "download", kind: at ? null : "main" })
        ),
      ),
  });

// All rows, with the columns that are shown.
export async function onPaper(state) {
  await readOn(state);
  print();
}
