// What is done with several documents at once: their papers in one file, their payments, and drafts that go.
import { download, newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { heldBackFrom, inverse } from "../../core/undo.js";
import { effect, onDrop, signal, tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { inParts, partsOf } from "../../ui/lists/all.js";
import { asFile } from "../../ui/lists/files.js";
import { paymentFields } from "../payments/fields.js";
import { TOUCHED } from "../payments/touched.js";
import { gone } from "./drafts.js";
import { isPurchase } from "./states.js";
import { addedUp } from "./sums.js";

const BATCH = "/finance/payments/batch";
const PAPERS = 100; // in a file, and drafts in a request
const PAYMENTS = 200; // in a request
const PAUSE = 150; // ms

// One PDF to print, or a file with a PDF of each; more than 100 in several files.
export function papersOf(rows) {
  const run = async (as) => {
    const drafts = rows.filter(({ status }) => status === "draft").length;
    for (const some of partsOf(rows.filter(({ status }) => status !== "draft"), PAPERS)) {
      await download("/finance/invoices/pdf", { ids: some.map(({ id }) => id), as });
    }
    if (drafts) notify(tn("{n} draft was left out.", "{n} drafts were left out.", drafts));
  };
  if (rows.length === 1) return run("pdf");
  return asFile(tn("PDF of {n} document", "PDF of {n} documents", rows.length), [
    [t("One PDF"), () => run("pdf")],
    [t("A zip file of PDFs"), () => run("zip")],
  ]);
}

// Each is paid in full on one day and account; the server adds them up before. All or none of 200 are recorded at a time:
// where a part is refused, the parts before it stay recorded, and the others stay selected.
export const payAll = (rows, selected) =>
  dialog({
    title: tn("Record {n} payment", "Record {n} payments", rows.length),
    body: (close) => paying(rows, selected, close),
  });

function paying(rows, selected, close) {
  const names = ["date", "accountId"];
  const specs = paymentFields({ direction: null, currency: rows[0].currency });
  const fields = editable(specs.filter(({ name }) => names.includes(name)), null);
  const parts = partsOf(rows, PAYMENTS).map((some) => ({ rows: some, key: newKey() }));
  const bodyOf = (part) => ({ payments: part.rows.map((row) => paymentOf(row, fields.body())) });
  const run = async () => {
    const made = await inParts(parts, async (part) => (await send("POST", BATCH, bodyOf(part), part)).payments);
    selected.value = new Set(rows.slice(made.length).map(({ id }) => id));
    changed(...TOUCHED);
    close();
    inverse(tn("{n} payment recorded.", "{n} payments recorded.", made.length), async () => {
      for (const { id } of made) await send("POST", `/finance/payments/${id}/void`, {});
      changed(...TOUCHED);
    });
  };
  return form(
    { run, submit: t("Record payments"), cancel: () => close(), label: t("Payments") },
    fields.controls,
    sums(() => parts.map(bodyOf)),
  );
}

/** @type {(row: any, fields: any) => any} */
const paymentOf = (row, { date, accountId }) => ({
  invoiceId: row.id,
  direction: isPurchase(row) === row.kind.endsWith("credit_note") ? "received" : "made",
  amount: row.amountDue.replace("-", ""),
  date,
  ...(accountId && { accountId }),
});

// The sums of a dry run, a moment after the last change.
function sums(bodies) {
  /** @type {any} */
  const found = signal(null);
  let timer = null;
  effect(() => {
    const asked = bodies().map((body) => ({ ...body, dryRun: true }));
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const answers = asked.map((body) => send("POST", BATCH, body, { isByItself: true }));
      found.value = await Promise.all(answers).then(added).catch((refusal) => ({ refusal }));
    }, PAUSE);
  });
  onDrop(() => clearTimeout(timer));
  const label = { received: () => t("Received"), made: () => t("Paid") };
  return tags.div({ role: "status" }, () => {
    const { refusal, sums: rows } = found.value ?? {};
    if (refusal) return tags.p({ class: "bad" }, refusal.reason);
    return rows
      ? facts(rows.map((one) => [label[one.direction](), money(one.amount, one.currency, { withCurrency: true })]))
      : "…";
  });
}

// The sums of several answers, in the smallest units of their currencies.
function added(answers) {
  const groups = Map.groupBy(answers.flatMap((one) => one.sums), (one) => `${one.direction} ${one.currency}`);
  return {
    sums: [...groups.values()].map((ones) => ({ ...ones[0], amount: addedUp(ones.map(({ amount }) => amount)) })),
  };
}

// Gone at once, deleted a little later; the server says which it keeps.
export function discardAll(rows, selected) {
  const ids = rows.map(({ id }) => id);
  selected.value = new Set();
  heldBackFrom(gone, ids, tn("{n} draft deleted.", "{n} drafts deleted.", ids.length), async (options) => {
    const kept = [];
    for (const some of partsOf(ids, PAPERS)) {
      kept.push(...(await send("POST", "/finance/invoices/delete-drafts", { ids: some }, options)).kept);
    }
    changed(...TOUCHED);
    if (!kept.length) return;
    gone.value = new Set([...gone.peek()].filter((id) => !kept.some((one) => one.id === id)));
    notify(tn("{n} draft was kept: it has changed.", "{n} drafts were kept: they have changed.", kept.length));
  });
}
