// What the page tells without being asked: toasts, and what a screen reader says.
import { signal } from "./signals.js";

const SHOWN = 8000; // ms
let count = 0;

export const toasts = signal([]);
export const polite = signal("");
export const assertive = signal("");

// Show a toast; `undo` gives it a button, `kind` is "good", "bad" or none. Answers a function that takes it away.
export function notify(text, { undo = null, kind = null, lasts = SHOWN } = {}) {
  const toast = { id: count += 1, text, undo, kind };
  toasts.value = [...toasts.peek(), toast];
  const close = () => void (toasts.value = toasts.peek().filter(({ id }) => id !== toast.id));
  if (kind !== "bad") setTimeout(close, lasts);
  toast.close = close;
  kind === "bad" ? alarm(text) : say(text);
  return close;
}

const again = (region, text) => {
  region.value = "";
  queueMicrotask(() => void (region.value = text));
};

export const say = (text) => again(polite, text);
export const alarm = (text) => again(assertive, text);

// Outside a form, where no field is marked, the complaints about fields say what is wrong.
export const notifyOf = (refusal) => notify(wordsOf(refusal), { kind: "bad" });

const wordsOf = ({ status, message, details = [] }) =>
  status === 422 && details.length ? [...new Set(details.map((one) => one.message))].join(" ") : message;

// Do something that may be refused, outside a form.
export async function tried(work) {
  try {
    return await work();
  } catch (refusal) {
    notifyOf(refusal);
    return undefined;
  }
}
