// A payment of one document, entered under its row or in a dialog: amount, day and account are proposed, Enter books.
import { newKey, send } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { inverse } from "../../core/undo.js";
import { signal, tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { later } from "../../ui/later.js";
import { isPurchase, partyOf } from "../documents/states.js";
import { paymentFields } from "./fields.js";
import { TOUCHED } from "./touched.js";

export function payNow(document, close) {
  const direction = isPurchase(document) !== document.kind.endsWith("credit_note") ? "made" : "received";
  const toPay = document.amountToPay ?? document.amountDue;
  const isForeign = document.currency !== currency();
  const fields = editable(askedOf(document, isForeign), null);
  const { amount } = fields.signals;
  amount.value = toPay.replace("-", "");
  const discount = document.cashDiscount; // while it is in time
  const takesDiscount = signal(false);
  const dimensions = signal("");
  const key = newKey();
  const run = async () => {
    /** @type {any} */
    const body = {
      ...fields.body(),
      invoiceId: document.id,
      direction,
      discountTaken: takesDiscount.value,
    };
    if (dimensions.value) body.dimensions = dimensions.value;
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
    fields.controls,
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

function askedOf({ currency: code }, isForeign) {
  const names = ["amount", "date", "accountId", ...(isForeign ? ["exchangeRate"] : [])];
  return paymentFields({ direction: null, currency: code }).filter(({ name }) => names.includes(name));
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

export const payInDialog = (document) =>
  dialog({
    title: t("Payment of {party}", { party: partyOf(document).name }),
    body: (close) => payNow(document, close),
  });
