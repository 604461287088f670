// The books of a month in the order in which they are closed: what is open, the VAT return, the lock, the tax advisor's
// batch; and the work of the year.
import { address } from "../../core/api.js";
import { day, longDay, money, month } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { bind } from "../../core/keys.js";
import { query, setQuery } from "../../core/router.js";
import { may, settings } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { actionButton } from "../../ui/actions.js";
import { link } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { icon } from "../../ui/icon.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { makeBatch } from "../datev/batch.js";
import { filing } from "../reports/tax_return.js";
import { checkList } from "./check_list.js";
import { lock } from "./lock.js";

const { a, div, p, strong } = tags;

export default () => {
  const shown = resource(() => address("/finance/periods/month", { month: query.value.get("month") }));
  const months = monthsOf(shown);
  return {
    title: t.of("books", "Close"),
    body: div(
      { class: "stack document" },
      div({ class: "fit-content", hidden: () => !months().length }, monthChoice(shown, months)),
      loaded(shown, (get) => div({ class: "stack" }, () => stepsOf(get()))),
    ),
  };
};

// The months to choose from. They stay while another month is read, as does the focus on them.
function monthsOf(shown) {
  let last = { months: [], month: null };
  return () => {
    last = shown.value ?? last;
    return last.months.includes(last.month) ? last.months : [...last.months, last.month].filter(Boolean);
  };
}

// The month of the address; without one, the month that the server shows.
const monthChoice = (shown, months) =>
  choice({
    value: {
      get value() {
        return query.value.get("month") || shown.value?.month;
      },
      set value(month) {
        setQuery({ month });
      },
    },
    name: "month",
    label: t("Month"),
    options: () => months().map((one) => ({ value: one, text: month(one) })),
  });

function stepsOf(get) {
  const parts = [
    [t.of("step", "Check"), checked(get)],
    [t("VAT return"), taxOf(get)],
    [t.of("step", "Lock"), lockOf(get)],
    advised(get) && [t("Tax advisor"), batchOf(get)],
  ].filter(Boolean);
  return [
    ...parts.map(([title, content], at) => card({ title: `${at + 1} · ${title}` }, content)),
    card({ title: t.of("year", "Year {year}", { year: get.endDate.slice(0, 4) }) }, ofTheYear()),
  ];
}

// The kinds of open points that each office asks about first, and what is said where there are none.
const CLEAN = [
  { kinds: ["draft_invoices", "draft_bills", "draft_payroll_runs"], words: () => t("No drafts") },
  { kinds: ["unmatched_bank_lines", "unmatched_bank_entries"], words: () => t("The bank agrees") },
  { kinds: ["bills_without_file"], words: () => t("Each bill has a file") },
];

function checked({ findings }) {
  const found = new Set(findings.map(({ kind }) => kind));
  const clean = CLEAN.filter(({ kinds }) => !kinds.some((kind) => found.has(kind)));
  return div(
    { class: "stack" },
    clean.length > 0 && div({ class: "row" }, clean.map(({ words }) => pill([icon("check"), words()], "good"))),
    findings.length > 0 && checkList(findings),
  );
}

const spanOf = ({ dateFrom, dateTo }) =>
  dateFrom.slice(0, 7) === dateTo.slice(0, 7)
    ? month(dateFrom)
    : t("{from} to {until}", { from: month(dateFrom, "short"), until: month(dateTo, "short") });

function taxOf({ taxReturn: one }) {
  const days = { dateFrom: one.dateFrom, dateTo: one.dateTo };
  return div(
    { class: "spread" },
    div(
      { class: "stack-tight" },
      p(strong(spanOf(one)), " · ", amountOf(one)),
      p({ class: "soft small" }, standing(one)),
    ),
    div(
      { class: "row" },
      link(t.of("act", "Open"), address("/reports/tax", days)),
      one.can.includes("file") && actionButton(filing(() => days)),
    ),
  );
}

function amountOf({ payable, currency }) {
  const isRefund = payable.startsWith("-");
  const amount = money(isRefund ? payable.slice(1) : payable, currency, { withCurrency: true });
  return isRefund ? t("{amount} to get back", { amount }) : t("{amount} to pay", { amount });
}

function standing(one) {
  if (one.isChanged) return t("The figures have changed since the return was filed.");
  if (one.filedAt) return t("Filed on {day}", { day: day(one.filedAt.slice(0, 10)) });
  if (!one.isOver) return t("{period} ends first.", { period: spanOf(one) });
  const late = one.daysLeft < 0 && tn("{n} day late", "{n} days late", -one.daysLeft);
  return [t("not filed"), one.dueDate && t("due {day}", { day: longDay(one.dueDate) }), late].filter(Boolean).join(
    " · ",
  );
}

function lockOf({ startDate, endDate, lockDate, status, isOver, can }) {
  const name = month(startDate);
  const act = {
    name: t("Lock {month}", { month: name }),
    key: "l",
    icon: "lock",
    main: true,
    run: () => lock(endDate),
  };
  const isNext = status !== "locked" && can.includes("lock");
  if (isNext) bind({ l: { text: act.name, run: act.run } });
  return div(
    { class: "spread" },
    div(
      { class: "stack-tight" },
      p(lockDate ? t("The books are locked through {day}.", { day: day(lockDate) }) : t("The books are not locked.")),
      status !== "locked" && !isOver && p({ class: "soft small" }, t("{period} ends first.", { period: name })),
    ),
    status === "locked" ? pill(t("locked"), "good") : isNext && actionButton(act),
  );
}

// DATEV is of use in these countries alone.
const advised = ({ datev }) => datev || ["DE", "AT"].includes(settings().country);

function batchOf({ startDate, endDate, datev }) {
  const advisor = (text) => a({ href: "/close/advisor" }, text);
  if (!datev) return p(advisor(t("Enter the consultant no. and the client no. first.")));
  const days = { dateFrom: startDate, dateTo: endDate };
  const making = {
    name: t("Create batch"),
    icon: "download",
    may: "finance.write",
    run: () => makeBatch(days),
  };
  return div(
    { class: "spread" },
    div(
      { class: "stack-tight" },
      p(
        datev.missing
          ? tn("{n} entry is in no batch yet.", "{n} entries are in no batch yet.", datev.missing)
          : t("All entries are in a batch."),
      ),
      datev.madeAt && p({ class: "soft small" }, t("Last batch: {day}", { day: day(datev.madeAt.slice(0, 10)) })),
    ),
    div(
      { class: "row" },
      link(t("Batches"), "/close/advisor"),
      datev.missing > 0 && may("finance.write") && actionButton(making),
    ),
  );
}

const ofTheYear = () =>
  div(
    { class: "row" },
    [
      ["/close/year", t("Year end")],
      ["/close/revaluation", t("Revaluations")],
      ["/depreciation-runs", t("Depreciation runs")],
      may("finance.write") && ["/import/books/opening", t("Opening balances")],
    ].filter(Boolean).map(([href, text]) => link(text, href)),
  );
