// The rows of a file that are here already: they are shown before anything is added, and left out.
import { t, tn } from "../core/i18n.js";
import { tags } from "../core/view.js";
import { alert } from "./alert.js";
import { table } from "./table.js";

const knownOf = ({ known = 0, skipped = 0 }) => known + skipped;

export const freshOf = (answer) => answer.rows - knownOf(answer);

export const isAllKnown = (answer) => knownOf(answer) > 0 && freshOf(answer) === 0;

// A line that says how many are left out, and the contacts of which they are duplicates where the server names them.
export function duplicates(answer) {
  const count = knownOf(answer);
  if (!count) return null;
  const rows = answer.duplicates ?? [];
  return [
    freshOf(answer) > 0 &&
    alert({
      kind: "warn",
      text: tn(
        "{n} row is here already and will be left out.",
        "{n} rows are here already and will be left out.",
        count,
      ),
    }),
    rows.length > 0 && listOf(rows),
  ];
}

const listOf = (rows) =>
  table({
    label: t("Duplicates"),
    rows: () => rows,
    key: ({ row }) => row,
    columns: [
      { key: "row", text: t("Row"), place: "figure", width: "5rem", isFigure: true, cell: ({ row }) => row },
      { key: "name", text: t("Contact"), place: "name", cell: contactOf },
    ],
  });

const contactOf = ({ contactName: name, contactId, sameAsRow }) =>
  contactId
    ? tags.a({ href: `/contacts/${contactId}`, target: "_blank", rel: "noopener" }, name)
    : t("{name}, as in row {row}", { name, row: sameAsRow });
