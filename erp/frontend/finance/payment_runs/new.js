// Bills that are to be paid: all of them, or those that one chooses, by one run and one file for the bank.
import { address, newKey, send } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { go, parameter, query } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { changed, list, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { alert, problem } from "../../ui/alert.js";
import { card } from "../../ui/card.js";
import { dateField } from "../../ui/date.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { figureCard, figures } from "../../ui/figure.js";
import { pill } from "../../ui/pill.js";
import { table } from "../../ui/table.js";
import { TOUCHED } from "../payments/touched.js";
import { PAYMENT_RUNS } from "./list.js";
import { isZero } from "../documents/states.js";

const { a, div, li, span, ul } = tags;
const WEEK = 7 * 86_400_000; // ms
const MOST = 1000; // bills in a run

const inAWeek = () => new Date(Date.parse(today()) + WEEK).toISOString().slice(0, 10);

export default () => {
  const dueThrough = () => query.value.get("dueThrough") ?? inAWeek();
  const day = parameter("dueThrough");
  const bills = list(() => address("/finance/bills/due", { dueThrough: dueThrough() }));
  const proposal = resource(() => address(`${PAYMENT_RUNS}/proposal`, { dueThrough: dueThrough() }));
  const selected = signal(new Set());
  const get = () => proposal.value;
  const shownDay = {
    get value() {
      return day.value || inAWeek();
    },
    set value(value) {
      day.value = value;
    },
    peek: () => day.peek() || inAWeek(),
  };
  return {
    title: t("Pay bills"),
    back: { href: "/payment-runs", text: t("Payment runs") },
    actions: [{
      name: t("Pay all"),
      key: "Control+Enter",
      main: true,
      icon: "banknote",
      may: "finance.write",
      isShown: () => Boolean(get()?.suppliers.length),
      asks: () => askAll(get()),
      run: async () => show([await make({ dueThrough: dueThrough() })]),
    }],
    body: div(
      { class: "stack" },
      div(
        { class: "fields" },
        field(
          { label: t("Due, or discount ends, by"), name: "dueThrough" },
          dateField({ value: shownDay, name: "dueThrough" }),
        ),
      ),
      problem(() => proposal.problem, () => proposal.renew()),
      () => (get() ? [sums(get()), unreachable(get()), claimsDue(get())] : null),
      table({
        label: t("Bills due"),
        list: bills,
        key: ({ id }) => id,
        href: ({ id }) => `/bills/${id}`,
        columns,
        selected,
        bulk: [payChosen(selected)],
        counted: (n, places) => tn("{n} bill", "{n} bills", n, places),
        empty: empty(t("No bills are due by this day.")),
      }),
    ),
  };
};

const amountIn = (amount, code = currency()) => money(amount, code, { withCurrency: true });

const sums = (now) =>
  figures(
    figureCard({ label: t("To transfer"), value: amountIn(now.amount, now.currency) }),
    figureCard({ label: t("Payees"), value: String(now.suppliers.length) }),
    isZero(now.discount)
      ? null
      : figureCard({ label: t("Discounts taken"), value: amountIn(now.discount, now.currency) }),
    isZero(now.creditUsed)
      ? null
      : figureCard({ label: t("Allocated credit"), value: amountIn(now.creditUsed, now.currency) }),
  );

// Without an IBAN nothing can be transferred, and nothing of the run is made.
function unreachable({ suppliers }) {
  const without = suppliers.filter(({ hasIban, amount }) => !hasIban && !isZero(amount));
  return without.length
    ? alert({
      kind: "warn",
      text: div(
        t("These payees have no IBAN yet:"),
        ul(
          { class: "plain-list" },
          without.map((one) => li(a({ href: `/contacts/${one.supplierId}` }, one.supplierName))),
        ),
      ),
    })
    : null;
}

// What employees are owed is paid with all.
function claimsDue({ suppliers, currency: code }) {
  const claims = suppliers.flatMap((one) => one.claims.map((claim) => ({ ...claim, name: one.supplierName })));
  if (!claims.length) return null;
  return card(
    { title: t("Expense claims") },
    ul(
      { class: "plain-list" },
      claims.map((one) =>
        li(
          { class: "spread" },
          a({ href: `/expenses/${one.id}` }, `${one.number} · ${one.name}`),
          span({ class: "figure" }, amountIn(one.amountDue, code)),
        )
      ),
    ),
  );
}

const columns = [
  {
    key: "supplier",
    text: t("Supplier"),
    place: "name",
    cell: ({ supplierName }) => supplierName,
  },
  { key: "number", text: t.of("document", "Number"), place: "meta", width: "11rem", cell: ({ number }) => number },
  {
    key: "theirs",
    text: t("Supplier’s invoice no."),
    isMinor: true,
    cell: ({ supplierNumber }) => supplierNumber ?? "",
  },
  {
    key: "due",
    text: t.of("column", "Due date"),
    isMinor: true,
    width: "7rem",
    cell: ({ dueDate }) => dayShort(dueDate),
  },
  {
    key: "state",
    text: t("Status"),
    place: "state",
    width: "11rem",
    cell: (bill) =>
      bill.approval === "pending"
        ? pill(t("awaiting approval"), "warn")
        : !bill.hasIban
        ? pill(t("no IBAN"), "warn")
        : bill.daysOverdue > 0
        ? pill(tn("{n} day overdue", "{n} days overdue", bill.daysOverdue), "bad")
        : null,
  },
  {
    key: "discount",
    text: t("Cash discount"),
    isFigure: true,
    isMinor: true,
    width: "8rem",
    cell: ({ cashDiscount, currency: code }) => (cashDiscount ? money(cashDiscount.amount, code) : "–"),
  },
  {
    key: "amount",
    text: t.of("amount", "Open"),
    isFigure: true,
    place: "figure",
    width: "9rem",
    cell: ({ amountDue, currency: code }) => amountIn(amountDue, code),
  },
];

const consequence = () =>
  t("Posts one payment per payee today and creates the bank file. You can void the payment run.");

const askAll = (now) => ({
  title: tn("Pay {n} payee?", "Pay {n} payees?", now.suppliers.length),
  text: consequence(),
  figures: [
    ...now.suppliers.map((one) => [one.supplierName, amountIn(one.amount, now.currency)]),
    [t("To transfer"), amountIn(now.amount, now.currency)],
  ],
  verb: t.of("act", "Pay"),
});

const payChosen = (selected) => ({
  name: t("Pay selected bills"),
  icon: "banknote",
  may: "finance.write",
  asks: (rows) => ({
    title: tn("Pay {n} bill?", "Pay {n} bills?", rows.length),
    text: consequence(),
    figures: rows.map((row) => [`${row.supplierName} ${row.number}`, amountIn(row.amountDue, row.currency)]),
    verb: t.of("act", "Pay"),
  }),
  run: async (rows) => {
    const ids = rows.map(({ id }) => id);
    const madeOf = async (billIds) => [await make({ billIds })];
    const runs = await (await import("../../ui/lists/all.js")).inPartsOf(ids, MOST, madeOf);
    selected.value = new Set(ids.slice(runs.length * MOST));
    await show(runs);
  },
});

const make = (body) => send("POST", PAYMENT_RUNS, body, { key: newKey() });

async function show(runs) {
  await go(runs.length === 1 ? `/payment-runs/${runs[0].id}` : "/payment-runs");
  changed(PAYMENT_RUNS, ...TOUCHED);
}
