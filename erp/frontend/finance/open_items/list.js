// Open items: what contacts owe and are owed, today or on an earlier day; the items of one contact can settle each other.
import { address } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parameter, parametersOf, query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { dueChips, filterChips } from "../../ui/filters.js";
import { searchField } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { contactChip } from "../contacts/choice.js";
import { documentOf } from "../journals/words.js";
import { settlings } from "./settlement.js";
import { writeOff } from "./write_off.js";

const { div, p } = tags;
const ITEMS = "/finance/open-items";
const FILTERS = ["side", "contactId", "asOf", "isOverdue", "dueFrom", "due", "q", "sort"];

export default () => {
  const items = list(() => address(ITEMS, parametersOf(FILTERS)));
  const selected = signal(new Set());
  const isPast = () => Boolean(query.value.get("asOf"));
  return {
    title: t("Open items"),
    back: { href: "/payments", text: t("Payments") },
    leadsOn: true,
    actions: [{ name: t("Offsets"), icon: "scale", run: () => go("/offsets") }],
    body: div(
      { class: "stack" },
      sides(),
      div(
        { class: "spread" },
        searchField({ value: parameter("q"), label: t("Search open items") }),
        filterChips(chips()),
      ),
      () =>
        may("finance.write") && !isPast()
          ? p({ class: "soft" }, t("To allocate or offset, select items of one contact."))
          : null,
      table({
        label: t("Open items"),
        list: items,
        key: ({ id }) => id,
        href: documentOf,
        columns,
        sort: sortOfAddress(),
        selected: may("finance.write") ? selected : undefined,
        bulk: settlings(selected, () => !isPast()),
        actions: (item) => (isPast() ? [] : actionsOn(item)),
        counted: (n, places) => tn("{n} item", "{n} items", n, places),
        empty: empty(t("No open items.")),
      }),
    ),
  };
};

const sides = () =>
  parameterTabs({
    name: "side",
    label: t("Side"),
    options: [["", t("All")], ["receivable", t("Receivables")], ["payable", t("Payables")]],
  });

const chips = () => [
  contactChip(),
  {
    key: "isOverdue",
    text: t.of("column", "Due date"),
    options: [{ value: "true", text: t("Overdue") }],
  },
  ...dueChips("due"),
  {
    key: "asOf",
    text: t("As of"),
    kind: "day",
  },
];

const columns = [
  {
    key: "number",
    text: t.of("document", "Number"),
    place: "meta",
    width: "11rem",
    cell: ({ number }) => number,
    sort: "number",
  },
  { key: "contact", text: t("Contact"), place: "name", cell: ({ contactName }) => contactName, sort: "contactName" },
  {
    key: "date",
    text: t("Date"),
    isMinor: true,
    width: "7rem",
    cell: ({ documentDate }) => dayShort(documentDate),
    sort: "date",
  },
  {
    key: "due",
    text: t.of("column", "Due date"),
    isMinor: true,
    width: "7rem",
    cell: ({ dueDate }) => dayShort(dueDate),
    sort: "dueDate",
  },
  {
    key: "state",
    text: t("Status"),
    place: "state",
    width: "10rem",
    cell: (item) =>
      item.daysOverdue > 0
        ? pill(tn("{n} day overdue", "{n} days overdue", item.daysOverdue), "bad")
        : isCredit(item)
        ? pill(t("open"), "info")
        : null,
  },
  {
    key: "open",
    text: t.of("amount", "Open"),
    isFigure: true,
    place: "figure",
    width: "9rem",
    cell: (item) => money(item.open, item.currency, { withCurrency: true }),
  },
];

// What a customer has too much, or a supplier too little.
const isCredit = ({ side, open }) => open.startsWith("-") === (side === "receivable");

// Invoices are written off on their own page.
const actionsOn = (item) =>
  may("finance.write") && item.documentType === "journal_entry"
    ? [{
      name: t("Write off"),
      icon: "eraser",
      danger: true,
      run: () =>
        dialog({
          title: t("Write off {name}?", { name: item.number }),
          body: (close) => writeOff(`${ITEMS}/${item.id}`, item, close),
        }),
    }]
    : [];
