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
import { choice } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { requestLike } from "../documents/body.js";
import { isPurchase, RECURRING } from "../documents/states.js";

const { div, h3, p } = tags;
const UNITS = {
  day: () => t.of("unit", "Days"),
  week: () => t("Weeks"),
  month: () => t("Months"),
  year: () => t("Years"),
};
const WHOLE = ["every", "times", "dueDays"];

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
  const values = scheduleOf(recurring, name, from);
  const texts = contentOf(made);
  const key = newKey();
  const run = async (element) => {
    const content = { [made.invoice ? "invoice" : "journal"]: filled(request, texts) };
    const body = { ...sent(values, recurring), ...content };
    const answer = recurring
      ? await change(element, `${RECURRING}/${recurring.id}`, recurring, changesOf(body, recurring))
      : await send("POST", RECURRING, body, { key });
    if (!answer) return;
    changed(RECURRING);
    close();
    if (recurring) return;
    notify(t("Recurring document created."), { kind: "good" });
    await go(`/recurring/${answer.id}`);
  };
  return form(
    { run, submit: recurring ? t("Save") : t("Make recurring"), cancel: () => close(), label: t("Make recurring") },
    schedule(values, made),
    h3(t("Texts")),
    p({ class: "soft" }, t("Use {month}, {year}, {quarter}, {date}, {from} or {to} for the values of each date.")),
    contentFields(made, texts),
  );
}

function scheduleOf(recurring, name, from) {
  const held = recurring ?? { every: 1, unit: "month", from, mode: "issue" };
  const plain = { name: name ?? "", ...Object.fromEntries(SCHEDULE.map((one) => [one, held[one] ?? ""])) };
  return Object.fromEntries(Object.entries(plain).map(([one, value]) => [one, signal(String(value))]));
}

const SCHEDULE = ["every", "unit", "day", "from", "until", "times", "mode", "dueDays"];

function schedule(values, made) {
  const text = (label, name, more = {}) =>
    field(
      { label, name, ...more },
      textInput({ value: values[name], name, inputmode: WHOLE.includes(name) ? "numeric" : null }),
    );
  const pick = (label, name, options) => field({ label, name }, choice({ value: values[name], name, options }));
  const date = (label, name, more = {}) => field({ label, name, ...more }, dateField({ value: values[name], name }));
  const isSale = made.invoice && !isPurchase({ kind: made.invoice.kind ?? "sales_invoice" });
  return div(
    { class: "fields" },
    text(t("Name"), "name"),
    text(t("Every"), "every"),
    pick(t("Unit"), "unit", Object.entries(UNITS).map(([value, words]) => ({ value, text: words() }))),
    date(t("First date"), "from"),
    () =>
      ["month", "year"].includes(values.unit.value)
        ? text(t("Day of the month"), "day", {
          isOptional: true,
          hint: t("A number, or “last”. Default: the day of the first date."),
        })
        : null,
    date(t("Last date"), "until", { isOptional: true }),
    text(t("Number of times (max.)"), "times", { isOptional: true }),
    made.invoice && pick(t("Mode"), "mode", [
      { value: "issue", text: t("Issue automatically") },
      { value: "draft", text: t("Create draft") },
    ]),
    isSale && text(t("Payment terms (days)"), "dueDays", { isOptional: true, hint: t("Default: the customer’s.") }),
  );
}

// The day may be a word, the other figures are numbers.
function sent(values, recurring) {
  const read = ([name, { value }]) => {
    if (value === "") return [name, null];
    return [name, /^\d+$/.test(value) && (WHOLE.includes(name) || name === "day") ? Number(value) : value];
  };
  const isToSend = ([name, value]) => (recurring ? value !== (recurring[name] ?? null) : value !== null);
  return Object.fromEntries(Object.entries(values).map(read).filter(isToSend));
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
