// An invoice, bill or entry is repeated: how often, from when on, and with what lines.
import { newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { previewed } from "../../core/preview.js";
import { go } from "../../core/router.js";
import { currency, settings } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { change, changesOf } from "../../ui/changing.js";
import { confirm, dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { atShownLines, lineList } from "../../ui/lines.js";
import { blankLine, lineBody } from "../documents/body.js";
import { lineOfRequest, requestLike } from "../documents/like.js";
import { documentLines } from "../documents/lines.js";
import { isPurchase, RECURRING } from "../documents/states.js";
import { blank, entryGrid, givenOf, lineOf } from "../journals/lines.js";
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
    size: "widest",
    body: (close) => repeatForm({ recurring: null, made, name, from: nextMonth(date), close }),
  });

export const editRecurring = (recurring) =>
  dialog({
    title: t("Edit {name}", { name: recurring.name }),
    size: "widest",
    body: (close) => repeatForm({ recurring, close }),
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

// What is repeated has the lines of its editor; the rest of it stays as it is.
/** @type {(about: any) => any} */
function repeatForm({ recurring, made = recurring, name = recurring?.name, from = recurring?.from, close }) {
  const kind = kindOf(made);
  const request = made[kind];
  const fields = editable(recurringFields(made, { name, from }), recurring);
  const head = headOf(request, kind);
  const lines = kind === "invoice" ? invoiceLines(request) : entryLines(request);
  const key = newKey();
  const content = () => ({ [kind]: { ...request, ...plain(head), lines: lines.values() } });
  const before = { ...recurring, ...content() };
  const add = () => send("POST", RECURRING, { ...fields.body(), ...content() }, { key });
  const save = async (element) => {
    try {
      const body = { ...fields.body(), ...changesOf(content(), before) };
      return await change(element, `${RECURRING}/${recurring.id}`, recurring, body, fields.told, joined);
    } catch (refusal) {
      if (refusal.status !== 404) throw refusal;
      return await afterDeletion({ ...fields.all(), ...content() });
    }
  };
  const run = async (element) => {
    const answer = await (recurring ? save(element) : add()).catch(atLines(kind, lines.list));
    if (!answer) return;
    changed(RECURRING);
    close();
    if (answer.id === recurring?.id) return;
    notify(t("Recurring document created."), { kind: "good" });
    await go(`/recurring/${answer.id}`);
  };
  return form(
    { run, submit: recurring ? t("Save") : t("Make recurring"), cancel: () => close(), label: t("Make recurring") },
    fields.controls,
    h3(t("Content")),
    p({ class: "soft" }, t("Use {month}, {year}, {quarter}, {date}, {from} or {to} for the values of each date.")),
    div({ class: "fields" }, Object.entries(head).map(([one, value]) => headField(one, value, `${kind}.${one}`))),
    lines.grid,
  );
}

const HEAD = { invoice: ["reference", "supplierNumber", "note"], journal: ["description", "reference"] };
const LABELS = {
  description: () => t("Text"),
  reference: () => t("Reference"),
  supplierNumber: () => t("Supplier’s invoice no."),
  note: () => t("Document text"),
};
const kindOf = ({ invoice }) => (invoice ? "invoice" : "journal");
const plain = (signals) =>
  Object.fromEntries(Object.entries(signals).map(([name, { value }]) => [name, value || null]));

// Signals of what there is: a text that it lacks stays away.
const headOf = (request, kind) =>
  Object.fromEntries(HEAD[kind].filter((name) => request[name]).map((name) => [name, signal(request[name])]));

const headField = (name, value, path) => field({ label: LABELS[name](), name: path }, textInput({ value, name: path }));

// The server works out what the lines come to, as in the editor.
function invoiceLines(request) {
  const list = lineList({ blank: blankLine, rows: request.lines.map(lineOfRequest) });
  const values = () => list.values().map(lineBody);
  const preview = previewed("/finance/invoices/preview", () => ({ ...request, lines: values() }));
  const kind = request.kind ?? "sales_invoice";
  const about = { kind: signal(kind), contactId: signal(request.customerId ?? request.supplierId ?? "") };
  const grid = documentLines({
    isBill: isPurchase({ kind }),
    fields: about,
    lines: list,
    preview,
    currencyOf: () => request.currency ?? preview.value?.currency ?? currency(),
    isGross: () => request.pricesIncludeTax ?? settings().pricesIncludeTax,
  });
  return { list, grid, values };
}

function entryLines(request) {
  const list = lineList({ blank, rows: request.lines.map((line) => ({ ...lineOf(line), further: furtherOf(line) })) });
  const values = () => list.values().map(({ further, ...line }) => ({ ...further, ...givenOf(line) }));
  return { list, grid: entryGrid(list), values };
}

// What of a line of an entry the grid does not show.
const furtherOf = ({ foreignDebit, foreignCredit, exchangeRate }) =>
  givenOf({ foreignDebit, foreignCredit, exchangeRate });

// One's own, with the lines that the other has added since.
function joined(body, before, theirs) {
  const kind = kindOf(theirs);
  if (!body[kind]) return body;
  const known = new Set([...before[kind].lines, ...body[kind].lines].map((line) => JSON.stringify(line)));
  const added = theirs[kind].lines.slice(before[kind].lines.length).filter((line) => !known.has(JSON.stringify(line)));
  return { ...body, [kind]: { ...body[kind], lines: [...body[kind].lines, ...added] } };
}

async function afterDeletion(body) {
  const question = {
    title: t("Someone else has deleted this"),
    text: t("Your version is still here. You can save it as a new recurring document."),
    verb: t("Save as new"),
  };
  return (await confirm(question)) ? await send("POST", RECURRING, body, { key: newKey() }) : null;
}

// A refusal names lines of the request, which the grid shows.
const atLines = (kind, lines) => (refusal) => {
  const details = refusal.details?.map((one) => ({
    ...one,
    field: one.field?.replace(new RegExp(`^${kind}\\.lines`), "lines"),
  }));
  return atShownLines(lines)(Object.assign(refusal, { details }));
};
