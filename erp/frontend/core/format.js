// Amounts, days and durations as people read them, by the user's language. Amounts are text from the API and stay exact:
// nothing here adds up.
import { formatBy, t } from "./i18n.js";

let zone;

// The zone of the workspace; days have none.
export const setZone = (name) => void (zone = name);
export const timeZone = () => zone;

let base; // the currency of the books

export const setBase = (code) => void (base = code);

// The minus sign is as wide as a figure.
const signed = (text) => text.replace("-", "−");

export const number = (
  text,
  options,
) => (text === null || text === undefined
  ? ""
  : signed(formatBy(Intl.NumberFormat, { maximumFractionDigits: 12, ...options }).format(text)));
export const percent = (text) => number(text, { style: "unit", unit: "percent" });

// Zero is “–” with `dash`, for reports. The currency is named if it is another than the books', and always with `withCurrency`.
export function money(
  text,
  currency,
  { dash = false, withCurrency = Boolean(base && currency && currency !== base) } = {},
) {
  if (text === null || text === undefined) return "";
  if (dash && /^-?[0.]+$/.test(text)) return "–";
  const digits = text.split(".")[1]?.length ?? 0;
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const options = withCurrency ? { style: "currency", currency, ...decimals } : decimals;
  return signed(formatBy(Intl.NumberFormat, options).format(text));
}

const dated = (iso, options) =>
  formatBy(Intl.DateTimeFormat, { timeZone: "UTC", ...options }).format(new Date(`${iso}T00:00Z`));

export const day = (iso) => (iso ? dated(iso, { day: "numeric", month: "short", year: "numeric" }) : "");
export const weekday = (iso, form = "short") => dated(iso, { weekday: form });
export const longDay = (iso) => dated(iso, { weekday: "short", day: "numeric", month: "short" });
export const month = (iso, form = "long") => dated(`${iso.slice(0, 7)}-01`, { month: form, year: "numeric" });
export const monthDay = (iso) => dated(iso, { day: "numeric", month: "long" });
export const dayOfMonth = (iso) => dated(iso, { day: "numeric", month: "short" });
export const monthName = (iso) => dated(`${iso.slice(0, 7)}-01`, { month: "short" });

// Without the year, if it is this year.
export function dayShort(iso) {
  if (!iso) return "";
  return iso.slice(0, 4) === String(new Date().getFullYear()) ? dayOfMonth(iso) : day(iso);
}

// A whole month by its name.
export function days(from, to) {
  if (from === to) return dayShort(from);
  if (isMonth(from, to)) return month(from);
  return t("{from} to {to}", { from: dayShort(from), to: dayShort(to) });
}

const isMonth = (from, to) =>
  from?.endsWith("-01") && Date.parse(to) === Date.UTC(Number(from.slice(0, 4)), Number(from.slice(5, 7)), 0);

const instant = (text, options) => formatBy(Intl.DateTimeFormat, { timeZone: zone, ...options }).format(new Date(text));

export const time = (text) => instant(text, { hour: "numeric", minute: "2-digit" });
export const moment = (text) => instant(text, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });

// Minutes as hours: 450 is 7:30.
export function duration(minutes) {
  if (minutes === null || minutes === undefined) return "";
  const whole = Math.abs(minutes);
  return `${minutes < 0 ? "−" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const options = { style: "unit", unit: units[power], unitDisplay: "short", maximumFractionDigits: power ? 1 : 0 };
  return formatBy(Intl.NumberFormat, options).format(bytes / 1000 ** power);
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

export function ago(text) {
  const seconds = (Date.parse(text) - Date.now()) / 1000;
  const [unit, length] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? STEPS.at(-1);
  return formatBy(Intl.RelativeTimeFormat, { numeric: "auto" }).format(Math.round(seconds / length), unit);
}

// At most two letters for the picture of a person.
// The name of a country by its code.
export const country = (code) => formatBy(Intl.DisplayNames, { type: "region" }).of(code) ?? code;

export const initials = (name) =>
  (name ?? "").split(/\s+/).filter(Boolean).map((word) => [...word][0]).filter((_, at, all) =>
    at === 0 || at === all.length - 1
  ).join("").toUpperCase();
