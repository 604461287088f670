// Journal entries: their kinds, their states, and the document that each belongs to.
import { t } from "../../core/i18n.js";
import { pill } from "../../ui/pill.js";

/** @type {Record<string, () => string>} */
export const KINDS = {
  manual: () => t("Manual"),
  reversal: () => t("Reversal"),
  opening: () => t("Opening balance"),
  invoice: () => t("Invoice"),
  payment: () => t("Payment"),
  exchange_difference: () => t("Exchange difference"),
  deposit_received: () => t("Deposit received"),
  deposit_closing: () => t("Deposit applied"),
  payroll: () => t("Payroll"),
  payroll_payment: () => t("Payment of salaries"),
  offset: () => t("Offset"),
  transfer: () => t.of("own", "Transfer"),
  revaluation: () => t("Revaluation"),
  revaluation_reversal: () => t("Reversed revaluation"),
  depreciation: () => t("Depreciation"),
  asset_disposal: () => t("Disposal"),
  cash_discount: () => t("Cash discount"),
  write_off: () => t("Write-off"),
  small_difference: () => t("Small difference"),
  doubtful: () => t("Doubtful"),
  tax_settlement: () => t("VAT payable entry"),
};

export const kindOf = ({ kind }) => KINDS[kind]?.() ?? kind;

export const entryState = ({ status }) =>
  status === "reversed" ? pill(t("reversed"), "neutral") : pill(t("posted"), "good");

const SCREENS = {
  invoice: "/invoices",
  payment: "/payments",
  journal_entry: "/journals",
  offset: "/offsets",
  revaluation: "/close/revaluation",
  asset: "/assets",
};

// The screen of a document by its type and id; null where there is none.
export const screenOf = (document) =>
  document && SCREENS[document.type] ? `${SCREENS[document.type]}/${document.id}` : null;

// The screen of the document that has posted an entry; null for one by hand, and where there is no such screen.
export const sourceOf = ({ source }) => screenOf(source);

// The screen of the document that an open item stands for.
export const documentOf = ({ documentType, documentId, side }) =>
  documentType === "invoice" && side === "payable"
    ? `/bills/${documentId}`
    : screenOf({ type: documentType, id: documentId });
