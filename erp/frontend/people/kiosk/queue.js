// What people clocked at a kiosk: sent at once, or kept in this browser until the server answers again.
import { newKey, send } from "../../core/api.js";
import { batch, signal } from "../../core/view.js";

const WAITING = "kiosk.waiting";
const LOST = "kiosk.lost";

const kept = (name) => JSON.parse(localStorage.getItem(name) ?? "[]");
const isUnanswered = ({ code, status }) => code === "no_answer" || status >= 500;

/**
 * The queue of a kiosk. `waiting` is what could not be sent yet and `lost` what the server refused, with the reason;
 * `onRefused()` is told that the token counts no more.
 * @param {{ token: () => string, now: () => number, onRefused: () => void }} about
 */
export function clockings({ token, now, onRefused }) {
  const waiting = signal(kept(WAITING));
  const lost = signal(kept(LOST));
  let work = Promise.resolve();

  const keep = (name, list, items) => {
    localStorage.setItem(name, JSON.stringify(items));
    batch(() => void (list.value = items));
  };
  const without = ({ key }) => keep(WAITING, waiting, waiting.peek().filter((one) => one.key !== key));

  // The server's answer or refusal, or null while it cannot be reached.
  async function sent({ employeeId, pin, at, key }) {
    try {
      return await send("POST", "/kiosk/clock", { employeeId, pin, at }, { key, token: token() });
    } catch (refusal) {
      if (isUnanswered(refusal)) return null;
      if (refusal.status === 401) {
        onRefused();
        return null;
      }
      return { refusal };
    }
  }

  // In the order in which people came; `fresh` is the one in front of the screen, who reads the answer there.
  async function flush(fresh = null) {
    for (const item of waiting.peek()) {
      const answer = await sent(item);
      if (!answer) return null;
      without(item);
      if (item.key === fresh?.key) return answer;
      if (answer.refusal) keep(LOST, lost, [...lost.peek(), { ...item, pin: null, reason: answer.refusal.message }]);
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
      keep(WAITING, waiting, [...waiting.peek(), item]);
      return inTurn(() => flush(item));
    },
    forget: () => keep(LOST, lost, []),
  };
}
