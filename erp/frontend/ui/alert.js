// What has gone wrong, above what stays shown. It stays until it is dealt with.
import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";
import { button } from "./button.js";
import { icon } from "./icon.js";

const ICONS = { bad: "circle-alert", warn: "triangle-alert", info: "info", good: "circle-check" };

export function alert({ kind = "bad", text, again = null, actions = [], role = kind === "bad" ? "alert" : "note" }) {
  return tags.div(
    { class: `alert is-${kind}`, role },
    icon(ICONS[kind]),
    tags.div({ class: "alert-text" }, text),
    again && button(t("Try again"), again, { isSmall: true, icon: "rotate-ccw" }),
    actions,
  );
}

// Nothing while `problem()` is null.
export const problem = (problem, again) => () => {
  const found = problem();
  return found ? alert({ text: found.message, again }) : null;
};
