// The fields of a product: its form, and the columns of tables that are imported.
import { t } from "../../core/i18n.js";
import { currency, settings } from "../../core/session.js";
import { postable } from "../../ui/accounts.js";
import { dimensionsField } from "../dimensions/choice.js";
import { rateOptions } from "../tax_rates/choice.js";

const sold = ({ side }) => side !== "purchase";
const bought = ({ side }) => side !== "sale";

export function productFields(product) {
  const accounts = postable();
  return [
    { name: "name", label: t("Name"), example: "Consulting", meaning: t("The name that you look for") },
    { name: "number", label: t("Product number"), isOptional: true, maxlength: 40, example: "C-1" },
    { name: "unitPrice", label: t("Price"), kind: "money", isOptional: true, example: "120.00" },
    { name: "unit", label: t("Unit"), isOptional: true, hint: t("For example hour, piece or month."), example: "h" },
    {
      name: "currency",
      label: t("Currency"),
      isOptional: true,
      maxlength: 3,
      hint: t("Default: {currency}.", { currency: currency() }),
    },
    { name: "taxRateId", label: t("Tax"), kind: "choice", isOptional: true, options: rateOptions(sold) },
    {
      name: "accountId",
      label: t("Account"),
      kind: "search",
      isOptional: true,
      options: accounts.options,
      shown: accounts.name,
      example: "4000",
      meaning: t("Code of the income account"),
    },
    {
      name: "purchasePrice",
      label: t("Purchase price"),
      kind: "money",
      isOptional: true,
      hint: t("For lines of bills."),
      example: "80.00",
    },
    {
      name: "purchaseTaxRateId",
      label: t("Tax on bills"),
      kind: "choice",
      isOptional: true,
      options: rateOptions(bought),
    },
    {
      name: "purchaseAccountId",
      label: t("Account on bills"),
      kind: "search",
      isOptional: true,
      options: accounts.options,
      shown: accounts.name,
      example: "5000",
      meaning: t("Code of the expense account"),
    },
    {
      name: "description",
      label: t("Line text"),
      kind: "area",
      isOptional: true,
      hint: t("Default: the name."),
      example: "Consulting by the hour",
    },
    {
      name: "priceIncludesTax",
      label: t("The price includes tax"),
      kind: "check",
      start: product?.priceIncludesTax ?? settings().pricesIncludeTax,
    },
    dimensionsField,
  ];
}
