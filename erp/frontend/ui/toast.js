// Notices at the bottom, and the two regions that screen readers follow.
import { t } from "../core/i18n.js";
import { assertive, polite, toasts } from "../core/notices.js";
import { each, effect, tags } from "../core/view.js";
import { iconButton } from "./button.js";
import { icon } from "./icon.js";

const ICONS = { good: "circle-check", bad: "circle-alert" };

export function toastRegion() {
  const box = tags.div(
    { class: "toasts", popover: "manual", role: "region", "aria-label": t("Notices") },
    each(() => toasts.value, ({ id }) => id, toast),
  );
  effect(() => show(box, toasts.value.length > 0));
  return tags.div(
    box,
    tags.div({ class: "visually-hidden", role: "status", "aria-live": "polite" }, () => polite.value),
    tags.div({ class: "visually-hidden", role: "alert", "aria-live": "assertive" }, () => assertive.value),
  );
}

// Shown again at each change, so that it lies above a dialog opened since.
function show(box, isNeeded) {
  queueMicrotask(() => {
    if (!box.isConnected) return;
    if (box.matches(":popover-open")) box.hidePopover();
    if (isNeeded) box.showPopover();
  });
}

function toast(get) {
  const { text, undo, kind, close } = get.value;
  const shut = () => (get.peek().close ?? close)?.();
  const takeBack = () => {
    shut();
    return undo();
  };
  return tags.div(
    { class: `toast${kind ? ` is-${kind}` : ""}` },
    kind && icon(ICONS[kind]),
    tags.span({ class: "toast-text" }, text),
    undo && tags.button({ type: "button", class: "button is-plain is-small", onclick: takeBack }, t("Undo")),
    iconButton("x", t.of("window", "Close"), shut, { isSmall: true }),
  );
}
