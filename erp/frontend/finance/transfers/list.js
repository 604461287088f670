// Transfers: money that goes from one of the office’s own accounts to another.
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { pill } from "../../ui/pill.js";
import { recordsScreen } from "../../ui/records.js";
import { accountName, postable } from "../../ui/accounts.js";
import { amountColumn } from "../columns.js";
import { TOUCHED } from "../payments/touched.js";
import { voidAction } from "../payments/void.js";

const TRANSFERS = "/finance/transfers";
const OF_MONEY = ["bank", "cash", "credit_card"];

export default () =>
  recordsScreen({
    path: TRANSFERS,
    page: "transfers",
    changes: TOUCHED,
    isArchivable: false,
    title: t("Transfers between accounts"),
    back: { href: "/payments", text: t("Payments") },
    right: "finance.write",
    addText: t("New transfer"),
    emptyText: t(
      "No transfers yet. A transfer moves money from one of your accounts to another, for example cash to the bank.",
    ),
    nameOf: ({ number }) => number,
    canChange: () => false,
    rowActions: (transfer) => (transfer.can.includes("void") ? [takingBack(transfer)] : []),
    size: "wide",
    columns,
    fields,
  });

const columns = [
  {
    key: "number",
    text: t.of("document", "Number"),
    place: "name",
    width: "9rem",
    cell: ({ number, journalEntryId }) => tags.a({ href: `/journals/${journalEntryId}` }, number),
  },
  { key: "date", text: t("Date"), place: "meta", width: "8rem", cell: ({ date }) => day(date) },
  {
    key: "from",
    text: t("From account"),
    isMinor: true,
    cell: (one) => accountName({ code: one.fromAccountCode, name: one.fromAccountName }),
  },
  {
    key: "to",
    text: t("To account"),
    place: "meta",
    cell: (one) => accountName({ code: one.toAccountCode, name: one.toAccountName }),
  },
  {
    key: "state",
    text: t("Status"),
    place: "state",
    width: "6rem",
    cell: ({ status }) => (status === "void" ? pill(t("void"), "bad") : null),
  },
  amountColumn(),
];

function fields() {
  const accounts = postable(({ subtype }) => OF_MONEY.includes(subtype));
  const account = (name, label) => ({
    name,
    label,
    kind: "search",
    options: accounts.options,
    shown: (id) => id && accounts.name(id),
  });
  return [
    account("fromAccountId", t("From account")),
    account("toAccountId", t("To account")),
    { name: "amount", label: t("Amount"), kind: "number" },
    { name: "date", label: t("Date"), kind: "day", isOptional: true, hint: t("Default: today.") },
    {
      name: "receivedAmount",
      label: t("Amount received"),
      kind: "number",
      isOptional: true,
      hint: t("Only if the accounts have different currencies."),
    },
    { name: "feeAmount", label: t("Bank fee"), kind: "number", isOptional: true },
    { name: "reference", label: t("Reference"), isOptional: true },
  ];
}

const takingBack = (transfer) =>
  voidAction(TRANSFERS, transfer, {
    text: t("The entry is reversed."),
    figures: [[t("Amount"), money(transfer.amount, transfer.currency, { withCurrency: true })]],
  });
