// An invoice, bill or entry is repeated: how often, from when on, and with what texts and amounts.
import { newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { go } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { change, changesOf } from "../../ui/changing.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { requestLike } from "../documents/body.js";
import { RECURRING } from "../documents/states.js";
import { recurringFields } from "./fields.js";

const { div, h3, p } = tags;

export const repeatInvoice = (document) =>
  repeating({ invoice: requestLike(document) }, document.lines[0].description, document.issueDate);

export const repeatEntry = (entry) =>
  repeating(
    {
      journal: {
        description: entry.description,
        ...(entry.reference && { reference: entry.reference }),
        lines: entry.lines.map(lineOfEntry),
      },
    },
    entry.description,
    entry.date,
  );

function lineOfEntry(line) {
  const { accountId, debit, credit, description, contactId, projectId, foreignAmount } = line;
  const all = {
    accountId,
    debit,
    credit,
    description,
    contactId,
    projectId,
    ...(foreignAmount && { currency: line.currency, foreignAmount }),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}

const repeating = (made, name, date) =>
  dialog({
    title: t("Make recurring"),
    size: "wide",
    body: (close) => repeatForm({ recurring: null, made, name, from: nextMonth(date), close }),
  });

// The same day of a later month, the first that is still to come.
function nextMonth(iso) {
  const [year, month, day] = iso.split("-").map(Number);
  const after = (count) => {
    const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
    return new Date(Date.UTC(year, month - 1 + count, Math.min(day, last))).toISOString().slice(0, 10);
  };
  let count = 1;
  while (after(count) <= today()) count += 1;
  return after(count);
}

// Of what is repeated, its texts and amounts can be typed; the rest stays as it is.
/** @param {any} about */
export function repeatForm({ recurring, made = recurring, name = recurring?.name, from = recurring?.from, close }) {
  const request = made.invoice ?? made.journal;
  const fields = editable(recurringFields(made, { name, from }), recurring);
  const texts = contentOf(made);
  const key = newKey();
  const run = async (element) => {
    const content = { [made.invoice ? "invoice" : "journal"]: filled(request, texts) };
    const answer = recurring
      ? await change(element, `${RECURRING}/${recurring.id}`, recurring, {
        ...fields.body(),
        ...changesOf(content, recurring),
      }, fields.told)
      : await send("POST", RECURRING, { ...fields.body(), ...content }, { key });
    if (!answer) return;
    changed(RECURRING);
    close();
    if (recurring) return;
    notify(t("Recurring document created."), { kind: "good" });
    await go(`/recurring/${answer.id}`);
  };
  return form(
    { run, submit: recurring ? t("Save") : t("Make recurring"), cancel: () => close(), label: t("Make recurring") },
    fields.controls,
    h3(t("Texts")),
    p({ class: "soft" }, t("Use {month}, {year}, {quarter}, {date}, {from} or {to} for the values of each date.")),
    contentFields(made, texts),
  );
}

const LINE = { invoice: ["description", "quantity", "unitPrice"], journal: ["description", "debit", "credit"] };
const HEAD = { invoice: ["reference", "supplierNumber", "note"], journal: ["description", "reference"] };
const kindOf = ({ invoice }) => (invoice ? "invoice" : "journal");

// Signals of what there is: a text or amount that it lacks stays away.
function contentOf(made) {
  const [request, kind] = [made.invoice ?? made.journal, kindOf(made)];
  const of = (record, names) =>
    Object.fromEntries(names.filter((name) => record[name]).map((name) => [name, signal(record[name])]));
  return { head: of(request, HEAD[kind]), lines: request.lines.map((line) => of(line, LINE[kind])) };
}

function filled(request, { head, lines }) {
  const plain = (signals) => Object.fromEntries(Object.entries(signals).map(([name, { value }]) => [name, value]));
  return {
    ...request,
    ...plain(head),
    lines: request.lines.map((line, at) => ({ ...line, ...plain(lines[at]) })),
  };
}

const LABELS = {
  description: () => t("Text"),
  reference: () => t("Reference"),
  supplierNumber: () => t("Supplier’s invoice no."),
  note: () => t("Document text"),
  quantity: () => t("Quantity"),
  unitPrice: () => t("Price"),
  debit: () => t.of("side", "Debit"),
  credit: () => t.of("side", "Credit"),
};

function contentFields(made, { head, lines }) {
  const kind = kindOf(made);
  const code = made.invoice?.currency ?? currency();
  const controls = {
    quantity: numberInput,
    unitPrice: (about) => moneyInput({ ...about, currency: code }),
    debit: moneyInput,
    credit: moneyInput,
  };
  const one = (name, value, path) =>
    field(
      { label: LABELS[name](), name: path },
      (controls[name] ?? textInput)({
        value,
        name: path,
        ...(["debit", "credit"].includes(name) && { currency: currency() }),
      }),
    );
  return [
    div({ class: "fields" }, Object.entries(head).map(([name, value]) => one(name, value, `${kind}.${name}`))),
    lines.map((line, at) =>
      div(
        { class: "fields" },
        Object.entries(line).map(([name, value]) => one(name, value, `${kind}.lines[${at}].${name}`)),
      )
    ),
  ];
}
