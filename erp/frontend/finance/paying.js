// Many payments in a row, as they stand on a bank statement: an amount, the suggested document, Enter.
import { address, get, newKey, send } from "../core/api.js";
import { dayShort, money } from "../core/format.js";
import { t, tn } from "../core/i18n.js";
import { say } from "../core/notices.js";
import { parseNumber, today } from "../core/parse.js";
import { currency } from "../core/session.js";
import { changed } from "../core/store.js";
import { computed, each, signal, tags } from "../core/view.js";
import { card } from "../ui/card.js";
import { choice, radios } from "../ui/choice.js";
import { combobox } from "../ui/combobox.js";
import { dateField } from "../ui/date.js";
import { empty } from "../ui/empty.js";
import { field } from "../ui/field.js";
import { form } from "../ui/form.js";
import { textInput } from "../ui/input.js";
import { moneyInput } from "../ui/number.js";
import { TOUCHED, moneyAccounts, tellBooked } from "./pay_now.js";
import { partyOf, pathOf } from "./states.js";

const { a, div, li, p, span, ul } = tags;
const KINDS = { received: "sales_invoice,deposit_invoice,final_invoice", made: "purchase_invoice" };

export default () => {
  const entry = { amount: signal(""), date: signal(today()), invoiceId: signal(""), accountId: signal(""), direction: signal("received"), reference: signal("") };
  const booked = signal([]);
  const state = { key: newKey() };
  const accounts = moneyAccounts(currency);
  const amountField = moneyInput({ value: entry.amount, name: "amount", currency });
  const run = async () => {
    const payment = await send("POST", "/finance/payments", bodyOf(entry), { key: state.key });
    state.key = newKey();
    changed(...TOUCHED);
    booked.value = [payment, ...booked.peek()];
    tellBooked(payment);
    for (const one of [entry.amount, entry.invoiceId, entry.reference]) one.value = "";
    (amountField.matches("input") ? amountField : amountField.querySelector("input")).focus();
  };
  const counted = computed(() => booked.value.length);
  return {
    title: t("Enter payments"),
    back: { href: "/payments", text: t("Payments") },
    body: div(
      { class: "columns columns-wide document" },
      card(
        {},
        form(
          { run, submit: t("Book"), label: t("Payment") },
          radios({ value: entry.direction, name: "direction", label: t("Direction"), isRow: true, options: [{ value: "received", text: t("Received") }, { value: "made", text: t("Paid") }] }),
          div(
            { class: "fields" },
            field({ label: t("Amount in {currency}", { currency: currency() }), name: "amount" }, amountField),
            field({ label: t("Settles"), name: "invoiceId", hint: t("Type an amount first: what fits it is proposed.") }, combobox({ value: entry.invoiceId, name: "invoiceId", options: (typed) => proposals(typed, entry) })),
            field({ label: t("Date"), name: "date" }, dateField({ value: entry.date, name: "date" })),
            field({ label: t("Account"), name: "accountId" }, choice({ value: entry.accountId, name: "accountId", empty: t("The usual bank account"), options: () => accounts.value.map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` })) })),
            field({ label: t("Reference"), name: "reference", isOptional: true }, textInput({ value: entry.reference, name: "reference" })),
          ),
        ),
      ),
      card(
        { title: t("Booked just now") },
        () => (counted.value ? p({ class: "soft" }, tn("{n} payment", "{n} payments", counted.value)) : empty(t("What you book appears here."))),
        ul({ class: "plain-list" }, each(() => booked.value, ({ id }) => id, (payment) => li({ class: "spread" }, a({ href: `/payments/${payment.value.id}` }, payment.value.number), span(payment.value.contactName ?? ""), span({ class: "figure" }, money(payment.value.amount, payment.value.currency))))),
      ),
    ),
  };
};

function bodyOf({ amount, date, invoiceId, accountId, direction, reference }) {
  const optional = { accountId: accountId.value, reference: reference.value };
  return { amount: amount.value, date: date.value, invoiceId: invoiceId.value || null, direction: direction.value, ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)) };
}

// Open documents of that amount first; then all that match what is typed.
async function proposals(typed, entry) {
  const common = { kind: KINDS[entry.direction.peek()], status: "issued,partially_paid", limit: 20, currency: currency() };
  const exact = entry.amount.peek();
  const searches = [typed, !typed && exact].filter(Boolean);
  const found = await Promise.all([...searches, ""].slice(0, 2).map((q) => get(address("/finance/invoices", { ...common, q, sort: "dueDate" }))));
  const byId = new Map((typed ? found[0] : found.flat()).map((one) => [one.id, one]));
  const options = [...byId.values()].sort((one, other) => fits(other, exact) - fits(one, exact)).map(optionOf);
  if (options.length) say(tn("{n} document fits.", "{n} documents fit.", options.length));
  return options;
}

const fits = ({ amountDue }, exact) => (exact && amountDue === (parseNumber(exact) ?? exact) ? 1 : 0);

const optionOf = (one) => ({ value: one.id, text: `${one.number} ${partyOf(one).name}`, more: t("due {day}", { day: dayShort(one.dueDate) }), figure: money(one.amountDue, one.currency), path: pathOf(one) });
