// A key as it stands on the keyboard.
import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const SIGNS = { Enter: "↵", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };

function sign(name) {
  if (name === "Control") return isMac ? "⌘" : t("Ctrl");
  if (name === "Alt") return isMac ? "⌥" : t("Alt");
  if (name === "Shift") return isMac ? "⇧" : t("Shift");
  return SIGNS[name] ?? name;
}

// "Control+Enter" is Ctrl ↵; readers hear of it by aria-keyshortcuts.
const keyText = (key) =>
  key.split("+").map((name) => sign(name.length === 1 && key.includes("+") ? name.toUpperCase() : name)).join(" ");
export const keyHint = (key) => tags.kbd({ class: "key", "aria-hidden": "true" }, keyText(key));
