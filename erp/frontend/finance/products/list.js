// Products: what the office sells again and again, offered for the lines of documents.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency, settings } from "../../core/session.js";
import { bringIn } from "../../ui/actions.js";
import { recordsScreen } from "../../ui/records.js";
import { accountName, postable } from "../../ui/accounts.js";
import { defaultDimensions } from "../dimensions/choice.js";
import { rateOptions } from "../tax_rates/choice.js";

export default () =>
  recordsScreen({
    path: "/finance/products",
    title: t("Products"),
    back: { href: "/invoices", text: t("Invoices") },
    right: "finance.write",
    addText: t("New product"),
    emptyText: t("No products yet. Lines of documents use a product’s text, price, tax and account."),
    search: t("Search products"),
    deleteText: t("Only products that were never used can be deleted. Others can be archived."),
    nameOf: ({ name }) => name,
    size: "wide",
    actions: [bringIn("products", "finance.write")],
    columns,
    fields,
  });

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  { key: "number", text: t("Product number"), isMinor: true, width: "8rem", cell: ({ number }) => number ?? "" },
  { key: "unit", text: t("Unit"), place: "meta", width: "6rem", cell: ({ unit }) => unit ?? "" },
  {
    key: "account",
    text: t("Account"),
    isMinor: true,
    cell: (one) => (one.accountId ? accountName({ code: one.accountCode, name: one.accountName }) : ""),
  },
  { key: "tax", text: t("Tax"), isMinor: true, width: "10rem", cell: ({ taxRateName }) => taxRateName ?? "" },
  {
    key: "price",
    text: t("Price"),
    isFigure: true,
    place: "figure",
    width: "9rem",
    cell: (one) => (one.unitPrice ? money(one.unitPrice, one.currency, { withCurrency: true }) : ""),
  },
];

function fields(product) {
  const accounts = postable();
  return [
    { name: "name", label: t("Name") },
    { name: "number", label: t("Product number"), isOptional: true, maxlength: 40 },
    { name: "unitPrice", label: t("Price"), kind: "money", isOptional: true },
    { name: "unit", label: t("Unit"), isOptional: true, hint: t("For example hour, piece or month.") },
    {
      name: "currency",
      label: t("Currency"),
      isOptional: true,
      maxlength: 3,
      hint: t("Default: {currency}.", { currency: currency() }),
    },
    { name: "taxRateId", label: t("Tax"), kind: "choice", isOptional: true, options: rateOptions() },
    {
      name: "accountId",
      label: t("Account"),
      kind: "search",
      isOptional: true,
      options: accounts.options,
      shown: accounts.name,
    },
    {
      name: "description",
      label: t("Line text"),
      kind: "area",
      isOptional: true,
      hint: t("Default: the name."),
    },
    {
      name: "priceIncludesTax",
      label: t("The price includes tax"),
      kind: "check",
      start: product?.priceIncludesTax ?? settings().pricesIncludeTax,
    },
    defaultDimensions,
  ];
}
