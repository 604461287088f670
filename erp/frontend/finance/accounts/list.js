// The chart of accounts with its balances; each leads to its ledger.
import { address, newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go, parameter, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { computed, signal, tags } from "../../core/view.js";
import { bringIn } from "../../ui/actions.js";
import { problem } from "../../ui/alert.js";
import { change } from "../../ui/changing.js";
import { checkbox, choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { searchField, textArea, textInput } from "../../ui/input.js";
import { table } from "../../ui/table.js";
import { stateTabs } from "../../ui/tabs.js";
import { accountName } from "../../ui/accounts.js";
import { TOUCHED } from "../payments/form.js";

const { div, span } = tags;
const ACCOUNTS = "/finance/accounts";

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

const subtypeText = ({ type, subtype }) => TYPES[type].subtypes[subtype]();

export default () => {
  const state = () => query.value.get("state") ?? "used";
  const chart = resource(() => address(ACCOUNTS, { isArchived: state() === "archived" ? "true" : null }));
  const rows = computed(() => chart.value && matching(inOrder(chart.value), query.value.get("q") ?? ""));
  return {
    title: t("Accounts"),
    actions: [
      {
        name: t("New account"),
        key: "n",
        main: true,
        icon: "plus",
        may: "finance.write",
        run: () => editing(null, chart.value ?? []),
      },
      { name: t("Tax rates"), icon: "percent", run: () => go("/settings/tax-rates") },
      {
        name: t("Exchange rates"),
        icon: "coins",
        run: () => go("/settings/exchange-rates"),
      },
      bringIn("accounts", "finance.write"),
    ],
    body: div(
      { class: "stack" },
      stateTabs(),
      searchField({ value: parameter("q"), label: t("Search accounts") }),
      problem(() => chart.problem, () => chart.renew()),
      table({
        label: t("Accounts"),
        rows: () => rows.value,
        key: ({ id }) => id,
        href: ({ id }) => address("/reports/general-ledger", { accountId: id }),
        columns,
        actions: (account) => actionsOn(account, chart.value ?? []),
        counted: (n, places) => tn("{n} account", "{n} accounts", n, places),
        empty: empty(() => (state() === "archived" ? t("No archived accounts.") : t("No accounts match."))),
      }),
    ),
  };
};

// Groups above what is in them, each by its code, with how deep it lies.
function inOrder(accounts) {
  const ids = new Set(accounts.map(({ id }) => id));
  const below = Map.groupBy(accounts, ({ parentId }) => (ids.has(parentId) ? parentId : null));
  const walk = (id, depth) => (below.get(id) ?? []).flatMap((one) => [{ ...one, depth }, ...walk(one.id, depth + 1)]);
  return walk(null, 0);
}

const matching = (accounts, typed) =>
  accounts.filter((one) =>
    `${accountName(one)} ${one.description ?? ""}`.toLowerCase().includes(typed.trim().toLowerCase())
  );

const columns = [
  {
    key: "name",
    text: t("Account"),
    place: "name",
    cell: (one) => span({ class: `indent-${Math.min(one.depth, 3)}${one.isGroup ? " strong" : ""}` }, accountName(one)),
  },
  { key: "type", text: t("Detail type"), place: "meta", width: "14rem", cell: subtypeText },
  { key: "currency", text: t("Currency"), isMinor: true, width: "6rem", cell: ({ currency: code }) => code },
  {
    key: "balance",
    text: t.of("money", "Balance"),
    isFigure: true,
    place: "figure",
    width: "10rem",
    cell: (one) =>
      money(one.balance, one.isGroup ? currency() : one.currency, { dash: true, withCurrency: !one.isGroup }),
  },
];

function actionsOn(account, chart) {
  if (!may("finance.write")) return [];
  const path = `${ACCOUNTS}/${account.id}`;
  const act = async (verb, done) => {
    await send("POST", `${path}/${verb}`, {}, { version: account.version });
    changed(...TOUCHED);
    notify(done, { kind: "good" });
  };
  const name = accountName(account);
  if (account.archivedAt) {
    return [{ name: t("Unarchive"), icon: "undo-2", run: () => act("unarchive", t("{name} unarchived.", { name })) }];
  }
  return [
    { name: t("Edit"), key: "e", icon: "pencil", run: () => editing(account, chart) },
    { name: t("Archive"), icon: "archive", run: () => act("archive", t("{name} archived.", { name })) },
    {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      asks: {
        title: t("Delete {name}?", { name }),
        text: t("Only accounts without entries can be deleted. Others can be archived."),
        verb: t("Delete"),
        danger: true,
      },
      run: async () => {
        await send("DELETE", path, undefined, { version: account.version });
        changed(...TOUCHED);
      },
    },
  ];
}

const editing = (account, chart) => {
  const title = account ? t("Edit {name}", { name: accountName(account) }) : t("New account");
  return dialog({ title, body: (close) => accountForm(account, chart, title, close) });
};

function accountForm(account, chart, title, close) {
  const values = {
    code: signal(account?.code ?? ""),
    name: signal(account?.name ?? ""),
    type: signal(account?.type ?? "expense"),
    subtype: signal(account?.subtype ?? "expense"),
    parentId: signal(account?.parentId ?? null),
    currency: signal(account?.currency ?? ""),
    description: signal(account?.description ?? ""),
    isGroup: signal(account?.isGroup ?? false),
  };
  const key = newKey();
  const run = async (element) => {
    const body = bodyOf(values, account);
    const saved = account
      ? await change(element, `${ACCOUNTS}/${account.id}`, account, body)
      : await send("POST", ACCOUNTS, body, { key });
    if (!saved) return;
    changed(...TOUCHED);
    close();
  };
  const subtypes = () => Object.entries(TYPES[values.type.value].subtypes);
  const groups = () =>
    chart.filter(({ isGroup, type, id }) => isGroup && type === values.type.value && id !== account?.id);
  return form(
    { run, submit: account ? t("Save") : t("Add"), cancel: () => close(), label: title },
    div(
      { class: "fields" },
      field({ label: t("Account code"), name: "code" }, textInput({ value: values.code, name: "code", maxlength: 20 })),
      field({ label: t("Name"), name: "name" }, textInput({ value: values.name, name: "name" })),
      field(
        { label: t("Account type"), name: "type" },
        choice({
          value: typed(values),
          name: "type",
          options: Object.entries(TYPES).map(([value, { text }]) => ({ value, text: text() })),
        }),
      ),
      field(
        { label: t("Detail type"), name: "subtype" },
        choice({
          value: values.subtype,
          name: "subtype",
          options: () => subtypes().map(([value, text]) => ({ value, text: text() })),
        }),
      ),
      field(
        { label: t("Group"), name: "parentId", isOptional: true },
        choice({
          value: values.parentId,
          name: "parentId",
          empty: t("none"),
          options: () => groups().map((one) => ({ value: one.id, text: accountName(one) })),
        }),
      ),
      field({
        label: t("Currency"),
        name: "currency",
        isOptional: true,
        hint: t("Default: {currency}.", { currency: currency() }),
      }, textInput({ value: values.currency, name: "currency", maxlength: 3 })),
      field(
        { label: t("Description"), name: "description", isOptional: true, isWide: true },
        textArea({ value: values.description, name: "description", rows: 2 }),
      ),
    ),
    checkbox({
      value: values.isGroup,
      name: "isGroup",
      text: t("Account group"),
      hint: t("A group adds up the accounts below it; nothing is posted to it."),
    }),
  );
}

// Another type has other kinds and groups.
const typed = ({ type, subtype, parentId }) => ({
  get value() {
    return type.value;
  },
  set value(value) {
    type.value = value;
    subtype.value = Object.keys(TYPES[value].subtypes)[0];
    parentId.value = null;
  },
  peek: () => type.peek(),
});

// Of an account that there is, only what has been changed.
function bodyOf(values, account) {
  const plain = Object.fromEntries(
    Object.entries(values).map(([name, one]) => [name, one.value === "" ? null : one.value]),
  );
  const isNew = ([name, value]) => account ? value !== (account[name] ?? null) : value !== null && value !== false;
  return Object.fromEntries(Object.entries(plain).filter(isNew));
}
