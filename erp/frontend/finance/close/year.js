// The end of a year: its result, its months as the ladder of the lock, what is still open, and the file for the auditor.
import { address, download } from "../../core/api.js";
import { day, money, month } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { go, query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { computed, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { attachments } from "../../ui/attachments.js";
import { card, more } from "../../ui/card.js";
import { figureCard, figures } from "../../ui/figure.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { tabs } from "../../ui/tabs.js";
import { checkList, nameOf } from "./check_list.js";
import { closeYear, lock, unlock } from "./lock.js";
import { isZero } from "../documents/states.js";

const { div, li, p, span, ul } = tags;

export default () => {
  const periods = resource("/finance/periods");
  const years = computed(() => (periods.value?.fiscalYears ?? []).toReversed());
  const chosen = computed(() => query.value.get("year") ?? toClose(years.value)?.year);
  const year = resource(() => (chosen.value ? `/finance/fiscal-years/${chosen.value}` : null));
  return {
    title: t("Year end"),
    back: { href: "/close", text: t.of("books", "Close") },
    actions: [
      {
        name: t("Close the year"),
        icon: "lock",
        main: true,
        may: "finance.write",
        isShown: () => Boolean(year.value?.can.includes("close")),
        run: () => closeYear(year.value),
      },
      {
        name: t("Lock the next month"),
        icon: "lock",
        may: "finance.write",
        isShown: () => Boolean(nextMonth(year.value)),
        run: () => lock(nextMonth(year.value).endDate),
      },
      {
        name: t("Audit export"),
        icon: "download",
        may: "finance.read",
        isShown: () => Boolean(year.value),
        run: () => download(`/finance/fiscal-years/${year.value.year}/auditor-export`),
      },
      {
        name: t("Number series"),
        icon: "download",
        may: "finance.read",
        isShown: () => Boolean(year.value),
        run: () => download(`/finance/reports/number-gaps?format=pdf&year=${year.value.year}`),
      },
      {
        name: t("Process description"),
        icon: "download",
        may: "finance.read",
        isShown: () => Boolean(year.value),
        run: () => download(`/finance/fiscal-years/${year.value.year}/process-description`),
      },
      { name: t("Own chapters"), icon: "file-text", run: () => go("/settings/process-chapters") },
      {
        name: t("Unlock"),
        icon: "lock-open",
        danger: true,
        may: "workspace.own",
        isShown: () => Boolean(periods.value?.lockDate),
        run: () => unlock(periods.value.lockDate),
      },
    ],
    body: div(
      { class: "stack" },
      problem(() => periods.problem, () => periods.renew()),
      tabs({
        label: t("Fiscal years"),
        items: () =>
          years.value.map((one) => ({
            key: String(one.year),
            text: String(one.year),
            href: address("/close/year", { year: one.year }),
          })),
        current: () => String(chosen.value),
      }),
      loaded(year, (get) => () => shown(get())),
      () => locks(periods.value?.locks ?? []),
    ),
  };
};

const nextMonth = (year) => year?.months.find(({ can }) => can.includes("lock"));

// The first year that is over and not closed, else the last one; the program before has closed the year that has
// opening balances alone.
function toClose(years) {
  const isOpen = ({ status, endDate, isOpening }) => status !== "locked" && endDate < today() && !isOpening;
  return years.find(isOpen) ?? years.at(-1);
}

const shown = (year) =>
  div(
    { class: "stack" },
    standing(year),
    card({ title: t("Months") }, p({ class: "soft small" }, ladderText()), ladder(year)),
    card({ title: t("Check-list") }, checkList(year.findings)),
    year.status === "locked" ? card({ title: t("Reports") }, filesOf(year)) : null,
    year.taxReturns.length ? card({ title: t("VAT returns") }, taxReturns(year)) : null,
  );

const filesOf = ({ year }) =>
  attachments({ of: { resourceType: "fiscal_year", resourceId: String(year) }, canAdd: false });

const ladderText = () =>
  t("A locked month accepts no entries. Locking a month locks all earlier months; only an owner can unlock them.");

function standing(year) {
  const isLoss = year.result.startsWith("-");
  return figures(
    figureCard({
      label: t("Result of {year}", { year: year.year }),
      value: money(year.result, year.currency, { withCurrency: true }),
      note: isZero(year.result) ? null : isLoss ? t("a loss") : t("a profit"),
      kind: isLoss ? "bad" : "good",
    }),
    figureCard({
      label: t("Fiscal year"),
      value: stateText(year.status),
      note: t("{from} to {until}", { from: day(year.startDate), until: day(year.endDate) }),
    }),
    figureCard({ label: t("Locked through"), value: year.lockDate ? day(year.lockDate) : "–" }),
    figureCard({
      label: t("Still open"),
      value: String(year.findings.reduce((sum, { count }) => sum + count, 0)),
      note: year.findings.length ? t("a lock needs a reason") : t("nothing is missing"),
      kind: year.findings.length ? "bad" : "good",
    }),
  );
}

const STATES = { open: "info", partly_locked: "warn", locked: "good" };
const stateText = (
  status,
) => ({ open: t("open"), partly_locked: t("partly locked"), locked: t("locked") })[status];

function ladder(year) {
  return table({
    label: t("Months"),
    rows: () => year.months,
    key: ({ startDate }) => startDate,
    columns: [
      { key: "month", text: t("Month"), place: "name", cell: (one) => month(one.startDate) },
      { key: "open", text: t("Still open"), place: "meta", isLong: true, cell: openText },
      {
        key: "state",
        text: t("Status"),
        place: "state",
        width: "10rem",
        cell: ({ status }) => pill(stateText(status), STATES[status]),
      },
    ],
    actions: (one) =>
      one.can.includes("lock")
        ? [{
          name: t("Lock through {day}", { day: day(one.endDate) }),
          icon: "lock",
          key: "l",
          run: () => lock(one.endDate),
        }]
        : [],
  });
}

const openText = ({ findings }) =>
  findings.length
    ? findings.map(({ kind, count }, at) => [
      at > 0 && " · ",
      span({ class: "nowrap" }, t("{name}: {count}", { name: nameOf(kind), count })),
    ])
    : "–";

const taxReturns = (year) =>
  table({
    label: t("VAT returns"),
    rows: () => year.taxReturns,
    key: ({ id }) => id,
    href: ({ dateFrom, dateTo }) => address("/reports/tax", { dateFrom, dateTo }),
    columns: [
      {
        key: "days",
        text: t("Period"),
        place: "name",
        cell: ({ dateFrom, dateTo }) => t("{from} to {until}", { from: day(dateFrom), until: day(dateTo) }),
      },
      { key: "filed", text: t("Filed"), place: "meta", cell: ({ createdAt }) => day(createdAt.slice(0, 10)) },
      {
        key: "locked",
        text: t("Status"),
        place: "state",
        width: "10rem",
        cell: ({ isLocked }) => pill(isLocked ? t("locked") : t("open"), isLocked ? "good" : "info"),
      },
      {
        key: "payable",
        text: t("VAT payable"),
        place: "figure",
        width: "9rem",
        cell: ({ payable }) => money(payable, year.currency, { withCurrency: true }),
      },
    ],
  });

// Each move of the lock, with its reason.
function locks(moves) {
  if (!moves.length || !may("finance.read")) return null;
  return more({ text: t("Lock history"), isOpen: false }, ul({ class: "stack plain-list" }, moves.map(move)));
}

function move({ at, byName, toDate, fromDate, reason, findings }) {
  const isForward = toDate && (!fromDate || toDate > fromDate);
  const what = isForward
    ? t("Locked through {day}", { day: day(toDate) })
    : toDate
    ? t("Unlocked back to {day}", { day: day(toDate) })
    : t("Unlocked");
  const open = findings.reduce((sum, { count }) => sum + count, 0);
  return li(
    { class: "stack-tight" },
    tags.strong(what),
    p({ class: "soft small" }, [day(at.slice(0, 10)), byName, reason].filter(Boolean).join(" · ")),
    open ? p({ class: "soft small" }, tn("{n} open point.", "{n} open points.", open)) : null,
  );
}
