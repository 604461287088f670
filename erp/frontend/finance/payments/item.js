// One payment: what it settled, what is left of it, and how it is taken back.
import { send } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { inverse } from "../../core/undo.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { attachments } from "../../ui/attachments.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { empty } from "../../ui/empty.js";
import { history } from "../../ui/history.js";
import { facts } from "../../ui/facts.js";
import { factsOf } from "../../ui/fields.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { entry } from "../journals/entry.js";
import { paymentFields } from "./fields.js";
import { TOUCHED } from "./touched.js";
import { paymentState } from "./list.js";
import { isZero } from "../documents/states.js";
import { voidAction } from "./void.js";

const { a, div, li, span, ul } = tags;

export default ({ params }) => {
  const payment = resource(`/finance/payments/${params.id}`);
  const get = () => payment.value;
  return {
    title: () => (get() ? t("Payment {number}", { number: get().number }) : ""),
    state: () => get() && paymentState(get()),
    back: { href: listScreen("/finance/payments", "/payments"), text: t("Payments") },
    leadsOn: true,
    pager: pager(neighbours("/finance/payments", params.id), ({ id }) => `/payments/${id}`),
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(
      payment,
      () => div({ class: "columns document" }, about(get), div({ class: "stack" }, settled(get), files(params.id))),
    ),
  };
};

const actionsOn = (payment) => [
  history(payment),
  payment.can.includes("void") && takingBack(payment),
];

const files = (id) => attachments({ of: { resourceType: "payment", resourceId: id }, canAdd: may("finance.write") });

const takingBack = (payment) =>
  voidAction("/finance/payments", payment, {
    text: t("The entry is reversed, and the items that it settled are open again."),
    figures: [[t("Contact"), payment.contactName], [
      t("Amount"),
      money(payment.amount, payment.currency, { withCurrency: true }),
    ]],
  });

function about(get) {
  return card(
    { title: t("Paid items") },
    () => factsOf(paymentFields(get()), get()),
    () => entry(get().journalEntryId, get().journalEntryNumber),
  );
}

function settled(get) {
  return card({ title: t("Settled items") }, () => {
    const live = get().allocations.filter(({ releasedOn }) => !releasedOn);
    const left = [
      t("Not used yet"),
      !isZero(get().unallocatedAmount) && money(get().unallocatedAmount, get().currency),
    ];
    return div(
      { class: "stack" },
      live.length
        ? ul({ class: "plain-list" }, live.map((one) => allocation(get(), one)))
        : empty(t("The amount stays as the contact’s credit.")),
      facts([left]),
    );
  });
}

function allocation(payment, one) {
  const name = one.invoiceId
    ? a(
      { href: payment.direction === "made" ? `/bills/${one.invoiceId}` : `/invoices/${one.invoiceId}` },
      one.invoiceNumber,
    )
    : one.paymentId
    ? a({ href: `/payments/${one.paymentId}` }, one.paymentNumber)
    : span(t("An open item"));
  const release = async () => {
    await send("POST", `/finance/allocations/${one.id}/release`, {});
    changed(...TOUCHED);
    inverse(t("{number} open again.", { number: one.invoiceNumber ?? "" }), async () => {
      await send("POST", "/finance/allocations", {
        fromItemId: one.fromItemId,
        toItemId: one.toItemId,
        amount: one.amount,
      });
      changed(...TOUCHED);
    });
  };
  return li(
    { class: "spread" },
    name,
    span({ class: "soft" }, dayShort(one.date)),
    span({ class: "figure" }, money(one.amount, payment.currency)),
    payment.can.includes("release") && may("finance.write") &&
      button(t("Remove allocation"), release, { isSmall: true }),
  );
}
