// Revaluations: what is open and held in foreign currencies, at its worth on a day; the next day all of it is reversed.
import { address, newKey, send } from "../../core/api.js";
import { day, dayShort, money, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { addDays, today } from "../../core/parse.js";
import { previewed } from "../../core/preview.js";
import { go, parametersOf } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { each, signal, tags } from "../../core/view.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { dayChips, filterChips } from "../../ui/filters.js";
import { form } from "../../ui/form.js";
import { numberInput } from "../../ui/number.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { TOUCHED } from "../payments/touched.js";
import { postedState } from "../documents/states.js";

const { a, div, p } = tags;
const FILTERS = ["dateFrom", "dateTo", "sort"];
export const REVALUATIONS = "/finance/revaluations";

export default () => {
  const revaluations = list(() => address(REVALUATIONS, parametersOf(FILTERS)));
  return {
    title: t("Revaluations"),
    back: { href: "/close", text: t.of("books", "Close") },
    leadsOn: true,
    actions: [{
      name: t("New revaluation"),
      key: "n",
      main: true,
      icon: "scale",
      may: "finance.write",
      run: () => dialog({ title: t("New revaluation"), size: "wide", body: revaluing }),
    }],
    body: div(
      { class: "stack" },
      p(
        { class: "soft" },
        t("Balances in other currencies are revalued at the end of a year."),
      ),
      filterChips(dayChips()),
      table({
        label: t("Revaluations"),
        page: "revaluations",
        list: revaluations,
        key: ({ id }) => id,
        href: ({ id }) => `/close/revaluation/${id}`,
        columns,
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} revaluation", "{n} revaluations", n, places),
        empty: empty(t("No revaluations yet.")),
      }),
    ),
  };
};

const baseColumn = (key, text, about = {}) => ({
  key,
  text,
  isFigure: true,
  place: "figure",
  width: "9rem",
  cell: (one) => money(one[key], currency(), { dash: true }),
  ...about,
});

const columns = [
  { key: "number", text: t.of("document", "Number"), place: "meta", width: "11rem", cell: (one) => one.number },
  { key: "date", text: t("Day"), place: "name", cell: ({ date }) => dayShort(date), sort: "date" },
  { key: "state", text: t("Status"), place: "state", width: "8rem", cell: postedState },
  baseColumn("losses", t("Losses"), { isMinor: true, place: undefined }),
  baseColumn("gains", t("Gains")),
];

// Each open item and account, with what it was worth in the books and is worth on the day.
export const revaluedLines = (rows) =>
  table({
    label: t("Revalued balances"),
    rows,
    key: ({ accountId, itemId }) => itemId ?? accountId,
    columns: [
      {
        key: "what",
        text: t("Item"),
        place: "name",
        cell: (one) => (one.itemId ? one.number : `${one.accountCode} ${one.accountName}`),
      },
      { key: "contact", text: t("Contact"), isMinor: true, cell: ({ contactName }) => contactName },
      {
        key: "amount",
        text: t("Amount"),
        isFigure: true,
        place: "meta",
        width: "10rem",
        cell: (one) => money(one.amount, one.currency, { withCurrency: true }),
      },
      baseColumn("bookValue", t("Posted"), { place: undefined }),
      baseColumn("value", t("Value"), { place: undefined }),
      baseColumn("difference", t("Difference")),
    ],
    empty: empty(t("No balances in other currencies.")),
  });

export const ratesText = ({ rates }) =>
  rates.map((one) => t("1 {currency} = {rate}", { currency: one.currency, rate: `${number(one.rate)} ${currency()}` }))
    .join(", ");

// At first the end of the last month. `rates` are those that are asked for here, because there is none of the day:
// currencies, each with what is typed.
function revaluing(close) {
  const [date, rates] = [signal(addDays(`${today().slice(0, 7)}-01`, -1)), signal([])];
  const given = () =>
    rates.value.flatMap(({ currency: of, rate }) => (rate.value ? [{ currency: of, rate: rate.value }] : []));
  const key = newKey();
  const preview = previewed(
    REVALUATIONS,
    () => ({ date: date.value, rates: given(), dryRun: true }),
    ({ details }) => {
      preview.value = null;
      const asked = new Set(rates.peek().map(({ currency: of }) => of));
      const missing = missingRates(details).filter((of) => !asked.has(of));
      if (missing.length) rates.value = [...rates.peek(), ...missing.map((of) => ({ currency: of, rate: signal("") }))];
    },
  );
  const run = async () => {
    const made = await send("POST", REVALUATIONS, { date: date.value, rates: given() }, { key });
    changed(REVALUATIONS, "/finance/journals", ...TOUCHED);
    close();
    notify(t("{number} posted.", { number: made.number }), { kind: "good" });
    await go(`/close/revaluation/${made.id}`);
  };
  return form(
    { run, submit: t("Revalue"), cancel: () => close(), label: t("New revaluation") },
    p({ class: "soft" }, aboutRates()),
    div(
      { class: "fields" },
      field(
        { label: t("Day"), name: "date", hint: t("The next day it is reversed automatically.") },
        dateField({ value: date, name: "date" }),
      ),
      each(() => rates.value, ({ currency: of }) => of, (get) => rateField(get.peek(), rates)),
    ),
    () => preview.value && div({ class: "stack" }, revaluedLines(() => preview.value.lines), sums(preview.value)),
  );
}

const missingRates = (details = []) =>
  details.filter(({ field: name, code }) => name === "rates" && code === "required").map(({ params }) =>
    params.currency
  );

function rateField(about, rates) {
  const name = `rates[${rates.peek().indexOf(about)}].rate`;
  const label = t("1 {currency} in {base}", { currency: about.currency, base: currency() });
  return field(
    { label, name, hint: t("No rates for these dates.") },
    numberInput({ value: about.rate, name }),
  );
}

const aboutRates = () => [
  t("The latest rate of each currency is used, at most ten days old:"),
  " ",
  a({ href: "/settings/exchange-rates" }, t("Exchange rates")),
];

const sums = (found) =>
  facts([
    [t("Rates"), ratesText(found)],
    [t("Gains"), money(found.gains, currency(), { withCurrency: true })],
    [t("Losses"), money(found.losses, currency(), { withCurrency: true })],
    [t("Reversed on"), day(found.reversedOn)],
  ]);
