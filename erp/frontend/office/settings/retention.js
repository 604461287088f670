// People of whom something can be erased, as the time for which it is kept is over. Nothing is erased unasked.
import { t, tn } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { empty } from "../../ui/empty.js";
import { erase } from "../../ui/erase.js";
import { kindText } from "../../ui/personal_kinds.js";
import { table } from "../../ui/table.js";

const HREFS = { employee: "/people", contact: "/contacts" };

export function retentionDue() {
  const due = resource("/workspace/retention/due");
  return card(
    { title: t("Due for erasure") },
    tags.p({ class: "soft" }, t("The time for which these data must be kept is over.")),
    table({
      label: t("Due for erasure"),
      rows: () => due.value ?? [],
      isLoading: () => due.isLoading,
      key: ({ id }) => id,
      href: ({ kind, id }) => `${HREFS[kind]}/${id}`,
      columns: [
        { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
        { key: "what", text: t("Can be erased"), place: "meta", cell: ({ erases }) => erases.map(rowsOf).join(", ") },
      ],
      actions: (row) => [{ name: t("Erase…"), icon: "eraser", danger: true, run: () => erase(row.kind, row) }],
      empty: empty(t("Nothing is due for erasure.")),
    }),
  );
}

const rowsOf = ({ kind, count }) => `${kindText(kind)} (${tn("{n} row", "{n} rows", count)})`;
