// Pay components: earnings, deductions and what the employer pays on top, and how each is worked out.
import { money, number, percent } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { currency, may } from "../../core/session.js";
import { postable } from "../../ui/accounts.js";
import { optionsOf } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { recordsScreen } from "../../ui/records.js";
import { allSites, siteCurrencies } from "../sites/choice.js";
import { bracketsField, overtimeField } from "./calculation.js";
import { chooseTemplate } from "./templates.js";

/** @type {Record<string, () => string>} */
const KINDS = {
  earning: () => t("Earning"),
  deduction: () => t.of("payroll", "Deduction"),
  employer_contribution: () => t("Employer contribution"),
};

/** @type {Record<string, () => string>} */
const CALCULATIONS = {
  fixed: () => t("A fixed amount"),
  per_hour: () => t("An amount an hour"),
  percent_of_base: () => t("A percentage of base pay"),
  percent_of_gross: () => t("A percentage of gross pay"),
  overtime: () => t("Overtime"),
  brackets: () => t("A table"),
};

const AMOUNTS = ["fixed", "per_hour"];
const PERCENTAGES = ["percent_of_base", "percent_of_gross"];
const ASSESSED = [...PERCENTAGES, "brackets"];

export default () =>
  recordsScreen({
    path: "/hr/pay-components",
    isPrivate: true,
    changes: ["/hr"],
    title: t("Pay components"),
    back: { href: "/payroll", text: t("Payroll") },
    right: "payroll.write",
    addText: t("New pay component"),
    emptyText: t("No pay components yet."),
    intro: t("Payslips keep their lines. Recalculate draft runs to apply a change."),
    deleteText: t(
      "Only pay components that were never used can be deleted. Others can be archived.",
    ),
    nameOf: ({ name }) => name,
    size: "wide",
    actions: [
      { name: t("From a template"), icon: "list-tree", may: "payroll.write", run: chooseTemplate },
      { name: t("Try"), key: "t", icon: "calculator", may: "payroll.write", run: tryOut },
    ],
    columns,
    fields,
  });

async function tryOut() {
  const trial = (await import("./trial.js")).trial;
  await dialog({ title: t("Try the pay components"), size: "wide", body: await trial() });
}

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  { key: "kind", text: t.of("payroll", "Type"), place: "meta", width: "14rem", cell: ({ kind }) => KINDS[kind]() },
  { key: "how", text: t("Calculation"), isMinor: true, cell: ({ calculation }) => CALCULATIONS[calculation]() },
  {
    key: "who",
    text: t("Assigned to"),
    place: "state",
    width: "10rem",
    cell: ({ appliesToAll }) => (appliesToAll ? t("all") : t("individually")),
  },
  { key: "amount", text: t("Amount"), isFigure: true, place: "figure", width: "10rem", cell: figureOf },
];

function figureOf({ amount, currency: own, percent: share, brackets, overtime }) {
  if (amount !== null) return money(amount, own ?? currency(), { withCurrency: true });
  if (share !== null) return percent(share);
  if (brackets) return tn("{n} bracket", "{n} brackets", brackets.length);
  return overtime ? `× ${number(overtime.multiplier)}` : "";
}

function fields(component) {
  const sites = allSites();
  const by = (...names) => ({ calculation }) => names.includes(calculation.value);
  return [
    { name: "name", label: t("Name") },
    {
      name: "code",
      label: t.of("payroll", "Code"),
      maxlength: 32,
      hint: t("Letters and digits, for example “transport”."),
    },
    {
      name: "kind",
      label: t.of("payroll", "Type"),
      kind: "choice",
      start: "earning",
      options: optionsOf(KINDS),
    },
    {
      name: "calculation",
      label: t("Calculation"),
      kind: "choice",
      start: "fixed",
      options: optionsOf(CALCULATIONS),
    },
    ...(component ? [] : [{
      name: "currency",
      label: t("Currency"),
      kind: "choice",
      isOptional: true,
      empty: t("all"),
      hint: t("Only for pay in this currency."),
      options: siteCurrencies(sites),
      isShown: () => siteCurrencies(sites)().length > 1,
    }]),
    {
      name: "amount",
      label: t("Amount"),
      kind: "money",
      isOptional: true,
      hint: t("Default: the employee’s pay."),
      isShown: by(...AMOUNTS),
    },
    {
      name: "percent",
      label: t("Percentage"),
      kind: "number",
      unit: "%",
      isOptional: true,
      hint: t("Default: the employee’s pay."),
      isShown: by(...PERCENTAGES),
    },
    bracketsField(component, by("brackets")),
    overtimeField(by("overtime")),
    {
      name: "baseCap",
      label: t("Of at most"),
      kind: "money",
      isOptional: true,
      hint: t("Pay above this amount is left out."),
      isShown: by(...ASSESSED),
    },
    {
      name: "bracketPeriod",
      label: t("Calculated for"),
      kind: "choice",
      start: "period",
      options: [{ value: "period", text: t("the pay period") }, { value: "year", text: t("the year") }],
      isShown: by(...ASSESSED),
    },
    {
      name: "amountCap",
      label: t("At most"),
      kind: "money",
      isOptional: true,
      hint: t("Upper limit."),
    },
    ...accountFields(),
    { name: "appliesToAll", label: t("Assigned to everyone"), kind: "check" },
    { name: "isTaxable", label: t("Taxable"), kind: "check", start: true },
    {
      name: "isPreTax",
      label: t("Deducted before tax"),
      kind: "check",
      isShown: ({ kind }) => kind.value === "deduction",
    },
    {
      name: "isProrated",
      label: t("In proportion to the days paid"),
      kind: "check",
      isShown: by("fixed"),
    },
  ];
}

// The accounts that it is posted to; who may not read the books leaves them to the defaults.
function accountFields() {
  if (!may("finance.read")) return [];
  const accounts = postable();
  const account = (name, label, isShown) => ({
    name,
    label,
    kind: "search",
    isOptional: true,
    hint: t("Default: the default account."),
    options: accounts.options,
    shown: (id) => id && accounts.name(id),
    isShown,
  });
  return [
    account("expenseAccountId", t("Expense account"), ({ kind }) => kind.value !== "deduction"),
    account("liabilityAccountId", t("Liability account"), ({ kind }) => kind.value !== "earning"),
  ];
}
