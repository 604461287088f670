// The days off of a week.
import { weekday } from "../core/format.js";
import { t } from "../core/i18n.js";
import { signal, tags } from "../core/view.js";
import { checkbox } from "./choice.js";

const { fieldset, legend } = tags;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const nameOf = (at) => weekday(`2024-01-0${at + 1}`, "long"); // 2024 began on a Monday

// What is ticked, one signal a day, and the days that it means.
export const weekendSignals = (days) => DAYS.map((day) => signal(days.includes(day)));
export const weekendOf = (free) => DAYS.filter((_, at) => free[at].value);

// The same of one signal of the days.
export const weekendOfDays = (days) =>
  weekendField(DAYS.map((day) => ({
    get value() {
      return days.value.includes(day);
    },
    set value(isOff) {
      days.value = DAYS.filter((one) => (one === day ? isOff : days.peek().includes(one)));
    },
  })));

export const weekendField = (free) =>
  fieldset(
    { class: "radios is-row", "data-name": "weekend", tabindex: "-1" },
    legend({ class: "field-label" }, t("Days off")),
    free.map((value, at) => checkbox({ value, name: `weekend.${DAYS[at]}`, text: nameOf(at) })),
  );
