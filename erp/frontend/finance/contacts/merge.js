// Merging a duplicate into the contact that stays: what that does, in figures, before it is done.
import { newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { previewed } from "../../core/preview.js";
import { go } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { checkbox } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { contactOptions, nameOfContact } from "./choice.js";
import { contactFields } from "./fields.js";

const { div, li, p, ul } = tags;
const STALE = ["/finance/", "/projects", "/workspace/"];

/** @type {(contact: any, into?: string) => Promise<any>} */
export const mergeContact = (contact, into = "") =>
  dialog({
    title: t("Merge {name}", { name: contact.name }),
    size: "wide",
    body: (close) => asking(contact, into, close),
  });

const others = (own) => async (typed) =>
  (await contactOptions(null)(typed)).filter(({ contact }) => contact.id !== own && contact.kind !== "employee");

function asking(contact, into, close) {
  const [intoContactId, force] = [signal(into), signal(false)];
  const path = `/finance/contacts/${contact.id}/merge`;
  const key = newKey();
  const preview = previewed(
    path,
    () => (intoContactId.value ? { intoContactId: intoContactId.value, dryRun: true } : null),
    () => (preview.value = null),
  );
  const run = async () => {
    const head = await send("POST", path, { intoContactId: intoContactId.value, force: force.value }, {
      key,
      version: contact.version,
    });
    changed(...STALE);
    close();
    notify(t("{name} merged into {head}.", { name: contact.name, head: head.name }), { kind: "good" });
    await go(`/contacts/${head.id}`);
  };
  return form(
    { run, submit: t("Merge"), cancel: () => close(), label: t("Merge contacts") },
    p({ class: "soft" }, t("Nothing posted changes. This contact is archived, and its amounts count for the other.")),
    field(
      { label: t("Contact that stays"), name: "intoContactId" },
      combobox({
        value: intoContactId,
        name: "intoContactId",
        options: others(contact.id),
        shown: (id) => id && nameOfContact(id),
        autofocus: true,
      }),
    ),
    () => preview.value && shown(preview.value, force),
  );
}

const shown = (planned, force) =>
  div(
    { class: "stack" },
    facts([
      [t("Moves"), said(moving(planned.counts))],
      [t("Counts for {name}", { name: planned.headName }), said(staying(planned.counts))],
      [t("Balance afterwards"), money(planned.balance, currency(), { withCurrency: true })],
      planned.filled.length > 0 && [t("Filled in"), said(planned.filled.map(labelOf))],
      planned.differences.some(isKind) && [labelOf("kind"), t("Customer and supplier")],
    ]),
    stays(planned).length > 0 && div(
      p(t("Both have these, and the first stays:")),
      ul({ class: "plain-list" }, stays(planned).map((one) => li(difference(one)))),
    ),
    planned.differences.some(({ isConflict }) => isConflict) && div(
      { class: "stack" },
      alert({ kind: "warn", text: t("The VAT numbers or currencies differ. Check that this is the same contact.") }),
      checkbox({ value: force, name: "force", text: t("It is the same contact") }),
    ),
  );

const said = (parts) => parts.join(" · ") || t("Nothing.");

const moving = (counts) =>
  [
    counts.drafts && tn("{n} draft", "{n} drafts", counts.drafts),
    counts.recurringDocuments && tn("{n} recurring document", "{n} recurring documents", counts.recurringDocuments),
    counts.projects && tn("{n} project", "{n} projects", counts.projects),
    counts.bankRules && tn("{n} bank rule", "{n} bank rules", counts.bankRules),
    counts.ibans && tn("{n} IBAN", "{n} IBANs", counts.ibans),
    counts.reminderBlocks && t("No reminders"),
  ].filter(Boolean);

const staying = (counts) =>
  [
    counts.documents && tn("{n} document", "{n} documents", counts.documents),
    counts.quotes && tn("{n} quote", "{n} quotes", counts.quotes),
    counts.payments && tn("{n} payment", "{n} payments", counts.payments),
    counts.offsets && tn("{n} offset", "{n} offsets", counts.offsets),
    counts.journalEntries && tn("{n} manual entry", "{n} manual entries", counts.journalEntries),
    counts.openItems && tn("{n} open item", "{n} open items", counts.openItems),
  ].filter(Boolean);

// Contacts of two types become one of both, so that neither stays.
const isKind = ({ field: name }) => name === "kind";
const stays = ({ differences }) => differences.filter((one) => !isKind(one));

// What people can read stays beside what goes; of ids and parts the name of the field is enough.
const READABLE = [
  ...["name", "legalName", "email", "phone", "vatId", "taxNumber", "currency", "note", "buyerReference"],
  ...["address", "bankAccount", "paymentTermsDays", "paperIntro", "paperClosing"],
];

function difference({ field: name, kept, dropped }) {
  const label = labelOf(name);
  const options = name === "language" ? fieldOf(name).options : [];
  const words = (value) => options.find((one) => one.value === value)?.text ?? value;
  if (!options.length && !READABLE.includes(name)) return label;
  return t("{field}: {kept}, not {dropped}", { field: label, kept: words(kept), dropped: words(dropped) });
}

const OTHERS = {
  bankAccount: () => t("Bank account"),
  note: () => t.of("internal", "Note"),
  paymentTermsDays: () => t("Payment terms (days)"),
  currency: () => t("Currency"),
  recipients: () => t("Recipients"),
};

/** @type {(name: string) => any} */
const fieldOf = (name) => contactFields().find((one) => one.name === name);
const labelOf = (name) => OTHERS[name]?.() ?? fieldOf(name)?.label ?? name;

export async function unmergeContact(contact) {
  await send("POST", `/finance/contacts/${contact.id}/unmerge`, {}, { version: contact.version });
  changed(...STALE);
  notify(t("{name} is a contact of its own again.", { name: contact.name }), { kind: "good" });
}
