// The words of the page in the user's language. English is the source and the key; the server has the catalogues: one of
// what all screens say, and one of what a screen says beside it.
import { signal } from "./signals.js";

const formats = new Map();
const spoken = signal("en");
const nothing = (..._asked) => Promise.resolve({});
let messages = {};
let catalogue = (_screen) => nothing();
let learnt = new Set();

export const language = () => spoken.value;

// A format of the browser, made once: to make one takes longer than to use it a hundred times.
export function formatBy(Kind, options = {}, tag = language()) {
  const name = `${tag} ${Kind.name} ${JSON.stringify(options)}`;
  if (!formats.has(name)) formats.set(name, new Kind(tag, options));
  return formats.get(name);
}

// Speak a language; `load` gets what all screens say in one that is not English, or what one screen says beside them.
export async function speak(tag, load = nothing) {
  const base = tag.split("-")[0];
  messages = {};
  learnt = new Set();
  catalogue = (screen) => base === "en" ? nothing() : load(base, screen);
  await learn();
  spoken.value = tag;
}

// Learn what a screen says before it is imported, since a module may name things at once.
export async function learn(screen = "") {
  if (learnt.has(screen)) return;
  const more = await catalogue(screen).catch(() => null); // English, until it can be had
  Object.assign(messages, more);
  if (more) learnt.add(screen);
}

// Where a browser keeps the language that someone has chosen before they are inside.
export const CHOSEN = "locale";
export const ownLanguage = () => localStorage.getItem(CHOSEN) ?? navigator.language;

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
  const text = Array.isArray(forms) ? forms[rule(n) === "one" ? 0 : forms.length - 1] : rule(n) === "one" ? one : many;
  return filled(text, { n: formatBy(Intl.NumberFormat).format(n), ...places });
}

const rule = (n) => formatBy(Intl.PluralRules).select(n);

const filled = (text, places) => text.replace(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole);
