// How a task comes again once it is done.
import { t, tn } from "../../core/i18n.js";
import { signal, tags } from "../../core/view.js";
import { choice, optionsOf } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";

const RHYTHMS = {
  day: (n) => tn("every day", "every {n} days", n),
  week: (n) => tn("every week", "every {n} weeks", n),
  month: (n) => tn("every month", "every {n} months", n),
  year: (n) => tn("every year", "every {n} years", n),
};
const UNITS = {
  day: () => t.of("unit", "Days"),
  week: () => t("Weeks"),
  month: () => t("Months"),
  year: () => t("Years"),
};
const ORIGINS = { due_date: () => t("the due date"), completion: () => t("the completion") };

const words = (repeat) =>
  repeat &&
  t("{rhythm}, from {origin}", { rhythm: RHYTHMS[repeat.unit](repeat.every), origin: ORIGINS[repeat.from]() });

const part = (size, control) => tags.div({ style: { flex: String(size) } }, control);

export const repeatField = () => ({
  name: "repeat",
  label: t("Repeat every"),
  parts: {
    signals: ({ repeat }) => ({
      every: signal(repeat ? String(repeat.every) : ""),
      unit: signal(repeat?.unit ?? "month"),
      from: signal(repeat?.from ?? "due_date"),
    }),
    draw: ({ every, unit, from }) => [
      field(
        { label: t("Repeat every"), name: "repeat.every", isOptional: true },
        tags.div(
          { class: "row", style: { "flex-wrap": "nowrap" } },
          part(1, textInput({ value: every, inputmode: "numeric", maxlength: 3 })),
          part(2, choice({ value: unit, label: t("Unit"), options: optionsOf(UNITS) })),
        ),
      ),
      () =>
        every.value &&
        field(
          { label: t("Counted from"), name: "repeat.from" },
          choice({ value: from, name: "repeat.from", options: optionsOf(ORIGINS) }),
        ),
    ],
    read: ({ every, unit, from }) => {
      const count = every.value.trim();
      return count ? { every: /^\d+$/.test(count) ? Number(count) : count, unit: unit.value, from: from.value } : null;
    },
  },
  words,
  told: ({ repeat }) => words(repeat),
});
