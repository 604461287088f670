// Journal entries: all that is in the books, of which those by hand are made here.
import { address } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parameter, parametersOf, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { link } from "../../ui/button.js";
import { optionsOf } from "../../ui/choice.js";
import { empty } from "../../ui/empty.js";
import { dayChips, filterChips, several } from "../../ui/filters.js";
import { searchField } from "../../ui/input.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { accountChip } from "../../ui/accounts.js";
import { contactChip } from "../contacts/choice.js";
import { entryState, kindOf, KINDS } from "./words.js";

const FILTERS = ["kind", "accountId", "contactId", "dateFrom", "dateTo", "q"];

export default () => {
  const entries = list(() =>
    address("/finance/journals", {
      ...parametersOf(FILTERS),
      sort: query.value.get("sort") ?? "-number",
    })
  );
  return {
    title: t("Journal"),
    actions: [{
      name: t("New entry"),
      key: "n",
      main: true,
      icon: "plus",
      may: "finance.write",
      run: () => go("/journals/new"),
    }],
    body: tags.div(
      { class: "stack" },
      whose(),
      tags.div(
        { class: "spread" },
        searchField({ value: parameter("q"), label: t("Search the journal") }),
        filterChips(chips()),
      ),
      table({
        label: t("Journal entries"),
        page: "journals",
        list: entries,
        key: ({ id }) => id,
        href: ({ id }) => `/journals/${id}`,
        columns,
        sort: sortOfAddress("-number"),
        counted: (n, places) => tn("{n} entry", "{n} entries", n, places),
        empty: empty(
          () => (query.value.get("kind") === "manual" ? t("No manual entries yet.") : t("No entries match.")),
          may("finance.write") && link(t("New entry"), "/journals/new", { kind: "main" }),
        ),
      }),
    ),
  };
};

const whose = () =>
  parameterTabs({
    name: "kind",
    label: t("Entries"),
    options: [["", t("All")], ["manual", t("Manual")]],
  });

const chips = () => [
  several({ key: "kind", text: t("Entry type"), options: optionsOf(KINDS) }),
  several(accountChip()),
  several(contactChip()),
  ...dayChips(),
];

const columns = [
  {
    key: "number",
    text: t.of("document", "Number"),
    place: "meta",
    width: "10rem",
    cell: ({ number }) => number,
    sort: "number",
  },
  { key: "date", text: t("Date"), place: "meta", width: "7rem", cell: ({ date }) => dayShort(date), sort: "date" },
  { key: "description", text: t("Text"), place: "name", cell: named },
  { key: "kind", text: t("Entry type"), width: "11rem", isMinor: true, cell: kindOf },
  {
    key: "total",
    text: t("Amount"),
    isFigure: true,
    width: "9rem",
    place: "figure",
    cell: ({ total }) => money(total, currency(), { withCurrency: true }),
  },
];

function named(row) {
  return tags.span(row.description, row.status === "reversed" && [" ", entryState(row)]);
}
