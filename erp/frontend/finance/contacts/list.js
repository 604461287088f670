// Customers and suppliers.
import { address, send } from "../../core/api.js";
import { draftOfFields } from "../../core/drafts.js";
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parameter, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { bringIn } from "../../ui/actions.js";
import { addressFields, addressOf, addressSignals } from "../../ui/address.js";
import { button } from "../../ui/button.js";
import { change, changesOf } from "../../ui/changing.js";
import { choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { searchField, textInput } from "../../ui/input.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { termsOf, termsSignals } from "../terms/values.js";
import { termsFields } from "../terms/fields.js";
import { contactTermsWords } from "../terms/words.js";
import { reminding } from "./reminder.js";
import { isZero } from "../documents/states.js";
import { rateOptions } from "../tax_rates/choice.js";

export default () => {
  const contacts = list(() =>
    address("/finance/contacts", {
      kind: query.value.get("kind"),
      q: query.value.get("q"),
      isArchived: query.value.get("isArchived") ?? "false",
      sort: query.value.get("sort") ?? "name",
    })
  );
  const add = {
    name: t("New contact"),
    key: "n",
    main: true,
    icon: "plus",
    may: "contacts.write",
    run: () => addContact(),
  };
  return {
    title: t("Contacts"),
    actions: [add, bringIn("contacts", "contacts.write")],
    body: tags.div(
      { class: "stack" },
      parameterTabs({
        name: "kind",
        label: t("Contact type"),
        options: [["", t("All")], ["customer", t("Customers")], ["supplier", t("Suppliers")]],
      }),
      searchField({ value: parameter("q"), label: t("Search contacts") }),
      table({
        label: t("Contacts"),
        list: contacts,
        key: ({ id }) => id,
        href: ({ id }) => `/contacts/${id}`,
        columns,
        actions: (contact) => [!isZero(contact.overdue) && contact.kind !== "supplier" && reminding(contact)],
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} contact", "{n} contacts", n, places),
        empty: empty(
          t("No contacts yet."),
          may("contacts.write") && button(t("New contact"), () => addContact(), { kind: "main" }),
        ),
      }),
    ),
  };
};

const KINDS = { customer: () => t("Customer"), supplier: () => t("Supplier"), both: () => t("Customer and supplier") };
export const kindOfContact = ({ kind }) => KINDS[kind]();
const numberOfContact = ({ kind, debtorNumber, creditorNumber }) =>
  (kind === "supplier" ? creditorNumber : debtorNumber) ?? "";

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name, sort: "name" },
  { key: "number", text: t.of("contact", "Number"), isMinor: true, width: "6rem", cell: numberOfContact },
  { key: "kind", text: t("Contact type"), place: "meta", width: "12rem", cell: kindOfContact },
  { key: "city", text: t("City"), isMinor: true, cell: ({ address: place }) => place?.city ?? "" },
  { key: "email", text: t("E-mail"), isMinor: true, cell: ({ email }) => email ?? "" },
  {
    key: "overdue",
    text: t("Overdue"),
    isFigure: true,
    width: "9rem",
    place: "state",
    cell: ({ overdue }) => (isZero(overdue) ? "" : tags.span({ class: "bad" }, money(overdue, currency()))),
  },
  {
    key: "balance",
    text: t.of("money", "Balance"),
    isFigure: true,
    width: "9rem",
    place: "figure",
    cell: ({ balance }) => money(balance, currency(), { dash: true }),
  },
];

const FIELDS = ["name", "legalName", "email", "phone", "vatId", "taxNumber", "buyerReference", "language"];

export const LANGUAGES = { de: () => t("German"), en: () => t("English") };

// The form of a contact, new or changed.
export function contactForm(record, done, cancel) {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, signal(record?.[name] ?? "")]));
  const places = addressSignals(record?.address);
  const kind = signal(record?.kind ?? "customer");
  const taxRateId = signal(record?.defaultTaxRateId ?? null);
  const terms = termsSignals(record?.paymentTerms);
  const all = { ...fields, ...places, ...terms, kind, taxRateId };
  const bodyOf = () => ({
    kind: kind.value,
    ...Object.fromEntries(FIELDS.map((name) => [name, fields[name].value || (name === "name" ? "" : null)])),
    address: addressOf(places),
    defaultTaxRateId: taxRateId.value,
    paymentTerms: termsOf(terms),
  });
  const before = bodyOf();
  const kept = record ? null : draftOfFields("contact", null, all);
  const told = ({ paymentTerms }) => ({ paymentTerms: contactTermsWords({ paymentTerms }) });
  const run = async (element) => {
    const saved = record
      ? await change(element, `/finance/contacts/${record.id}`, record, changesOf(bodyOf(), before), told)
      : await send("POST", "/finance/contacts", bodyOf(), { key: kept.key });
    if (!saved) return;
    kept?.clear();
    changed("/finance/contacts", "/finance/invoices");
    await done(saved);
  };
  const text = (label, name, more = {}) =>
    field({ label, name, isOptional: name !== "name", ...more }, textInput({ value: fields[name], name, ...more }));
  return form(
    { run, submit: record ? t("Save") : t("Create contact"), cancel, draft: kept, label: t("Contact") },
    tags.div(
      { class: "fields" },
      text(t("Name"), "name", { isWide: true, autocomplete: "off" }),
      field(
        { label: t("Contact type"), name: "kind" },
        choice({
          value: kind,
          name: "kind",
          options: Object.entries(KINDS).map(([value, name]) => ({ value, text: name() })),
        }),
      ),
      text(t("Legal name"), "legalName"),
      text(t("E-mail"), "email", { type: "email" }),
      text(t("Phone"), "phone"),
      addressFields(places),
      text(t("VAT number"), "vatId"),
      text(t("Tax number"), "taxNumber"),
      text(t("Buyer reference"), "buyerReference", { hint: t("For authorities: the Leitweg-ID.") }),
      field(
        { label: t("Language of documents"), name: "language", isOptional: true },
        choice({
          value: fields.language,
          name: "language",
          empty: t("Workspace setting"),
          options: Object.entries(LANGUAGES).map(([value, name]) => ({ value, text: name() })),
        }),
      ),
      field(
        { label: t("Default tax rate"), name: "defaultTaxRateId", isOptional: true },
        choice({
          value: taxRateId,
          name: "defaultTaxRateId",
          empty: t("Workspace default"),
          options: rateOptions(),
        }),
      ),
      termsFields(terms),
    ),
  );
}

const addContact = () =>
  dialog({
    title: t("New contact"),
    size: "wide",
    body: (close) => contactForm(null, (made) => (close(), go(`/contacts/${made.id}`)), () => close()),
  });
