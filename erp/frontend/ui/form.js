// Forms: send once at a time, show what is refused at its field, keep what was typed.
import { time } from "../core/format.js";
import { t } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { alarm } from "../core/notices.js";
import { signal, tags } from "../core/view.js";
import { alert } from "./alert.js";
import { button } from "./button.js";
import { clearErrors, fieldErrors, mark } from "./errors.js";

// `run` gets the element and sends; a Refusal that it throws is shown. The element's `send()` does what Enter and the button do;
// `sendWith(work)` does something else with the same fields.
export function form(
  { run, submit = null, cancel = null, draft = null, extra = [], label = null, kind = "main" },
  ...children
) {
  const isBusy = signal(false);
  const problem = signal(null);
  const element = tags.form(
    {
      class: "form",
      novalidate: true,
      "aria-label": label,
      "aria-busy": () => (isBusy.value ? "true" : null),
      onsubmit: (event) => submitted(event, element),
      onkeydown: (event) => byKey(event, element),
    },
    () => (problem.value ? alert({ text: problem.value.message, again: () => element.send() }) : null),
    draft && draftNotice(draft),
    children,
    submit &&
      tags.div(
        { class: "form-foot row" },
        button(submit, null, { type: "submit", kind }),
        cancel && button(t.of("dialog", "Cancel"), cancel),
        extra,
      ),
  );
  element.sendWith = (work) => send({ element, run: work, isBusy, problem });
  element.send = () => element.sendWith(run);
  return element;
}

function submitted(event, element) {
  event.preventDefault();
  event.stopPropagation();
  element.send();
}

function byKey(event, element) {
  if (keyOf(event) !== "Enter" || event.shiftKey || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  event.preventDefault();
  event.stopPropagation();
  element.send();
}

async function send({ element, run, isBusy, problem }) {
  if (isBusy.peek()) return undefined;
  document.activeElement?.dispatchEvent(new Event("settle", { bubbles: true })); // what is half typed counts
  clearErrors(element);
  problem.value = null;
  if (isUnreadable(element)) return undefined;
  isBusy.value = true;
  try {
    return await run(element);
  } catch (refusal) {
    tell(element, refusal, problem);
    return undefined;
  } finally {
    isBusy.value = false;
  }
}

function tell(element, refusal, problem) {
  if (refusal.details?.length || (refusal.status >= 400 && refusal.status < 500)) return fieldErrors(element, refusal);
  problem.value = refusal;
  return alarm(refusal.message);
}

// Text that makes no sense is not sent.
function isUnreadable(element) {
  const wrong = [...element.querySelectorAll("input")].filter((one) => one.validity.customError);
  wrong.forEach((one) => mark(one, one.validationMessage));
  wrong[0]?.focus();
  return wrong.length > 0;
}

const draftNotice = (draft) => () =>
  draft.isRestored.value
    ? tags.p(
      { class: "draft-notice soft small row" },
      draft.savedAt.value
        ? t("Not saved, on this device since {time}", { time: time(draft.savedAt.value) })
        : t("Not saved"),
      button(t("Discard"), () => (draft.discard ?? draft.clear)(), { kind: "plain", isSmall: true }),
    )
    : null;
