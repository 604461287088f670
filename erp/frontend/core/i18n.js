// The words of the page in the user's language. English is the source and the key; the server has the catalogues.
import { signal } from "./signals.js";

const RULES = new Map();
const spoken = signal("en");
let messages = {};

export const language = () => spoken.value;

// Speak a language; `load` gets the catalogue of one that is not English.
export async function speak(tag, load = (_base) => Promise.resolve({})) {
  const base = tag.split("-")[0];
  messages = base === "en" ? {} : await load(base).catch(() => ({}));
  spoken.value = tag;
}

// A language without a region takes the browser's region, so that days and numbers look as they do elsewhere on it.
export function withRegion(tag, known = navigator.languages) {
  if (tag.includes("-")) return tag;
  return known.find((one) => one.startsWith(`${tag}-`)) ?? (tag === "en" ? "en-GB" : tag);
}

export function t(text, places = {}) {
  return filled(messages[text] || text, places);
}

// A word that other languages render in several ways, with what it is of: `t.of("account", "Code")`.
t.of = (context, text, places = {}) => filled(messages[`${context}\u0004${text}`] || text, places);

// A text that counts: `{n}` is the number in the user's form.
export function tn(one, many, n, places = {}) {
  const forms = messages[one];
  const text = Array.isArray(forms)
    ? forms[rule().select(n) === "one" ? 0 : forms.length - 1]
    : rule().select(n) === "one"
    ? one
    : many;
  return filled(text, { n: new Intl.NumberFormat(language()).format(n), ...places });
}

function rule() {
  const tag = language();
  if (!RULES.has(tag)) RULES.set(tag, new Intl.PluralRules(tag));
  return RULES.get(tag);
}

const filled = (text, places) => text.replace(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole);
