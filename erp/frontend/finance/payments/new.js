// Many payments in a row, as they stand on a bank statement: an amount, the suggested document, Enter.
import { address, get, newKey, send } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { keyOf } from "../../core/keys.js";
import { todayAtFirst } from "../../core/parse.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { each, signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { choice, radios } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { later } from "../../ui/later.js";
import { moneyInput } from "../../ui/number.js";
import { contactOptions } from "../contacts/choice.js";
import { moneyAccounts, tellBooked, TOUCHED } from "./form.js";
import { partyOf } from "../documents/states.js";

const { a, div, li, p, span, ul } = tags;
const KINDS = { received: "sales_invoice,deposit_invoice,final_invoice", made: "purchase_invoice" };

export default () => {
  const entry = {
    amount: signal(""),
    date: todayAtFirst(),
    invoiceId: signal(""),
    accountId: signal(""),
    direction: signal("received"),
    reference: signal(""),
    dimensions: signal(""),
  };
  const booked = signal([]);
  return {
    title: t("Record payments"),
    back: { href: "/payments", text: t("Payments") },
    body: div({ class: "columns columns-wide document" }, card({}, entering(entry, booked)), justBooked(booked)),
  };
};

// Amount, Enter; the suggestion, Enter; Enter books, and the next amount is typed.
function entering(entry, booked) {
  const state = { key: newKey() };
  const accounts = moneyAccounts(currency);
  const amount = moneyInput({ value: entry.amount, name: "amount", currency, autofocus: true });
  const settles = combobox({
    value: entry.invoiceId,
    name: "invoiceId",
    options: (typed) => proposals(typed, entry),
    opensOnFocus: true,
  });
  const next = (event) => {
    if (keyOf(event) !== "Enter" || event.ctrlKey || !amount.value.trim()) return;
    event.preventDefault();
    amount.settle();
    settles.querySelector("input").focus();
  };
  amount.addEventListener("keydown", next);
  const run = async () => {
    const payment = await send("POST", "/finance/payments", bodyOf(entry), { key: state.key }).catch(atItsField);
    state.key = newKey();
    changed(...TOUCHED);
    booked.value = [payment, ...booked.peek()];
    tellBooked(payment);
    for (const one of [entry.amount, entry.invoiceId, entry.reference, entry.dimensions]) one.value = "";
    amount.focus();
  };
  return form(
    { run, submit: t("Post"), label: t("Payment") },
    radios({
      value: entry.direction,
      name: "direction",
      label: t("Direction"),
      isRow: true,
      options: [{ value: "received", text: t("Received") }, { value: "made", text: t("Paid") }],
    }),
    div(
      { class: "fields" },
      field({ label: t("Amount in {currency}", { currency: currency() }), name: "amount" }, amount),
      field({
        label: t("Settles"),
        name: "invoiceId",
        isWide: true,
        hint: t("Enter an amount and press Enter: matching items come first."),
      }, settles),
      field({ label: t("Date"), name: "date" }, dateField({ value: entry.date, name: "date" })),
      field(
        { label: t("Account"), name: "accountId" },
        choice({
          value: entry.accountId,
          name: "accountId",
          empty: t("Default bank account"),
          options: () => accounts.value.map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` })),
        }),
      ),
      field(
        { label: t("Reference"), name: "reference", isOptional: true },
        textInput({ value: entry.reference, name: "reference" }),
      ),
      later(async () => (await import("../dimensions/choice.js")).dimensionFields, entry.dimensions, "dimensions"),
    ),
  );
}

function justBooked(booked) {
  const line = (payment) =>
    li(
      { class: "spread" },
      a({ href: `/payments/${payment.value.id}` }, payment.value.number),
      span(payment.value.contactName ?? ""),
      span({ class: "figure" }, money(payment.value.amount, payment.value.currency)),
    );
  return card(
    { title: t("Posted just now") },
    () => (booked.value.length
      ? p({ class: "soft" }, tn("{n} payment", "{n} payments", booked.value.length))
      : empty(t("Your entries appear here."))),
    ul({ class: "plain-list" }, each(() => booked.value, ({ id }) => id, line)),
  );
}

// One field stands for the document and for the contact.
function atItsField(refusal) {
  const details = refusal.details?.map((one) => (one.field === "contactId" ? { ...one, field: "invoiceId" } : one));
  throw Object.assign(refusal, { details });
}

const ON_ACCOUNT = "contact:"; // what a payment belongs to that settles no document yet

function bodyOf({ amount, date, invoiceId, accountId, direction, reference, dimensions }) {
  const about = invoiceId.value?.startsWith(ON_ACCOUNT)
    ? { contactId: invoiceId.value.slice(ON_ACCOUNT.length) }
    : { invoiceId: invoiceId.value || null };
  const optional = { accountId: accountId.value, reference: reference.value, dimensions: dimensions.value };
  return {
    amount: amount.value,
    date: date.value,
    direction: direction.value,
    ...about,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)),
  };
}

// Open documents of that amount first; then all that match what is typed, and contacts whose credit it becomes.
async function proposals(typed, { amount, direction }) {
  const isReceived = direction.peek() === "received";
  const open = (q) =>
    get(
      address("/finance/invoices", {
        kind: KINDS[direction.peek()],
        status: "issued,partially_paid",
        limit: 20,
        currency: currency(),
        q,
        sort: "dueDate",
      }),
    );
  const contacts = contactOptions(isReceived ? "customer" : "supplier");
  const [found, due, people] = await Promise.all([
    open(typed),
    typed || !amount.peek() ? [] : open(amount.peek()),
    typed ? contacts(typed) : [],
  ]);
  const documents = [...new Map([...due, ...found].map((one) => [one.id, one])).values()].sort((one, other) =>
    fits(other, amount.peek()) - fits(one, amount.peek())
  );
  return [
    ...documents.map((one) => ({ ...optionOf(one), isLikely: fits(one, amount.peek()) === 1 })),
    ...people.map(({ value, text }) => ({
      value: `${ON_ACCOUNT}${value}`,
      text,
      more: t("payment on account"),
    })),
  ];
}

const fits = ({ amountDue }, amount) => (amountDue === amount ? 1 : 0);

const optionOf = (one) => ({
  value: one.id,
  text: `${one.number} ${partyOf(one).name}`,
  more: t("due {day}", { day: dayShort(one.dueDate) }),
  figure: money(one.amountDue, one.currency),
});
