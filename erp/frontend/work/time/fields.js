// The fields of a time entry: its form, and the columns of tables that are imported.
import { t } from "../../core/i18n.js";
import { todayAtFirst } from "../../core/parse.js";
import { signal } from "../../core/view.js";
import { billableBox, usuallyBillable } from "./billable.js";

/**
 * Of an entry, or of a new one on `task`. Time from a start to an end keeps both.
 * @param {any} [log]
 * @param {any} [about]
 */
export const timeFields = (log, { task, isNote = false } = {}) =>
  [
    { columns: [{ name: "task", label: t("Task key"), example: "WEB-12", isNeeded: true }] },
    !log?.startedAt && {
      name: "minutes",
      label: t("Duration"),
      kind: "duration",
      hint: t("For example 1, 1:30 or 90m"),
      columns: [{ name: "hours", label: t("Hours"), example: "1.5", isNeeded: true }],
    },
    !log?.startedAt && {
      name: "date",
      label: t("Day"),
      kind: "day",
      begin: todayAtFirst,
      example: "2026-01-31",
      meaning: t("Date of the work"),
    },
    {
      name: "note",
      label: t.of("internal", "Note"),
      isOptional: true,
      isWide: true,
      autofocus: isNote,
      example: "Roof measured",
    },
    {
      name: "isBillable",
      kind: "check",
      parts: {
        signals: (one) => ({ isBillable: one ? signal(one.isBillable) : following(usuallyBillable(task)) }),
        draw: ({ isBillable }) => billableBox(isBillable),
        read: ({ isBillable }) => (isBillable.isUsual?.() ? null : isBillable.value),
      },
      columns: [{ name: "billable", label: t("yes or no"), example: "yes" }],
    },
    {
      columns: [
        { name: "user", label: t("E-mail address of the person who worked, if not you"), example: "mei@example.com" },
      ],
    },
  ].filter(Boolean);

// A value that is the usual one until it is chosen.
function following(usual) {
  const chosen = signal(null);
  return {
    get value() {
      return chosen.value ?? usual();
    },
    set value(value) {
      chosen.value = value;
    },
    isUsual: () => chosen.peek() === null || chosen.peek() === usual(),
  };
}
