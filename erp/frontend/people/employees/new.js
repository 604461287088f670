// Hiring: one page for the record, the pay and the invite.
import { get, send } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { go, query } from "../../core/router.js";
import { currency, may, session, settings } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { checkbox, choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { durationInput, moneyInput } from "../../ui/number.js";
import { roleOptions } from "../../ui/roles.js";
import { DAYS, employeeOptions, payOf, periodOptions, typeOptions } from "./choice.js";

const EMPTY = {
  name: "",
  email: "",
  hireDate: "",
  jobTitle: "",
  department: "",
  managerEmployeeId: null,
  employmentType: "full_time",
  keepsAttendance: true,
  week: null,
  amount: "",
  period: "monthly",
  invite: null,
};

export default () => {
  const isOwn = query.peek().get("own") !== null;
  const values = Object.fromEntries(Object.entries(first(isOwn)).map(([name, value]) => [name, signal(value)]));
  const kept = keptIn(values, isOwn);
  return {
    title: isOwn ? t("Your employee record") : t("Hire"),
    back: { href: "/people", text: t("People") },
    body: card({}, hiringForm(values, isOwn, kept)),
  };
};

// For oneself, name and address are known.
function first(isOwn) {
  const { name, email } = session.peek().user;
  return { ...EMPTY, hireDate: today(), ...(isOwn && { name, email }) };
}

function keptIn(values, isOwn) {
  const { amount: _amount, period: _period, ...others } = values; // pay is never kept in the browser
  const read = () => Object.fromEntries(Object.entries(others).map(([name, one]) => [name, one.value]));
  const write = (data) => Object.entries(values).forEach(([name, one]) => name in data && (one.value = data[name]));
  const kept = draft("hiring", isOwn ? "own" : null, {
    read,
    write,
    isEmpty: (data) => isOwn || !(data.name || data.email || data.jobTitle),
  });
  kept.discard = () => (kept.clear(), write(first(isOwn)));
  return kept;
}

function hiringForm(values, isOwn, kept) {
  const run = async () => {
    const body = bodyOf(values, isOwn);
    const made = await send("POST", "/hr/employees", body, values.invite.value ? {} : { key: kept.key }); // a link is shown once
    kept.clear();
    changed("/hr/", "/workspace/");
    if (made.inviteUrl) await told(made);
    notify(isOwn ? t("Employee record created.") : t("{name} hired.", { name: made.name }), { kind: "good" });
    go(isOwn ? "/me" : `/people/${made.id}`, { replace: true });
  };
  const text = (label, name, more = {}) =>
    field(
      { label, name, isOptional: name !== "name", ...more },
      textInput({ value: values[name], name, autocomplete: "off", ...more }),
    );
  return form(
    { run, submit: isOwn ? t("Create employee record") : t("Hire"), label: t("Employee"), draft: kept },
    tags.div(
      { class: "fields" },
      text(t("Name"), "name"),
      text(t("E-mail"), "email", { type: "email" }),
      field({ label: t("First day"), name: "hireDate" }, dateField({ value: values.hireDate, name: "hireDate" })),
      text(t("Job title"), "jobTitle"),
      text(t("Department"), "department"),
      field(
        { label: t("Manager"), name: "managerEmployeeId", isOptional: true },
        combobox({
          value: values.managerEmployeeId,
          name: "managerEmployeeId",
          options: employeeOptions,
          shown: nameOfEmployee,
        }),
      ),
      field(
        { label: t("Employment"), name: "employmentType" },
        choice({ value: values.employmentType, name: "employmentType", options: typeOptions() }),
      ),
      field(
        {
          label: t("Hours a week"),
          name: "workSchedule",
          isOptional: true,
          hint: t("Default: workspace setting."),
        },
        durationInput({ value: values.week, name: "workSchedule" }),
      ),
      !isOwn && may("payroll.write") && payFields(values),
      !isOwn && may("invites.write") &&
        field(
          {
            label: t("Role"),
            name: "invite",
            isOptional: true,
            hint: t("To clock in, request leave and read payslips. Requires the e-mail address."),
          },
          choice({
            value: values.invite,
            name: "invite",
            empty: t("no invite"),
            options: roleOptions(session.peek().workspace.role),
          }),
        ),
    ),
    checkbox({
      value: values.keepsAttendance,
      name: "keepsAttendance",
      text: t("Uses the time clock"),
      hint: t("Turned off: missing days are not reported."),
    }),
  );
}

const payFields = (values) => [
  field(
    { label: t("Pay in {currency}", { currency: currency() }), name: "compensation.amount", isOptional: true },
    moneyInput({ value: values.amount, currency, name: "compensation.amount" }),
  ),
  field(
    { label: t("Period paid"), name: "compensation.frequency" },
    choice({ value: values.period, name: "compensation.frequency", options: periodOptions() }),
  ),
];

function bodyOf(values, isOwn) {
  const held = (name) => values[name].value || null;
  return {
    ...Object.fromEntries(
      ["email", "jobTitle", "department", "managerEmployeeId", "invite"].map((name) => [name, held(name)]),
    ),
    name: values.name.value,
    hireDate: values.hireDate.value,
    employmentType: values.employmentType.value,
    keepsAttendance: values.keepsAttendance.value,
    ...(isOwn && { userId: session.peek().user.id }),
    ...(values.week.value && { workSchedule: weekOf(values.week.value) }),
    ...(values.amount.value && { compensation: payOf(values.amount.value, values.period.value) }),
  };
}

// The minutes of a week, spread evenly over the days that are no weekend; the first days take the rest.
export function weekOf(minutes, weekend = settings().weekend ?? ["sat", "sun"]) {
  const names = Object.keys(DAYS);
  const working = names.filter((day) => !weekend.includes(day));
  const [each, rest] = [Math.floor(minutes / working.length), minutes % working.length];
  return Object.fromEntries(names.map((day) => {
    const at = working.indexOf(day);
    return [day, at < 0 ? 0 : each + (at < rest ? 1 : 0)];
  }));
}

const nameOfEmployee = async (id) => (id ? (await get(`/hr/employees/${id}`)).name : "");

// The link of the invite is shown this once.
const told = ({ email, inviteUrl }) =>
  dialog({
    title: t("Share invite"),
    body: () =>
      tags.div(
        { class: "stack" },
        tags.p(
          t("Send this link to {email}. It works once within seven days, and is not shown again.", { email }),
        ),
        handedOver(inviteUrl),
      ),
  });
