// The bank: statements come in as files, and each line of them is found in the books, or put into them.
import { address, newKey, send } from "../../core/api.js";
import { day, dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { bind, keyOf } from "../../core/keys.js";
import { go, parameter, parametersOf, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { list, resource } from "../../core/store.js";
import { computed, signal, tags } from "../../core/view.js";
import { actionButton, perform, possible } from "../../ui/actions.js";
import { problem } from "../../ui/alert.js";
import { button, link } from "../../ui/button.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { dayChips, filterChips } from "../../ui/filters.js";
import { form } from "../../ui/form.js";
import { searchField } from "../../ui/input.js";
import { later } from "../../ui/later.js";
import { moneyInput } from "../../ui/number.js";
import { table } from "../../ui/table.js";
import { parameterTabs, tabs } from "../../ui/tabs.js";
import { amountColumn } from "../columns.js";
import { moneyAccounts } from "../payments/fields.js";
import { isZero } from "../documents/states.js";
import { importStatements } from "./import.js";
import { matcher, renew } from "./matching.js";
import { missing, standing } from "./standing.js";
import { suggested } from "./suggested.js";

const { div, span } = tags;
const FILTERS = ["q", "direction", "amountFrom", "amountTo", "dateFrom", "dateTo", "ids"];
const LINES = "/finance/bank/lines";
const MOST = 300; // lines that the server matches at once

export default () => {
  const accounts = moneyAccounts();
  const banks = computed(() => accounts.value.filter(({ subtype }) => subtype === "bank"));
  const accountId = () => query.value.get("accountId") ?? banks.value[0]?.id ?? null;
  const status = () => query.value.get("status") ?? "unmatched";
  const state = resource(() => accountId() && `/finance/bank/accounts/${accountId()}`);
  const parameters = () => ({ accountId: accountId(), ...parametersOf(FILTERS) });
  const lines = list(() =>
    accountId() && address(LINES, { ...parameters(), status: status() === "matched" ? "matched" : "unmatched" })
  );
  const matches = matcher();
  const selected = signal(new Set());
  const sure = computed(() =>
    status() === "unmatched" ? (lines.items ?? []).filter(isSure).filter(isThere(matches)) : []
  );
  const currencyOf = () => state.value?.currency ?? currency();
  const page = { accountId, status, state, lines, matches, selected, sure, currencyOf };
  return {
    title: t("Bank"),
    actions: () => [
      {
        name: t("Import statement"),
        key: "n",
        main: true,
        icon: "upload",
        may: "finance.write",
        isShown: () => Boolean(accountId()),
        run: () => importStatements(accountId()),
      },
      matchingAll(page),
      { name: t("Bank rules"), icon: "list-checks", run: () => go("/bank/rules") },
    ],
    body: body(page, banks),
  };
};

const isSure = ({ suggestions }) => suggestions[0]?.isSure;
const isThere = ({ gone }) => ({ id }) => !gone.value.has(id);

function body(page, banks) {
  const { state, status } = page;
  bindKeys(page);
  return div(
    { class: "stack" },
    () => (banks.value.length > 1 ? accountTabs(banks.value, page.accountId) : null),
    problem(() => state.problem, () => state.renew()),
    () => (state.value ? [standing(state.value, page.accountId()), missing(state.value, page.accountId())] : null),
    parameterTabs({
      name: "status",
      label: t("Bank transactions"),
      options: () => [
        ["unmatched", t("To do"), state.value?.unmatchedLines],
        ["matched", t("Done")],
        ["books", t("Only in the books"), state.value?.unmatchedEntries],
      ],
    }),
    () => (status() === "books" ? later(entriesTable, state) : [filters(page), lineTable(page), atTheFoot(page)]),
  );
}

// On a phone, where the head has no room for it, it stays at the foot.
const atTheFoot = (page) => () =>
  possible([matchingAll(page)]).map((action) =>
    div({ class: "only-phone bank-foot" }, actionButton({ ...action, key: null }))
  );

const entriesTable = async () => (await import("./entries.js")).entriesTable;

const filters = ({ currencyOf }) =>
  div(
    { class: "spread" },
    searchField({ value: parameter("q"), label: t("Search these transactions") }),
    filterChips([
      {
        key: "direction",
        text: t("Money in or out"),
        options: [{ value: "in", text: t("Money in") }, { value: "out", text: t("Money out") }],
      },
      amountChip("amountFrom", t("Amount from"), currencyOf),
      amountChip("amountTo", t("Amount up to"), currencyOf),
      ...dayChips(),
    ]),
  );

const amountChip = (key, text, currencyOf) => ({
  key,
  text,
  shown: (amount) => money(amount, currencyOf()),
  make: (filter, close) => {
    const amount = signal(filter.value() ?? "");
    const run = () => {
      close();
      filter.choose(amount.value || null);
    };
    return form(
      { run, submit: t("Filter"), label: text },
      moneyInput({ value: amount, label: text, currency: currencyOf }),
    );
  },
});

const accountTabs = (banks, current) => {
  const states = banks.map(({ id }) => resource(`/finance/bank/accounts/${id}`));
  return tabs({
    label: t("Account"),
    items: () =>
      banks.map(({ id, code, name }, at) => ({
        key: id,
        text: `${code} ${name}`,
        count: states[at].value?.unmatchedLines || undefined,
        href: address("/bank", { accountId: id }),
      })),
    current,
  });
};

function lineTable(page) {
  const { status, lines, matches, selected } = page;
  const mayMatch = may("finance.write") && status() === "unmatched";
  page.panel = "find";
  page.table = table({
    label: t("Bank transactions"),
    page: "bank",
    list: lines,
    key: ({ id }) => id,
    isHidden: (line) => matches.gone.value.has(line.id),
    columns: columns(page),
    selected: mayMatch ? selected : undefined,
    bulk: [payingOne(page)],
    actions: (line) => actionsOn(page, line),
    editor: mayMatch && !isNarrow() ? editorOf(page) : undefined,
    counted: (n, places) => tn("{n} transaction", "{n} transactions", n, places),
    empty: () => nothing(page),
  });
  return page.table;
}

function nothing({ status, state, accountId }) {
  if (FILTERS.some((name) => query.value.get(name))) return empty(t("Nothing was found."));
  if (status() === "matched") return empty(t("No matched bank transactions yet."));
  if (state.value && !state.value.statements) {
    return empty(
      t("Import the file of your bank: camt.053, MT940 or CSV."),
      may("finance.write") && button(t("Import statement"), () => importStatements(accountId()), { kind: "main" }),
    );
  }
  const { difference = null, date } = state.value ?? {};
  return empty(
    difference !== null && isZero(difference)
      ? t("Nothing to do. Books and bank agree to {day}.", { day: day(date) })
      : t("No open transactions."),
  );
}

const columns = (page) => [
  { key: "date", text: t("Date"), place: "meta", width: "6rem", cell: ({ date }) => dayShort(date) },
  { key: "party", text: t("Payer or payee"), place: "name", width: "30%", cell: fromTheBank },
  amountColumn(),
  { key: "what", text: t("Match"), place: "state", isLong: true, width: "40%", cell: (line) => whatItIs(page, line) },
];

const fromTheBank = ({ party, text, iban }) =>
  span(
    { class: "bank-words" },
    span(party ?? text),
    span({ class: "small soft" }, [party && text, iban].filter(Boolean).join(" · ")),
  );

function whatItIs({ matches }, line) {
  if (line.status === "matched") return span(line.matches.map(({ description }) => description).join(", "));
  const refusal = matches.refused.value.get(line.id);
  if (refusal) {
    return span(
      { class: "bad small", role: "note" },
      refusal.reason ?? refusal.message,
      " ",
      refusal.code === "period_locked" && link(t.of("books", "Close"), "/close", { isSmall: true }),
    );
  }
  return suggested(line, may("finance.write") && line.can.includes("confirm") && ((one) => take(matches, line, one)));
}

const take = (matches, line, { confirm }) => matches.match(line, confirm);

// The likeliest first, by Enter and "a"; every other one by its number.
function actionsOn(page, line) {
  if (!may("finance.write")) return [];
  if (line.can.includes("undo")) {
    return [{ name: t("Unmatch"), key: "z", icon: "undo-2", run: () => unmatch(line) }];
  }
  if (!line.can.includes("confirm")) return [];
  const take = line.suggestions.map((one, at) => ({
    name: t("Match: {reason}", { reason: one.reason }),
    key: at === 0 ? "a" : String(at + 1),
    icon: "check",
    run: () => page.matches.match(line, one.confirm),
  }));
  return [
    ...take,
    isNarrow() && {
      name: t("Find and match"),
      icon: "search",
      run: () => openPanel(page, line, "find", t("Find and match")),
    },
    {
      name: t("Post to an account"),
      key: "b",
      icon: "book-open",
      run: async () => (await import("./booking.js")).byHand(line, page.matches),
    },
    line.suggestions.some(({ items, entries }) => items.length + entries.length) && {
      name: t("Look at the document"),
      key: "o",
      icon: "eye",
      run: async () => (await import("./document.js")).showDocument(line),
    },
    { name: t("Split"), key: "S", icon: "columns-3", run: () => openPanel(page, line, "split", t("Split")) },
    {
      name: t("Rule from this transaction"),
      key: "r",
      icon: "list-checks",
      run: async () => (await import("./rule.js")).ruleFrom(line),
    },
  ];
}

async function unmatch(line) {
  await send("POST", `${LINES}/${line.id}/undo`, {}, { key: newKey() });
  renew();
}

const isNarrow = () => !matchMedia("(min-width: 40rem)").matches;

// Under the line; on a phone, as a sheet.
function openPanel(page, line, name, title) {
  page.panel = name;
  if (!isNarrow()) return page.table.edit(line.id);
  return void dialog({ title, body: (close) => panelOf(page)(line, close) });
}

// Of several lines that are chosen, "f" finds the item that they pay together.
const chosenOf = ({ lines, selected, matches }) =>
  (lines.items ?? []).filter(({ id }) => selected.value.has(id)).filter(isThere(matches));
const isForSeveral = (page) => chosenOf(page).length > 1;
const editorOf = (page) => ({
  name: t("Find and match"),
  get key() {
    return isForSeveral(page) ? undefined : "f";
  },
  icon: "search",
  make: panelOf(page),
});

// What opens under a line: find and match, or the parts of a split.
const panelOf = (page) => (line, close) => {
  const name = page.panel;
  page.panel = "find";
  const load = {
    find: async () => (await import("./find.js")).findPanel,
    split: async () => (await import("./split.js")).splitPanel,
  }[name];
  const shown = (make) => () => {
    const panel = make(line, close, page.matches);
    queueMicrotask(() => begin(panel, line));
    return panel;
  };
  return div({ class: "stack" }, later(async () => shown(await load())));
};

// The focus goes into a panel that has just come, unless the user has gone on elsewhere meanwhile.
function begin(panel, { id }) {
  const { activeElement } = document;
  /** @type {any} */
  const row = activeElement?.closest("[data-row]");
  if (activeElement === document.body || row?.dataset.row === id) panel.querySelector("[data-autofocus]")?.focus();
}

const payingOne = (page) => ({
  name: t("Find and match"),
  icon: "search",
  fits: (chosen) => new Set(chosen.map(({ amount }) => amount.startsWith("-"))).size === 1,
  run: async (chosen) =>
    (await import("./several.js")).payOne(chosen, page.matches, () => void (page.selected.value = new Set())),
});

// Shows what would be matched, and matches exactly that.
const matchingAll = ({ accountId, matches, sure, currencyOf }) => {
  let found = null;
  return sure.value.length > 0 && {
    name: t("Match all sure ones ({n})", { n: sure.value.length }),
    key: "A",
    icon: "check",
    may: "finance.write",
    asks: async () => {
      found = await send("POST", `${LINES}/confirm`, {
        accountId: accountId(),
        lineIds: sure.value.slice(0, MOST).map(({ id }) => id),
        dryRun: true,
      });
      return {
        title: tn("Match {n} transaction?", "Match {n} transactions?", found.confirmed.length),
        text: t("{in} in, {out} out. Each is matched by its number and amount; you can undo it.", {
          in: money(found.moneyIn, currencyOf()),
          out: money(found.moneyOut, currencyOf()),
        }),
        verb: t.of("verb", "Match"),
      };
    },
    run: () => matches.several({ accountId: accountId(), lineIds: found.confirmed.map(({ lineId }) => lineId) }),
  };
};

// Enter and "1" on a line take its first suggestion, "z" takes back the last match.
function bindKeys(page) {
  const { status, lines, matches } = page;
  if (!may("finance.write")) return;
  const take = (event) => {
    const id = event.target.closest?.("[data-row]")?.dataset.row;
    const line = lines.items?.find((one) => one.id === id);
    const [first] = line?.suggestions ?? [];
    if (!first || (keyOf(event) === "Enter" && event.target.closest("button, a"))) return false;
    return void matches.match(line, first.confirm);
  };
  bind({
    Enter: { text: t("Match the transaction"), run: take },
    1: { text: null, run: take },
    f: {
      text: t("Match with an open item"),
      isOn: () => isForSeveral(page),
      run: () => {
        const chosen = chosenOf(page);
        void (payingOne(page).fits(chosen) && perform(payingOne(page), chosen));
      },
    },
    z: { text: t("Undo the last match"), isOn: () => status() === "unmatched", run: () => void matches.takeBack() },
  });
}
