// A payment of one document, entered under its row or in a dialog: amount, day and account are proposed, Enter books.
import { newKey, send } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { todayAtFirst } from "../../core/parse.js";
import { currency } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { inverse } from "../../core/undo.js";
import { computed, signal, tags } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { later } from "../../ui/later.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { isPurchase, partyOf } from "../documents/states.js";

export const TOUCHED = [
  "/finance/invoices",
  "/finance/bills",
  "/finance/payments",
  "/finance/open-items",
  "/finance/contacts",
  "/finance/accounts",
  "/finance/reports",
  "/workspace/home",
];

// The accounts that hold money, those in the currency first.
export function moneyAccounts(wanted) {
  const accounts = resource("/finance/accounts");
  const isMoney = ({ subtype, isGroup }) => !isGroup && ["bank", "cash"].includes(subtype);
  const suits = (one) => !one.currency || [wanted(), currency()].includes(one.currency);
  return computed(() => (accounts.value ?? []).filter((one) => isMoney(one) && suits(one)));
}

export function payNow(document, close) {
  const direction = isPurchase(document) !== document.kind.endsWith("credit_note") ? "made" : "received";
  const toPay = document.amountToPay ?? document.amountDue;
  const amount = signal(toPay.replace("-", ""));
  const date = todayAtFirst();
  const accountId = signal("");
  const exchangeRate = signal("");
  const accounts = moneyAccounts(() => document.currency);
  const isForeign = document.currency !== currency();
  const discount = document.cashDiscount; // while it is in time
  const takesDiscount = signal(false);
  const dimensions = signal("");
  const key = newKey();
  const run = async () => {
    const body = {
      invoiceId: document.id,
      direction,
      amount: amount.value,
      date: date.value,
      accountId: accountId.value || null,
      discountTaken: takesDiscount.value,
    };
    if (dimensions.value) body.dimensions = dimensions.value;
    if (isForeign) body.exchangeRate = exchangeRate.value || "latest";
    const payment = await send("POST", "/finance/payments", body, { key });
    changed(...TOUCHED);
    close();
    tellBooked(payment);
  };
  const takeDiscount = (event) => {
    takesDiscount.value = event.target.checked;
    amount.value = takesDiscount.value ? discount.amountToPay : toPay;
  };
  return form(
    { run, submit: t("Record payment"), cancel: close, label: t("Payment of {number}", { number: document.number }) },
    tags.div(
      { class: "fields" },
      field(
        { label: t("Amount in {currency}", { currency: document.currency }), name: "amount" },
        moneyInput({ value: amount, name: "amount", currency: document.currency }),
      ),
      field({ label: t("Date"), name: "date" }, dateField({ value: date, name: "date" })),
      field(
        { label: t("Account"), name: "accountId" },
        choice({
          value: accountId,
          name: "accountId",
          empty: t("Default bank account"),
          options: () => accounts.value.map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` })),
        }),
      ),
      isForeign &&
        field({
          label: t("Exchange rate"),
          name: "exchangeRate",
          hint: t("Default: latest exchange rate."),
          isOptional: true,
        }, numberInput({ value: exchangeRate, name: "exchangeRate" })),
    ),
    discount &&
      tags.label(
        { class: "row" },
        tags.input({ type: "checkbox", onchange: takeDiscount }),
        t("Less the cash discount of {amount}, possible until {day}", {
          amount: money(discount.amount, document.currency),
          day: dayShort(discount.until),
        }),
      ),
    () =>
      takesDiscount.value &&
      tags.div(
        { class: "fields" },
        later(async () => (await import("../dimensions/choice.js")).dimensionFields, dimensions, "dimensions"),
      ),
  );
}

export function tellBooked(payment) {
  const text = t("{number} posted: {amount}.", {
    number: payment.number,
    amount: money(payment.amount, payment.currency, { withCurrency: true }),
  });
  inverse(text, async () => {
    await send("POST", `/finance/payments/${payment.id}/void`, {});
    changed(...TOUCHED);
  });
}

export const payTitle = (document) => t("Payment of {party}", { party: partyOf(document).name });
