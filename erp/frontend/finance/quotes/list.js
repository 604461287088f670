// The list of quotes, by state.
import { address } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parameter, parametersOf, query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { list, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { link } from "../../ui/button.js";
import { empty } from "../../ui/empty.js";
import { dayChips, filterChips, several } from "../../ui/filters.js";
import { extra } from "../../ui/listed.js";
import { searchField } from "../../ui/input.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { contactChip } from "../contacts/choice.js";
import { isDiscarded } from "./drafts.js";
import { opensAt, QUOTES, statePill } from "./words.js";

const STATES = {
  draft: ["draft"],
  open: ["issued"],
  expired: ["expired"],
  accepted: ["accepted", "partly_invoiced", "invoiced"],
  to_invoice: ["accepted", "partly_invoiced"],
};
const FILTERS = ["customerId", "dateFrom", "dateTo", "q", "currency", "projectId"];

export default () => {
  const filters = () => parametersOf(FILTERS);
  const status = () => STATES[query.value.get("state")]?.join(",");
  const quotes = list(() =>
    address(QUOTES, { ...filters(), status: status(), sort: query.value.get("sort"), total: true })
  );
  const counts = resource(() => address(QUOTES, { groupBy: "status", ...filters() }));
  return {
    title: t("Quotes"),
    actions: [
      {
        name: t("New quote"),
        key: "n",
        main: true,
        icon: "plus",
        may: "finance.write",
        run: () => go("/quotes/new"),
      },
    ],
    body: tags.div(
      { class: "stack" },
      tabs(counts),
      tags.div(
        { class: "spread" },
        searchField({ value: parameter("q"), label: t("Search quotes") }),
        filterChips([several(contactChip("customerId", t("Customer"), "customer")), ...dayChips()]),
      ),
      table({
        label: t("Quotes"),
        page: "quotes",
        list: quotes,
        isHidden: isDiscarded,
        key: ({ id }) => id,
        href: opensAt,
        columns: columns(quotes),
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} quote", "{n} quotes", n, places),
        empty: empty(
          t("No quotes yet."),
          may("finance.write") && link(t("New quote"), "/quotes/new", { kind: "main" }),
        ),
      }),
    ),
  };
};

function tabs(counts) {
  const count = (name) => {
    const rows = counts.value ?? [];
    const found = rows.filter(({ status }) => STATES[name].includes(status));
    return rows.length ? found.reduce((sum, one) => sum + one.count, 0) : undefined;
  };
  return parameterTabs({
    name: "state",
    label: t("Statuses"),
    options: () => [
      ["", t("All")],
      ["draft", t("Drafts"), count("draft")],
      ["open", t.of("state", "Open"), count("open")],
      ["expired", t("Expired"), count("expired")],
      ["accepted", t("Accepted"), count("accepted")],
      ["to_invoice", t("To invoice"), count("to_invoice")],
    ],
  });
}

const sumOf = (quotes, name) =>
  (quotes.page?.sums ?? []).map((one) => tags.div(money(one[name], one.currency, { withCurrency: true })));

const columns = (quotes) => [
  {
    key: "number",
    text: t.of("document", "Number"),
    place: "meta",
    width: "10rem",
    cell: (row) => (row.number ? row.revision > 1 ? `${row.number} (${row.revision})` : row.number : t("draft")),
    sort: "number",
  },
  {
    key: "party",
    text: t("Customer"),
    place: "name",
    cell: ({ customerName, subject }) =>
      tags.span(customerName, subject && tags.span({ class: "soft only-wide" }, ` · ${subject}`)),
    sort: "customerName",
  },
  {
    key: "date",
    text: t("Date"),
    place: "meta",
    width: "7rem",
    cell: (row) => dayShort(row.issueDate),
    sort: "issueDate",
  },
  {
    key: "validUntil",
    text: t("Valid until"),
    width: "7rem",
    cell: (row) => dayShort(row.validUntil),
    sort: "validUntil",
    isMinor: true,
  },
  {
    key: "total",
    text: t("Total"),
    isFigure: true,
    width: "8rem",
    place: "figure",
    cell: (row) => money(row.acceptedTotal ?? row.total, row.currency),
    sort: "total",
    sum: () => query.value.get("state") && sumOf(quotes, "total"),
  },
  {
    key: "left",
    text: t("To invoice, net"),
    isFigure: true,
    width: "8rem",
    cell: (row) => (row.acceptedNet ? money(row.leftNet, row.currency, { dash: true }) : ""),
    sum: () => query.value.get("state") === "to_invoice" && sumOf(quotes, "leftNet"),
  },
  { key: "state", text: t("Status"), place: "state", width: "10rem", cell: statePill },
  extra("net", t("Net"), (row) => money(row.netTotal, row.currency), { isFigure: true }),
  extra("project", t("Project"), ({ projectName }) => projectName ?? ""),
  extra("reference", t("Reference"), ({ reference }) => reference ?? ""),
  extra("currency", t("Currency"), (row) => row.currency),
];
