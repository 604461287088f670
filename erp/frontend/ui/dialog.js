// Dialogs and side panels; on a phone they are sheets from below. Focus goes back to what opened them.
import { focusAgain } from "../core/focus.js";
import { t } from "../core/i18n.js";
import { heading } from "../core/router.js";
import { scope, tags } from "../core/view.js";
import { alert } from "./alert.js";
import { button, closeButton, link } from "./button.js";
import { facts } from "./facts.js";

let count = 0;

// What `close(x)` was called with; undefined if it was left by Escape or ×.
/** @type {(about: any) => Promise<any>} */
export const dialog = ({ size = null, ...about }) => opened({ ...about, look: `dialog${size ? ` is-${size}` : ""}` });
/** @type {(about: any) => Promise<any>} */
export const panel = (about) => opened({ ...about, look: "panel" });

function opened({ title, body, actions = (_close) => [], look, role = null, describedBy = null }) {
  const { promise, resolve } = Promise.withResolvers();
  const before = document.activeElement;
  const id = `dialog-${(count += 1)}`;
  let answer;
  /** @type {any} */
  let element = null;
  const close = (value) => {
    answer = value;
    element.close();
  };
  const made = scope(() => {
    element = tags.dialog(
      { class: look, role, "aria-labelledby": id, "aria-describedby": describedBy, onclose: () => finish() },
      tags.header({ class: "dialog-head" }, tags.h2({ id, tabindex: "-1" }, title), closeButton(close)),
      tags.div({ class: "dialog-body" }, body(close)),
    );
    const buttons = actions(close);
    if (buttons.length) element.append(tags.footer({ class: "dialog-foot" }, buttons));
  });
  // The browser says late that a dialog has closed: a screen that was opened since then has the focus already.
  const finish = () => {
    const held = document.activeElement;
    const isFree = !held || held === document.body || held === before || element.contains(held);
    made.drop();
    element.remove();
    if (isFree) goBack(before);
    resolve(answer);
  };
  document.body.append(element);
  element.showModal();
  begin(element);
  return promise;
}

// The first thing to type in, before the × that the browser would take.
function begin(element) {
  const first = element.querySelector("[data-autofocus]") ??
    element.querySelector(".dialog-body :is(input, select, textarea):not([type=hidden], :disabled)") ??
    element.querySelector("h2");
  first.focus();
}

function goBack(before) {
  if (!before || before === document.body || !focusAgain(before)) heading()?.focus();
}

function leading(verb, href, close) {
  const made = link(verb, href, { isSmall: true });
  made.addEventListener("click", () => close(false));
  return made;
}

// Ask before what cannot be taken back, in figures, with `notes` on what to know before: texts, with the `verb` and the
// `href` of what mends it, if anything does. `more` is shown below. The button says the verb.
export async function confirm({ title, text = null, figures = [], notes = [], more = null, verb, danger = false }) {
  const id = `asked-${(count += 1)}`;
  const found = await opened({
    title,
    look: "dialog",
    role: "alertdialog",
    describedBy: id,
    body: (close) =>
      tags.div(
        { id, class: "stack" },
        text && tags.p(text),
        figures.length > 0 && facts(figures),
        notes.map(({ text, verb, href }) =>
          alert({ kind: "warn", text, actions: href ? [leading(verb, href, close)] : [] })
        ),
        more,
      ),
    actions: (close) => [
      button(t.of("dialog", "Cancel"), () => close(false), { autofocus: danger }),
      button(verb, () => close(true), { kind: danger ? "danger" : "main", autofocus: !danger }),
    ],
  });
  return found === true;
}
