// The end of a year: its result, its months as the ladder of the lock, what is still open, and the file for the auditor.
import { address, download } from "../../core/api.js";
import { day, money, month } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, query } from "../../core/router.js";
import { may, settings } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { computed, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { attachments } from "../../ui/attachments.js";
import { card, more } from "../../ui/card.js";
import { empty } from "../../ui/empty.js";
import { figureCard, figures } from "../../ui/figure.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { tabs } from "../../ui/tabs.js";
import { closeYear, lock, unlock } from "./lock.js";
import { isZero } from "../documents/states.js";

const { a, div, li, p, span, ul } = tags;
const NAMED = 5; // records of a finding that are named

export default () => {
  const periods = resource("/finance/periods");
  const years = computed(() => (periods.value?.fiscalYears ?? []).toReversed());
  const chosen = computed(() => query.value.get("year") ?? toClose(years.value)?.year);
  const year = resource(() => (chosen.value ? `/finance/fiscal-years/${chosen.value}` : null));
  return {
    title: t("Year end"),
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
        name: t("Tax advisor"),
        icon: "briefcase",
        isShown: () => ["DE", "AT"].includes(settings().country),
        run: () => go("/datev"),
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
      { name: t("Revaluations"), icon: "scale", run: () => go("/revaluations") },
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
            href: address("/year-end", { year: one.year }),
          })),
        current: () => String(chosen.value),
      }),
      loaded(year, (get) => () => shown(get())),
      () => locks(periods.value?.locks ?? []),
    ),
  };
};

const nextMonth = (year) => year?.months.find(({ can }) => can.includes("lock"));

// The first year that is over and not closed, else the last one.
function toClose(years) {
  const isOpen = ({ status, endDate }) => status !== "locked" && endDate < new Date().toISOString().slice(0, 10);
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

const NAMES = {
  draft_invoices: () => t("Draft invoices"),
  draft_bills: () => t("Draft bills"),
  draft_payroll_runs: () => t("Payroll runs"),
  unallocated_payments: () => t("Payments on account"),
  unallocated_credit_notes: () => t("Open credit notes"),
  unmatched_bank_lines: () => t("Unmatched bank transactions"),
  unmatched_bank_entries: () => t("Entries not on a statement"),
  bills_without_file: () => t("Bills without a file"),
  future_documents: () => t("Dated in the future"),
  tax_rate_misfit: () => t("Tax rates that hardly fit"),
  trial_balance: () => t("Trial balance"),
  opening_account: () => t("Opening balances"),
  lines_without_asset: () => t("Bought, without an asset"),
  depreciation_missing: () => t("Months without depreciation"),
  asset_register_differs: () => t("Asset register"),
};
const nameOf = (kind) => NAMES[kind]?.() ?? kind;

// Where to look, by kind: a list, or null where the records say it all.
const LISTS = {
  draft_invoices: "/invoices?state=draft",
  draft_bills: "/bills?state=draft",
  unallocated_payments: "/payments?isUnallocated=true",
  unallocated_credit_notes: "/invoices?kind=sales_credit_note",
  unmatched_bank_lines: "/bank",
  unmatched_bank_entries: "/bank",
  bills_without_file: "/bills",
  trial_balance: "/reports/trial-balance",
  lines_without_asset: "/assets",
  depreciation_missing: "/depreciation-runs",
  asset_register_differs: "/reports/asset-register",
};

function checkList(findings) {
  if (!findings.length) return empty(t("No open points. The books can be locked."));
  return ul({ class: "stack plain-list" }, findings.map(finding));
}

const finding = (one) =>
  li(
    { class: "stack-tight" },
    div(
      { class: "row" },
      pill(String(one.count), "warn"),
      headOf(one),
      one.amount && tags.span({ class: "soft" }, money(one.amount, one.currency, { withCurrency: true })),
    ),
    p({ class: "soft small" }, one.message),
    records(one),
  );

const headOf = ({ kind }) => (LISTS[kind] ? a({ href: LISTS[kind] }, nameOf(kind)) : tags.strong(nameOf(kind)));

// A few of the records, each with a link where it has a screen.
function records({ kind, count, records: all }) {
  const named = all.slice(0, NAMED);
  if (!named.length) return null;
  const words = named.flatMap((record, at) => [at ? ", " : "", linkTo(record, kind)]);
  const others = count - named.length;
  return p({ class: "small" }, words, others > 0 ? tn(" and {n} more", " and {n} more", others) : null);
}

function linkTo(record, kind) {
  const text = record.number ?? record.contactName ?? record.text ?? day(record.date);
  const isBill = ["draft_bills", "bills_without_file", "lines_without_asset"].includes(kind);
  const href = {
    invoice: `/${isBill ? "bills" : "invoices"}/${record.id}`,
    payment: `/payments/${record.id}`,
    account: `/reports/general-ledger?accountId=${record.id}`,
  }[record.type];
  return href ? a({ href }, text) : text;
}

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
