// Which rows of a table are drawn: those in view and a few around, on paper all that are loaded. Near the end, more are
// asked for.
import { effect, listen, signal, untracked } from "../core/view.js";

const AROUND = 12;
export const FEW = 60; // all of them are drawn
const STEP = 8;

const isOnPaper = signal(false);
addEventListener("beforeprint", () => void (isOnPaper.value = true));
addEventListener("afterprint", () => void (isOnPaper.value = false));

export function bounds(state, length) {
  if (length <= FEW || isOnPaper.value) return [0, length];
  const [from, to] = state.range.value;
  const at = state.order.value.get(state.editing.value) ?? from;
  return [Math.max(0, Math.min(from, at)), Math.min(length, Math.max(to, at + 1))];
}

// Which rows are in view; near the end, more are asked for. After a jump they are drawn in steps, those in view first, so
// that no frame is long.
export function watch(state) {
  let isWaiting = false;
  const later = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      if (look(state, STEP)) later();
    });
  };
  listen(document, "scroll", later, { capture: true, passive: true });
  listen(window, "resize", later);
  effect(() => state.rows.value && later());
}

// Draw what is in view and around it, but at most so many rows more; answers whether some are left to draw.
export function look(state, most = Infinity) {
  const rows = state.rows.peek();
  if (!state.body?.isConnected || !rows?.length) return false;
  state.heights.measure(state.body);
  const top = state.body.getBoundingClientRect().top;
  const opened = openedUnder(state);
  const view = [
    Math.max(0, state.heights.at(-top, opened)),
    Math.max(0, state.heights.at(innerHeight - top, opened) + 1),
  ];
  const wanted = [Math.max(0, view[0] - AROUND), view[1] + AROUND];
  const next = grown(state.range.peek(), wanted, view, most);
  if (String(next) !== String(state.range.peek())) state.range.value = next;
  if (wanted[1] >= rows.length && state.hasMore()) untracked(() => state.readOn());
  return String(next) !== String(wanted);
}

// The row that is edited, with the height of its editor.
function openedUnder(state) {
  const editor = state.body.querySelector(".editor-row");
  return editor && [state.editing.peek(), editor.getBoundingClientRect().height];
}

// What is drawn of the rows wanted, with at most so many more: first those below, then those above.
function grown(drawn, wanted, view, most) {
  const kept = [Math.max(drawn[0], wanted[0]), Math.min(drawn[1], wanted[1])];
  const [from, to] = kept[0] < view[1] && kept[1] > view[0] ? kept : [view[0], view[0]];
  const below = Math.min(wanted[1] - to, most);
  const above = Math.min(from - wanted[0], most - below);
  return [from - above, to + below];
}
