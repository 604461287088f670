// Many payments in a row, as they stand on a bank statement: an amount, the suggested document, Enter.
import { address, get, newKey, send } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { keyOf } from "../../core/keys.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { each, signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { radios } from "../../ui/choice.js";
import { empty } from "../../ui/empty.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { contactOptions } from "../contacts/choice.js";
import { dimensionsField } from "../dimensions/choice.js";
import { paymentFields } from "./fields.js";
import { tellBooked } from "./form.js";
import { TOUCHED } from "./touched.js";
import { partyOf } from "../documents/states.js";

const { a, div, li, p, span, ul } = tags;
const KINDS = { received: "sales_invoice,deposit_invoice,final_invoice", made: "purchase_invoice" };

export default () => {
  const booked = signal([]);
  return {
    title: t("Record payments"),
    back: { href: "/payments", text: t("Payments") },
    body: div({ class: "columns columns-wide document" }, card({}, entering(booked)), justBooked(booked)),
  };
};

// Amount, Enter; the suggestion, Enter; Enter books, and the next amount is typed.
function entering(booked) {
  const state = { key: newKey() };
  const direction = signal("received");
  const { signals, controls, body } = editable(askedOf((typed) => proposals(typed, signals.amount, direction)), null);
  const run = async (element) => {
    const request = bodyOf(body(), direction.value);
    const payment = await send("POST", "/finance/payments", request, { key: state.key }).catch(atItsField);
    state.key = newKey();
    changed(...TOUCHED);
    booked.value = [payment, ...booked.peek()];
    tellBooked(payment);
    for (const name of ["amount", "invoiceId", "reference", "dimensions"]) signals[name].value = "";
    element.querySelector("[name=amount]").focus();
  };
  const element = form(
    { run, submit: t("Post"), label: t("Payment") },
    radios({
      value: direction,
      name: "direction",
      label: t("Direction"),
      isRow: true,
      options: [{ value: "received", text: t("Received") }, { value: "made", text: t("Paid") }],
    }),
    controls,
  );
  const amount = element.querySelector("[name=amount]");
  amount.addEventListener("keydown", (event) => {
    if (keyOf(event) !== "Enter" || event.ctrlKey || !amount.value.trim()) return;
    event.preventDefault();
    amount.settle();
    element.querySelector("[name=invoiceId]").focus();
  });
  return element;
}

function askedOf(options) {
  const { amount, date, accountId, reference } = Object.fromEntries(
    paymentFields({ direction: null, currency: currency() }).map((spec) => [spec.name, spec]),
  );
  const settles = {
    name: "invoiceId",
    label: t("Settles"),
    kind: "search",
    isWide: true,
    hint: t("Enter an amount and press Enter: matching items come first."),
    options,
    opensOnFocus: true,
  };
  return [{ ...amount, autofocus: true }, settles, date, accountId, reference, dimensionsField];
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

/** @type {(typed: any, direction: string) => any} */
const bodyOf = ({ invoiceId, ...fields }, direction) => ({
  ...fields,
  direction,
  ...(invoiceId?.startsWith(ON_ACCOUNT)
    ? { contactId: invoiceId.slice(ON_ACCOUNT.length) }
    : { invoiceId: invoiceId ?? null }),
});

// Open documents of that amount first; then all that match what is typed, and contacts whose credit it becomes.
async function proposals(typed, amount, direction) {
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
