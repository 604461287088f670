// The states of documents and payments, in words and colours.
import { t, tn } from "../../core/i18n.js";
import { listScreen } from "../../core/neighbours.js";
import { documentPath } from "../../core/record_paths.js";
import { may } from "../../core/session.js";
import { pill } from "../../ui/pill.js";

/** @type {Record<string, [() => string, string]>} */
const STATES = {
  draft: [() => t("draft"), "neutral"],
  issued: [() => t("open"), "info"],
  partially_paid: [() => t("partly paid"), "info"],
  paid: [() => t("paid"), "good"],
  credited: [() => t("credited"), "neutral"],
  written_off: [() => t("written off"), "neutral"],
  void: [() => t("void"), "neutral"],
};

// Of what is posted at once and can be voided, such as an offset.
export const postedState = ({ status }) => (status === "void" ? pill(t("void"), "bad") : pill(t("posted"), "good"));

const LIST = "/finance/invoices";

const KINDS = {
  sales_invoice: () => t("Invoice"),
  sales_credit_note: () => t.of("own", "Credit note"),
  deposit_invoice: () => t("Deposit invoice"),
  final_invoice: () => t("Final invoice"),
  purchase_invoice: () => t("Bill"),
  purchase_credit_note: () => t("Supplier credit note"),
};

// The kinds that an invoice can have while it is a draft.
export const INVOICE_KINDS = ["sales_invoice", "deposit_invoice", "final_invoice"];
const PURCHASES = ["purchase_invoice", "purchase_credit_note"];
export const isPurchase = ({ kind }) => PURCHASES.includes(kind);
export const kindOf = ({ kind }) => KINDS[kind]();

// "Invoice INV-2026-00064", or "Draft of an invoice" while it has no number.
export const nameOf = (
  document,
) => (document.number
  ? t("{kind} {number}", { kind: kindOf(document), number: document.number })
  : t("{kind}, draft", { kind: kindOf(document) }));

export const partyOf = (
  document,
) => (isPurchase(document)
  ? { id: document.supplierId, name: document.supplierName }
  : { id: document.customerId, name: document.customerName });

export const pathOf = documentPath;

// Where a document opens from a list: a draft is edited.
export const opensAt = (row) => (row.status === "draft" && may("finance.write") ? `${pathOf(row)}/edit` : pathOf(row));

// The way back to the list of invoices or bills.
export const listOf = (
  isBill,
) => (isBill
  ? { href: listScreen(LIST, "/bills"), text: t("Bills") }
  : { href: listScreen(LIST, "/invoices"), text: t("Invoices") });

export const RECURRING = "/finance/recurring";

export const isZero = (amount) => /^-?[0.]+$/.test(amount ?? "0");

export const isOpen = ({ status, amountDue }) => ["issued", "partially_paid"].includes(status) && !isZero(amountDue);

export function statePill(document) {
  if (document.isOverdue) return pill(tn("{n} day overdue", "{n} days overdue", document.daysOverdue), "bad");
  if (document.approval === "pending" && isOpen(document)) return pill(t("awaiting approval"), "warn");
  const [text, kind] = STATES[document.status];
  return pill(text(), kind);
}

// The names of the main fields of a document or a quote: in its editor, on its page, and where two versions differ.
export const namesOf = (record) => ({
  kind: t.of("document", "Kind"),
  contactId: isPurchase(record) ? t("Supplier") : t("Customer"),
  supplierNumber: t("Supplier’s invoice no."),
  subject: t("Subject"),
  issueDate: t("Date"),
  dueDate: t("Due date"),
  validUntil: t("Valid until"),
  paymentTerms: t("Payment terms"),
  reference: isPurchase(record) ? t("Reference") : t("Customer reference"),
  lines: t("Lines"),
  projectId: t("Project"),
});
