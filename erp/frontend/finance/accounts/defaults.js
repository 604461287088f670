// The accounts that entries take by themselves: the bank account, the account of cash discounts, and so on.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { effect, signal, tags } from "../../core/view.js";
import { combobox } from "../../ui/combobox.js";
import { card } from "../../ui/card.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { loaded } from "../../ui/skeleton.js";
import { postable } from "../../ui/accounts.js";

const { div, h2, p } = tags;

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
const KEYS = GROUPS.flatMap(({ keys }) => Object.keys(keys));

export default () => {
  const path = `/workspace/${session.peek().workspace.id}`;
  const workspace = resource(path);
  const accounts = postable();
  return {
    title: t("Default accounts"),
    back: { href: "/settings", text: t("Settings") },
    body: div(
      { class: "stack document" },
      p(
        { class: "soft" },
        t("Documents, payments and payroll are posted to these accounts, unless they name another."),
      ),
      loaded(workspace, (get) => card({}, chooser(() => get().defaultAccounts, path, accounts))),
    ),
  };
};

// Two people can choose different accounts at once: what one has not changed follows what the other saves, and is not sent.
function chooser(held, path, accounts) {
  let before = held();
  const chosen = Object.fromEntries(KEYS.map((key) => [key, signal(before[key] ?? "")]));
  const isChanged = (key) => chosen[key].peek() !== (before[key] ?? "");
  effect(() => {
    const now = held();
    for (const key of KEYS) if (!isChanged(key)) chosen[key].value = now[key] ?? "";
    before = now;
  });
  const run = async () => {
    const changes = KEYS.filter(isChanged).map((key) => [key, chosen[key].value]);
    await send("PATCH", path, { defaultAccounts: Object.fromEntries(changes) });
    changed(path, "/finance/accounts");
    notify(t("Saved."), { kind: "good" });
  };
  const control = (key, label) => {
    const name = `defaultAccounts.${key}`;
    const shown = (id) => id && accounts.name(id);
    return field({ label: label(), name }, combobox({ value: chosen[key], name, options: accounts.options, shown }));
  };
  return form(
    { run, submit: t("Save"), label: t("Default accounts") },
    GROUPS.map(({ title, keys }) => [
      h2(title()),
      div({ class: "fields" }, Object.entries(keys).map(([key, label]) => control(key, label))),
    ]),
  );
}
