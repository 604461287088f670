// The deposit invoices applied to a final invoice, as far as they were paid: chosen among its customer's.
import { address } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { each, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { checkbox } from "../../ui/choice.js";
import { isZero } from "./states.js";

const { div, fieldset, legend, p } = tags;

export function depositFields({ contactId, depositIds }, found) {
  const deposits = resource(() =>
    contactId.value
      ? address("/finance/invoices", {
        kind: "deposit_invoice",
        customerId: contactId.value,
        status: "issued,partially_paid,paid",
        limit: 200,
      })
      : null
  );
  return fieldset(
    { class: "radios", "data-name": "depositIds", tabindex: "-1" },
    legend({ class: "field-label" }, t("Deposits applied")),
    problem(() => deposits.problem, () => deposits.renew()),
    each(() => deposits.value ?? [], ({ id }) => id, (get) => row(get.peek().id, depositIds, found)),
    () => (deposits.value?.length ? null : p({ class: "soft" }, t("The customer has no deposit invoices."))),
  );
}

// Nothing of one that another final invoice has deducted.
function row(id, depositIds, found) {
  const deposit = resource(`/finance/invoices/${id}`);
  const isFree = () => deposit.value && [null, found?.id].includes(deposit.value.finalInvoiceId);
  const value = {
    get value() {
      return depositIds.value.includes(id);
    },
    set value(isChosen) {
      const others = depositIds.peek().filter((one) => one !== id);
      depositIds.value = isChosen ? [...others, id] : others;
    },
  };
  return div(() => isFree() && checkbox({ value, ...told(deposit.value) }));
}

const told = ({ number, issueDate, total, amountPaid, currency }) => ({
  text: t("{number} of {day}: {total}", { number, day: day(issueDate), total: money(total, currency) }),
  hint: isZero(amountPaid)
    ? t("No part of the deposit is paid. The final invoice asks for the amount.")
    : t("Paid: {amount}.", { amount: money(amountPaid, currency) }),
});
