// The bank: statements come in as files, and each line of them is found in the books, or put into them.
import { address, newKey, send } from "../../core/api.js";
import { day, dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed, list, resource } from "../../core/store.js";
import { computed, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { editable } from "../../ui/fields.js";
import { figureCard, figures } from "../../ui/figure.js";
import { form } from "../../ui/form.js";
import { pill } from "../../ui/pill.js";
import { table } from "../../ui/table.js";
import { parameterTabs, tabs } from "../../ui/tabs.js";
import { amountColumn } from "../columns.js";
import { ruleFields } from "./fields.js";
import { importStatements } from "./import.js";
import { moneyAccounts } from "../payments/fields.js";
import { TOUCHED } from "../payments/touched.js";
import { isZero } from "../documents/states.js";

const { div, p, span } = tags;

export default () => {
  const accounts = moneyAccounts(() => currency());
  const banks = computed(() => accounts.value.filter(({ subtype }) => subtype === "bank"));
  const accountId = () => query.value.get("accountId") ?? banks.value[0]?.id ?? null;
  const status = () => query.value.get("status") ?? "unmatched";
  const state = resource(() => accountId() && `/finance/bank/accounts/${accountId()}`);
  const lines = list(() => accountId() && address("/finance/bank/lines", { accountId: accountId(), status: status() }));
  return {
    title: t("Bank"),
    actions: [{
      name: t("Import statement"),
      key: "n",
      main: true,
      icon: "upload",
      may: "finance.write",
      isShown: () => Boolean(accountId()),
      run: () => importStatements(accountId()),
    }, { name: t("Bank rules"), icon: "list-checks", run: () => go("/bank/rules") }],
    body: div(
      { class: "stack" },
      () => (banks.value.length > 1 ? accountTabs(banks.value, accountId) : null),
      problem(() => state.problem, () => state.renew()),
      () => (state.value ? standing(state.value) : null),
      parameterTabs({
        name: "status",
        label: t("Bank transactions"),
        options: [["unmatched", t("To do")], ["matched", t("Done")]],
      }),
      table({
        label: t("Bank transactions"),
        list: lines,
        key: ({ id }) => id,
        columns,
        actions: actionsOn,
        counted: (n, places) => tn("{n} transaction", "{n} transactions", n, places),
        empty: empty(
          () => (status() === "matched" ? t("No matched bank transactions yet.") : t("No open transactions.")),
        ),
      }),
    ),
  };
};

const accountTabs = (banks, current) =>
  tabs({
    label: t("Account"),
    items: banks.map(({ id, code, name }) => ({
      key: id,
      text: `${code} ${name}`,
      href: address("/bank", { accountId: id }),
    })),
    current,
  });

// What the bank says, what the books say, and what lies between them.
function standing(state) {
  const shown = (amount) => (amount === null ? "–" : money(amount, state.currency, { withCurrency: true }));
  const isEven = state.difference !== null && isZero(state.difference);
  return figures(
    figureCard({ label: t("Bank balance {day}", { day: day(state.date) }), value: shown(state.statementBalance) }),
    figureCard({ label: t("Book balance"), value: shown(state.bookBalance) }),
    figureCard({
      label: t("Difference"),
      value: shown(state.difference),
      note: isEven
        ? t("nothing is missing")
        : tn("{n} unmatched transaction", "{n} unmatched transactions", state.unmatchedLines),
      kind: isEven ? "good" : state.unmatchedLines ? "bad" : null,
    }),
    figureCard({
      label: t("Reconciled through"),
      value: state.reconciledThrough ? day(state.reconciledThrough) : "–",
      note: state.gaps.length ? tn("{n} statement is missing", "{n} statements are missing", state.gaps.length) : null,
    }),
  );
}

const columns = [
  { key: "date", text: t("Date"), place: "meta", width: "6rem", cell: ({ date }) => dayShort(date) },
  {
    key: "party",
    text: t("Payer or payee"),
    place: "name",
    width: "14rem",
    cell: ({ party, text }) => party ?? text,
  },
  { key: "text", text: t("Text"), isMinor: true, cell: ({ text }) => text },
  { key: "what", text: t("Match"), place: "state", cell: whatItIs },
  amountColumn(),
];

function whatItIs({ status, matches, suggestions }) {
  if (status === "matched") return span(matches.map(({ description }) => description).join(", "));
  const [first] = suggestions;
  return first ? span({ class: "soft" }, first.reason) : pill(t("no match"), "info");
}

// The likeliest first, by Enter's neighbour "a"; every other one by its reason.
function actionsOn(line) {
  if (!may("finance.write")) return [];
  if (line.can.includes("undo")) {
    return [{ name: t("Unmatch"), key: "z", icon: "undo-2", run: () => act(line, "undo", {}) }];
  }
  if (!line.can.includes("confirm")) return [];
  const suggested = line.suggestions.map((one, at) => ({
    name: t("Match: {reason}", { reason: one.reason }),
    key: at === 0 ? "a" : undefined,
    icon: "check",
    run: () => act(line, "confirm", one.confirm),
  }));
  return [...suggested, { name: t("Post to an account"), key: "b", icon: "book-open", run: () => byHand(line) }];
}

async function act(line, verb, body) {
  await send("POST", `/finance/bank/lines/${line.id}/${verb}`, body, { key: newKey() });
  changed("/finance/bank", "/finance/journals", ...TOUCHED);
  if (verb === "confirm") notify(t("{party} posted.", { party: line.party ?? line.text }));
}

const byHand = (line) => dialog({ title: t("Post to an account"), body: (close) => booking(line, close) });

// Where a rule is made as well, it takes the same account and description.
function booking(line, close) {
  const { text, accountId, description } = Object.fromEntries(ruleFields().map((spec) => [spec.name, spec]));
  const others = async (typed) => (await accountId.options(typed)).filter(({ value }) => value !== line.accountId);
  const fields = editable([
    { ...accountId, options: others, ifEmpty: "" }, // without one, the server takes its first suggestion
    { ...description, start: line.text, isOptional: false },
    { ...text, label: t("Suggest for transactions with"), isOptional: true },
  ], null);
  const run = async () => {
    const { text: rule, ...to } = fields.body();
    await act(line, "confirm", to);
    if (rule) await send("POST", "/finance/bank/rules", { ...to, text: rule }, { key: newKey() });
    close();
  };
  return form(
    { run, submit: t("Post"), cancel: () => close(), label: t("Post to an account") },
    p({ class: "soft" }, `${line.party ?? ""} ${money(line.amount, line.currency, { withCurrency: true })}`),
    fields.controls,
  );
}
