// What changes an employee: the record, the work week, pay, and leaving.
import { newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { currency, may } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { addressFields, addressOf, addressSignals } from "../../ui/address.js";
import { change, changesOf } from "../../ui/changing.js";
import { checkbox, choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { durationInput, moneyInput } from "../../ui/number.js";
import { DAYS, employeeOptions, memberOptions, payOf, periodOf, periodOptions, typeOptions } from "./choice.js";

const { div, p } = tags;

export async function changing({ id, version }, action, body, told) {
  const saved = await send("POST", `/hr/employees/${id}/${action}`, body, { version });
  changed("/hr/");
  notify(told, { kind: "good" });
  return saved;
}

async function patch(element, employee, body, close) {
  if (!(await change(element, `/hr/employees/${employee.id}`, employee, body))) return;
  changed("/hr/");
  notify(t("Saved."), { kind: "good" });
  close();
}

const TEXTS = ["name", "employeeNumber", "email", "phone", "jobTitle", "department", "taxNumber"];

export function recordForm(employee, close) {
  const seen = TEXTS.filter((name) => name in employee);
  const values = Object.fromEntries(seen.map((name) => [name, signal(employee[name] ?? "")]));
  const others = {
    hireDate: signal(employee.hireDate),
    employmentType: signal(employee.employmentType),
    managerEmployeeId: signal(employee.managerEmployeeId),
    userId: signal(employee.userId),
    keepsAttendance: signal(employee.keepsAttendance),
  };
  const place = "address" in employee ? addressSignals(employee.address) : null;
  const bank = "bankAccount" in employee && may("payroll.write") ? bankSignals(employee) : null;
  const bodyOf = () => ({
    ...Object.fromEntries(Object.entries(values).map(([name, one]) => [name, one.value || null])),
    name: values.name.value,
    employeeNumber: values.employeeNumber.value,
    ...Object.fromEntries(Object.entries(others).map(([name, one]) => [name, one.value])),
    ...(place && { address: addressOf(place) }),
    ...(bank && bankOf(bank)),
  });
  const text = (label, name, more = {}) =>
    values[name] &&
    field(
      { label, name, isOptional: !["name", "employeeNumber"].includes(name), ...more },
      textInput({ value: values[name], name, autocomplete: "off", ...more }),
    );
  const chosen = (label, name, options, shown) =>
    field(
      { label, name, isOptional: true },
      combobox({ value: others[name], name, options, shown: (id) => (id === employee[name] ? shown : "") }),
    );
  const before = bodyOf();
  const run = (element) => patch(element, employee, changesOf(bodyOf(), before), close);
  return form(
    { run, submit: t("Save"), cancel: () => close() },
    div(
      { class: "fields" },
      text(t("Name"), "name", { isWide: true }),
      text(t("Employee number"), "employeeNumber"),
      text(t("Job title"), "jobTitle"),
      text(t("Department"), "department"),
      chosen(t("Manager"), "managerEmployeeId", employeeOptions, employee.managerName ?? ""),
      field(
        { label: t("Employment"), name: "employmentType" },
        choice({ value: others.employmentType, name: "employmentType", options: typeOptions() }),
      ),
      field({ label: t("First day"), name: "hireDate" }, dateField({ value: others.hireDate, name: "hireDate" })),
      text(t("E-mail"), "email", { type: "email" }),
      text(t("Phone"), "phone"),
      chosen(t("Signs in as"), "userId", memberOptions, employee.userName ?? ""),
      place && addressFields(place),
      text(t("Tax number"), "taxNumber"),
      bank && bankFields(bank),
    ),
    checkbox({
      value: others.keepsAttendance,
      name: "keepsAttendance",
      text: t("Uses the time clock"),
      hint: t("Turned off: missing days are not reported."),
    }),
  );
}

const bankSignals = ({ bankAccount, name }) => ({
  holder: signal(bankAccount?.holder ?? name),
  iban: signal(bankAccount?.iban ?? ""),
});
const bankOf = ({ holder, iban }) => ({
  bankAccount: iban.value ? { holder: holder.value, iban: iban.value } : null,
});
const bankFields = ({ holder, iban }) => [
  field(
    { label: t("Account holder"), name: "bankAccount.holder", isOptional: true },
    textInput({ value: holder, name: "bankAccount.holder", autocomplete: "off" }),
  ),
  field(
    { label: t("IBAN"), name: "bankAccount.iban", isOptional: true },
    textInput({ value: iban, name: "bankAccount.iban", autocomplete: "off" }),
  ),
];

export function weekForm(employee, close) {
  const minutes = Object.fromEntries(Object.keys(DAYS).map((name) => [name, signal(employee.workSchedule[name])]));
  const from = signal(today());
  const run = (element) => {
    const workSchedule = Object.fromEntries(Object.entries(minutes).map(([name, one]) => [name, one.value || 0]));
    return patch(element, employee, { workSchedule, workScheduleFrom: from.value }, close);
  };
  return form(
    { run, submit: t("Save"), cancel: () => close(), label: t("Work schedule") },
    div(
      { class: "fields" },
      Object.entries(DAYS).map(([name, text]) =>
        field(
          { label: text(), name: `workSchedule.${name}` },
          durationInput({ value: minutes[name], name: `workSchedule.${name}` }),
        )
      ),
      field({ label: t("Valid from"), name: "workScheduleFrom" }, dateField({ value: from, name: "workScheduleFrom" })),
    ),
  );
}

export function payForm(employee, close) {
  const { compensation } = employee;
  const amount = signal(compensation?.amount ?? "");
  const period = signal(compensation ? periodOf(compensation) : "monthly");
  const from = signal("");
  const key = newKey();
  const run = async () => {
    const body = {
      ...payOf(amount.value, period.value),
      effectiveFrom: from.value,
      components: componentsOf(compensation),
    };
    await send("POST", `/hr/employees/${employee.id}/compensations`, body, { key });
    changed("/hr/");
    close();
    notify(t("Saved."), { kind: "good" });
  };
  return form(
    { run, submit: t("Save"), cancel: () => close(), label: t.of("noun", "Pay") },
    div(
      { class: "fields" },
      field(
        { label: t("Pay in {currency}", { currency: currency() }), name: "amount" },
        moneyInput({ value: amount, currency, name: "amount", autofocus: true }),
      ),
      field(
        { label: t("Period paid"), name: "frequency" },
        choice({ value: period, name: "frequency", options: periodOptions() }),
      ),
      field(
        { label: t("Valid from"), name: "effectiveFrom" },
        dateField({ value: from, name: "effectiveFrom" }),
      ),
    ),
    p({ class: "soft small" }, t("Earlier payments do not change. Pay components continue unchanged.")),
  );
}

const componentsOf = (compensation) =>
  (compensation?.components ?? []).map(({ componentId, amount, percent }) => ({
    componentId,
    ...(amount !== undefined && { amount }),
    ...(percent !== undefined && { percent }),
  }));

export function leavingForm(employee, close) {
  const last = signal(employee.terminationDate ?? "");
  const reason = signal(employee.terminationReason ?? "");
  const run = async () => {
    const body = { date: last.value, reason: reason.value || null };
    await changing(employee, "terminate", body, t("Last day set."));
    close();
  };
  return form(
    { run, submit: t("Set last day"), cancel: () => close(), label: t("Last day") },
    field({ label: t("Last day of work"), name: "date" }, dateField({ value: last, name: "date" })),
    field({ label: t("Reason"), name: "reason", isOptional: true }, textInput({ value: reason, name: "reason" })),
    p({ class: "soft small" }, t("The person stays a member of the workspace until someone removes them there.")),
  );
}

export function returnForm(employee, close) {
  const first = signal("");
  const run = async () => {
    await changing(employee, "rehire", { date: first.value }, t("{name} hired.", { name: employee.name }));
    close();
  };
  return form(
    { run, submit: t("Hire again"), cancel: () => close(), label: t("Hire again") },
    field({ label: t("First day"), name: "date" }, dateField({ value: first, name: "date" })),
  );
}
