// Trying the pay components on an amount: the payslip of a month, of which nothing is stored.
import { getAll, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { signal, tags } from "../../core/view.js";
import { checkbox } from "../../ui/choice.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { moneyInput, padded } from "../../ui/number.js";

export async function trial() {
  const others = (await getAll("/hr/pay-components?limit=200")).filter(({ appliesToAll }) => !appliesToAll);
  return (close) => trialForm(others, close);
}

function trialForm(others, close) {
  const [amount, answer] = [signal(""), signal(null)];
  const choices = others.map((one) => ({ ...one, isTaken: signal(false) }));
  const run = async () => {
    answer.value = null;
    const componentIds = choices.filter(({ isTaken }) => isTaken.value).map(({ id }) => id);
    answer.value = await send("POST", "/hr/payroll/try", { amount: amount.value || null, componentIds });
  };
  return form(
    {
      run,
      submit: () => (amount.value ? t("Try with {amount}", { amount: inFull(amount.value) }) : t("Try")),
      cancel: () => close(),
      label: t("Try"),
    },
    field(
      { label: t("Salary a month"), name: "amount" },
      moneyInput({ value: amount, name: "amount", currency, withCurrency: true }),
    ),
    choices.length > 0 &&
      tags.fieldset(
        { class: "radios" },
        tags.legend({ class: "field-label" }, t("Also take")),
        choices.map(({ isTaken, name }) => checkbox({ value: isTaken, text: name })),
      ),
    tags.div({ role: "status" }, () => answer.value && told(answer.value)),
  );
}

const inFull = (amount) => money(padded(amount, currency()), currency());

const told = (pay) => {
  const amount = (text) => money(text, pay.currency);
  const line = ({ name, amount: text, explanation }) => [
    name,
    tags.span(amount(text), tags.div({ class: "soft small" }, explanation)),
  ];
  return [
    facts([
      ...pay.lines.map(line),
      [t("Gross pay"), amount(pay.gross)],
      [t("Net pay"), amount(pay.net)],
    ]),
    pay.warnings.map((text) => tags.p({ class: "soft small" }, text)),
  ];
};
