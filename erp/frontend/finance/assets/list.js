// Fixed assets: what the office uses for years, with its book value today, and what was bought and is not here yet.
import { address, send } from "../../core/api.js";
import { day, dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go, parameter, parametersOf } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed, list, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { accountChip } from "../../ui/accounts.js";
import { importing } from "../../ui/actions.js";
import { card } from "../../ui/card.js";
import { empty } from "../../ui/empty.js";
import { filterChips, several } from "../../ui/filters.js";
import { searchField } from "../../ui/input.js";
import { editing } from "../../ui/records.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { aboutAssets } from "./fields.js";
import { runAction } from "./runs.js";
import { ASSETS, assetState, METHODS } from "./words.js";

const { div } = tags;
const FILTERS = ["status", "accountId", "isFullyDepreciated", "q", "sort"];
const CANDIDATES = `${ASSETS}/candidates`;

export default () => {
  const assets = list(() => address(ASSETS, parametersOf(FILTERS)));
  const candidates = resource(CANDIDATES);
  return {
    title: t.of("fixed", "Assets"),
    back: null,
    leadsOn: true,
    actions: [
      {
        name: t("New asset"),
        key: "n",
        main: true,
        icon: "plus",
        may: "finance.write",
        run: () => editing(aboutAssets({ told: ({ id }) => go(`/assets/${id}`) }), null),
      },
      runAction(),
      { name: t("Depreciation runs"), icon: "list-checks", run: () => go("/depreciation-runs") },
      { name: t("Asset register"), icon: "chart-column", run: () => go("/reports/asset-register") },
      importing("books/assets", "finance.write"),
    ],
    body: div(
      { class: "stack" },
      () => candidates.value?.length && may("finance.write") ? bought(candidates) : null,
      states(),
      filterChips([several(accountChip()), doneChip()]),
      searchField({ value: parameter("q"), label: t("Search assets") }),
      table({
        label: t.of("fixed", "Assets"),
        page: "assets",
        list: assets,
        key: ({ id }) => id,
        href: ({ id }) => `/assets/${id}`,
        columns,
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} asset", "{n} assets", n, places),
        empty: empty(t("No assets yet. Add what the office uses for years, or bring in your register.")),
      }),
    ),
  };
};

const states = () =>
  parameterTabs({
    name: "status",
    label: t("Status"),
    options: [["", t("All")], ["draft", t("Drafts")], ["in_use", t("In use")], ["disposed", t("Disposed of")]],
  });

const doneChip = () => ({
  key: "isFullyDepreciated",
  text: t("Depreciated"),
  options: [{ value: "true", text: t("Fully") }, { value: "false", text: t("Not yet") }],
});

const figure = (key, text, isMinor = false) => ({
  key,
  text,
  isMinor,
  isFigure: true,
  place: isMinor ? undefined : "figure",
  width: "9rem",
  cell: (one) => money(one[key], currency(), { dash: true }),
});

const columns = [
  {
    key: "number",
    text: t.of("document", "Number"),
    place: "meta",
    width: "8rem",
    cell: (one) => one.number,
    sort: "number",
  },
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name, sort: "name" },
  { key: "account", text: t("Account"), isMinor: true, width: "8rem", cell: ({ accountCode }) => accountCode },
  {
    key: "acquiredOn",
    text: t("Bought on"),
    isMinor: true,
    width: "8rem",
    cell: ({ acquiredOn }) => dayShort(acquiredOn),
    sort: "acquiredOn",
  },
  { key: "method", text: t("Method"), isMinor: true, width: "9rem", cell: ({ method }) => METHODS[method]() },
  { key: "state", text: t("Status"), place: "state", width: "10rem", cell: assetState },
  figure("cost", t("Cost"), true),
  {
    ...figure("bookValue", t("Book value")),
    cell: ({ status, bookValue }) => (status === "disposed" ? "–" : money(bookValue, currency(), { dash: true })),
  },
];

// Lines of bills on accounts for fixed assets: each becomes a draft, which is opened.
const bought = (candidates) =>
  card(
    { title: t("Bought, without an asset") },
    table({
      label: t("Bought, without an asset"),
      rows: () => candidates.value,
      key: ({ lineId }) => lineId,
      columns: candidateColumns,
      actions: (line) => [{ name: t("Add"), icon: "plus", run: () => add(line) }],
    }),
  );

const candidateColumns = [
  { key: "name", text: t.of("document", "Line"), place: "name", cell: ({ name }) => name },
  {
    key: "bill",
    text: t("Bill"),
    place: "meta",
    width: "11rem",
    cell: (one) => tags.a({ href: `/bills/${one.invoiceId}` }, one.invoiceNumber),
  },
  { key: "supplier", text: t("Supplier"), isMinor: true, cell: ({ contactName }) => contactName },
  { key: "date", text: t("Date"), isMinor: true, width: "8rem", cell: ({ date }) => day(date) },
  figure("cost", t("Cost")),
];

async function add({ invoiceId, lineId }) {
  const made = await send("POST", ASSETS, { fromLine: { invoiceId, lineId } });
  changed(ASSETS, "/workspace/home");
  notify(t("{number} added. Enter when it is in use, and its useful life.", { number: made.number }), { kind: "good" });
  await go(`/assets/${made.id}`);
}
