// The entries of a bank account that are on no statement yet.
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { empty } from "../../ui/empty.js";
import { table } from "../../ui/table.js";

export const entriesTable = (state) =>
  table({
    label: t("Only in the books"),
    rows: () => state.value?.entries,
    key: ({ entryId }) => entryId,
    href: ({ entryId }) => `/journals/${entryId}`,
    columns: [
      { key: "date", text: t("Date"), place: "meta", width: "6rem", cell: ({ date }) => dayShort(date) },
      { key: "number", text: t("Entry"), place: "meta", cell: ({ entryNumber }) => entryNumber },
      { key: "description", text: t("Description"), place: "name", cell: ({ description }) => description },
      {
        key: "amount",
        text: t("Amount"),
        place: "figure",
        cell: ({ amount }) => money(amount, state.value.currency, { withCurrency: true }),
      },
    ],
    counted: (n, places) => tn("{n} entry", "{n} entries", n, places),
    empty: empty(t("Every entry is on a statement.")),
  });
