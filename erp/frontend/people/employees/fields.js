// The fields of an employee: the form, the facts of the page, and the columns of tables that are imported.
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { todayAtFirst } from "../../core/parse.js";
import { signal, tags } from "../../core/view.js";
import { addressField } from "../../ui/address.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { zoneOptions } from "../../ui/zones.js";
import { employeeOptions, memberOptions, nameOfEmployee, typeOptions } from "./choice.js";

// Those that are seen of this one; pay and bank account are with the pay, for those who see it.
export const employeeFields = (employee) => all(employee).filter(({ name }) => !employee || !name || name in employee);

const text = (name, label, more = {}) => ({ name, label, isOptional: true, autocomplete: "off", ...more });

const all = (employee) => [
  text("name", t("Name"), { isWide: true, isOptional: false, ifEmpty: "", isFact: false, example: "Mei Takahashi" }),
  text("employeeNumber", t("Employee number"), { isOptional: false, ifEmpty: "", example: "E-7", isNeeded: false }),
  text("jobTitle", t("Job title"), { example: "Electrician" }),
  text("department", t("Department"), { example: "Workshop" }),
  {
    name: "managerEmployeeId",
    label: t("Manager"),
    kind: "search",
    isOptional: true,
    options: employeeOptions,
    shown: (id) => (id === employee?.managerEmployeeId ? employee.managerName ?? "" : nameOfEmployee(id)),
    told: ({ managerEmployeeId: id, managerName }) => id && tags.a({ href: `/people/${id}` }, managerName),
  },
  { name: "employmentType", label: t("Employment"), kind: "choice", start: "full_time", options: typeOptions() },
  { name: "hireDate", label: t("First day"), kind: "day", begin: todayAtFirst, example: "2024-05-01" },
  { label: t("Last day"), told: ({ terminationDate }) => day(terminationDate) },
  { label: t("Reason"), told: ({ terminationReason }) => terminationReason },
  text("email", t("E-mail"), { kind: "email", example: "mei@example.com" }),
  text("phone", t("Phone")),
  {
    name: "userId",
    label: t("Signs in as"),
    kind: "search",
    isOptional: true,
    options: memberOptions,
    shown: (id) => (id === employee.userId ? employee.userName ?? "" : ""),
    told: ({ userName }) => userName ?? t("no user: link a member, or invite one"),
  },
  addressField(),
  { name: "birthday", label: t("Birthday"), kind: "day", isOptional: true, example: "1990-05-17" },
  { name: "probationEnd", label: t("End of probation"), kind: "day", isOptional: true },
  { name: "contractEnd", label: t("End of contract"), kind: "day", isOptional: true, hint: t("Fixed term only.") },
  emergencyField(),
  text("taxNumber", t("Tax number"), { isFact: false }),
  text("payrollNumber", t("Payroll number"), {
    kind: "whole",
    isFact: false,
    hint: t("With an external payroll provider. Default: the digits of the employee number."),
  }),
  bankField(),
  {
    name: "keepsAttendance",
    label: t("Uses the time clock"),
    kind: "check",
    start: true,
    hint: t("Turned off: missing days are not reported."),
  },
  {
    name: "expectsTime",
    label: t("Submits time"),
    kind: "check",
    hint: t("Turned off: missing weeks are not reported."),
  },
  {
    name: "timeZone",
    label: t("Time zone"),
    kind: "choice",
    isOptional: true,
    options: zoneOptions([employee?.timeZone].filter(Boolean)),
    isFact: Boolean(employee?.timeZone),
  },
];

const emergencyField = () => ({
  name: "emergencyContact",
  label: t("Emergency contact"),
  told: ({ emergencyContact: contact }) => contact && `${contact.name}, ${contact.phone}`,
  parts: {
    signals: (employee) => ({
      contactName: signal(employee?.emergencyContact?.name ?? ""),
      contactPhone: signal(employee?.emergencyContact?.phone ?? ""),
    }),
    draw: ({ contactName, contactPhone }) => [
      partOf(t("Emergency contact"), "emergencyContact.name", contactName),
      partOf(t("Phone of the emergency contact"), "emergencyContact.phone", contactPhone),
    ],
    read: ({ contactName, contactPhone }) =>
      contactName.value || contactPhone.value ? { name: contactName.value, phone: contactPhone.value } : null,
  },
});

const bankField = () => ({
  name: "bankAccount",
  right: "payroll.write",
  isFact: false,
  columns: [{ name: "bankAccount.iban", label: t("IBAN"), example: "DE89370400440532013000" }],
  parts: {
    signals: ({ bankAccount, name }) => ({
      holder: signal(bankAccount?.holder ?? name),
      iban: signal(bankAccount?.iban ?? ""),
    }),
    draw: ({ holder, iban }) => [
      partOf(t("Account holder"), "bankAccount.holder", holder),
      partOf(t("IBAN"), "bankAccount.iban", iban),
    ],
    read: ({ holder, iban }) => (iban.value ? { holder: holder.value, iban: iban.value } : null),
  },
});

const partOf = (label, name, value) =>
  field({ label, name, isOptional: true }, textInput({ value, name, autocomplete: "off" }));
