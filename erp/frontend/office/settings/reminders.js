// The terms of reminders among the settings: the smallest amount, points above the base rate, and the lump sum.
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { signal, tags } from "../../core/view.js";
import { link } from "../../ui/button.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { settingsForm } from "./form.js";

const { div } = tags;

export function reminderTerms(get, path) {
  const { reminders: terms, baseCurrency } = get();
  const minimum = signal(terms.minimumAmount);
  const lumpSum = signal(terms.lumpSum?.amount ?? "");
  const from = signal(terms.consumerInterestFrom);
  const points = Object.fromEntries(
    ["businessPoints", "consumerPoints", "fixedConsumerRate"].map((name) => [name, signal(terms[name] ?? "")]),
  );
  const lumpCurrency = terms.lumpSum?.currency ?? baseCurrency;
  const number = (name, label, hint = null) =>
    field(
      { label, name: `reminders.${name}`, isOptional: true, hint },
      numberInput({ value: points[name], name: `reminders.${name}`, unit: "%" }),
    );
  const money = (name, label, value, currency, more = {}) =>
    field({ label, name, ...more }, moneyInput({ value, name, currency }));
  return settingsForm(
    t("Reminders"),
    get,
    path,
    () => ({
      reminders: {
        minimumAmount: minimum.value || "0",
        ...Object.fromEntries(Object.entries(points).map(([name, one]) => [name, one.value || null])),
        lumpSum: lumpSum.value ? { currency: lumpCurrency, amount: lumpSum.value } : null,
        consumerInterestFrom: from.value,
      },
    }),
    div(
      { class: "fields" },
      money("reminders.minimumAmount", t("No letter up to"), minimum, baseCurrency),
      money("reminders.lumpSum.amount", t("Lump sum for late payment"), lumpSum, lumpCurrency, {
        isOptional: true,
        hint: t("Of businesses, once for an invoice."),
      }),
      number("businessPoints", t("Points above the base rate: businesses")),
      number("consumerPoints", t("Points above the base rate: consumers")),
      number("fixedConsumerRate", t("Fixed rate for consumers"), t("Instead of base rate and points.")),
      field(
        { label: t("Consumers owe interest"), name: "reminders.consumerInterestFrom" },
        choice({
          value: from,
          name: "reminders.consumerInterestFrom",
          options: [
            { value: "first_letter", text: t("after the first letter") },
            { value: "due", text: t("after the due date") },
          ],
        }),
      ),
    ),
    may("finance.read") &&
      div(
        { class: "row" },
        link(t("Reminder levels"), "/settings/reminder-levels", { icon: "list-tree" }),
        link(t("Base rates"), "/settings/base-rates", { icon: "percent" }),
      ),
  );
}
