// A state: always a word, never colour alone.
import { tags } from "../core/view.js";

// Kinds: neutral, good, warn, bad, info.
export const pill = (text, kind = "neutral") => tags.span({ class: () => `pill is-${typeof kind === "function" ? kind() : kind}` }, text);
