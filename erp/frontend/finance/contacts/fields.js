// The fields of a contact: its form, the facts of its page, and the columns of tables that are imported.
import { t } from "../../core/i18n.js";
import { session } from "../../core/session.js";
import { addressField } from "../../ui/address.js";
import { bankAccountField } from "../../ui/bank_account.js";
import { optionsOf } from "../../ui/choice.js";
import { timeBillingField } from "../../ui/time_billing.js";
import { kindOptions } from "./kinds.js";
import { recipientsField } from "./recipients.js";
import { dimensionsField } from "../dimensions/choice.js";
import { rateOptions } from "../tax_rates/choice.js";
import { termsFields } from "../terms/fields.js";
import { termsOf, termsSignals } from "../terms/values.js";
import { contactTermsWords } from "../terms/words.js";

const LANGUAGES = { de: () => t("German"), en: () => t("English") };

const BUYERS = { business: () => t("Business"), consumer: () => t("Consumer") };

const otherWorkspaces = () =>
  session.peek().workspaces.filter(({ id }) => id !== session.peek().workspace.id)
    .map(({ id, name }) => ({ value: id, text: name }));

const isCustomer = ({ kind }) => kind.value !== "supplier";

export const contactFields = () => [
  {
    name: "name",
    label: t("Name"),
    isWide: true,
    autocomplete: "off",
    ifEmpty: "",
    isFact: false,
    example: "Hansen & Söhne",
    meaning: t("The name that you look for"),
  },
  {
    name: "kind",
    label: t("Contact type"),
    kind: "choice",
    start: "customer",
    options: kindOptions(),
    example: "customer",
    meaning: t("customer, supplier or both"),
  },
  { label: t("Customer number"), told: ({ debtorNumber }) => debtorNumber },
  { label: t("Supplier number"), told: ({ creditorNumber }) => creditorNumber },
  {
    name: "legalName",
    label: t("Legal name"),
    isOptional: true,
    example: "Hansen & Söhne GmbH",
    meaning: t("The name on documents, if it is another one"),
  },
  { name: "email", label: t("E-mail"), kind: "email", isOptional: true, example: "office@hansen.example" },
  { name: "phone", label: t("Phone"), isOptional: true, example: "+49 40 123456" },
  addressField(),
  { name: "vatId", label: t("VAT number"), isOptional: true, example: "DE136695976" },
  { name: "taxNumber", label: t("Tax number"), isOptional: true },
  bankAccountField(),
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
    words: (paymentTerms) => contactTermsWords({ paymentTerms }),
    columns: [{ name: "paymentTermsDays", label: t("Payment terms (days)"), example: "14" }],
  },
  {
    name: "buyerKind",
    label: t("Buys as"),
    kind: "choice",
    start: "business",
    options: optionsOf(BUYERS),
    example: "business",
    meaning: t("business or consumer"),
    isNeeded: false,
  },
  recipientsField(),
  dimensionsField,
  timeBillingField({ isShown: isCustomer }),
  {
    name: "paperIntro",
    label: t("Text above the lines"),
    kind: "area",
    isOptional: true,
    isShown: isCustomer,
    isKept: true,
    hint: t("On documents for this contact, in place of the workspace’s text."),
  },
  {
    name: "paperClosing",
    label: t("Text below the totals"),
    kind: "area",
    isOptional: true,
    isShown: isCustomer,
    isKept: true,
  },
  {
    name: "groupWorkspaceId",
    label: t("Is the workspace"),
    kind: "choice",
    isOptional: true,
    hint: t("What the two owe each other is left out when they are consolidated."),
    options: otherWorkspaces(),
    isShown: () => otherWorkspaces().length > 0,
    told: (contact) => otherWorkspaces().find(({ value }) => value === contact.groupWorkspaceId)?.text,
  },
  { name: "note", label: t.of("internal", "Note"), kind: "area", isOptional: true, example: "" },
];
