// Tax returns in the browser: their months and quarters, filing what is shown, and settling what was filed.
import { address, download, newKey, send } from "../../core/api.js";
import { day, money, month as monthOf } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { go, parametersOf, query, setQuery } from "../../core/router.js";
import { currency, settings } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { fileAndLock } from "../close/lock.js";

export const TOUCHED = [
  "/finance/reports",
  "/finance/periods",
  "/finance/tax-returns",
  "/finance/journals",
  "/finance/accounts",
];
const MONTHS = 13;
const QUARTERS = 5;

const iso = (year, month, date) => new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
const spanOf = (year, month, months) => `${iso(year, month, 1)}:${iso(year, month + months, 0)}`;

// The latest months and quarters, the present one first.
function periods() {
  const [year, month] = today().split("-").map(Number);
  const quarter = 3 * Math.floor((month - 1) / 3);
  const months = Array.from({ length: MONTHS }, (_, back) => spanOf(year, month - 1 - back, 1));
  const quarters = Array.from({ length: QUARTERS }, (_, back) => spanOf(year, quarter - 3 * back, 3));
  return [
    ...months.map((value) => ({ value, text: monthOf(value) })),
    ...quarters.map((value) => ({ value, text: quarterText(value) })),
  ];
}

const quarterText = (span) =>
  t("Quarter {number} of {year}", { number: Math.ceil(Number(span.slice(5, 7)) / 3), year: span.slice(0, 4) });

// A return is made once its month is over, so the month before is shown until another is chosen.
export function usualDays() {
  const { dateFrom: first, dateTo: last } = parametersOf(["dateFrom", "dateTo"]);
  if (first || last) return {};
  const [dateFrom, dateTo] = periods()[1].value.split(":");
  return { dateFrom, dateTo };
}

// A view keeps these, whatever the day.
const WORDS = () => [
  { value: "last_month", text: t("Last month") },
  { value: "last_quarter", text: t("Last quarter") },
];

export const taxPeriodChip = () => ({
  key: "period",
  text: t("Period"),
  options: [...WORDS(), ...periods()],
  value: () => {
    if (query.value.get("period")) return query.value.get("period");
    const { dateFrom, dateTo } = { ...Object.fromEntries(query.value), ...usualDays() };
    const span = `${dateFrom}:${dateTo}`;
    return periods().some(({ value }) => value === span) ? span : null;
  },
  choose: (span) => {
    const isWord = WORDS().some(({ value }) => value === span);
    const [dateFrom, dateTo] = (!isWord && span?.split(":")) || [null, null];
    setQuery({ period: isWord ? span : null, dateFrom, dateTo });
  },
});

// What can be done with the return that is shown: keep it as filed, and post what a filed one comes to.
export const salesListActions = (report) => [
  {
    name: t("ELSTER file"),
    icon: "download",
    isShown: () => settings().country === "DE",
    run: () => {
      const { dateFrom, dateTo } = report.value;
      download(address("/finance/reports/ec-sales-list/elster", { dateFrom, dateTo }));
    },
  },
];

export function returnActions(report) {
  const filedPath = () => {
    const row = report.value?.rows.find(({ key }) => key === "filed");
    return row ? row.link.replace("/api/v1", "") : null;
  };
  const filed = resource(filedPath);
  const days = () => ({
    dateFrom: report.value.dateFrom,
    dateTo: report.value.dateTo,
    form: query.value.get("form") ?? undefined,
  });
  const shownDays = () => ({ dateFrom: report.value?.dateFrom, dateTo: report.value?.dateTo });
  const isOver = () => report.value && report.value.dateTo <= today() && !query.value.get("basis");
  const isNew = () => isOver() && (!filedPath() || filed.value?.isChanged);
  return [
    { ...filing(days), main: true, isShown: () => Boolean(isNew()) },
    {
      name: t("File and lock"),
      icon: "lock",
      may: "finance.write",
      isShown: () => Boolean(isNew()),
      run: () => fileAndLock(days()),
    },
    {
      name: t("ELSTER file"),
      icon: "download",
      isShown: () => filed.value?.form === "de-ustva",
      run: () => download(`${filedPath()}/elster`),
    },
    {
      name: t("Returns of a year"),
      icon: "chart-column",
      run: () => go(address("/reports/tax-annual", { year: report.value?.dateTo.slice(0, 4) })),
    },
    {
      name: t("One-stop shop (OSS)"),
      icon: "chart-column",
      isShown: () => settings().country !== "US",
      run: () => go(address("/reports/oss", shownDays())),
    },
    {
      name: t("Sales tax"),
      icon: "chart-column",
      isShown: () => settings().country === "US",
      run: () => go(address("/reports/sales-tax", shownDays())),
    },
    {
      name: t("Post VAT payable"),
      icon: "landmark",
      may: "finance.write",
      isShown: () => Boolean(filed.value?.can.includes("settle")),
      run: async () => (await import("./settling.js")).settling(filed.value),
    },
    {
      name: t("Reverse VAT payable entry"),
      icon: "undo-2",
      may: "finance.write",
      isShown: () => Boolean(filed.value?.can.includes("undo_settlement")),
      run: async () => (await import("./settling.js")).undoing(filed.value),
    },
  ];
}

// `days` makes the first and the last day of a return, and its form.
export const filing = (days) => ({
  name: t("Mark as filed"),
  icon: "check",
  may: "finance.write",
  asks: () => aboutToFile(days()),
  run: () => keep(days()),
});

async function aboutToFile(days) {
  const made = await send("POST", "/finance/tax-returns", { ...days, dryRun: true });
  return {
    title: t("Mark as filed?"),
    text: t("Filed figures stay. Later changes in this period are shown beside them."),
    figures: [[t("Period"), daysOf(made)], [t("VAT payable"), amountOf(made)]],
  };
}

async function keep(days) {
  const made = await send("POST", "/finance/tax-returns", days, { key: newKey() });
  changed(...TOUCHED);
  notify(t("VAT return {days} marked as filed: {amount}.", { days: daysOf(made), amount: amountOf(made) }));
}

export const daysOf = ({ dateFrom, dateTo }) => `${day(dateFrom)} – ${day(dateTo)}`;
export const amountOf = ({ payable }) => money(payable, currency(), { withCurrency: true });
