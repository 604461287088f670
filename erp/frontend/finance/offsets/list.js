// Offsets: what contacts owed, set against what they were owed, without a bank. They are made of open items.
import { address } from "../../core/api.js";
import { dayShort } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parametersOf } from "../../core/router.js";
import { may } from "../../core/session.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { dayChips, filterChips, several } from "../../ui/filters.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { amountColumn } from "../columns.js";
import { contactChip } from "../contacts/choice.js";
import { postedState } from "../documents/states.js";

const { div, p } = tags;
const FILTERS = ["contactId", "dateFrom", "dateTo", "sort"];
export const OFFSETS = "/finance/offsets";

export default () => {
  const offsets = list(() => address(OFFSETS, parametersOf(FILTERS)));
  return {
    title: t("Offsets"),
    back: { href: "/open-items", text: t("Open items") },
    leadsOn: true,
    actions: [{
      name: t("Choose open items"),
      key: "n",
      main: true,
      icon: "list-checks",
      may: "finance.write",
      run: () => go("/open-items"),
    }],
    body: div(
      { class: "stack" },
      may("finance.write") && p(
        { class: "soft" },
        t("To offset an invoice against a bill of the same contact, select both in the open items."),
      ),
      filterChips([several(contactChip()), ...dayChips()]),
      table({
        label: t("Offsets"),
        page: "offsets",
        list: offsets,
        key: ({ id }) => id,
        href: ({ id }) => `/offsets/${id}`,
        columns,
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} offset", "{n} offsets", n, places),
        empty: empty(t("No offsets yet.")),
      }),
    ),
  };
};

const columns = [
  { key: "number", text: t.of("document", "Number"), place: "meta", width: "10rem", cell: ({ number }) => number },
  { key: "date", text: t("Date"), isMinor: true, width: "7rem", cell: ({ date }) => dayShort(date), sort: "date" },
  { key: "contact", text: t("Contact"), place: "name", cell: ({ contactName }) => contactName },
  {
    key: "items",
    text: t("Documents"),
    isMinor: true,
    cell: ({ items }) => items.map(({ number }) => number).join(", "),
  },
  { key: "state", text: t("Status"), place: "state", width: "8rem", cell: postedState },
  amountColumn(),
];
