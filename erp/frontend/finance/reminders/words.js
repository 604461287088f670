// The words of reminders: levels, states, and why someone is left out.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { pill } from "../../ui/pill.js";

export const REMINDERS = "/finance/reminders";
export const RUNS = "/finance/reminder-runs";
export const LEVELS = "/finance/reminder-levels";
export const BASE_RATES = "/finance/base-rates";
// What else is out of date once letters change.
export const REMINDED = [REMINDERS, RUNS, "/finance/invoices", "/finance/contacts", "/workspace/home"];

// The levels of a new workspace are in the reader's language.
const NAMES = {
  "Payment reminder": () => t("Payment reminder"),
  Reminder: () => t.of("letter", "Reminder"),
  "Final reminder": () => t("Final reminder"),
};
export const levelName = (name) => NAMES[name]?.() ?? name;

export const amountOf = (amount, { currency }) => money(amount, currency, { withCurrency: true });

export const WHY = {
  blocked_contact: () => t("contact blocked"),
  blocked_document: () => t("document blocked"),
  below_minimum: () => t("amount too small"),
  not_yet: () => t("not due yet"),
  doubtful: () => t("doubtful"),
  written_off: () => t("written off"),
  credit_covers: () => t("covered by credit"),
  no_level_left: () => t("no level left"),
  payment_suggested: () => t("payment to be matched"),
};

export const BLOCKS = {
  disputed: () => t("disputed"),
  agreed: () => t("agreed otherwise"),
  other: () => t("other reason"),
};

const VIAS = {
  smtp: () => t("by e-mail"),
  eml: () => t("by e-mail"),
  post: () => t("by post"),
  link: () => t("by link"),
  other: () => t("in another way"),
};
export const viaName = (via) => VIAS[via]?.();

const CHARGES = {
  open: () => t("charges open"),
  charged: () => t("charges invoiced"),
  waived: () => t("charges waived"),
};

export function reminderState({ status, isSent, chargesStatus }) {
  if (status === "undone") return pill(t("undone"), "neutral");
  if (chargesStatus !== "none") return pill(CHARGES[chargesStatus](), chargesStatus === "open" ? "warn" : "good");
  return isSent ? pill(t("sent"), "good") : pill(t("not sent"), "info");
}
