// The fields of an employee: the form, the facts of the page, and the columns of tables that are imported.
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { todayAtFirst } from "../../core/parse.js";
import { signal, tags } from "../../core/view.js";
import { addressField, countryField } from "../../ui/address.js";
import { choice, optionsOf } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { zoneOptions } from "../../ui/zones.js";
import { siteOptions } from "../sites/choice.js";
import { employeeOptions, memberOptions, nameOfEmployee, typeOptions } from "./choice.js";

// Those that are seen of this one; pay and bank account are with the pay, for those who see it.
export const employeeFields = (employee) =>
  all(employee).filter(({ name, seenAs = name }) => !employee || !seenAs || seenAs in employee);

const text = (name, label, more = {}) => ({ name, label, isOptional: true, autocomplete: "off", ...more });

/** @type {(employee: any) => any[]} */
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
    shown: (id) => (id === employee?.userId ? employee?.userName ?? "" : ""),
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
  ...payslipFields(employee),
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
    name: "siteId",
    label: t("Site"),
    kind: "choice",
    makeOptions: () => siteOptions(),
    told: ({ siteName }) => siteName,
    example: "London",
    isNeeded: false,
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

const PAYSLIP_MAIL = {
  notice: () => t("Mail without figures"),
  attached: () => t("PDF with a password"),
  none: () => t("No mail"),
};

// The password is never answered, only whether there is one.
const payslipFields = (employee) => [
  {
    name: "payslipMail",
    label: t("Payslips by mail"),
    kind: "choice",
    right: "payroll.write",
    options: optionsOf(PAYSLIP_MAIL),
  },
  {
    name: "payslipPassword",
    seenAs: "hasPayslipPassword",
    label: t("Payslip password"),
    type: "password",
    autocomplete: "new-password",
    right: "payroll.write",
    isKept: true,
    isShown: ({ payslipMail }) => payslipMail.value === "attached",
    hint: employee?.hasPayslipPassword
      ? t("A password is kept. Type to replace it.")
      : t("At least 8 characters. Tell it in person, never by mail."),
    told: ({ payslipMail, hasPayslipPassword: has }) =>
      (has || payslipMail === "attached") && (has ? t.of("password", "set") : t.of("password", "not set")),
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
  columns: [
    { name: "bankAccount.holder", label: t("Account holder"), example: "Mei Takahashi" },
    { name: "bankAccount.iban", label: t("IBAN"), example: "DE89370400440532013000" },
  ],
  parts: {
    signals: ({ bankAccount, name }) => ({
      holder: signal(bankAccount?.holder ?? name),
      form: signal(FORMS.find((form) => bankAccount?.[form]) ?? "iban"),
      ...Object.fromEntries(NUMBERS.map((one) => [one, signal(bankAccount?.[one] ?? "")])),
    }),
    draw: (values) => [
      partOf(t("Account holder"), "bankAccount.holder", values.holder),
      field(
        { label: t("Account named by"), name: "bankAccount.form" },
        choice({ value: values.form, name: "bankAccount.form", options: formOptions() }),
      ),
      () => OF_FORM[values.form.value].map((one) => numberOf(one, values[one])),
    ],
    read: ({ holder, form, ...values }) => {
      const given = OF_FORM[form.value].filter((one) => values[one].value);
      return given.length
        ? { holder: holder.value, ...Object.fromEntries(given.map((one) => [one, values[one].value])) }
        : null;
    },
  },
});

// How an account is named, by its country, and what is asked for then.
const OF_FORM = {
  iban: ["iban"],
  routingNumber: ["routingNumber", "accountNumber", "accountType"],
  sortCode: ["sortCode", "accountNumber"],
  bankCode: ["country", "bankCode", "accountNumber", "bic"],
};
const FORMS = Object.keys(OF_FORM);
const NUMBERS = [...new Set(Object.values(OF_FORM).flat())];
/** @type {Record<string, () => string>} */
const LABELS = {
  iban: () => t("IBAN"),
  routingNumber: () => t("Routing number"),
  sortCode: () => t("Sort code"),
  bankCode: () => t("Bank code"),
  accountNumber: () => t("Account number"),
  accountType: () => t("Account type"),
  bic: () => "BIC",
};

const formOptions = () => [
  { value: "iban", text: t("IBAN") },
  { value: "routingNumber", text: t("Routing number (United States)") },
  { value: "sortCode", text: t("Sort code (United Kingdom)") },
  { value: "bankCode", text: t("Bank code (other countries)") },
];

function numberOf(one, value) {
  const name = `bankAccount.${one}`;
  if (one === "country") return countryField(value, name);
  if (one !== "accountType") return partOf(LABELS[one](), name, value);
  const options = [{ value: "savings", text: t("savings") }];
  return field(
    { label: LABELS[one](), name, isOptional: true },
    choice({ value, name, options, empty: t("checking") }),
  );
}

const partOf = (label, name, value) =>
  field({ label, name, isOptional: true }, textInput({ value, name, autocomplete: "off" }));
