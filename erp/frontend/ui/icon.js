// Lucide's icons, out of one sprite that the server makes of the names in icons.txt.
import { svg } from "../core/view.js";

const SPRITE = new URL("../icons.svg", import.meta.url).pathname;

// Decoration beside words; with a label it speaks for itself.
export function icon(name, label = null) {
  const spoken = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svg.svg({ class: "icon", ...spoken }, svg.use({ href: `${SPRITE}#${name}` }));
}
