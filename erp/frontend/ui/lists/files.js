// A list as a file, and on paper.
import { download } from "../../core/api.js";
import { readOn } from "./all.js";

const TABLE = /([?&])(limit=\d+|total=true|cursor=[^&]*)(?=&|$)/g;

// The address of all rows of a list as a file; `ids` are the rows that are chosen.
export function fileOf(path, format, ids = null) {
  const [base, asked = ""] = path.replace(TABLE, "$1").split("?");
  const parameters = new URLSearchParams(ids ? "" : asked);
  if (ids) parameters.set("ids", ids.join(","));
  parameters.set("format", format);
  return `${base}?${parameters}`;
}

export const pathOf = ({ list, path }) => (path ? path() : list.path);

export async function save(state, format) {
  const path = pathOf(state);
  if (path) await download(fileOf(path, format));
}

// All rows, with the columns that are shown.
export async function onPaper(state) {
  await readOn(state);
  print();
}
