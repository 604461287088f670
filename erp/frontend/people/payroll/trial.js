// Trying the pay components on the pay of a person: the payslip that a run would make, of which nothing is stored.
import { send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { addDays, today } from "../../core/parse.js";
import { resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { employeeOptions } from "../employees/choice.js";

const startOf = (day) => `${day.slice(0, 7)}-01`;
const next = (first) => startOf(addDays(first, 31));

export function trial(close) {
  const first = next(startOf(today())); // a month that no run has paid
  const [person, from, until] = [signal(null), signal(first), signal(addDays(next(first), -1))];
  const answer = signal(null);
  const chosen = resource(() => (person.value ? `/hr/employees/${person.value}` : null));
  const pay = () => chosen.value?.compensation;
  const run = async () => {
    answer.value = null;
    const body = {
      periodStart: from.value,
      periodEnd: until.value,
      employeeIds: person.value ? [person.value] : [],
      currency: pay()?.currency,
      includeDifferences: false,
      dryRun: true,
    };
    answer.value = (await send("POST", "/hr/payroll/run", body)).payslips[0];
  };
  return form(
    {
      run,
      submit: () => (pay() ? t("Try with {amount}", { amount: money(pay().amount, pay().currency) }) : t("Try")),
      cancel: () => close(),
      label: t("Try"),
    },
    tags.div(
      { class: "fields" },
      field(
        { label: t("Person"), name: "employeeIds" },
        combobox({ value: person, name: "employeeIds", options: employeeOptions }),
      ),
      field({ label: t("First day"), name: "periodStart" }, dateField({ value: from, name: "periodStart" })),
      field({ label: t("Last day"), name: "periodEnd" }, dateField({ value: until, name: "periodEnd" })),
    ),
    tags.div({ role: "status" }, () => answer.value && told(answer.value)),
  );
}

const told = (payslip) => {
  const amount = (text) => money(text, payslip.currency);
  const line = ({ name, amount: text, explanation }) => [
    name,
    tags.span(amount(text), tags.div({ class: "soft small" }, explanation)),
  ];
  return facts([
    ...payslip.lines.map(line),
    [t("Gross pay"), amount(payslip.gross)],
    [t("Net pay"), amount(payslip.net)],
  ]);
};
