// Products: what the office sells again and again, offered for the lines of documents.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { importing } from "../../ui/actions.js";
import { recordsScreen } from "../../ui/records.js";
import { accountName } from "../../ui/accounts.js";
import { productFields } from "./fields.js";

export default () =>
  recordsScreen({
    path: "/finance/products",
    page: "products",
    title: t("Products"),
    back: { href: "/invoices", text: t("Invoices") },
    right: "finance.write",
    addText: t("New product"),
    emptyText: t("No products yet. Lines of documents use a product’s text, price, tax and account."),
    search: t("Search products"),
    deleteText: t("Only products that were never used can be deleted. Others can be archived."),
    nameOf: ({ name }) => name,
    size: "wide",
    actions: [importing("books/products", "finance.write")],
    columns,
    fields: productFields,
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
