// The names of the fields of a document or a quote: in its editor, on its page, and where two versions differ.
import { t } from "../../core/i18n.js";
import { isPurchase } from "./states.js";

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
  discountPercent: t("Discount in %"),
  currency: t("Currency"),
  exchangeRate: t("Exchange rate"),
  serviceDate: t("Service date"),
  projectId: t("Project"),
  prepaidAmount: t("Already paid"),
  note: t("Document text"),
  intro: t("Text above the lines"),
  closing: t("Text below the totals"),
});
