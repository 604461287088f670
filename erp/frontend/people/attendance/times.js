// The punches of a day as one text: "8:00–12:00, 12:30–17:00".
import { timeZone } from "../../core/format.js";
import { formatBy, t } from "../../core/i18n.js";
import { addDays } from "../../core/parse.js";
import { optionsOf } from "../../ui/choice.js";
import { instantOf } from "./correction.js";

export const STATUSES = {
  present: () => t.of("attendance", "Present"),
  remote: () => t.of("attendance", "Remote"),
  half_day: () => t.of("attendance", "Half day"),
  absent: () => t.of("attendance", "Absent"),
  on_leave: () => t.of("attendance", "On leave"),
  holiday: () => t.of("attendance", "Public holiday"),
};
export const statusOptions = () => optionsOf(STATUSES);
export const isAtWork = (status) => ["present", "remote", "half_day"].includes(status);

const clock = (text) =>
  formatBy(Intl.DateTimeFormat, { timeZone: timeZone(), hourCycle: "h23", hour: "numeric", minute: "2-digit" }, "en-GB")
    .format(new Date(text));

export const timesOf = (punches) =>
  punches.map((one) => `${clock(one.in)}–${one.out ? clock(one.out) : ""}`).join(", ");

// Begin and end of each; null if a part is none. An end can be left out.
export function parted(text) {
  const found = text.split(/[,;]/).filter((part) => part.trim()).map((part) =>
    part.trim().match(/^(\d{1,2}(?::?\d{2})?)\s*[-–—]\s*(\d{1,2}(?::?\d{2})?)?$/)
  );
  return found.every(Boolean) ? found.map(([, from, until]) => ({ from: filled(from), until: filled(until) })) : null;
}

const filled = (text) =>
  text && (/^\d{1,2}$/.test(text) ? `${text}:00` : text.replace(/^(\d{1,2}):?(\d{2})$/, "$1:$2")).padStart(5, "0");

// As instants of a day: an end that is not after its begin is on the next day.
export const punchesOn = (day, text) =>
  parted(text).map(({ from, until }) => ({
    in: instantOf(day, from),
    out: until ? instantOf(until > from ? day : addDays(day, 1), until) : null,
  }));
