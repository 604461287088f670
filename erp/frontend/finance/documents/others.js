// Someone else has changed or deleted a draft since: theirs is taken, or one's own is sent over it.
import { get } from "../../core/api.js";
import { money, number } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { confirm } from "../../ui/dialog.js";
import { askWhose } from "../../ui/whose.js";
import { completeTerms, ownTerms, termsOf } from "../terms/values.js";
import { termsWords } from "../terms/words.js";
import { lineOf, valuesOf } from "./body.js";
import { furtherNames } from "./further.js";
import { kindOf, namesOf, partyOf } from "./states.js";

/**
 * What an editor knows of its records: where they are, and what their fields hold.
 * @type {Record<string, any>}
 */
const INVOICE = {
  path: "/finance/invoices",
  partyOf: (record) => partyOf(record).id,
  valuesOf: (record, about = {}) => valuesOf(record.kind, record, about),
  lineOf,
  wordsOfLine: ({ description, quantity, unitPrice }) => `${description} ${number(quantity)} × ${money(unitPrice)}`,
  joined: (own, added, _theirs) => [...own, ...added],
};

// `again()` does what was refused once more.
export async function afterOthers(state, again, of = INVOICE) {
  const [mine, theirs] = [state.record.peek(), await get(`${of.path}/${state.record.peek().id}`)];
  const answer = await askWhose({
    before: comparable(mine, of),
    theirs: comparable(theirs, of),
    mine: comparableOwn(state, of),
    names: { ...namesOf(theirs), ...furtherNames() },
  });
  if (!answer) return;
  state.record.value = theirs;
  if (answer === "mine") {
    state.lines.load(joinedLines(state.lines.values(), mine, theirs, of));
    state.terms.value = undefined; // whatever they have, one's own are sent
    return void (await again());
  }
  const terms = ownTerms(theirs, await get(`/finance/contacts/${of.partyOf(theirs)}`));
  state.fill({ ...of.valuesOf(theirs, { terms }), lines: theirs.lines.map(of.lineOf) });
  state.terms.value = termsOf(state.fields);
  state.kept.clear({ goesOn: true });
}

// One's own lines, then those that the other has added. What the other has deleted is a new line.
function joinedLines(own, before, theirs, of) {
  const [known, there] = [before, theirs].map(({ lines }) => new Set(lines.map(({ id }) => id)));
  const added = theirs.lines.filter(({ id }) => !known.has(id)).map(of.lineOf);
  return of.joined(own, added, theirs).map((line) => (there.has(line.id) ? line : withoutId(line)));
}

const withoutId = ({ id: _, ...line }) => line;

// Someone else has deleted the draft since; `again()` as above.
export async function afterDeletion(state, again) {
  const question = {
    title: t("Someone else has deleted this draft"),
    text: t("Your version is still here. You can save it as a new draft."),
    verb: t("Save as a new draft"),
  };
  if (!(await confirm(question))) return;
  state.record.value = null;
  state.lines.load(state.lines.values().map(withoutId));
  await again();
}

const comparable = (record, of) => ({
  ...of.valuesOf(record),
  kind: record.kind && kindOf(record),
  dueDate: record.dueDate,
  paymentTerms: record.paymentTerms && termsWords(record.paymentTerms),
  lines: wordsOf(record.lines.map(of.lineOf), of),
});

function comparableOwn({ fields, lines, preview }, of) {
  const own = Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.peek()]));
  const terms = termsOf(fields);
  return {
    ...own,
    kind: kindOf({ kind: fields.kind.peek() }),
    dueDate: own.dueDate || preview.peek()?.dueDate,
    paymentTerms: terms ? termsWords(completeTerms(terms)) : t("as agreed with the contact"),
    lines: wordsOf(lines.values(), of),
  };
}

const wordsOf = (lines, of) => lines.map(of.wordsOfLine).join("\n");
