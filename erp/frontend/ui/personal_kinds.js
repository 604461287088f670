// Kinds of personal data in words.
import { t } from "../core/i18n.js";

export const KINDS = {
  profile: () => t("Name and contact details"),
  attendance: () => t("Attendance"),
  leave: () => t("Leave"),
  files: () => t("Files of people"),
  payroll: () => t("Payroll"),
  documents: () => t("Invoices, payments and expense claims"),
  books: () => t("Books"),
};

export const kindText = (kind) => (KINDS[kind] ?? (() => t("Account of the user")))();
