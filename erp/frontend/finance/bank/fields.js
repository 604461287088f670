// The fields of a bank rule.
import { t } from "../../core/i18n.js";
import { postable } from "../../ui/accounts.js";
import { dimensionsField } from "../dimensions/choice.js";
import { rateOptions } from "../tax_rates/choice.js";

export function ruleFields() {
  const accounts = postable();
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
      name: "taxRateId",
      label: t("Tax in the amount"),
      kind: "choice",
      isOptional: true,
      makeOptions: () => rateOptions(({ category }) => category === "S"),
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
