// Reports: each is the same tree of rows and columns, whose figures lead to what they are made of.
import { address, download, get, getAll } from "../../core/api.js";
import { day, duration, money, percent } from "../../core/format.js";
import { language, t } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { go, parametersOf, query } from "../../core/router.js";
import { firstPage, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { icon } from "../../ui/icon.js";
import { menu } from "../../ui/menu.js";
import { dayChips, filterChips, periodChips } from "../../ui/filters.js";
import { registerReport } from "../../ui/listed.js";
import { nowhere } from "../../ui/nowhere.js";
import { loaded } from "../../ui/skeleton.js";
import { accountChip } from "../../ui/accounts.js";
import { contactChip } from "../contacts/choice.js";
import { dimensionChip } from "../dimensions/chip.js";
import { periodOf } from "./period.js";
import { offered, pathOf, REPORTS, viewsOf } from "./reports.js";
import { returnActions, salesListActions, taxPeriodChip } from "./tax_return.js";

const { a, caption, div, p, span, table, tbody, td, th, thead, tr } = tags;

const MOST = 1000; // postings of a ledger; a file has all of them

const dateChip = (key, text) => ({ key, text, kind: "day" });
const choiceChip = (key, text, options) => ({
  key,
  text,
  options: options.map(([value, name]) => ({ value, text: name })),
});
const comparing = () =>
  choiceChip("compare", t("Compare with"), [["previous_period", t("The period before")], [
    "previous_year",
    t("The year before"),
  ]]);
const columnsChip = () => {
  const dimensions = resource("/finance/dimensions");
  const usual = choiceChip("columns", t("Columns"), [["month", t("Months")], ["quarter", t("Quarters")], [
    "year",
    t("Years"),
  ], ["project", t("Projects")]]);
  const analysed = () => (dimensions.value ?? []).map(({ code, name }) => ({ value: `dimension:${code}`, text: name }));
  return { ...usual, options: () => [...usual.options, ...analysed()] };
};
const basisChip = () =>
  choiceChip("basis", t("Accounting basis"), [["accrual", t("Accrual basis")], ["cash", t("Cash basis")]]);
const budgetChip = () => ({
  key: "budgetId",
  text: t("Budget"),
  load: async (typed) =>
    (await getAll("/finance/budgets?limit=200")).map(({ id, name, year }) => ({ value: id, text: `${name} ${year}` }))
      .filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase())),
  shown: async (id) => (await get(`/finance/budgets/${id}`)).name,
});

const rowsChip = () =>
  choiceChip("groupBy", t("Rows"), [["project", t("Projects")], ["customer", t("Customers")], ["user", t("People")]]);

const yearChip = () => {
  const year = Number(today().slice(0, 4));
  return choiceChip(
    "year",
    t("Fiscal year"),
    Array.from({ length: 10 }, (_, back) => [`${year - back}`, `${year - back}`]),
  );
};
const onDay = () => dateChip("date", t("As of"));

// These are as of today, so that a saved view moves with the calendar, unless a day is chosen.
const AS_OF = ["balance-sheet", "aged-receivables", "aged-payables", "cash-forecast", "consolidated", "asset-register"];
const movesOn = (name) => AS_OF.includes(name) && !query.value.get("date");

// By name, as in the API: the filters, and what can be done.
const CHIPS = {
  "profit-and-loss": () => [...dayChips(), columnsChip(), dimensionChip(), comparing(), budgetChip()],
  "balance-sheet": () => [onDay(), dateChip("compareDate", t("Compare with"))],
  "general-ledger": () => [accountChip(), contactChip(), dimensionChip(), ...dayChips()],
  "aged-receivables": () => [onDay()],
  "aged-payables": () => [onDay()],
  "cash-flow": () => [...dayChips(), comparing()],
  "cash-forecast": () => [onDay(), dateChip("dateTo", t("Last day"))],
  "project-margin": () => [...dayChips(), rowsChip(), comparing()],
  "consolidated": () => [onDay(), dateChip("dateFrom", t("Income and expenses from"))],
  "number-gaps": () => [yearChip()],
  "asset-register": () => [onDay()],
  "asset-movements": () => [yearChip()],
  "tax": () => [taxPeriodChip(), ...periodChips(), basisChip()],
  "tax-annual": () => [yearChip()],
  "ec-sales-list": () => [taxPeriodChip(), ...periodChips()],
  "oss": () => [taxPeriodChip(), ...periodChips()],
  "sales-tax": () => [taxPeriodChip(), ...periodChips()],
};
const ACTS = {
  "profit-and-loss": () => [{ name: t("Budgets"), run: () => go("/budgets") }],
  "tax": returnActions,
  "ec-sales-list": salesListActions,
};
const UNSEEN = ["form", "projectId", "compareFrom", "compareTo", "dimension"]; // perhaps without a chip
const OURS = ["saved", "period"]; // the name of a view, and the word for days

const given = () => ({
  ...Object.fromEntries([...query.value].filter(([key]) => !OURS.includes(key))),
  ...parametersOf(["dateFrom", "dateTo", ...UNSEEN]),
});

const ASKS = { "general-ledger": { limit: MOST } };

export default ({ params }) => {
  const { name } = params;
  if (!Object.hasOwn(REPORTS, name)) return nowhere();
  const { text, asks = ASKS[name] ?? {}, isNamed = false, isWithin = false, days = () => ({}) } = REPORTS[name];
  const path = pathOf(name);
  const asked = (more) =>
    address(path, {
      ...given(),
      ...days(),
      language: language().slice(0, 2),
      ...more,
    });
  const report = firstPage(() => asked(asks));
  if (!isWithin) registerReport(viewsOf(name));
  const file = (format, label) => ({
    name: label,
    icon: "download",
    run: () => download(asked({ format, ...(format === "csv" ? { separator: "semicolon" } : {}) })),
  });
  const verify = {
    name: t("Verify a report"),
    icon: "shield",
    run: () => go(address("/report-proof", { proof: JSON.stringify((report.value?.tree ?? report.value)?.proof) })),
  };
  return {
    title: text(),
    back: { href: "/reports", text: t("Reports") },
    state: [others(name), span({ class: "soft" }, () => periodOf(report.value?.tree ?? report.value ?? {}))],
    leadsOn: ({ pathname, search }) => !pathname.startsWith("/reports") || search !== "", // a figure, and no other report
    actions: [
      ...(ACTS[name]?.(report) ?? []),
      file("pdf", t("PDF")),
      file("xlsx", t("Excel")),
      file("csv", t("CSV")),
      path.startsWith("/finance") && verify,
    ],
    body: div(
      { class: "stack" },
      filterChips((CHIPS[name] ?? dayChips)()),
      loaded(report, (found) => () => shown(found().tree ?? found(), { isNamed, isToday: movesOn(name) })),
    ),
  };
};

// The name leads to the other reports.
const others = (name) =>
  menu({
    class: "button is-plain is-icon",
    label: icon("chevron-down"),
    title: t("Other reports"),
    items: offered().filter((key) => key !== name).map((key) => ({
      name: REPORTS[key].text(),
      href: `/reports/${key}`,
    })),
  });

const shown = (tree, { isNamed, isToday }) =>
  div(
    { class: "stack" },
    div(
      { class: "scrolls", tabindex: "0", role: "group", "aria-label": tree.title },
      table(
        { class: "plain report" },
        caption(
          { class: "soft small" },
          [isNamed && withDays(tree.title), daysOf(tree, isToday)].filter(Boolean).join(" · "),
        ),
        thead(
          tr(
            th({ scope: "col" }, tree.heading),
            tree.columns.map((column) => th({ scope: "col", class: classOf(column) }, withDays(column.label))),
          ),
        ),
        tbody(tree.rows.map((row, at) => rowOf(row, tree, tree.rows[at - 1]))),
      ),
    ),
    tree.nextCursor
      ? p({ class: "soft" }, t("Not all rows are shown. Shorten the period or download the file."))
      : null,
  );

const withDays = (text) => text.replace(/\d{4}-\d\d-\d\d/g, day);

function daysOf({ dateFrom, dateTo, currency }, isToday) {
  if (!dateFrom) {
    const asked = { day: day(dateTo), currency };
    return isToday ? t("As of today, {day}, in {currency}", asked) : t("As of {day}, in {currency}", asked);
  }
  const days = t("{from} to {until}, in {currency}", { from: day(dateFrom), until: day(dateTo), currency });
  return isToday ? `${days} · ${t("as of today")}` : days;
}

const classOf = (
  { kind },
) => (["amount", "percent", "count", "minutes"].includes(kind) ? "figure" : kind === "date" ? "nowrap" : "");

// The code of an account stands once above all of its rows.
function rowOf(row, tree, above) {
  const text = [row.code !== above?.code && row.code, row.label].filter(Boolean).join(" ");
  return tr(
    { class: [row.kind !== "line" && "is-total", isOff(row) && "bad"].filter(Boolean).join(" ") },
    th({ scope: "row", class: `indent-${Math.min(row.level, 3)}` }, linked(row.link, withDays(text))),
    tree.columns.map((column) => td({ class: classOf(column) }, cellOf(row.cells[column.key], column, tree.currency))),
  );
}

// Whether the books differ from the documents: something is to be looked at.
const isOff = ({ key, cells }) => key === "difference" && Object.values(cells).some(({ value }) => Number(value));

function cellOf(cell, column, currency) {
  if (!cell || cell.value === null) return "";
  if (column.kind === "amount") {
    const text = money(cell.value, cell.currency ?? currency, { dash: true, withCurrency: Boolean(cell.currency) });
    return linked(text === "–" ? null : cell.link, text);
  }
  if (column.kind === "minutes") return Number(cell.value) ? linked(cell.link, duration(Number(cell.value))) : "–";
  return { date: day, percent }[column.kind]?.(cell.value) ?? cell.value;
}

const linked = (link, text) => (hrefOf(link) && text ? a({ href: hrefOf(link) }, text) : text);

const SHOWN = ["reports", "invoices", "payments", "contacts", "journals", "offsets", "revaluations", "assets"];
const SHOWN_AT = { revaluations: "close/revaluation" };

const NARROWING = ["dimension", "projectId", "contactId"]; // a narrowed report leads to the postings that it counts

// The screen that shows what an address of the API answers; null where there is none yet.
function hrefOf(link) {
  const { pathname, searchParams } = new URL(link ?? "", location.origin);
  const project = pathname.match(/^\/api\/v1\/projects\/([\w-]+)/)?.[1] ?? searchParams.get("projectId");
  if (project && !pathname.includes("/finance/")) return `/projects/${project}`;
  const [, kind, id] = pathname.match(/^\/api\/v1\/finance\/([\w-]+)(?:\/([\w-]+))?/) ?? [];
  if (kind === "accounts") {
    const narrowed = NARROWING.map((name) => [name, query.value.get(name)]);
    return address("/reports/general-ledger", {
      accountId: id,
      ...Object.fromEntries([...narrowed, ...searchParams]),
    });
  }
  if (kind === "open-items") return `/contacts/${searchParams.get("contactId")}`;
  if (SHOWN.includes(kind)) {
    return address(`/${SHOWN_AT[kind] ?? kind}/${id}`, Object.fromEntries(searchParams));
  }
  return null;
}
