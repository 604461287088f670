// The deposit invoices applied to a final invoice, as far as they were paid: chosen among its customer's.
import { address } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { each, effect, tags, untracked } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { checkbox } from "../../ui/choice.js";
import { isZero } from "./states.js";

const { div, fieldset, legend, p } = tags;

// With a project, its deposits are proposed; without one, all of the customer are listed.
export function depositFields({ contactId, depositIds, projectId }, found) {
  const deposits = resource(() =>
    contactId.value
      ? address("/finance/invoices", {
        kind: "deposit_invoice",
        customerId: contactId.value,
        projectId: projectId.value,
        status: "issued,partially_paid,paid",
        limit: 200,
      })
      : null
  );
  const shown = () => {
    const there = (deposits.value ?? []).map(({ id }) => id);
    return [...depositIds.value.filter((id) => !there.includes(id)), ...there];
  };
  const proposed = new Set(depositIds.peek());
  const propose = ({ id, finalInvoiceId }) => {
    if (!projectId.peek() || found || finalInvoiceId || proposed.has(id)) return;
    proposed.add(id);
    if (!depositIds.peek().includes(id)) depositIds.value = [...depositIds.peek(), id];
  };
  return fieldset(
    { class: "radios", "data-name": "depositIds", tabindex: "-1" },
    legend({ class: "field-label" }, t("Deposits applied")),
    problem(() => deposits.problem, () => deposits.renew()),
    each(shown, (id) => id, (get) => row(get.peek(), depositIds, found, propose)),
    () => (shown().length ? null : p({ class: "soft" }, none(projectId.value))),
  );
}

// Nothing of one that another final invoice has deducted.
const none = (projectId) =>
  projectId ? t("The project has no deposit invoices.") : t("The customer has no deposit invoices.");

function row(id, depositIds, found, propose) {
  const deposit = resource(`/finance/invoices/${id}`);
  effect(() => deposit.value && untracked(() => propose(deposit.value)));
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
