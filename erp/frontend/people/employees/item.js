// One employee: the record, the work week, pay, leave and files.
import { address } from "../../core/api.js";
import { day, duration, number, percent } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { employeeId, may } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { attachments } from "../../ui/attachments.js";
import { card } from "../../ui/card.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { factsOf } from "../../ui/fields.js";
import { later } from "../../ui/later.js";
import { pager } from "../../ui/pager.js";
import { personalData } from "../../ui/personal_data.js";
import { loaded } from "../../ui/skeleton.js";
import { DAYS, payText, stateOfEmployee } from "./choice.js";
import { employeeFields } from "./fields.js";
import { isGranted } from "../leave/balances.js";
import { dayText, minutesOf } from "./schedule.js";
import { changeEmployment, payForm, recordForm, returnForm, terminationForm, weekForm } from "./dialogs.js";

const { div, li, p, span, ul } = tags;

export default ({ params }) => {
  const employee = resource(`/hr/employees/${params.id}`);
  const get = () => employee.value;
  return {
    title: () => get()?.name ?? "",
    state: () => get() && stateOfEmployee(get()),
    back: { href: listScreen("/hr/employees", "/people"), text: t("People") },
    pager: pager(neighbours("/hr/employees", params.id), ({ id }) => `/people/${id}`),
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(employee, () =>
      div(
        { class: "columns document" },
        div(
          { class: "stack" },
          card({}, () => factsOf(employeeFields(get()), get())),
          seesPay(get()) && (() => pay(get())),
          may("cost.read") && later(async () => (await import("../cost_rates/of_person.js")).costRatesOf, params.id),
          may("employees.write") &&
            later(async () => (await import("../checklists/of_person.js")).checklistTasksOf, get()),
          (may("employees.write") || isOwn(get())) && [
            later(
              async () => (await import("../documents/of_person.js")).documentsOf,
              params.id,
              may("employees.write"),
            ),
            attachments({
              of: { resourceType: "employee", resourceId: params.id },
              canAdd: may("employees.write"),
            }),
          ],
        ),
        div({ class: "stack" }, () => week(get()), may("leave.read_reports") && leave(params.id)),
      )),
  };
};

const isOwn = ({ id }) => id === employeeId();
const seesPay = (employee) => may("pay.read") || isOwn(employee);

function actionsOn(employee) {
  const { status, terminationDate } = employee;
  const isLeaving = terminationDate !== null;
  return [
    {
      name: t("Edit"),
      key: "e",
      main: true,
      icon: "pencil",
      may: "employees.write",
      run: () => asking(t("Edit employee record"), (close) => recordForm(employee, close), "wide"),
    },
    ...entering(employee),
    {
      name: t("Work schedule"),
      icon: "clock",
      may: "employees.write",
      run: () => asking(t("Work schedule"), (close) => weekForm(employee, close)),
    },
    employee.keepsAttendance &&
    {
      name: t("Set PIN"),
      icon: "key-round",
      may: "attendance.write",
      run: async () => (await import("../kiosk/set_pin.js")).setPin(employee),
    },
    may("payroll.write") &&
    {
      name: t("Change pay"),
      icon: "banknote",
      run: () => asking(t("Pay of {name}", { name: employee.name }), (close) => payForm(employee, close)),
    },
    may("payroll.write") &&
    {
      name: t("Opening year"),
      icon: "history",
      run: async () => {
        const openingYear = (await import("./opening_year.js")).openingYear;
        asking(t("Opening year of {name}", { name: employee.name }), (close) => openingYear(employee, close));
      },
    },
    status !== "terminated" &&
    {
      name: isLeaving ? t("Change the last day") : t("Enter termination"),
      icon: "log-out",
      may: "employees.write",
      run: () => asking(t("Last day of {name}", { name: employee.name }), (close) => terminationForm(employee, close)),
    },
    isLeaving &&
    {
      name: t("Cancel termination"),
      icon: "undo-2",
      may: "employees.write",
      run: () =>
        changeEmployment(employee, "terminate/undo", {}, t("{name}’s termination cancelled.", { name: employee.name })),
    },
    status === "terminated" &&
    {
      name: t("Hire again"),
      icon: "user-plus",
      may: "employees.write",
      run: () => asking(t("Hire {name} again", { name: employee.name }), (close) => returnForm(employee, close)),
    },
    ...personalData("employee", employee, "employees.write", status === "terminated"),
  ];
}

// What is entered for the person, as they tell on the telephone; its forms are not in the first view.
const entering = (person) => {
  if (person.status !== "active" || isOwn(person)) return [];
  const leave = async (code) => {
    const leaveForm = (await import("../leave/request.js")).leaveForm;
    asking(t("Leave of {name}", { name: person.name }), (close) => leaveForm(close, { person, code }));
  };
  const correction = async () => {
    const correctionForm = (await import("../attendance/correction.js")).correctionForm;
    asking(t("Correct a day"), (close) => correctionForm(close, { person }));
  };
  return [
    { name: t("Enter leave"), key: "v", icon: "calendar", may: "leave.write_reports", run: () => leave(null) },
    { name: t("Report sick"), key: "i", icon: "calendar-plus", may: "leave.write_reports", run: () => leave("sick") },
    { name: t("Correct a day"), key: "t", icon: "clock", may: "attendance.write_reports", run: correction },
  ];
};

const asking = (title, body, size = null) => dialog({ title, size, body });

function week({ workSchedule }) {
  const worked = Object.keys(DAYS).filter((name) => workSchedule[name] !== 0);
  const total = worked.reduce((sum, name) => sum + minutesOf(workSchedule[name]), 0);
  return card(
    { title: t("Work schedule") },
    facts([
      ...worked.map((name) => [DAYS[name](), dayText(workSchedule[name])]),
      [t("Total"), duration(total)],
    ]),
  );
}

const componentFact = ({ componentName, amount, percent: share }) => [
  componentName,
  amount ?? (share ? percent(share) : t("yes")),
];

// What is paid now, and what was or will be; pay that was replaced never counted.
function pay(employee) {
  const { compensation, bankAccount } = employee;
  const all = resource(`/hr/employees/${employee.id}/compensations`);
  return card(
    { title: t.of("noun", "Pay") },
    compensation
      ? facts([
        [t("Amount"), payText(compensation)],
        [t("Valid from"), day(compensation.effectiveFrom)],
        ...compensation.components.map(componentFact),
        [t("Bank account"), bankAccount && accountText(bankAccount)],
      ])
      : p({ class: "soft" }, t("No pay is set, so payroll leaves this person out.")),
    () => {
      const counting = (all.value ?? []).filter((one) => one.replacedById === null);
      return counting.length > 1 &&
        ul(
          { class: "plain-list small soft" },
          counting.map((one) => li(t("from {day}: {pay}", { day: day(one.effectiveFrom), pay: payText(one) }))),
        );
    },
  );
}

const accountText = ({ holder, iban, routingNumber, sortCode, bankCode, accountNumber }) =>
  [holder, iban, routingNumber, sortCode, bankCode, accountNumber].filter(Boolean).join(", ");

function leave(id) {
  const found = resource(address("/hr/leave-balances", { employeeId: id }));
  return card({ title: t("Leave") }, () => {
    const rows = (found.value ?? []).filter(isGranted);
    return rows.length
      ? facts(rows.map((row) => [
        row.name,
        span(
          tn("{n} day left", "{n} days left", Number(row.available)),
          div(
            { class: "soft small" },
            t("{taken} taken of {granted}", {
              taken: number(row.taken),
              granted: number(row.allocated),
            }),
          ),
        ),
      ]))
      : p({ class: "soft" }, t("No leave accounts yet."));
  });
}
