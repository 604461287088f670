// Categories of expenses: the account and tax of their receipts, a limit, and from which amount a receipt is needed.
import { money, percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { settings } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { signal } from "../../core/view.js";
import { postable } from "../../ui/accounts.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { moneyInput } from "../../ui/number.js";
import { recordsScreen } from "../../ui/records.js";
import { categoryText } from "./words.js";

const PER = {
  line: { text: () => t("per receipt"), of: (amount) => t("{amount} per receipt", { amount }) },
  day: { text: () => t("per day"), of: (amount) => t("{amount} per day", { amount }) },
  month: { text: () => t("per month"), of: (amount) => t("{amount} per month", { amount }) },
};

export default () =>
  recordsScreen({
    path: "/hr/expense-categories",
    title: t("Expense categories"),
    back: { href: "/expenses", text: t("Expense claims") },
    right: "expenses.post",
    addText: t("New expense category"),
    emptyText: t("No expense categories yet."),
    intro: t("Claims that exist keep their accounts and amounts."),
    nameOf: categoryText,
    size: "wide",
    columns,
    fields,
  });

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: categoryText },
  {
    key: "account",
    text: t("Account"),
    place: "meta",
    width: "16rem",
    cell: ({ expenseAccountCode, expenseAccountName }) => [expenseAccountCode, expenseAccountName].join(" ").trim(),
  },
  { key: "taxRate", text: t("Tax rate"), isMinor: true, width: "10rem", cell: ({ taxRateName }) => taxRateName ?? "" },
  {
    key: "deductible",
    text: t("Deductible cost"),
    isMinor: true,
    isFigure: true,
    width: "9rem",
    cell: ({ deductibleCostPercent }) => percent(deductibleCostPercent),
  },
  { key: "limit", text: t.of("expenses", "Limit"), place: "figure", isFigure: true, width: "12rem", cell: limitText },
];

function limitText({ limit }) {
  return limit ? PER[limit.per].of(money(limit.amount, settings().baseCurrency)) : "";
}

const optionsOf = (words) => Object.entries(words).map(([value, { text }]) => ({ value, text: text() }));

function fields(category) {
  const [accounts, rates] = [postable(), resource("/finance/tax-rates?limit=200")];
  const bought = () => (rates.value ?? []).filter(({ side }) => side !== "sale");
  return [
    ...(category
      ? []
      : [{ name: "code", label: t.of("expenses", "Code"), hint: t("Small letters and digits, such as parking.") }]),
    { name: "name", label: t("Name") },
    {
      name: "expenseAccountId",
      label: t("Account"),
      kind: "search",
      isOptional: true,
      hint: t("Default: workspace setting."),
      options: accounts.options,
      shown: accounts.name,
    },
    {
      name: "taxRateId",
      label: t("Tax rate"),
      kind: "choice",
      isOptional: true,
      options: () => bought().map(({ id, name }) => ({ value: id, text: name })),
    },
    limitField,
    {
      name: "limitMode",
      label: t("Above the limit"),
      kind: "choice",
      start: "warn",
      options: optionsOf({ warn: { text: () => t("warn") }, block: { text: () => t("do not submit") } }),
    },
    {
      name: "receiptFrom",
      label: t("Receipt needed from"),
      kind: "money",
      start: "0.00",
      ifEmpty: "0.00",
      currency: settings().baseCurrency,
    },
    ...["deductibleCostPercent", "deductibleTaxPercent"].map((name) => ({
      name,
      label: name === "deductibleCostPercent" ? t("Deductible cost") : t("Deductible tax"),
      kind: "number",
      unit: "%",
      start: "100",
      ifEmpty: "100",
    })),
  ];
}

// The most that a person may spend, and in which span.
const limitField = {
  name: "limit",
  parts: {
    signals: (category) => ({
      limitAmount: signal(category?.limit?.amount ?? ""),
      limitPer: signal(category?.limit?.per ?? "day"),
    }),
    draw: ({ limitAmount, limitPer }) => [
      field(
        { label: t.of("expenses", "Limit"), name: "limit.amount", isOptional: true },
        moneyInput({ value: limitAmount, name: "limit.amount", currency: settings().baseCurrency }),
      ),
      field(
        { label: t("Limit counts"), name: "limit.per" },
        choice({ value: limitPer, name: "limit.per", options: optionsOf(PER) }),
      ),
    ],
    read: ({ limitAmount, limitPer }) => limitAmount.value ? { amount: limitAmount.value, per: limitPer.value } : null,
  },
};
