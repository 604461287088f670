// What people clocked at a kiosk: sent at once, or kept in this browser until the server answers again.
import { newKey, send } from "../../core/api.js";
import { signal } from "../../core/view.js";

const WAITING = "kiosk.waiting";
const LOST = "kiosk.lost";
const PATIENCE = 10_000; // ms, while someone stands in front of the screen
const RATE_LIMITED = 429;

const kept = (name) => JSON.parse(localStorage.getItem(name) ?? "[]");
// A refusal of the server itself: another one, such as a proxy's, or half an answer, says nothing about the clocking.
const isRefused = ({ code, status }) => Boolean(code) && status >= 400 && status < 500;

/**
 * The queue of a kiosk. `waiting` is what could not be sent yet and `lost` what the server refused, with the reason;
 * `onRefused()` is called once the token is no longer valid, and `drop(reason)` gives up what waits. Two tabs of one
 * browser have the same queue.
 * @param {{ token: () => string, now: () => number, onRefused: () => void }} about
 */
export function clockings({ token, now, onRefused }) {
  const waiting = signal(kept(WAITING));
  const lost = signal(kept(LOST));
  let work = Promise.resolve();

  const keep = (name, list, change) => {
    const items = change(kept(name));
    localStorage.setItem(name, JSON.stringify(items));
    list.value = items;
  };
  const without = ({ key }) => keep(WAITING, waiting, (items) => items.filter((one) => one.key !== key));

  const lose = (item, reason) => keep(LOST, lost, (items) => [...items, { ...item, pin: null, reason }]);

  // The server's answer or refusal, or null while it cannot be reached.
  async function sent({ employeeId, pin, at, key }) {
    try {
      return await send("POST", "/kiosk/clock", { employeeId, pin, at }, { key, token: token(), patience: PATIENCE });
    } catch (refusal) {
      if (!isRefused(refusal)) return null;
      if (refusal.status !== 401) return { refusal };
      drop(refusal.reason);
      return null;
    }
  }

  // Without its token no clocking can be sent any more: they are listed, and no PIN stays in the browser.
  function drop(reason) {
    for (const item of kept(WAITING)) lose(item, reason);
    keep(WAITING, waiting, () => []);
    onRefused();
  }

  // In the order in which people came; `fresh` is the one in front of the screen, who reads the answer there.
  async function flush(fresh = null) {
    for (const item of waiting.peek()) {
      const answer = await sent(item);
      if (!answer) return null;
      const isFresh = item.key === fresh?.key;
      if (!isFresh && answer.refusal?.status === RATE_LIMITED) continue; // its PIN has not been checked yet
      without(item);
      if (isFresh) return answer;
      if (answer.refusal) lose(item, answer.refusal.reason);
    }
    return null;
  }

  const inTurn = (run) => (work = work.then(run, run));
  return {
    waiting,
    lost,
    flush: () => inTurn(() => flush()),
    add(employeeId, name, pin) {
      const item = { employeeId, name, pin, at: new Date(now()).toISOString(), key: newKey() };
      keep(WAITING, waiting, (items) => [...items, item]);
      return inTurn(() => flush(item));
    },
    drop,
    forget: () => keep(LOST, lost, () => []),
  };
}
