// New expenses with their photos, which this browser keeps while the server does not answer, and sends later.
import { get, newKey, send } from "../../core/api.js";
import { dayShort, month } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { session } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { onDrop, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { attach, CLAIMS, linesOf, saveLines, TOUCHED } from "./claims.js";
import { kindText } from "./words.js";

const STORE = "expense";
const AGAIN = 30_000; // ms
const waiting = signal([]);
let work = Promise.resolve();

const owner = () => `${session.peek()?.user.id}/${session.peek()?.workspace?.id}`;

const done = (asked) =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

async function stored(mode, act) {
  const opening = indexedDB.open("expenses", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
  const file = await done(opening);
  try {
    return await done(act(file.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    file.close();
  }
}

async function look() {
  waiting.value = await stored("readonly", (store) => store.getAll());
}

async function forget({ key }) {
  await stored("readwrite", (store) => store.delete(key));
  await look();
}

/**
 * Send a new expense: to a draft, with null in a new claim of the month, and unless either was chosen to the newest
 * draft. Where the server does not answer, it is kept.
 * @returns {Promise<boolean>} whether it was sent
 */
export async function addExpense(claimId, line, file) {
  const expense = { key: newKey(), fileKey: newKey(), owner: owner(), claimId, at: null, line, file, name: file?.name };
  try {
    await deliver(expense);
    return true;
  } catch (refusal) {
    if (refusal.code !== "no_answer") throw refusal;
    try {
      await stored("readwrite", (store) => store.put(expense));
    } catch { // a private window, or a full disk
      refusal.message = t("The server does not answer, and this browser cannot keep the photo. Keep the receipt.");
      throw refusal;
    }
    await look();
    return false;
  }
}

// What has been done is noted, so that a repeat goes on from there.
async function deliver(expense) {
  let claim;
  if (expense.at === null) {
    if (expense.claimId === undefined) expense.claimId = await newestDraft();
    claim = await (expense.claimId ? joined(expense) : begun(expense));
    expense.claimId = claim.id;
    expense.at = claim.lines.findLastIndex(isLike(expense.line));
  }
  if (expense.file) {
    claim ??= await get(`${CLAIMS}/${expense.claimId}`);
    await attach(claim, expense.at, expense.file, { name: expense.name, key: expense.fileKey });
  }
  changed(...TOUCHED);
}

const isLike = (line) => (one) =>
  one.kind === line.kind && one.date === (line.date ?? one.date) &&
  (!line.amount || Number(one.amount) === Number(line.amount));

const newestDraft = async () => (await get(`${CLAIMS}?isOwn=true&status=draft&limit=1`))[0]?.id ?? null;

const begun = ({ line, key }) =>
  send(
    "POST",
    CLAIMS,
    { title: t("Expenses of {month}", { month: month(line.date ?? today()) }), lines: [line] },
    { key },
  );

// The answer to an earlier try may have been lost, so that the line is there already: one more of its kind than `before`.
async function joined(expense) {
  const claim = await get(`${CLAIMS}/${expense.claimId}`);
  const alike = claim.lines.filter(isLike(expense.line)).length;
  if (expense.before < alike) return claim;
  expense.before = alike;
  return saveLines(claim, [...linesOf(claim), expense.line]);
}

async function flush() {
  await look();
  for (const expense of ownOnes()) {
    if (expense.owner !== owner()) return; // another user has signed in meanwhile
    try {
      await deliver(expense);
      await forget(expense);
    } catch (refusal) {
      const problem = refusal.code === "no_answer" ? null : refusal.reason ?? refusal.message;
      await stored("readwrite", (store) => store.put({ ...expense, problem }));
      if (!problem) return;
      await look();
    }
  }
}

// What waits in this browser, sent as soon as the server answers.
export function waitingExpenses() {
  const follow = () => (work = work.then(flush).catch(() => {})); // a browser that keeps nothing has nothing to send
  const timer = setInterval(follow, AGAIN);
  addEventListener("online", follow);
  onDrop(() => (clearInterval(timer), removeEventListener("online", follow)));
  follow();
  return () =>
    ownOnes().length > 0 &&
    card(
      {
        title: tn("{n} expense waits for the server", "{n} expenses wait for the server", ownOnes().length),
        actions: [button(t("Send now"), follow, { isSmall: true })],
      },
      tags.ul({ class: "plain-list" }, ownOnes().map(row)),
    );
}

// Without what was read for the user before, in the same tab.
const ownOnes = () => waiting.value.filter((one) => one.owner === owner());

const row = (expense) =>
  tags.li(
    { class: "spread" },
    tags.div(
      [kindText(expense.line), expense.line.date && dayShort(expense.line.date), expense.line.amount, expense.name]
        .filter(Boolean).join(" · "),
      expense.problem && tags.div({ class: "field-error" }, expense.problem),
    ),
    button(t("Remove"), () => forget(expense), { isSmall: true }),
  );
