// A day of the work schedule: its minutes, or its begin, end and break.
import { duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { parseBreak, parseDuration } from "../../core/parse.js";
import { typedInput } from "../../ui/typed.js";

const DAY = 1440;
const HOURS = /^([\d:.]+)\s*[-–]\s*([\d:.]+)(?:\s*[,/]\s*(.+))?$/;
const pastMidnight = (text) => text.split(":").reduce((hours, minutes) => Number(hours) * 60 + Number(minutes));
const hasHours = (day) => day !== null && typeof day === "object";

// An end that is not after the begin is on the next day.
export function minutesOf(day) {
  if (!hasHours(day)) return day;
  const [begin, end] = [pastMidnight(day.begin), pastMidnight(day.end)];
  return (end > begin ? end : end + DAY) - begin - day.breakMinutes;
}

export function dayText(day) {
  if (!hasHours(day)) return duration(day);
  const hours = `${day.begin}–${day.end}`;
  return day.breakMinutes ? `${hours}, ${duration(day.breakMinutes)}` : hours;
}

function timeOfDay(text) {
  const [, hours, minutes = "00"] = text.match(/^(\d{1,2})(?:[:.]?(\d{2}))?$/) ?? [];
  return Number(hours) < 24 && Number(minutes) < 60 ? `${hours.padStart(2, "0")}:${minutes}` : null;
}

function parseDay(text) {
  const [, from, until, pause] = text.trim().match(HOURS) ?? [];
  if (from === undefined) return parseDuration(text);
  const [begin, end] = [timeOfDay(from), timeOfDay(until)];
  const breakMinutes = pause === undefined ? 0 : parseBreak(pause);
  if (begin === null || end === null || breakMinutes === null) return null;
  const day = { begin, end, breakMinutes };
  return minutesOf(day) > 0 ? day : null;
}

export const dayInput = ({ value, ...about }) =>
  typedInput({
    value,
    parse: parseDay,
    show: (day) => (day === null ? "" : dayText(day)),
    wrong: t("Neither hours nor begin and end. For example 8:00 or 8:00–16:30, 0:30."),
    class: "figure",
    ...about,
  });
