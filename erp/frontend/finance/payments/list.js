// Money received and paid.
import { address } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parameter, parametersOf } from "../../core/router.js";
import { may } from "../../core/session.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { link } from "../../ui/button.js";
import { empty } from "../../ui/empty.js";
import { dayChips, filterChips, several } from "../../ui/filters.js";
import { extra } from "../../ui/listed.js";
import { searchField } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { contactChip } from "../contacts/choice.js";
import { isZero } from "../documents/states.js";

const FILTERS = ["direction", "contactId", "dateFrom", "dateTo", "q", "isUnallocated", "sort"];

export default () => {
  const payments = list(() => address("/finance/payments", parametersOf(FILTERS)));
  return {
    title: t("Payments"),
    actions: [
      {
        name: t("Record payments"),
        key: "n",
        main: true,
        icon: "plus",
        may: "finance.write",
        run: () => go("/payments/new"),
      },
      { name: t("Open items"), icon: "list-checks", run: () => go("/open-items") },
      { name: t("Transfers between accounts"), icon: "arrow-right-left", run: () => go("/transfers") },
    ],
    body: tags.div(
      { class: "stack" },
      directions(),
      tags.div({ class: "spread" }, searching(), filterChips(chips())),
      table({
        label: t("Payments"),
        page: "payments",
        list: payments,
        key: ({ id }) => id,
        href: ({ id }) => `/payments/${id}`,
        columns,
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} payment", "{n} payments", n, places),
        empty: empty(
          t("No payments yet."),
          may("finance.write") && link(t("Record payments"), "/payments/new", { kind: "main" }),
        ),
      }),
    ),
  };
};

const directions = () =>
  parameterTabs({
    name: "direction",
    label: t("Direction"),
    options: [["", t("All")], ["received", t("Received")], ["made", t("Paid")]],
  });

const searching = () => searchField({ value: parameter("q"), label: t("Search payments") });

const chips = () => [
  {
    key: "isUnallocated",
    text: t("Allocation"),
    options: [{ value: "true", text: t.of("amount", "Open") }, { value: "false", text: t("Complete") }],
    shown: (value) => (value === "true" ? t.of("amount", "Open") : t("Complete")),
  },
  several(contactChip()),
  ...dayChips(),
];

export function paymentState({ status, unallocatedAmount }) {
  if (status === "void") return pill(t("void"), "neutral");
  return isZero(unallocatedAmount) ? pill(t("posted"), "good") : pill(t("open"), "info");
}

const columns = [
  { key: "number", text: t.of("document", "Number"), place: "meta", width: "10rem", cell: ({ number }) => number },
  { key: "contact", text: t("Contact"), place: "name", cell: ({ contactName }) => contactName ?? "" },
  { key: "date", text: t("Date"), place: "meta", width: "7rem", cell: ({ date }) => dayShort(date), sort: "date" },
  {
    key: "for",
    text: t("Settles"),
    isMinor: true,
    cell: ({ allocations }) => allocations.map(({ invoiceNumber }) => invoiceNumber).filter(Boolean).join(", "),
  },
  {
    key: "amount",
    text: t("Amount"),
    isFigure: true,
    width: "9rem",
    place: "figure",
    cell: (row) => `${row.direction === "made" ? "−" : ""}${money(row.amount, row.currency, { withCurrency: true })}`,
  },
  { key: "state", text: t("Status"), place: "state", width: "8rem", cell: paymentState },
  extra("open", t.of("amount", "Open"), (row) => money(row.unallocatedAmount, row.currency, { dash: true }), {
    isFigure: true,
  }),
  extra("account", t("Account"), ({ accountCode, accountName }) => `${accountCode} ${accountName}`),
  extra("reference", t("Reference"), ({ reference }) => reference ?? ""),
];
