// Trying the pay components on an amount: the payslip of a month, of which nothing is stored.
import { address, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { checkbox } from "../../ui/choice.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { moneyInput } from "../../ui/number.js";

export function trial(close) {
  const [amount, answer] = [signal(""), signal(null)];
  const all = resource(address("/hr/pay-components", { limit: 200 }));
  const chosen = new Map(); // by component, whether it is taken
  const isTaken = (id) => chosen.get(id) ?? chosen.set(id, signal(false)).get(id);
  const run = async () => {
    answer.value = null;
    const componentIds = [...chosen].filter(([, taken]) => taken.value).map(([id]) => id);
    answer.value = await send("POST", "/hr/payroll/try", { amount: amount.value || null, componentIds });
  };
  const others = () => (all.value ?? []).filter(({ appliesToAll }) => !appliesToAll);
  return form(
    {
      run,
      submit: () => (amount.value ? t("Try with {amount}", { amount: money(amount.value, currency()) }) : t("Try")),
      cancel: () => close(),
      label: t("Try"),
    },
    field(
      { label: t("Salary a month"), name: "amount" },
      moneyInput({ value: amount, name: "amount", currency, withCurrency: true }),
    ),
    () =>
      others().length > 0 &&
      tags.fieldset(
        { class: "radios" },
        tags.legend({ class: "field-label" }, t("Also take")),
        others().map(({ id, name }) => checkbox({ value: isTaken(id), text: name })),
      ),
    tags.div({ role: "status" }, () => answer.value && told(answer.value)),
  );
}

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
