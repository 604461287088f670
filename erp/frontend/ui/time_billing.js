// How logged time is billed: fields of the workspace, a contact, a project and an invoice of time. What is not set here is
// as at the next one.
import { t } from "../core/i18n.js";
import { signal, tags } from "../core/view.js";
import { choice, optionsOf } from "./choice.js";
import { field } from "./field.js";
import { textInput } from "./input.js";

const NAMES = ["stepMinutes", "per", "mode", "lineText", "timeSheet"];
const STEPS = [1, 5, 6, 10, 15, 30, 60];
const PER = { log: () => t("each time entry"), day: () => t("each person and day"), line: () => t("each line") };
const MODES = { nearest: () => t("to the nearest"), up: () => t("up"), down: () => t("down") };
const SHEETS = () => [{ value: true, text: t("yes") }, { value: false, text: t("no") }];
const minutes = (count) => t("{count} min", { count });

const timeBillingSignals = (billing) => Object.fromEntries(NAMES.map((name) => [name, signal(billing?.[name] ?? "")]));

// What is set, or null.
function timeBillingOf(signals) {
  const values = NAMES.map((name) => [name, signals[name].value]);
  const given = values.filter(([, value]) => value !== "" && value !== null);
  return given.length ? Object.fromEntries(given) : null;
}

export function timeBillingFields(signals, empty = t("not set here")) {
  const one = (name, label, options, hint = null) =>
    field(
      { label, name: `timeBilling.${name}`, isOptional: true, hint },
      choice({ value: signals[name], name: `timeBilling.${name}`, empty, options }),
    );
  return [
    one("stepMinutes", t("Billed in steps of"), STEPS.map((value) => ({ value, text: minutes(value) }))),
    one("mode", t.of("time", "Rounded"), optionsOf(MODES)),
    one("per", t("Rounded for"), optionsOf(PER)),
    one("timeSheet", t.of("document", "Time sheet"), SHEETS(), t("Further pages of the invoice.")),
    field(
      {
        label: t("Text of a line"),
        name: "timeBilling.lineText",
        isOptional: true,
        isWide: true,
        hint: t("With places such as {places}.", { places: "{project} {task} {key} {person} {date} {note}" }),
      },
      textInput({ value: signals.lineText, name: "timeBilling.lineText", maxlength: 500 }),
    ),
  ];
}

const timeBillingWords = (billing) =>
  billing &&
  [
    billing.stepMinutes && minutes(billing.stepMinutes),
    billing.mode && MODES[billing.mode](),
    billing.per && PER[billing.per](),
    billing.timeSheet && t.of("document", "Time sheet"),
    billing.lineText,
  ].filter(Boolean).join(" · ");

// A field of a record, told once.
export const timeBillingField = (more = {}) => ({
  name: "timeBilling",
  label: t("Invoicing of time"),
  parts: {
    signals: (record) => timeBillingSignals(record?.timeBilling),
    draw: (signals) =>
      tags.details(
        { class: "is-wide" },
        tags.summary(t("Invoicing of time")),
        tags.div({ class: "fields" }, timeBillingFields(signals)),
      ),
    read: timeBillingOf,
  },
  words: timeBillingWords,
  ...more,
});
