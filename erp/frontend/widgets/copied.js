// A text to pass on: a click selects it, a button copies it.
import { button, element } from "./element.js";

export function copied(text) {
  const shown = element("code", { click: () => getSelection().selectAllChildren(shown) }, text);
  const status = element("p", { role: "status", class: "hint" });
  const copy = button("Copy", async () => {
    status.textContent = (await isCopied(shown)) ? "Copied." : "Press Ctrl+C to copy it.";
  });
  return element("div", {}, element("div", { class: "with-button handed-over" }, shown, copy), status);
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
