// The open points of a check-list: each kind with its number, its list, and a few of its records.
import { address } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { pill } from "../../ui/pill.js";

const { a, div, li, p, ul } = tags;
const NAMED = 5; // records of a finding that are named

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
export const nameOf = (kind) => NAMES[kind]?.() ?? kind;

// Where to look, by kind: a list, and its filter where it has the days as well.
const LISTS = {
  draft_invoices: ["/invoices", { state: "draft" }],
  draft_bills: ["/bills", { state: "draft" }],
  unallocated_payments: ["/payments", { isUnallocated: "true" }],
  unallocated_credit_notes: ["/invoices", { kind: "sales_credit_note" }],
  unmatched_bank_lines: ["/bank", {}],
  unmatched_bank_entries: ["/bank?status=books"],
  bills_without_file: ["/bills", { hasFile: "false" }],
  trial_balance: ["/reports/trial-balance"],
  lines_without_asset: ["/assets"],
  depreciation_missing: ["/depreciation-runs"],
  asset_register_differs: ["/reports/asset-register"],
};

export function checkList(findings) {
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

function headOf({ kind, dateFrom, dateTo }) {
  if (!LISTS[kind]) return tags.strong(nameOf(kind));
  const [path, filter] = LISTS[kind];
  return a({ href: address(path, filter && { ...filter, dateFrom, dateTo }) }, nameOf(kind));
}

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
    journal_entry: `/journals/${record.id}`,
    payroll_run: `/payroll/${record.id}`,
  }[record.type];
  return href ? a({ href }, text) : text;
}
