// A state: always a word, never colour alone.
import { tags } from "../core/view.js";

// Kinds: neutral, good, warn, bad, info.
/** @type {(text: any, kind?: any) => HTMLElement} */
export const pill = (text, kind = "neutral") =>
  tags.span({ class: () => `pill is-${typeof kind === "function" ? kind() : kind}` }, text);
