// Amounts, numbers and durations: people type as they write, the value is in the form of the API.
import { duration, money, number } from "../core/format.js";
import { formatBy, t } from "../core/i18n.js";
import { parseBreak, parseDuration, parseMoney, parseNumber } from "../core/parse.js";
import { tags } from "../core/view.js";
import { typedInput } from "./typed.js";

const decimalsOf = (currency) =>
  formatBy(Intl.NumberFormat, { style: "currency", currency }, "en").resolvedOptions().maximumFractionDigits;

// "5" is "5.00" in euros; what has more decimals keeps them.
export function padded(amount, currency) {
  const [whole, decimals = ""] = amount.split(".");
  const wanted = decimalsOf(currency);
  return wanted || decimals ? `${whole}.${decimals.padEnd(wanted, "0")}` : whole;
}

const isSome = (value) => value !== null && value !== undefined && value !== "";
const withUnit = (input, unit) =>
  tags.div({ class: "with-unit" }, input, tags.span({ class: "unit", "aria-hidden": "true" }, unit));

/** @param {Record<string, any>} about */
export function moneyInput({ value, currency = "EUR", withCurrency = false, ...about }) {
  const code = () => (typeof currency === "function" ? currency() : currency);
  const input = typedInput({
    value,
    parse: parseMoney,
    show: (amount) => (isSome(amount) ? money(padded(String(amount), code()), code(), { withCurrency: false }) : ""),
    wrong: t("Not an amount."),
    inputmode: "decimal",
    class: "figure",
    ...about,
  });
  return withCurrency ? withUnit(input, code) : input;
}

export function numberInput({ value, unit = null, ...about }) {
  const input = typedInput({
    value,
    parse: parseNumber,
    show: (amount) => (isSome(amount) ? number(String(amount)) : ""),
    wrong: t("Not a number."),
    inputmode: "decimal",
    class: "figure",
    ...about,
  });
  return unit ? withUnit(input, unit) : input;
}

// Minutes; people type 1:30, 1.5 or 90m.
export const durationInput = ({ value, ...about }) =>
  typedInput({
    value,
    parse: parseDuration,
    show: (minutes) => (isSome(minutes) ? duration(minutes) : ""),
    wrong: t("Not a duration. For example 1:30, 1.5 or 90m."),
    class: "figure",
    ...about,
  });

// The minutes of a break; people type 30 or 0:30.
export const breakInput = (about) =>
  durationInput({ parse: parseBreak, wrong: t("Not a duration. For example 30 or 0:30."), ...about });
