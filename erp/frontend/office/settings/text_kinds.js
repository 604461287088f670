// The kinds of texts, in words.
import { t } from "../../core/i18n.js";
import { optionsOf } from "../../ui/choice.js";

const PAPERS = {
  invoice: () => t("Invoice"),
  credit_note: () => t.of("own", "Credit note"),
  deposit_invoice: () => t("Deposit invoice"),
  final_invoice: () => t("Final invoice"),
  quote: () => t("Quote"),
  order_confirmation: () => t("Order confirmation"),
  reminder_1: () => t("Reminder, level {level}", { level: 1 }),
  reminder_2: () => t("Reminder, level {level}", { level: 2 }),
  reminder_3: () => t("Reminder, level {level}", { level: 3 }),
  reminder_4: () => t("Reminder, level {level}", { level: 4 }),
  reminder_5: () => t("Reminder, level {level}", { level: 5 }),
  statement: () => t("Account statement"),
};
const MAILS = {
  payslip: () => t("Payslip"),
  invite: () => t("Invitation"),
  password_reset: () => t("New password"),
};

export const kindOptions = ({ isPaper = false } = {}) => optionsOf(isPaper ? PAPERS : { ...PAPERS, ...MAILS });
export const languageOptions = () => [{ value: "de", text: t("German") }, { value: "en", text: t("English") }];
