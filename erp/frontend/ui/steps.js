// The steps of a wizard, and where one is.
import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";
import { icon } from "./icon.js";

// Without `choose` the steps are only shown.
export function steps({ label, items, current, choose = null }) {
  const look = (at) => (at < current() ? "is-done" : at === current() ? "is-now" : "");
  const mark = (at) =>
    tags.span({ class: "step-mark", "aria-hidden": "true" }, () => (at < current() ? icon("check") : String(at + 1)));
  const said = (at) => tags.span({ class: "visually-hidden" }, () => (at < current() ? t("done") : ""));
  const one = (text, at) => [mark(at), tags.span({ class: "step-text" }, text), said(at)];
  const step = (text, at) =>
    tags.li(
      { class: () => `step ${look(at)}`, "aria-current": () => (at === current() ? "step" : null) },
      choose
        ? tags.button({ type: "button", class: "step-button", onclick: () => choose(at) }, one(text, at))
        : one(text, at),
    );
  return tags.ol({ class: "steps", "aria-label": label }, items.map(step));
}
