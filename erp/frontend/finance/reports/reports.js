// The reports in their order: name, a sentence, how it is asked for, and the figure that stands for it: its row and column, and
// whether the column names it.
import { t } from "../../core/i18n.js";
import { session } from "../../core/session.js";
import { usualDays } from "./tax_return.js";

const TREE = { tree: "true" };

export const REPORTS = {
  "profit-and-loss": {
    text: () => t("Profit and loss"),
    about: () => t("Income less expenses of a period."),
    figure: ["result", "amount"],
  },
  "project-margin": {
    text: () => t("Margin of projects"),
    about: () => t("Income, time and costs of each project."),
    figure: ["total", "margin"],
  },
  "balance-sheet": {
    text: () => t("Balance sheet"),
    about: () => t("Assets, liabilities and equity on a day."),
    asks: TREE,
    figure: ["asset", "balance"],
  },
  "aged-receivables": {
    text: () => t("Aged receivables"),
    about: () => t("What customers owe, by days overdue."),
    figure: ["total", "total"],
  },
  "aged-payables": {
    text: () => t("Aged payables"),
    about: () => t("What you owe suppliers, by days overdue."),
    figure: ["total", "total"],
  },
  "cash-forecast": {
    text: () => t("Cash forecast"),
    about: () => t("Cash and bank as open items fall due."),
    figure: ["total", "balance"],
  },
  "cash-flow": {
    text: () => t("Cash flow"),
    about: () => t("Where money came from, and where it went."),
    figure: ["change", "amount"],
  },
  "tax": {
    text: () => t("VAT return"),
    about: () => t("The boxes of the return, with the documents behind them."),
    days: usualDays,
    isNamed: true,
    figure: ["payable", "tax"],
  },
  "tax-annual": {
    text: () => t("Returns of a year"),
    about: () => t("The year’s returns as filed, and as the books are now."),
    path: "/finance/tax-returns/annual",
    isNamed: true,
    figure: ["payable", "tax_change", true],
  },
  "ec-sales-list": {
    text: () => t("EC sales list"),
    about: () => t("Supplies to businesses in other EU countries."),
    days: usualDays,
    figure: ["total", "base"],
  },
  "oss": {
    text: () => t("One-stop shop (OSS)"),
    about: () => t("Sales to consumers in other EU countries, by country and rate."),
    days: usualDays,
    figure: ["total", "tax"],
  },
  "sales-tax": {
    text: () => t("Sales tax"),
    about: () => t("Taxable and exempt sales, by authority."),
    days: usualDays,
    figure: ["total", "tax"],
  },
  "tax-documents": {
    text: () => t("Documents in this box"),
    isNamed: true,
    isWithin: true, // reached from a return
  },
  "trial-balance": {
    text: () => t("Trial balance"),
    about: () => t("Opening balance, debits, credits and closing balance of each account."),
    asks: TREE,
    figure: ["total", "debit"],
  },
  "general-ledger": {
    text: () => t("General ledger"),
    about: () => t("All journal lines, account by account."),
    figureAsks: { limit: 1, total: "true" },
    figure: ["", "total"],
  },
  "number-gaps": {
    text: () => t("Missing numbers"),
    about: () => t("Numbers of documents in each series, and those without a document."),
    figure: ["", "missing"],
  },
  "asset-register": {
    text: () => t("Asset register"),
    about: () => t("Cost, depreciation and book value of each fixed asset."),
    figure: ["total", "book_value"],
  },
  "asset-movements": {
    text: () => t("Movements of fixed assets"),
    about: () => t("Additions, disposals and depreciation of a year."),
    figure: ["total", "book_closing"],
  },
  "consolidated": {
    text: () => t("Consolidation"),
    about: () => t("All your workspaces as one, without what they owe each other."),
    path: "/workspace/consolidated",
    isOffered: () => session.value.workspaces.length > 1,
    figure: ["elimination_difference", "total"],
  },
};

// The name under which the views of a report are kept.
export const viewsOf = (name) => `report_${name.replaceAll("-", "_")}`;

export const pathOf = (name) => REPORTS[name].path ?? `/finance/reports/${name}`;

// Names of the reports that can be opened on their own.
export const offered = () =>
  Object.keys(REPORTS).filter((name) => !REPORTS[name].isWithin && REPORTS[name].isOffered?.() !== false);
