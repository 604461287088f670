// The tables of the books that can be imported.
import { t } from "../core/i18n.js";
import { columnsOf } from "../ui/fields.js";
import { column, importScreen, needed } from "../ui/import.js";
import { accountFields } from "./accounts/fields.js";
import { fieldsOf } from "./assets/fields.js";
import { contactFields } from "./contacts/fields.js";
import { productFields } from "./products/fields.js";

const matched = (kind) => ({
  ...kind,
  askColumns: async (file, sheet) =>
    (await import("./column_mappings/form.js")).askColumns(kind.path, file, sheet, kind.columns),
});

// A column whose value is the same in the second row of the example.
const inBoth = (name, example, meaning) => ({ ...needed(name, example, meaning), second: example });

const TABLES = {
  contacts: () =>
    matched({
      path: "/finance/contacts/import",
      asksDuplicates: true,
      href: "/contacts",
      columns: columnsOf(contactFields()),
    }),
  products: () => ({
    path: "/finance/products/import",
    href: "/products",
    columns: columnsOf(productFields(null)),
  }),
  assets: () => ({
    path: "/finance/assets/import",
    href: "/assets",
    about: t("Nothing is posted: the opening balances have the accounts of old assets."),
    columns: columnsOf(fieldsOf(null)),
  }),
  accounts: () => ({
    path: "/finance/accounts/import",
    href: "/accounts",
    columns: columnsOf(accountFields()),
  }),
  opening: () =>
    matched({
      path: "/finance/opening-balances",
      href: "/reports/balance-sheet",
      hasDay: true,
      about: t("Receivables and payables have one row per document, with contact and number."),
      columns: [
        needed("account", "1010", t("Account code")),
        needed("debit", "10000.00", t("Debit balance")),
        needed("credit", "", t("Credit balance")),
        column("contact", "", t("Name of the customer or supplier, for an open document")),
        column("number", "", t("Number of the open document")),
        column("documentDate", "", t("Issue date, for example 2026-01-31")),
        column("dueDate", "", t("Due date")),
      ],
    }),
  journals: () => ({
    path: "/finance/journals/import",
    asksDuplicates: true,
    href: "/journals",
    about: t("Each row is a journal line. Consecutive rows with the same entry number are posted together."),
    columns: [
      inBoth("entry", "1", t("Entry number, the same in all its rows")),
      inBoth("date", "2026-01-31", t("Entry date")),
      inBoth("text", "Rent for January", t("Purpose")),
      { ...needed("accountId", "6100", t("Account code")), second: "1010" },
      needed("debit", "900.00", t("Amount in debit")),
      { ...needed("credit", "", t("Amount in credit")), second: "900.00" },
    ],
  }),
  gnucash: () => ({
    path: "/finance/journals/import",
    parameters: { source: "gnucash" },
    href: "/journals",
    hasDateOrder: true,
    about: t("Export the transactions as CSV. Accounts are found by their names or codes."),
  }),
  "xero-contacts": () => ({
    path: "/finance/contacts/import",
    asksDuplicates: true,
    parameters: { source: "xero" },
    href: "/contacts",
    about: t("Export the contacts as CSV. They become customers and suppliers. Names that are here are left out."),
  }),
  "xero-accounts": () => ({
    path: "/finance/accounts/import",
    parameters: { source: "xero" },
    href: "/accounts",
    about: t("Export the chart of accounts as CSV. Account codes that are here are left out."),
  }),
  "xero-invoices": () => ({
    path: "/finance/opening-balances",
    parameters: { source: "xero" },
    href: "/open-items",
    hasDay: true,
    hasDateOrder: true,
    about: t(
      "Import the contacts first. Export the invoices or the bills as CSV: what is unpaid is added to the opening balances.",
    ),
  }),
};

export default ({ params }) => importScreen(TABLES, params.table);
