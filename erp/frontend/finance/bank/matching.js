// Matches of bank lines: each is shown at once and sent in its turn, so that the next line is ready without waiting.
import { newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { alarm, notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { signal } from "../../core/view.js";
import { TOUCHED } from "../payments/touched.js";

const LINES = "/finance/bank/lines";
const MOST = 20; // matches that can be taken back one after the other

const shown = (line) => `${line.party ?? line.text} ${money(line.amount, line.currency)}`;
export const renew = () => changed("/finance/bank", "/finance/journals", ...TOUCHED);

// Requests whose turn has not come; they are sent when the page is left.
const unsent = new Set();
addEventListener("pagehide", () => unsent.forEach((request) => request({ keepalive: true })));

function inWaiting(path, body) {
  const key = newKey();
  const request = (about = {}) => {
    unsent.delete(request);
    return send("POST", path, body, { key, ...about });
  };
  unsent.add(request);
  return request;
}

// `gone` are the lines that are not shown any more, `refused` the refusals of those that have come back, by line.
export function matcher() {
  const gone = signal(new Set());
  const refused = signal(new Map());
  const done = [];
  const sent = new Set(); // lines of which the lists do not know yet
  let last = Promise.resolve();
  let waiting = 0;

  const hide = (ids) => void (gone.value = gone.peek().union(new Set(ids)));
  const show = (ids) => void (gone.value = gone.peek().difference(new Set(ids)));
  const mark = (id, refusal) => {
    const next = new Map(refused.peek());
    refusal ? next.set(id, refusal) : next.delete(id);
    refused.value = next;
  };

  // One after the other, in their order; once none waits, the lists are read again.
  const inTurn = (work) => {
    waiting += 1;
    last = last.then(work).then(() => {
      waiting -= 1;
      if (!waiting) settle();
    });
    return last;
  };
  const inTurnOf = (work) => {
    const own = last.then(work);
    last = own.catch(() => {});
    return own;
  };
  const settle = async () => {
    const known = [...sent];
    sent.clear();
    await renew();
    show(known);
  };

  const remember = (text, lines) => {
    const entry = { lines, isRefused: false, withdraw: () => false };
    done.push(entry);
    if (done.length > MOST) done.shift();
    entry.close = notify(text, { undo: () => takeBack(entry) });
    return entry;
  };
  const forget = (entry) => {
    const at = done.indexOf(entry);
    if (at >= 0) done.splice(at, 1);
    entry.close();
    return at >= 0;
  };

  const match = (line, body) => {
    mark(line.id, null);
    hide([line.id]);
    const entry = remember(shown(line), [line]);
    const request = inWaiting(`${LINES}/${line.id}/confirm`, body);
    entry.withdraw = () => unsent.delete(request);
    inTurn(async () => {
      if (!unsent.has(request)) return;
      try {
        await request();
        sent.add(line.id);
      } catch (refusal) {
        entry.isRefused = true;
        forget(entry);
        show([line.id]);
        if (refusal.code === "already_matched") return void notify(refusal.reason, { kind: "bad" });
        mark(line.id, refusal);
        alarm(refusal.reason);
      }
    });
  };

  // The same for those who wait for the answer, such as a form: a refusal is theirs.
  const now = async (line, body) => {
    await inTurnOf(() => send("POST", `${LINES}/${line.id}/confirm`, body, { key: newKey() }));
    mark(line.id, null);
    hide([line.id]);
    sent.add(line.id);
    remember(shown(line), [line]);
    settle();
  };

  const several = async (body) => {
    const { confirmed, skipped } = await send("POST", `${LINES}/confirm`, body, { key: newKey() });
    const lines = confirmed.map(({ lineId }) => ({ id: lineId }));
    for (const { lineId, code, message } of skipped) mark(lineId, { code, message });
    await renew();
    if (lines.length) remember(tn("{n} transaction matched.", "{n} transactions matched.", lines.length), lines);
    return skipped;
  };

  // The last one, unless another is meant; again, the one before.
  const takeBack = (entry = done.at(-1)) => {
    if (!entry || !forget(entry)) return notify(t("Nothing to undo."));
    show(entry.lines.map(({ id }) => id));
    if (entry.withdraw()) return undefined;
    return inTurn(async () => {
      if (entry.isRefused) return;
      for (const { id } of entry.lines) {
        sent.delete(id);
        await send("POST", `${LINES}/${id}/undo`, {}, { key: newKey() }).catch((refusal) =>
          notify(refusal.reason, { kind: "bad" })
        );
      }
    });
  };

  return { gone, refused, match, now, several, takeBack };
}
