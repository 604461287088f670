// What changes an employee: the record, the work week, pay, and leaving.
import { newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { todayAtFirst } from "../../core/parse.js";
import { previewed } from "../../core/preview.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { change } from "../../ui/changing.js";
import { choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput } from "../../ui/number.js";
import { DAYS, employeeOptions, payOf, periodOf, periodOptions, typedCurrency } from "./choice.js";
import { employeeFields } from "./fields.js";
import { dayInput } from "./schedule.js";

const { div, p } = tags;

export async function changeEmployment({ id, version }, action, body, told) {
  const saved = await send("POST", `/hr/employees/${id}/${action}`, body, { version });
  changed("/hr/");
  notify(told, { kind: "good" });
  return saved;
}

async function patch(element, employee, body, close, told = undefined) {
  if (!(await change(element, `/hr/employees/${employee.id}`, employee, body, told))) return;
  changed("/hr/");
  notify(t("Saved."), { kind: "good" });
  close();
}

export function recordForm(employee, close) {
  const fields = editable(employeeFields(employee), employee);
  const run = (element) => patch(element, employee, fields.body(), close, fields.told);
  return form({ run, submit: t("Save"), cancel: () => close() }, fields.controls);
}

export function weekForm(employee, close) {
  const days = Object.fromEntries(Object.keys(DAYS).map((name) => [name, signal(employee.workSchedule[name])]));
  const from = todayAtFirst();
  const run = (element) => {
    const workSchedule = Object.fromEntries(Object.entries(days).map(([name, one]) => [name, one.value || 0]));
    return patch(element, employee, { workSchedule, workScheduleFrom: from.value }, close);
  };
  return form(
    { run, submit: t("Save"), cancel: () => close(), label: t("Work schedule") },
    p({ class: "soft small" }, t("Hours such as 8:00, or begin, end and break such as 8:00–16:30, 0:30.")),
    div(
      { class: "fields" },
      Object.entries(DAYS).map(([name, text]) =>
        field(
          { label: text(), name: `workSchedule.${name}` },
          dayInput({ value: days[name], name: `workSchedule.${name}` }),
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
  const code = signal(compensation?.currency ?? currency());
  const key = newKey();
  const path = `/hr/employees/${employee.id}/compensations`;
  const body = () => ({
    ...payOf(amount.value, period.value),
    currency: code.value.trim().toUpperCase(),
    effectiveFrom: from.value,
    components: componentsOf(compensation),
  });
  const run = async () => {
    await send("POST", path, body(), { key });
    changed("/hr/");
    close();
    notify(t("Saved."), { kind: "good" });
  };
  return form(
    { run, submit: t("Save"), cancel: () => close(), label: t.of("noun", "Pay") },
    div(
      { class: "fields" },
      field(
        { label: () => t("Pay in {currency}", { currency: typedCurrency(code.value, currency()) }), name: "amount" },
        moneyInput({
          value: amount,
          currency: () => typedCurrency(code.value, currency()),
          name: "amount",
          autofocus: true,
        }),
      ),
      field({ label: t("Currency"), name: "currency" }, textInput({ value: code, name: "currency", maxlength: 3 })),
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
    arrears(path, () => (from.value && amount.value ? { ...body(), dryRun: true } : null)),
  );
}

// Of a change in the past: what earlier payslips lack by it.
function arrears(path, request) {
  const answer = previewed(path, request, () => void (answer.value = null));
  const told = ({ arrears: { periods, gross }, currency: code }) =>
    periods > 0 &&
    p(
      tn("{n} earlier payslip changes", "{n} earlier payslips change", periods),
      ": ",
      t("{amount} gross with the next payroll run.", { amount: money(gross, code, { withCurrency: true }) }),
    );
  return div({ role: "status" }, () => answer.value && told(answer.value));
}

const componentsOf = (compensation) =>
  (compensation?.components ?? []).map(({ componentId, amount, percent }) => ({
    componentId,
    ...(amount !== undefined && { amount }),
    ...(percent !== undefined && { percent }),
  }));

export function terminationForm(employee, close) {
  const last = signal(employee.terminationDate ?? "");
  const reason = signal(employee.terminationReason ?? "");
  const [access, manager] = [signal("end_on_last_day"), signal(null)];
  const run = async () => {
    const body = { date: last.value, reason: reason.value || null, access: access.value };
    if (manager.value) body.reportsToEmployeeId = manager.value;
    const { openTasks } = await changeEmployment(employee, "terminate", body, t("Last day set."));
    if (openTasks) notify(tn("{count} open task", "{count} open tasks", openTasks));
    close();
  };
  return form(
    { run, submit: t("Set last day"), cancel: () => close(), label: t("Last day") },
    field({ label: t("Last day of work"), name: "date" }, dateField({ value: last, name: "date" })),
    field({ label: t("Reason"), name: "reason", isOptional: true }, textInput({ value: reason, name: "reason" })),
    employee.userId &&
      field(
        { label: t("Access to the workspace"), name: "access" },
        choice({ value: access, name: "access", options: accessOptions() }),
      ),
    field(
      {
        label: t("New manager of their reports"),
        name: "reportsToEmployeeId",
        isOptional: true,
        hint: t("Otherwise, their own manager."),
      },
      combobox({ value: manager, name: "reportsToEmployeeId", options: employeeOptions }),
    ),
  );
}

const accessOptions = () => [
  { value: "end_on_last_day", text: t("ends with the last day") },
  { value: "end_now", text: t("ends now") },
  { value: "keep", text: t("stays") },
];

export function returnForm(employee, close) {
  const first = signal("");
  const run = async () => {
    await changeEmployment(employee, "rehire", { date: first.value }, t("{name} hired.", { name: employee.name }));
    close();
  };
  return form(
    { run, submit: t("Hire again"), cancel: () => close(), label: t("Hire again") },
    field({ label: t("First day"), name: "date" }, dateField({ value: first, name: "date" })),
  );
}
