// Undo before confirm. `inverse` has done something and offers the way back; `heldBack` shows it as done and sends it
// later, or when the page is left.
import { t } from "./i18n.js";
import { notify, notifyOf, tried } from "./notices.js";

const PAUSE = 5000; // ms
const held = new Set();

export function inverse(text, back) {
  return notify(text, { undo: () => tried(back) });
}

// `call` gets `{ keepalive }`; `taken` restores what is shown when the user takes it back or the server refuses.
export function heldBack(text, call, taken = () => {}) {
  const work = { isOver: false };
  const run = async (options = {}) => {
    if (work.isOver) return;
    finish();
    try {
      await call(options);
    } catch (refusal) {
      taken();
      notifyOf(refusal);
    }
  };
  const timer = setTimeout(run, PAUSE);
  const finish = () => {
    work.isOver = true;
    clearTimeout(timer);
    held.delete(run);
    close();
  };
  const close = notify(text, {
    lasts: PAUSE,
    undo: () => {
      if (work.isOver) return notify(t("Already sent."));
      finish();
      return taken();
    },
  });
  held.add(run);
  return run;
}

// The same for rows of a list: `gone`, a signal of the keys that are not shown, has their key, or keys, until that is taken
// back.
export function heldBackFrom(gone, key, text, call) {
  const mark = (isGone) => {
    const next = new Set(gone.peek());
    [key].flat().forEach((one) => (isGone ? next.add(one) : next.delete(one)));
    gone.value = next;
  };
  mark(true);
  return heldBack(text, call, () => mark(false));
}

export const sendHeld = () => Promise.all([...held].map((run) => run({ keepalive: true })));

addEventListener("pagehide", sendHeld);
