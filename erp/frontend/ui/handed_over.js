// A text to pass on: a click selects it, a button copies it.
import { t } from "../core/i18n.js";
import { signal, tags } from "../core/view.js";
import { button } from "./button.js";

const { code, div, p } = tags;

export function handedOver(text, verb = t("Copy")) {
  const said = signal("");
  const shown = code({ class: "handed-over", onclick: () => getSelection().selectAllChildren(shown) }, text);
  const copy = async () => void (said.value = (await isCopied(shown)) ? t("Copied.") : t("Press Ctrl+C to copy it."));
  return div(
    { class: "stack-tight" },
    div({ class: "row" }, shown, button(verb, copy, { icon: "copy" })),
    p({ role: "status", class: "soft small" }, () => said.value),
  );
}

async function isCopied(shown) {
  getSelection().selectAllChildren(shown);
  try {
    await navigator.clipboard.writeText(shown.textContent);
    return true;
  } catch {
    return document.execCommand("copy"); // browsers offer no clipboard over plain http from another computer
  }
}
