// Customers and suppliers.
import { address, send } from "../core/api.js";
import { money } from "../core/format.js";
import { t, tn } from "../core/i18n.js";
import { go, parameter, query, setQuery } from "../core/router.js";
import { currency, may } from "../core/session.js";
import { changed, list } from "../core/store.js";
import { signal, tags } from "../core/view.js";
import { button } from "../ui/button.js";
import { choice } from "../ui/choice.js";
import { dialog } from "../ui/dialog.js";
import { empty } from "../ui/empty.js";
import { field } from "../ui/field.js";
import { form } from "../ui/form.js";
import { searchField, textInput } from "../ui/input.js";
import { table } from "../ui/table.js";
import { tabs } from "../ui/tabs.js";
import { isZero } from "./states.js";

export default () => {
  const contacts = list(() => address("/finance/contacts", { kind: query.value.get("kind"), q: query.value.get("q"), isArchived: query.value.get("isArchived") ?? "false", sort: query.value.get("sort") ?? "name" }));
  const add = { name: t("New contact"), key: "n", main: true, icon: "plus", may: "contacts.write", run: () => addContact() };
  return {
    title: t("Contacts"),
    actions: [add],
    body: tags.div(
      { class: "stack" },
      tabs({ label: t("Kind"), items: () => [["", t("All")], ["customer", t("Customers")], ["supplier", t("Suppliers")]].map(([key, text]) => ({ key, text, href: address("/contacts", { ...Object.fromEntries(query.value), kind: key }) })), current: () => query.value.get("kind") ?? "" }),
      searchField({ value: parameter("q"), label: t("Search contacts") }),
      table({
        label: t("Contacts"),
        list: contacts,
        key: ({ id }) => id,
        href: ({ id }) => `/contacts/${id}`,
        columns,
        sort: { value: () => query.value.get("sort"), choose: (sort) => setQuery({ sort }) },
        sumText: () => contacts.items && tn("{n} contact", "{n} contacts", contacts.items.length),
        empty: empty(t("No contact yet."), may("contacts.write") && button(t("New contact"), () => addContact(), { kind: "main" })),
      }),
    ),
  };
};

const KINDS = { customer: () => t("Customer"), supplier: () => t("Supplier"), both: () => t("Customer and supplier") };
export const kindOfContact = ({ kind }) => KINDS[kind]();

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name, sort: "name" },
  { key: "kind", text: t("Kind"), place: "meta", width: "12rem", cell: kindOfContact },
  { key: "city", text: t("City"), isMinor: true, cell: ({ address: place }) => place?.city ?? "" },
  { key: "email", text: t("E-mail"), isMinor: true, cell: ({ email }) => email ?? "" },
  { key: "overdue", text: t("Overdue"), isFigure: true, width: "9rem", place: "state", cell: ({ overdue }) => (isZero(overdue) ? "" : tags.span({ class: "bad" }, money(overdue, currency()))) },
  { key: "balance", text: t("Balance"), isFigure: true, width: "9rem", place: "figure", cell: ({ balance }) => money(balance, currency(), { dash: true }) },
];

const FIELDS = ["name", "legalName", "email", "phone", "vatId", "taxNumber"];
const PLACES = ["line1", "line2", "postalCode", "city", "country"];

// The form of a contact, new or changed.
export function contactForm(record, done, cancel) {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, signal(record?.[name] ?? "")]));
  const places = Object.fromEntries(PLACES.map((name) => [name, signal(record?.address?.[name] ?? "")]));
  const kind = signal(record?.kind ?? "customer");
  const days = signal(record?.paymentTermsDays ?? "");
  const bodyOf = () => ({
    kind: kind.value,
    ...Object.fromEntries(FIELDS.map((name) => [name, fields[name].value || (name === "name" ? "" : null)])),
    address: Object.fromEntries(PLACES.map((name) => [name, places[name].value || null])),
    ...(String(days.value) !== String(record?.paymentTermsDays ?? "") && { paymentTermsDays: days.value === "" ? null : Number(days.value) }),
  });
  const run = async () => {
    const saved = record ? await send("PATCH", `/finance/contacts/${record.id}`, bodyOf(), { version: record.version }) : await send("POST", "/finance/contacts", bodyOf());
    changed("/finance/contacts", "/finance/invoices");
    await done(saved);
  };
  const text = (label, name, more = {}) => field({ label, name, isOptional: name !== "name", ...more }, textInput({ value: fields[name], name, ...more }));
  const place = (label, name) => field({ label, name: `address.${name}`, isOptional: true }, textInput({ value: places[name], name: `address.${name}`, maxlength: name === "country" ? 2 : undefined }));
  return form(
    { run, submit: record ? t("Save") : t("Add contact"), cancel, label: t("Contact") },
    tags.div(
      { class: "fields" },
      text(t("Name"), "name", { isWide: true, autocomplete: "off" }),
      field({ label: t("Kind"), name: "kind" }, choice({ value: kind, name: "kind", options: Object.entries(KINDS).map(([value, name]) => ({ value, text: name() })) })),
      text(t("E-mail"), "email", { type: "email" }),
      text(t("Phone"), "phone"),
      place(t("Street"), "line1"),
      place(t("Further line"), "line2"),
      place(t("Postal code"), "postalCode"),
      place(t("City"), "city"),
      field({ label: t("Country"), name: "address.country", isOptional: true, hint: t("Two letters, such as DE.") }, textInput({ value: places.country, name: "address.country", maxlength: 2 })),
      text(t("VAT number"), "vatId"),
      text(t("Tax number"), "taxNumber"),
      field({ label: t("Days to pay"), name: "paymentTermsDays", isOptional: true, hint: t("The workspace’s if empty.") }, textInput({ value: days, name: "paymentTermsDays" })),
    ),
  );
}

const addContact = () =>
  dialog({ title: t("New contact"), size: "wide", body: (close) => contactForm(null, (made) => (close(), go(`/contacts/${made.id}`)), () => close()) });
