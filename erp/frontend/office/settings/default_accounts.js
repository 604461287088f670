// The accounts that entries take by themselves: the bank account, the account of cash discounts, and so on.
import { t } from "../../core/i18n.js";
import { postable } from "../../ui/accounts.js";
import { combobox } from "../../ui/combobox.js";

const GROUPS = [
  {
    title: () => t("Customers and suppliers"),
    keys: {
      receivable: () => t("Receivables"),
      doubtful_receivables: () => t("Doubtful receivables"),
      payable: () => t("Payables"),
      deposits_requested: () => t("Deposits requested"),
      deposits_received: () => t("Deposits received"),
    },
  },
  {
    title: () => t("Sales, purchases and the bank"),
    keys: {
      sales: () => t("Sales"),
      cost_of_sales: () => t("Cost of sales"),
      bank: () => t("Bank"),
      bank_charges: () => t("Bank fees"),
      discounts_given: () => t("Discounts given"),
      discounts_received: () => t("Discounts received"),
      bad_debts: () => t("Bad debts"),
      recovered_debts: () => t("Recoveries"),
      reminder_charges: () => t("Reminder charges"),
      default_interest: () => t("Default interest"),
    },
  },
  {
    title: () => t("Tax"),
    keys: {
      tax: () => t("Output VAT"),
      input_tax: () => t("Input VAT"),
      tax_settlement: () => t("VAT payable entry"),
      net_tax_gain: () => t("Gain from net tax rates"),
    },
  },
  {
    title: () => t("Differences"),
    keys: {
      rounding: () => t("Rounding"),
      small_difference_gains: () => t("Small differences, gains"),
      small_difference_losses: () => t("Small differences, losses"),
      exchange: () => t("Exchange differences"),
      realised_exchange_gains: () => t("Realised exchange gains"),
      realised_exchange_losses: () => t("Realised exchange losses"),
      unrealised_exchange_gains: () => t("Unrealised exchange gains"),
      unrealised_exchange_losses: () => t("Unrealised exchange losses"),
    },
  },
  {
    title: () => t("Fixed assets"),
    keys: {
      depreciation: () => t("Depreciation"),
      accumulated_depreciation: () => t("Accumulated depreciation"),
      low_value_expense: () => t("Low-value assets"),
      pool_depreciation: () => t("Pool depreciation"),
      asset_disposals: () => t("Book value of disposed assets"),
      asset_sales: () => t("Sales of assets"),
    },
  },
  {
    title: () => t("Payroll"),
    keys: {
      salaries: () => t("Salaries and wages"),
      employer_contributions_expense: () => t("Employer contributions"),
      payroll_payable: () => t("Net pay owed"),
      payroll_taxes: () => t("Wage tax owed"),
      employee_deductions: () => t("Deductions owed"),
      employer_contributions: () => t("Contributions owed"),
    },
  },
  {
    title: () => t("Years"),
    keys: {
      retained_earnings: () => t("Retained earnings"),
      opening_balance: () => t("Opening balances"),
    },
  },
];

let accounts = null; // of the screen that is shown
export const readAccounts = () => void (accounts = postable());

const fieldOf = ([key, label]) => ({
  name: `defaultAccounts.${key}`,
  label: label(),
  words: (id) => accounts?.name(id) ?? id,
  control: (value) =>
    combobox({
      value,
      name: `defaultAccounts.${key}`,
      options: accounts.options,
      shown: (id) => id && accounts.name(id),
    }),
});

export const accountSections = () =>
  GROUPS.map(({ title, keys }) => ({ title: title(), fields: Object.entries(keys).map(fieldOf) }));
