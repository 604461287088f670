// The period of a report in words: "Jan – Nov 2026". A month that runs through today counts as a month.
import { day, month } from "../../core/format.js";
import { formatBy, t } from "../../core/i18n.js";
import { today } from "../../core/parse.js";

const dateOf = (iso) => new Date(`${iso}T00:00Z`);
const endsMonth = (iso) => iso === today() || new Date(Date.parse(iso) + 86_400_000).getUTCDate() === 1;

const range = (from, to, options) =>
  formatBy(Intl.DateTimeFormat, { timeZone: "UTC", month: "short", year: "numeric", ...options })
    .formatRange(dateOf(from), dateOf(to));

export function periodOf({ dateFrom: from, dateTo: to }) {
  if (!to) return "";
  if (!from) return t("As of {day}", { day: day(to) });
  if (!from.endsWith("-01") || !endsMonth(to)) return range(from, to, { day: "numeric" });
  if (from.slice(0, 7) === to.slice(0, 7)) return month(from);
  return from.endsWith("-01-01") && to === `${from.slice(0, 4)}-12-31` ? from.slice(0, 4) : range(from, to, {});
}
