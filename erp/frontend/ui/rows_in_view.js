// Which rows of a table are drawn: those in view and a few around, on paper all that are loaded. Near the end, more are
// asked for.
import { effect, listen, signal, untracked } from "../core/view.js";

const AROUND = 20;
export const FEW = 60; // all of them are drawn

const isOnPaper = signal(false);
addEventListener("beforeprint", () => void (isOnPaper.value = true));
addEventListener("afterprint", () => void (isOnPaper.value = false));

export function bounds(state, length) {
  if (length <= FEW || isOnPaper.value) return [0, length];
  const [from, to] = state.range.value;
  const at = state.order.value.get(state.editing.value) ?? from;
  return [Math.max(0, Math.min(from, at)), Math.min(length, Math.max(to, at + 1))];
}

// Which rows are in view; near the end, more are asked for.
export function watch(state) {
  let isWaiting = false;
  const later = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      look(state);
    });
  };
  listen(document, "scroll", later, { capture: true, passive: true });
  listen(window, "resize", later);
  effect(() => state.rows.value && later());
}

export function look(state) {
  const rows = state.rows.peek();
  if (!state.body?.isConnected || !rows?.length) return;
  const line = state.body.querySelector(".row-line");
  if (line) state.height.value = line.getBoundingClientRect().height;
  const height = state.height.peek() || 36;
  const top = state.body.getBoundingClientRect().top;
  const from = Math.max(0, Math.floor(-top / height) - AROUND);
  const to = Math.ceil((innerHeight - top) / height) + AROUND;
  const [before, after] = state.range.peek();
  if (from !== before || to !== after) state.range.value = [from, to];
  if (to >= rows.length && state.hasMore()) untracked(() => state.readOn());
}
