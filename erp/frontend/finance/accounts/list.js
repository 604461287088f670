// The chart of accounts with its balances; each leads to its ledger.
import { address, newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go, parameter, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { computed, tags } from "../../core/view.js";
import { importing } from "../../ui/actions.js";
import { problem } from "../../ui/alert.js";
import { change } from "../../ui/changing.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { searchField } from "../../ui/input.js";
import { table } from "../../ui/table.js";
import { stateTabs } from "../../ui/tabs.js";
import { accountName } from "../../ui/accounts.js";
import { TOUCHED } from "../payments/touched.js";
import { accountFields, followType, subtypeText } from "./fields.js";

const { div, span } = tags;
const ACCOUNTS = "/finance/accounts";

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
      { name: t("Dimensions"), icon: "list-tree", run: () => go("/settings/dimensions") },
      {
        name: t("Exchange rates"),
        icon: "coins",
        run: () => go("/settings/exchange-rates"),
      },
      importing("books/accounts", "finance.write"),
    ],
    body: div(
      { class: "stack" },
      stateTabs(),
      searchField({ value: parameter("q"), label: t("Search accounts") }),
      problem(() => chart.problem, () => chart.renew()),
      table({
        label: t("Accounts"),
        page: "accounts",
        path: () => chart.path,
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
  const fields = editable(accountFields(account, chart), account);
  followType(fields.signals);
  const key = newKey();
  const run = async (element) => {
    const saved = account
      ? await change(element, `${ACCOUNTS}/${account.id}`, account, fields.body(), fields.told)
      : await send("POST", ACCOUNTS, fields.body(), { key });
    if (!saved) return;
    changed(...TOUCHED);
    close();
  };
  return form(
    { run, submit: account ? t("Save") : t("Add"), cancel: () => close(), label: title },
    fields.controls,
  );
}
