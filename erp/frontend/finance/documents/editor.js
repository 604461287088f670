// The editor of invoices, bills and their drafts. The server works out every amount at each pause of typing.
import { get, send } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { time } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { neighbours } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { changed, resource } from "../../core/store.js";
import { batch, computed, signal, tags, untracked } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { confirm } from "../../ui/dialog.js";
import { form } from "../../ui/form.js";
import { atShownLines, lineList } from "../../ui/lines.js";
import { pager } from "../../ui/pager.js";
import { skeleton } from "../../ui/skeleton.js";
import { askWhose } from "../../ui/whose.js";
import { nameOfContact } from "../contacts/choice.js";
import { blankLine, bodyOf, fieldsOf, lineOf, previewOf, valuesOf } from "./body.js";
import { shownFields } from "./fields.js";
import { TOUCHED } from "../payments/touched.js";
import { completeTerms, ownTerms, termsOf } from "../terms/values.js";
import { termsWords } from "../terms/words.js";
import { isPurchase, listOf, opensAt, partyOf, pathOf } from "./states.js";

const { div, span } = tags;

export default ({ params, query }) => {
  const isBill = location.pathname.startsWith("/bills");
  const before = params.id ? resource(`/finance/invoices/${params.id}`) : null;
  const party = resource(() => (before?.value ? `/finance/contacts/${partyOf(before.value).id}` : null));
  const ready = computed(() => !before || (before.value !== undefined && Boolean(party.value || party.problem)));
  let editor = null;
  const aboutNew = () => newOf(isBill, query.peek());
  const made = () => {
    if (!ready.value) return [problem(() => before.problem, () => before.renew()), skeleton({ rows: 6 })];
    editor ??= untracked(() => editing(before?.value ?? null, party.value, aboutNew())); // later answers do not make another
    return editor.body;
  };
  return {
    title: titleOf(isBill, Boolean(params.id), query.peek()),
    state: () => (ready.value ? editor?.state() : null),
    back: listOf(isBill),
    pager: params.id && pager(neighbours("/finance/invoices", params.id), opensAt),
    actions: [
      { name: t("Save draft"), key: "Control+s", isShown: () => ready.value, run: () => editor.body.save() },
      {
        name: isBill ? t("Post bill") : t("Issue"),
        key: "Control+Enter",
        main: true,
        isShown: () => ready.value,
        run: () => editor.body.send(),
      },
    ],
    body: div({ class: "document" }, made),
  };
};

/** @type {Record<string, () => string>} */
const DEPOSITS = {
  deposit_invoice: () => t("New deposit invoice"),
  final_invoice: () => t("New final invoice"),
};

function titleOf(isBill, isThere, query) {
  if (isBill) return isThere ? t("Edit bill") : t("New bill");
  return isThere ? t("Edit invoice") : DEPOSITS[query.get("kind")]?.() ?? t("New invoice");
}

// What a new document begins with, by its address.
function newOf(isBill, query) {
  const kind = DEPOSITS[query.get("kind")] ? query.get("kind") : "sales_invoice";
  return {
    kind: isBill ? "purchase_invoice" : kind,
    contactId: query.get("customerId"),
    depositIds: query.getAll("depositId"),
  };
}

// The fields of a document as signals, its draft in the browser, and what the server says of it.
function editing(found, contact, about) {
  const kind = found?.kind ?? about.kind;
  const isBill = isPurchase({ kind });
  const record = signal(found);
  const fields = fieldsOf(
    found ? valuesOf(kind, found, { terms: ownTerms(found, contact) }) : valuesOf(kind, null, about),
  );
  const terms = signal(termsOf(fields)); // as the server has them
  const lines = lineList({ blank: blankLine, rows: found?.lines.map(lineOf) ?? [blankLine()] });
  const fill = ({ lines: rows, ...values }) =>
    batch(() => {
      for (const [name, one] of Object.entries(fields)) one.value = name in values ? values[name] : one.value;
      lines.load(rows.length ? rows : [blankLine()]);
    });
  const kept = draft(isBill ? "bill" : DEPOSITS[kind] ? kind : "invoice", found?.id, {
    read: () => ({
      ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.value])),
      lines: lines.values(),
    }),
    write: fill,
  });
  const body = () => bodyOf(kind, fields, lines, record.value, terms.value);
  const preview = previewOf(() => bodyOf(kind, fields, lines, record.value, null), record);
  const state = { kind, record, terms, fields, lines, kept, fill, body, preview };
  const element = form(
    { run: () => working(state, issue), label: isBill ? t("Bill") : t("Invoice"), draft: kept },
    ...shownFields({ kind, fields, lines, preview, found }),
  );
  element.save = () => element.sendWith(() => working(state, saveDraft));
  const shown =
    () => (kept.savedAt.value
      ? span({ class: "soft small" }, t("not saved, on this device since {time}", { time: time(kept.savedAt.value) }))
      : null);
  return { body: element, state: shown };
}

async function working(state, work) {
  try {
    await work(state);
  } catch (refusal) {
    if (refusal.status === 412) return afterOthers(state, work);
    if (refusal.status === 404 && state.record.peek()) return afterDeletion(state, work);
    return atShownLines(state.lines)(refusal);
  }
}

async function saveDraft(state) {
  const saved = await stored(state);
  if (!saved) return;
  state.kept.clear({ goesOn: Boolean(state.record.peek()) });
  notify(t("Draft saved."), { kind: "good" });
  if (state.record.peek()) state.record.value = saved;
  else await go(`${pathOf(saved)}/edit`, { replace: true });
  changed(...TOUCHED);
}

async function stored({ record, terms, fields, body, kept }) {
  const now = record.peek();
  if (!now) return send("POST", "/finance/invoices", { ...body(), draft: true }, { key: kept.key });
  const sent = termsOf(fields);
  const saved = await send("PATCH", `/finance/invoices/${now.id}`, body(), { version: now.version });
  terms.value = sent;
  return saved;
}

async function issue(state) {
  const { record, fields, kept, body } = state;
  const party = fields.contactId.peek() ? await nameOfContact(fields.contactId.peek()) : "";
  if (record.peek()) record.value = await stored(state);
  const now = record.peek();
  const asked = now
    ? (await import("./issue.js")).askOfDraft(now, party)
    : (await import("./issue.js")).askOfNew(body(), party);
  if (!(await confirm(await asked))) return;
  const issued = now
    ? await send("POST", `/finance/invoices/${now.id}/issue`, {}, { version: now.version })
    : await send("POST", "/finance/invoices", body(), { key: kept.key });
  kept.clear();
  changed(...TOUCHED);
  (await import("./issue.js")).tellIssued(issued);
  await go(pathOf(issued), { replace: true });
}

// Someone else has changed the draft since: theirs is taken, or one's own is sent over it.
async function afterOthers(state, work) {
  const [mine, theirs] = [state.record.peek(), await get(`/finance/invoices/${state.record.peek().id}`)];
  const answer = await askWhose({
    before: comparable(state.kind, mine),
    theirs: comparable(state.kind, theirs),
    mine: comparableOwn(state),
    names: namesOf(state.kind),
  });
  if (!answer) return;
  state.record.value = theirs;
  if (answer === "mine") {
    state.lines.load(joinedLines(state.lines.values(), mine, theirs));
    state.terms.value = undefined; // whatever they have, one's own are sent
    return void (await working(state, work));
  }
  const terms = ownTerms(theirs, await get(`/finance/contacts/${partyOf(theirs).id}`));
  state.fill({ ...valuesOf(state.kind, theirs, { terms }), lines: theirs.lines.map(lineOf) });
  state.terms.value = termsOf(state.fields);
  state.kept.clear({ goesOn: true });
}

// One's own lines, then those that the other has added. What the other has deleted is a new line.
function joinedLines(own, before, theirs) {
  const [known, there] = [before, theirs].map(({ lines }) => new Set(lines.map(({ id }) => id)));
  return [
    ...own.map((line) => (there.has(line.id) ? line : withoutId(line))),
    ...theirs.lines.filter(({ id }) => !known.has(id)).map(lineOf),
  ];
}

const withoutId = ({ id: _, ...line }) => line;

// Someone else has deleted the draft since.
async function afterDeletion(state, work) {
  const question = {
    title: t("Someone else has deleted this draft"),
    text: t("Your version is still here. You can save it as a new draft."),
    verb: t("Save as a new draft"),
  };
  if (!(await confirm(question))) return;
  state.record.value = null;
  state.lines.load(state.lines.values().map(withoutId));
  await working(state, work);
}

const comparable = (kind, record) => ({
  ...valuesOf(kind, record),
  dueDate: record.dueDate,
  paymentTerms: record.paymentTerms && termsWords(record.paymentTerms),
  lines: wordsOf(record.lines),
});

function comparableOwn({ fields, lines, preview }) {
  const own = Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.peek()]));
  const terms = termsOf(fields);
  return {
    ...own,
    dueDate: own.dueDate || preview.peek()?.dueDate,
    paymentTerms: terms ? termsWords(completeTerms(terms)) : t("as agreed with the contact"),
    lines: wordsOf(lines.values()),
  };
}

const wordsOf = (lines) =>
  lines.map(({ description, quantity, unitPrice }) => `${description} ${quantity} × ${unitPrice}`).join("\n");

const namesOf = (kind) => ({
  contactId: isPurchase({ kind }) ? t("Supplier") : t("Customer"),
  issueDate: t("Date"),
  dueDate: t("Due date"),
  reference: t("Reference"),
  supplierNumber: t("Supplier’s invoice no."),
  prepaidAmount: t("Already paid"),
  currency: t("Currency"),
  note: t("Document text"),
  projectId: t("Project"),
  discountPercent: t("Discount in %"),
  paymentTerms: t("Payment terms"),
  lines: t("Lines"),
});
