// The fields of a recurring document: its form, and the facts of its page.
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { optionsOf } from "../../ui/choice.js";
import { isBill, madeKind, rhythmOf } from "./words.js";

const UNITS = {
  day: () => t.of("unit", "Days"),
  week: () => t("Weeks"),
  month: () => t("Months"),
  year: () => t("Years"),
};
const MODES = { issue: () => t("Issue automatically"), draft: () => t("Create draft") };

/**
 * `made` has the invoice or entry that is made each time; `start` are the values of a new one.
 * @param {any} made
 * @param {any} [start]
 */
export const recurringFields = (made, start = {}) =>
  [
    { name: "name", label: t("Name"), start: start.name, isFact: false },
    { label: t("Creates"), told: madeKind },
    { label: t("Rhythm"), told: (now) => (now.day ? `${rhythmOf(now)}, ${dayText(now)}` : rhythmOf(now)) },
    { label: t("Next date"), told: ({ nextOn }) => day(nextOn) },
    { name: "every", label: t("Every"), kind: "whole", start: 1, isFact: false },
    { name: "unit", label: t("Unit"), kind: "choice", start: "month", options: optionsOf(UNITS), isFact: false },
    { name: "from", label: t("First date"), kind: "day", start: start.from },
    {
      name: "day",
      label: t("Day of the month"),
      kind: "whole",
      isOptional: true,
      isShown: ({ unit }) => ["month", "year"].includes(unit.value),
      hint: t("A number, or “last”. Default: the day of the first date."),
      isFact: false,
    },
    { name: "until", label: t("Last date"), kind: "day", isOptional: true, told: ({ lastOn }) => day(lastOn) },
    { name: "times", label: t("Number of times (max.)"), kind: "whole", isOptional: true, isFact: false },
    made.invoice && { name: "mode", label: t("Mode"), kind: "choice", start: "issue", options: optionsOf(MODES) },
    made.invoice && !isBill(made) && {
      name: "dueDays",
      label: t("Payment terms (days)"),
      kind: "whole",
      isOptional: true,
      hint: t("Default: the customer’s."),
    },
  ].filter(Boolean);

const dayText = (now) => (now.day === "last" ? t("on the last day") : t("on day {day}", { day: now.day }));
