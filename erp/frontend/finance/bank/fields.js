// The fields of a bank rule.
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { effect } from "../../core/view.js";
import { postable } from "../../ui/accounts.js";
import { contactOptions, nameOfContact } from "../contacts/choice.js";
import { dimensionsField } from "../dimensions/choice.js";
import { rateOptions } from "../tax_rates/choice.js";

// The tax of the rate that posts to the account that is chosen, or that another rule takes for it, until one is chosen.
function proposeTax({ accountId, taxRateId }) {
  const [rates, rules] = [
    resource("/finance/tax-rates?limit=200"),
    resource("/finance/bank/rules?sort=createdAt&limit=200"),
  ];
  let proposed = taxRateId.peek() ? null : "";
  let before = accountId.peek();
  effect(() => {
    const account = accountId.value;
    const posts = (one) => one.category === "S" && [one.expenseAccountId, one.incomeAccountId].includes(account);
    const rate = (rates.value ?? []).find(posts)?.id ??
      (rules.value ?? []).find((one) => one.accountId === account && one.taxRateId)?.taxRateId ?? "";
    if (!account || account === before || (taxRateId.peek() ?? "") !== proposed) return;
    if (rates.value && rules.value) before = account;
    taxRateId.value = proposed = rate;
  });
}

export function ruleFields() {
  const accounts = postable();
  const banks = postable(({ subtype }) => subtype === "bank" || subtype === "cash");
  return [
    {
      name: "text",
      label: t("Transactions with"),
      isWide: true,
      ifEmpty: "",
      hint: t("Text that recurs, such as the name of a fee."),
    },
    { name: "accountId", label: t("Account"), kind: "search", options: accounts.options, shown: accounts.name },
    {
      name: "direction",
      label: t("Money in or out"),
      kind: "choice",
      start: "any",
      options: [
        { value: "any", text: t("in and out") },
        { value: "in", text: t("Money in") },
        { value: "out", text: t("Money out") },
      ],
    },
    {
      name: "accountOfBankId",
      label: t("Only for this bank account"),
      kind: "search",
      isOptional: true,
      options: banks.options,
      shown: banks.name,
    },
    {
      name: "contactId",
      label: t("Contact"),
      kind: "search",
      isOptional: true,
      hint: t("For accounts that need a contact."),
      options: contactOptions(null),
      shown: nameOfContact,
    },
    {
      name: "taxRateId",
      label: t("Tax in the amount"),
      kind: "choice",
      isOptional: true,
      makeOptions: (signals) => {
        proposeTax(signals);
        return rateOptions(({ category }) => category === "S");
      },
    },
    { name: "description", label: t("Description"), isOptional: true },
    dimensionsField,
    {
      name: "isAutomatic",
      label: t("Post automatically"),
      kind: "check",
      hint: t("As soon as a statement is imported, without asking."),
    },
  ];
}
