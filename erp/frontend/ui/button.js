// Buttons: one main on a screen, others outlined, in tables plain. The label is a verb.
import { t } from "../core/i18n.js";
import { notify } from "../core/notices.js";
import { signal, tags } from "../core/view.js";
import { icon } from "./icon.js";
import { keyHint } from "./key.js";

/** @param {Record<string, any>} about */
const classes = ({ kind, isSmall, class: more }) =>
  ["button", kind && `is-${kind}`, isSmall && "is-small", more].filter(Boolean).join(" ");
/** @type {(text: any, about: Record<string, any>) => any[]} */
const inside = (text, { icon: mark, key }) => [mark && icon(mark), tags.span(text), key && keyHint(key)];

// Run once at a time; a refusal that no one caught is told.
export function once(run) {
  const isBusy = signal(false);
  const act = async (event) => {
    if (isBusy.peek()) return;
    const work = run?.(event);
    if (typeof work?.then !== "function") return;
    isBusy.value = true;
    try {
      await work;
    } catch (problem) {
      notify(problem.reason ?? problem.message, { kind: "bad" });
    } finally {
      isBusy.value = false;
    }
  };
  return { act, isBusy };
}

// `kind` is main, plain, danger or none (outlined); `run` may answer a promise: the button is busy until it ends.
export function button(text, run, about = {}) {
  const { act, isBusy } = once(run);
  const { name = null, title = null, isOff = false, type = "button", autofocus = false, key = null } = about;
  return tags.button(
    {
      type,
      class: classes(about),
      "aria-label": name,
      title,
      disabled: isOff,
      "data-autofocus": autofocus ? "" : null,
      "aria-keyshortcuts": key,
      "aria-busy": () => (isBusy.value ? "true" : null),
      onclick: act,
    },
    inside(text, about),
  );
}

// ×, ⋯ and arrows: a picture, or the name of an icon, with words for those who do not see it.
export function iconButton(mark, name, run, about = {}) {
  const { act, isBusy } = once(run);
  const { isOff = false, key = null, tabindex = null } = about;
  return tags.button(
    {
      type: "button",
      class: classes({ kind: "plain", ...about, class: `is-icon ${about.class ?? ""}` }),
      "aria-label": name,
      title: name,
      disabled: isOff,
      tabindex,
      "aria-keyshortcuts": key,
      "aria-busy": () => (isBusy.value ? "true" : null),
      onclick: act,
    },
    mark instanceof Node ? mark : icon(mark),
  );
}

export const link = (text, href, about = {}) =>
  tags.a({ href, class: classes(about), "aria-keyshortcuts": about.key ?? null }, inside(text, about));

export const closeButton = (close) => iconButton("x", t.of("window", "Close"), () => close(), { class: "close" });
