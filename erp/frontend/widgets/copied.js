// A text to be handed over: selected at a click, copied by a button.
import { button, element } from "./element.js";

export function copied(text) {
  const shown = element("code", { click: () => getSelection().selectAllChildren(shown) }, text);
  const said = element("p", { role: "status", class: "hint" });
  const copy = button("Copy", async () => {
    said.textContent = (await isCopied(shown)) ? "Copied." : "Press Ctrl+C to copy it.";
  });
  return element("div", {}, element("div", { class: "with-button handed-over" }, shown, copy), said);
}

async function isCopied(shown) {
  getSelection().selectAllChildren(shown);
  try {
    await navigator.clipboard.writeText(shown.textContent);
    return true;
  } catch {
    return document.execCommand("copy"); // over plain http from another computer browsers have no clipboard
  }
}
