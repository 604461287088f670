// The fields of an account: its form, and the columns of tables that are imported.
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { effect } from "../../core/view.js";
import { accountName } from "../../ui/accounts.js";
import { optionsOf } from "../../ui/choice.js";
import { dimensionsField } from "../dimensions/choice.js";

/** @type {Record<string, { text: () => string, subtypes: Record<string, () => string> }>} */
const TYPES = {
  asset: {
    text: () => t("Assets"),
    subtypes: {
      cash: () => t("Cash"),
      bank: () => t("Bank"),
      receivable: () => t("Receivables"),
      inventory: () => t("Inventory"),
      current_asset: () => t("Other current assets"),
      fixed_asset: () => t("Fixed assets"),
      other_asset: () => t("Other assets"),
    },
  },
  liability: {
    text: () => t("Liabilities"),
    subtypes: {
      payable: () => t("Payables"),
      credit_card: () => t("Credit card"),
      tax: () => t("Tax"),
      payroll_liability: () => t("Payroll liabilities"),
      current_liability: () => t("Other current liabilities"),
      long_term_liability: () => t("Long-term liabilities"),
    },
  },
  equity: {
    text: () => t("Equity"),
    subtypes: {
      equity: () => t("Equity"),
      retained_earnings: () => t("Retained earnings"),
      opening_balance: () => t("Opening balances"),
    },
  },
  income: {
    text: () => t("Income"),
    subtypes: { income: () => t("Income"), other_income: () => t("Other income") },
  },
  expense: {
    text: () => t("Expenses"),
    subtypes: {
      cost_of_sales: () => t("Cost of sales"),
      expense: () => t("Expenses"),
      payroll_expense: () => t("Payroll"),
      other_expense: () => t("Other expenses"),
    },
  },
};

export const subtypeText = ({ type, subtype }) => TYPES[type].subtypes[subtype]();

export const accountFields = (account = null, chart = []) => [
  { name: "code", label: t("Account code"), maxlength: 20, example: "6350" },
  { name: "name", label: t("Name"), example: "Books and papers" },
  {
    name: "type",
    label: t("Account type"),
    kind: "choice",
    start: "expense",
    options: Object.entries(TYPES).map(([value, { text }]) => ({ value, text: text() })),
    example: "expense",
    meaning: t("asset, liability, equity, income or expense"),
  },
  {
    name: "subtype",
    label: t("Detail type"),
    kind: "choice",
    start: "expense",
    makeOptions: ({ type }) => () => optionsOf(TYPES[type.value].subtypes),
    example: "expense",
    meaning: t("Detail type, for example bank, receivable, payable, tax, income or expense"),
  },
  {
    name: "parentId",
    label: t("Group"),
    kind: "choice",
    isOptional: true,
    makeOptions: ({ type }) => () =>
      chart.filter((one) => one.isGroup && one.type === type.value && one.id !== account?.id)
        .map((one) => ({ value: one.id, text: accountName(one) })),
    example: "",
    meaning: t("Code of its group, listed above"),
  },
  {
    name: "currency",
    label: t("Currency"),
    isOptional: true,
    maxlength: 3,
    hint: t("Default: {currency}.", { currency: currency() }),
  },
  { name: "description", label: t("Description"), kind: "area", isOptional: true },
  {
    name: "isGroup",
    label: t("Account group"),
    kind: "check",
    hint: t("A group adds up the accounts below it; nothing is posted to it."),
    example: "no",
    meaning: t("yes for a group"),
  },
  {
    name: "isIntercompany",
    label: t("Between workspaces"),
    kind: "check",
    hint: t("Left out when your workspaces are consolidated."),
  },
  dimensionsField,
];

// Another type has other kinds and groups.
export function followType({ type, subtype, parentId }) {
  let before = type.peek();
  effect(() => {
    if (type.value === before) return;
    before = type.value;
    subtype.value = Object.keys(TYPES[before].subtypes)[0];
    parentId.value = "";
  });
}
