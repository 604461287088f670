// A contact's fields, told once for its form and its page, and that form.
import { send } from "../../core/api.js";
import { draftOfFields } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { changed } from "../../core/store.js";
import { addressField } from "../../ui/address.js";
import { change } from "../../ui/changing.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { defaultDimensions } from "../dimensions/choice.js";
import { rateOptions } from "../tax_rates/choice.js";
import { termsFields } from "../terms/fields.js";
import { termsOf, termsSignals } from "../terms/values.js";
import { contactTermsWords } from "../terms/words.js";

const KINDS = { customer: () => t("Customer"), supplier: () => t("Supplier"), both: () => t("Customer and supplier") };
const LANGUAGES = { de: () => t("German"), en: () => t("English") };

export const kindOfContact = ({ kind }) => KINDS[kind]();
const optionsOf = (texts) => Object.entries(texts).map(([value, text]) => ({ value, text: text() }));

export const contactFields = () => [
  { name: "name", label: t("Name"), isWide: true, autocomplete: "off", ifEmpty: "", isFact: false },
  { name: "kind", label: t("Contact type"), kind: "choice", start: "customer", options: optionsOf(KINDS) },
  { label: t("Customer number"), told: ({ debtorNumber }) => debtorNumber },
  { label: t("Supplier number"), told: ({ creditorNumber }) => creditorNumber },
  { name: "legalName", label: t("Legal name"), isOptional: true },
  { name: "email", label: t("E-mail"), kind: "email", isOptional: true },
  { name: "phone", label: t("Phone"), isOptional: true },
  addressField(),
  { name: "vatId", label: t("VAT number"), isOptional: true },
  { name: "taxNumber", label: t("Tax number"), isOptional: true },
  {
    name: "buyerReference",
    label: t("Buyer reference"),
    isOptional: true,
    hint: t("For authorities: the Leitweg-ID."),
  },
  {
    name: "language",
    label: t("Language of documents"),
    kind: "choice",
    isOptional: true,
    empty: t("Workspace setting"),
    options: optionsOf(LANGUAGES),
  },
  {
    name: "defaultTaxRateId",
    label: t("Default tax rate"),
    kind: "choice",
    isOptional: true,
    empty: t("Workspace default"),
    makeOptions: () => rateOptions(),
    told: ({ defaultTaxRateName }) => defaultTaxRateName,
  },
  {
    name: "paymentTerms",
    label: t("Payment terms"),
    parts: { signals: (contact) => termsSignals(contact?.paymentTerms), draw: termsFields, read: termsOf },
    told: contactTermsWords,
  },
  defaultDimensions,
  { label: t.of("internal", "Note"), told: ({ note }) => note },
];

// The form of a contact, new or changed.
export function contactForm(record, done, cancel) {
  const fields = editable(contactFields(), record);
  const kept = record ? null : draftOfFields("contact", null, fields.signals);
  const told = ({ paymentTerms }) => ({ paymentTerms: contactTermsWords({ paymentTerms }) });
  const run = async (element) => {
    const saved = record
      ? await change(element, `/finance/contacts/${record.id}`, record, fields.body(), told)
      : await send("POST", "/finance/contacts", fields.body(), { key: kept.key });
    if (!saved) return;
    kept?.clear();
    changed("/finance/contacts", "/finance/invoices");
    await done(saved);
  };
  return form(
    { run, submit: record ? t("Save") : t("Create contact"), cancel, draft: kept, label: t("Contact") },
    fields.controls,
  );
}
