// One payment run: what each supplier gets, the file for the bank, and how it is taken back.
import { download, send } from "../../core/api.js";
import { day, moment, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { accountName } from "../../ui/accounts.js";
import { amountColumn } from "../columns.js";
import { TOUCHED } from "../payments/touched.js";
import { PAYMENT_RUNS, paymentRunState } from "./list.js";
import { paymentState } from "../payments/list.js";

const { a, div, p } = tags;

export default ({ params }) => {
  const run = resource(`${PAYMENT_RUNS}/${params.id}`);
  const get = () => run.value;
  return {
    title: () => (get() ? t("Payment run {number}", { number: get().number }) : ""),
    state: () => get() && paymentRunState(get()),
    back: { href: listScreen(PAYMENT_RUNS, "/payment-runs"), text: t("Payment runs") },
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(run, () => div({ class: "stack document" }, () => shown(get()))),
  };
};

const actionsOn = (now) => [
  now.status !== "void" && now.transfers.length > 0 && {
    name: t("Bank file"),
    key: "d",
    main: true,
    icon: "download",
    may: "finance.write",
    run: () => download(`${PAYMENT_RUNS}/${now.id}/file`),
  },
  now.can.includes("void") && {
    name: t("Void payment run"),
    icon: "undo-2",
    danger: true,
    run: () => dialog({ title: t("Void {number}?", { number: now.number }), body: (close) => voidForm(now, close) }),
  },
];

function voidForm(now, close) {
  const reason = signal("");
  const run = async () => {
    const body = { reason: reason.value || null };
    await send("POST", `${PAYMENT_RUNS}/${now.id}/void`, body, { version: now.version });
    changed(PAYMENT_RUNS, ...TOUCHED);
    close();
    notify(t("{number} voided. The bills are due again.", { number: now.number }), { kind: "good" });
  };
  return form(
    { run, submit: t("Void payment run"), cancel: () => close(), label: t("Void payment run"), kind: "danger" },
    p(t(
      "All payments of the run are voided, and the bills are due again. Only void the run if the bank has not paid.",
    )),
    field({ label: t("Reason"), name: "reason", isOptional: true }, textInput({ value: reason, name: "reason" })),
  );
}

const shown = (now) => [
  card(
    {},
    facts([
      [t("Amount"), money(now.amount, now.currency, { withCurrency: true })],
      [t("Date"), day(now.date)],
      [t("Account"), accountName({ code: now.accountCode, name: now.accountName })],
      [t("Created by"), now.createdByName],
      [t("Voided on"), now.voidedAt && moment(now.voidedAt)],
      [t("Reason"), now.voidReason],
    ]),
  ),
  card({ title: t("Bank transfers") }, transfers(now)),
  now.credits.length ? card({ title: t("Paid by credit") }, credits(now)) : null,
];

const transfers = (now) =>
  table({
    label: t("Bank transfers"),
    rows: () => now.transfers,
    key: ({ paymentId }) => paymentId,
    href: ({ paymentId }) => `/payments/${paymentId}`,
    columns: [
      { key: "supplier", text: t("Payee"), place: "name", cell: ({ supplierName }) => supplierName },
      { key: "iban", text: t("IBAN"), place: "meta", cell: ({ iban }) => iban },
      { key: "text", text: t("Payment reference"), isMinor: true, cell: ({ remittance }) => remittance },
      {
        key: "discount",
        text: t("Cash discount"),
        isFigure: true,
        isMinor: true,
        width: "8rem",
        cell: ({ discount }) => money(discount, now.currency, { dash: true }),
      },
      amountColumn(now),
      {
        key: "state",
        text: t("Status"),
        place: "state",
        width: "8rem",
        cell: (one) => (one.status === "void" ? paymentState(one) : null),
      },
    ],
  });

const credits = (now) =>
  table({
    label: t("Paid by credit"),
    rows: () => now.credits,
    key: ({ allocationId }) => allocationId,
    columns: [
      { key: "supplier", text: t("Payee"), place: "name", cell: ({ supplierName }) => supplierName },
      {
        key: "bill",
        text: t("Bill"),
        place: "meta",
        cell: ({ billId, billNumber }) => a({ href: `/bills/${billId}` }, billNumber),
      },
      { key: "credit", text: t("Allocated credit"), isMinor: true, cell: ({ creditNumber }) => creditNumber },
      amountColumn(now),
    ],
  });
