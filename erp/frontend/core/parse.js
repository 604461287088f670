// What people type, in the form of the API; null for what makes no sense. The language decides what a comma means.
import { timeZone } from "./format.js";
import { formatBy, language } from "./i18n.js";
import { effect, signal } from "./signals.js";

const MINUTE = 60_000;
const UNITS = { m: 1, min: 1, h: 60, std: 60 };
const TODAY = /^(today|heute|t)$/i;
const YESTERDAY = /^(yesterday|gestern)$/i;
const TOMORROW = /^(tomorrow|morgen)$/i;

// "1.234,5" and "1,234.5" are "1234.5"; a single mark before exactly three digits separates thousands where the
// language writes it so, but not after a nought.
export function parseNumber(text) {
  const plain = text.trim().replace(/[\s'’\u00a0\u202f]/g, "").replace(/^[−–]/, "-");
  if (!/^-?[\d.,]*\d[.,]?$/.test(plain) && !/^-?[.,]\d+$/.test(plain)) return null;
  const mark = decimalMark(plain);
  const [whole, decimals, ...rest] = mark ? plain.split(mark) : [plain];
  if (rest.length || (decimals !== undefined && /[.,]/.test(decimals))) return null;
  if (!areThousands(whole.replace("-", ""))) return null;
  const digits = whole.replace(/[.,]/g, "");
  const sign = digits.startsWith("-") ? "-" : "";
  const integer = digits.replace("-", "").replace(/^0+(?=\d)/, "") || "0";
  return decimals ? `${sign}${integer}.${decimals}` : sign + integer;
}

// An amount may have its currency beside it, as in "12,50 €" and "EUR 12.50".
export const parseMoney = (text) => parseNumber(text.trim().replace(/^(\p{Sc}|[A-Z]{3}\b)|(\p{Sc}|\b[A-Z]{3})$/u, ""));

function decimalMark(text) {
  const marks = [...text].filter((one) => one === "." || one === ",");
  if (!marks.length) return null;
  const last = marks.at(-1);
  if (new Set(marks).size === 2) return last;
  if (marks.length > 1) return null;
  const usual = decimalOfLanguage();
  return last === usual || !/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text) ? last : null;
}

const areThousands = (whole) => !/[.,]/.test(whole) || /^[1-9]\d{0,2}([.,]\d{3})+$/.test(whole);

const decimalOfLanguage = () =>
  formatBy(Intl.NumberFormat).formatToParts(1.5).find(({ type }) => type === "decimal").value;

// Minutes: "90m", "1:30", "1.5", "1,5 h" and "1h 30m"; a number alone is hours.
export function parseDuration(text) {
  const plain = text.trim().toLowerCase();
  const clock = plain.match(/^(\d{1,3}):([0-5]?\d)$/);
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const parts = [...plain.matchAll(/(\d+(?:[.,]\d+)?|[.,]\d+)\s*(h|std|min|m)?\s*/gy)];
  if (!parts.length || parts.map(([whole]) => whole).join("") !== plain) return null;
  if (parts.length > 1 && parts.some(([, , unit]) => !unit)) return null;
  return Math.round(
    parts.reduce((sum, [, amount, unit]) => sum + Number(amount.replace(",", ".")) * UNITS[unit ?? "h"], 0),
  );
}

// A break: the hours of "1" are possible, while "30" are minutes.
const LONGEST_BREAK = 4; // hours that a bare number may mean
export const parseBreak = (text) =>
  /^\d+$/.test(text.trim()) && Number(text) > LONGEST_BREAK ? Number(text) : parseDuration(text);

const dayNow = () => formatBy(Intl.DateTimeFormat, { timeZone: timeZone() }, "sv-SE").format(new Date());
const newDay = signal(dayNow());

// A page that is left open overnight follows: what depends on it is worked out again when the day changes.
export const today = () => (newDay.value, dayNow());

// Look for a new day each minute, and when someone comes back to the page.
export function followDays() {
  const look = () => void (newDay.value = dayNow());
  setInterval(look, MINUTE);
  for (const target of [globalThis, document]) {
    for (const type of ["focus", "visibilitychange"]) target.addEventListener(type, look);
  }
}

// The present day as the value of a field, for as long as no other one is chosen.
export function todayAtFirst() {
  let before = today();
  const chosen = signal(before);
  effect(() => {
    const now = today();
    if (chosen.peek() === before) chosen.value = now;
    before = now;
  });
  return chosen;
}

export function addDays(iso, count) {
  const moved = new Date(`${iso}T00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + count);
  return moved.toISOString().slice(0, 10);
}

// 1 is Monday, 7 is Sunday.
export const weekdayOf = (iso) => new Date(`${iso}T00:00Z`).getUTCDay() || 7;
export const startOfWeek = (iso) => addDays(iso, 1 - weekdayOf(iso));

export function addMonths(iso, count) {
  const [year, month, day] = iso.split("-").map(Number);
  const last = new Date(Date.UTC(year, month - 1 + count + 1, 0));
  last.setUTCDate(Math.min(day, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

// "fr" is the next Friday, "+14" counts from today (or `from`), "25.11." and "25/11" are of the nearest such year.
export function parseDay(text, from = today()) {
  const plain = text.trim().toLowerCase();
  if (TODAY.test(plain)) return today();
  if (YESTERDAY.test(plain)) return addDays(today(), -1);
  if (TOMORROW.test(plain)) return addDays(today(), 1);
  if (/^[+-]\d{1,4}$/.test(plain)) return addDays(from, Number(plain));
  if (/^\d{4}-\d{1,2}-\d{1,2}$/.test(plain)) return real(...plain.split("-").map(Number));
  return byNumbers(plain, from) ?? byMonthName(plain, from) ?? byWeekday(plain, from);
}

function real(year, month, day) {
  const made = new Date(Date.UTC(year, month - 1, day));
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day ? made.toISOString().slice(0, 10) : null;
}

function byNumbers(plain, from) {
  const found = plain.match(/^(\d{1,2})(?:[./](\d{1,2})?[./]?(\d{2}|\d{4})?)?$/);
  if (!found) return null;
  const [first, second, year] = found.slice(1).map((one) => one && Number(one));
  if (second === undefined) return real(Number(from.slice(0, 4)), Number(from.slice(5, 7)), first);
  const [day, month] = isMonthFirst() && plain.includes("/") ? [second, first] : [first, second];
  return inYear(year, month, day, from);
}

const isMonthFirst = () => language() === "en-US";

function inYear(year, month, day, from) {
  if (year !== undefined) return real(year < 100 ? 2000 + year : year, month, day);
  const [here, at] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))];
  return real(here + (month - at > 6 ? -1 : at - month > 6 ? 1 : 0), month, day);
}

// "25 nov 2026", and "nov 25, 2026" as Americans write it.
function byMonthName(plain, from) {
  const found = plain.match(/^(?<day>\d{1,2})\.?\s*(?<name>\p{L}{3,})\.?\s*(?<year>\d{4})?$/u) ??
    plain.match(/^(?<name>\p{L}{3,})\.?\s+(?<day>\d{1,2})(?:,?\s+(?<year>\d{4}))?$/u);
  if (!found) return null;
  const { day, name, year } = found.groups;
  const month = named(12, name, (at) => new Date(Date.UTC(2026, at, 1)), { month: "long" });
  return month === null ? null : inYear(year && Number(year), month + 1, Number(day), from);
}

function byWeekday(plain, from) {
  if (!/^\p{L}{2,}$/u.test(plain)) return null;
  const at = named(7, plain, (one) => new Date(Date.UTC(2026, 0, 5 + one)), { weekday: "long" });
  return at === null ? null : addDays(from, (at + 1 - weekdayOf(from) + 6) % 7 + 1);
}

// The place of the one name that begins so, in the user's language or in English.
function named(count, start, dateOf, form) {
  for (const tag of [language(), "en"]) {
    const { format } = formatBy(Intl.DateTimeFormat, { timeZone: "UTC", ...form }, tag);
    const fitting = Array.from({ length: count }, (_, at) => at).filter((at) =>
      format(dateOf(at)).toLowerCase().startsWith(start)
    );
    if (fitting.length === 1) return fitting[0];
  }
  return null;
}
