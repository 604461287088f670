// Periods by words, such as `this_month` or `last_quarter`: their first and last day, as things stand today.
import { addDays, addMonths, today } from "./parse.js";

const MONTHS = { month: 1, quarter: 3, year: 12 };

export function daysOf(period, from = today()) {
  const [, which, unit] = /^(this|last)_(month|quarter|year)$/.exec(period) ?? [];
  if (!unit) return null;
  const [year, month] = from.split("-").map(Number);
  const before = (month - 1) % MONTHS[unit] + (which === "last" ? MONTHS[unit] : 0);
  const first = addMonths(`${year}-${String(month).padStart(2, "0")}-01`, -before);
  return [first, addDays(addMonths(first, MONTHS[unit]), -1)];
}
