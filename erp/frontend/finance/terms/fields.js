// The fields of payment terms.
import { t, tn } from "../../core/i18n.js";
import { settings } from "../../core/session.js";
import { effect, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { checkbox } from "../../ui/choice.js";
import { field, inputOf } from "../../ui/field.js";
import { numberInput } from "../../ui/number.js";
import { DATED, SELDOM, STEPS } from "./values.js";

// The usual days to pay of the workspace, where an empty field stands for them.
export const usualIfEmpty = () =>
  tn(
    "Default: {n} day, the workspace setting.",
    "Default: {n} days, the workspace setting.",
    settings().paymentTermsDays,
  );

// Days to pay and a discount; a second discount once there is a first, and the rest on demand. `ifEmpty()` says what
// counts while none of the fields says when a document is due.
export function termsFields(fields, ifEmpty = usualIfEmpty) {
  const isUndated = () => !Object.keys(DATED).some((name) => fields[name].value);
  return [
    termField(fields, "termsDays", "days", t("Payment terms (days)"), { hint: () => (isUndated() ? ifEmpty() : "") }),
    termField(fields, "firstPercent", "discounts[0].percent", t("Cash discount in %")),
    termField(fields, "firstDays", "discounts[0].days", t("Days for the discount")),
    secondStep(fields),
    seldomFields(fields),
  ];
}

const termField = (fields, key, path, label, more = {}) =>
  field(
    { label, name: `paymentTerms.${path}`, isOptional: true, ...more },
    numberInput({ value: fields[key], name: `paymentTerms.${path}` }),
  );

// Becomes true once one of the fields is filled in, and stays so while someone types there.
function onceFilled(fields, names) {
  const isFilled = signal(false);
  effect(() => void (names.some((name) => fields[name].value) && (isFilled.value = true)));
  return isFilled;
}

function secondStep(fields) {
  const isShown = onceFilled(fields, STEPS.flat());
  return () =>
    isShown.value
      ? [
        termField(fields, "secondPercent", "discounts[1].percent", t("Second discount in %")),
        termField(fields, "secondDays", "discounts[1].days", t("Days for the second")),
      ]
      : null;
}

function seldomFields(fields) {
  const isShown = onceFilled(fields, SELDOM);
  let first = null;
  const open = () => {
    isShown.value = true;
    queueMicrotask(() => first.focus());
  };
  return () => {
    if (!isShown.value) {
      return tags.div(
        { class: "is-wide" },
        button(t("By months or a day of the month"), open, { kind: "plain", icon: "plus", isSmall: true }),
      );
    }
    const months = termField(fields, "termsMonths", "months", t("Payment terms (months)"));
    first = inputOf(months);
    return [months, dayField(fields), endField(fields)];
  };
}

const dayField = (fields) =>
  termField(fields, "termsDayOfMonth", "dayOfMonth", t("Day of the month"), {
    hint: t("For example 15: due on the next 15th."),
  });

const endField = (fields) =>
  checkbox({
    value: fields.termsEndOfMonth,
    name: "paymentTerms.endOfMonth",
    text: t("To the end of the month"),
    hint: t("The day is then in the month that follows."),
  });
