// The fields of a payment: the forms that record one, and the facts of its page.
import { moment, money, number } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { todayAtFirst } from "../../core/parse.js";
import { currency } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { computed, tags } from "../../core/view.js";

const METHODS = {
  bank_transfer: () => t("Bank transfer"),
  cash: () => t("Cash"),
  card: () => t("Card"),
  direct_debit: () => t("Direct debit"),
  check: () => t("Cheque"),
  other: () => t("Other"),
};

// The accounts that hold money: those that fit a currency, or all.
export function moneyAccounts(wanted = null) {
  const accounts = resource("/finance/accounts");
  const isMoney = ({ subtype, isGroup }) => !isGroup && ["bank", "cash"].includes(subtype);
  const suits = (one) => !wanted || !one.currency || [wanted(), currency()].includes(one.currency);
  return computed(() => (accounts.value ?? []).filter((one) => isMoney(one) && suits(one)));
}

// Of a payment, or of one that is to be recorded in a currency.
export const paymentFields = ({ direction, currency: code }) => [
  { label: direction === "made" ? t("Payee") : t("Payer"), told: partyLink },
  {
    name: "amount",
    label: t("Amount in {currency}", { currency: code }),
    kind: "money",
    currency: code,
    isFact: false,
  },
  {
    label: t("Amount"),
    told: ({ amount }) => tags.span({ class: "strong" }, money(amount, code, { withCurrency: true })),
  },
  { label: t("Bank fee"), told: ({ feeAmount }) => money(feeAmount, code) },
  { name: "date", label: t("Date"), kind: "day", begin: todayAtFirst },
  { label: t("Payment method"), told: ({ method }) => METHODS[method]?.() ?? method },
  {
    name: "accountId",
    label: t("Account"),
    kind: "choice",
    empty: t("Default bank account"),
    makeOptions: () => accountOptions(code),
    told: ({ accountCode, accountName }) => accountName && `${accountCode} ${accountName}`,
  },
  {
    name: "exchangeRate",
    label: t("Exchange rate"),
    kind: "number",
    isOptional: true,
    hint: t("Default: latest exchange rate."),
    words: (rate) => rate && number(rate),
  },
  { name: "reference", label: t("Reference"), isOptional: true },
  { label: t.of("internal", "Note"), told: ({ note }) => note },
  { label: t("Posted by"), told: ({ createdByName }) => createdByName },
  { label: t("Voided on"), told: ({ voidedAt }) => voidedAt && moment(voidedAt) },
  { label: t("Reason"), told: ({ voidReason }) => voidReason },
];

const partyLink = ({ contactId: id, contactName: name }) => (id ? tags.a({ href: `/contacts/${id}` }, name) : name);

function accountOptions(code) {
  const accounts = moneyAccounts(() => code);
  return () => accounts.value.map(({ id, code: number, name }) => ({ value: id, text: `${number} ${name}` }));
}
