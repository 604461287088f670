// When a document is to be paid and what is taken off for paying early: as fields hold it, and as the API has it.
import { settings } from "../../core/session.js";
import { signal } from "../../core/view.js";

// Those that say when a document is due, each with what it is while nothing is typed.
export const DATED = { termsDays: "", termsMonths: "", termsEndOfMonth: false, termsDayOfMonth: "" };
export const SELDOM = ["termsMonths", "termsEndOfMonth", "termsDayOfMonth"];
export const STEPS = [["firstPercent", "firstDays"], ["secondPercent", "secondDays"]];

const isSome = (value) => value !== null && value !== undefined && value !== "";
const whole = (text) => (isSome(text) ? Number(text) : null);
const shown = (count) => (isSome(count) ? String(count) : "");

// What the fields hold of terms of the API.
export function termsValues(terms) {
  const steps = STEPS.map(([percentage, days], at) => ({
    [percentage]: terms?.discounts[at]?.percent ?? "",
    [days]: shown(terms?.discounts[at]?.days),
  }));
  return Object.assign({
    termsDays: shown(terms?.days),
    termsMonths: shown(terms?.months),
    termsEndOfMonth: terms?.endOfMonth ?? false,
    termsDayOfMonth: shown(terms?.dayOfMonth),
  }, ...steps);
}

export const TERMS = Object.keys(termsValues(null));

export const termsSignals = (terms) =>
  Object.fromEntries(Object.entries(termsValues(terms)).map(([name, value]) => [name, signal(value)]));

// The terms of what the fields hold; null where that is nothing.
function termsOfValues(values) {
  if (!TERMS.some((name) => isSome(values[name]) && values[name] !== false)) return null;
  const steps = STEPS.map(([percentage, days]) => ({
    percent: isSome(values[percentage]) ? values[percentage] : null,
    days: whole(values[days]),
  }));
  return {
    days: whole(values.termsDays),
    months: whole(values.termsMonths),
    endOfMonth: Boolean(values.termsEndOfMonth),
    dayOfMonth: whole(values.termsDayOfMonth),
    discounts: steps.filter((step) => step.percent !== null || step.days !== null),
  };
}

export const termsOf = (fields) => termsOfValues(Object.fromEntries(TERMS.map((name) => [name, fields[name].value])));

// Without the steps that are half typed, so that the rest can be worked out.
export const completeTerms = (terms) =>
  terms && { ...terms, discounts: terms.discounts.filter(({ percent: off, days }) => off !== null && days !== null) };

const written = (terms) => JSON.stringify(termsOfValues(termsValues(terms)));
const sameTerms = (one, other) => written(one) === written(other);

// Whether they say when a document is due, and not its discounts alone.
export const areDated = (terms) =>
  Boolean(terms) && (terms.days !== null || terms.months !== null || terms.endOfMonth || terms.dayOfMonth !== null);

// A document's own terms, null where they equal its contact's: the API does not tell them apart.
export function ownTerms(document, contact) {
  const { paymentTerms: terms } = document;
  if (!terms || !contact) return terms;
  const usual = contact.paymentTerms;
  const discounts = usual?.discounts ?? [];
  if (!areDated(terms)) return sameTerms(terms, { ...termsOfNothing(), discounts }) ? null : terms;
  const dated = areDated(usual) ? usual : { ...termsOfNothing(), days: settings().paymentTermsDays, discounts };
  return sameTerms(terms, dated) ? null : terms;
}

const termsOfNothing = () => ({ days: null, months: null, endOfMonth: false, dayOfMonth: null, discounts: [] });
