// The navigation: places in their order. `may` hides what someone may not see, and `isShown` what is not used.
import { t } from "./core/i18n.js";
import { settings } from "./core/session.js";

const place = (under, href, name, icon, more = {}) => ({ under, href, name, icon, ...more });

// Each of these sees messages of some kind.
const MAIL_READERS = ["finance.read", "payroll.read", "invites.read", "workspace.write"];

// At the head, without a name.
const first = [
  place("home", "/", () => t("Home"), "house", { key: "g h" }),
  place("me", "/me", () => t("Me"), "user", { key: "g m" }),
];

// The groups of the sidebar; people can close each.
const groups = [
  {
    key: "sales",
    name: () => t.of("places", "Sales"),
    places: [
      place("invoices", "/invoices", () => t("Invoices"), "file-text", { may: "finance.read", key: "g i" }),
      place("quotes", "/quotes", () => t("Quotes"), "file-pen", { may: "finance.read", key: "g q" }),
      place("recurring", "/recurring", () => t("Recurring documents"), "repeat", { may: "finance.read" }),
      place("products", "/products", () => t("Products"), "package", { may: "finance.read" }),
      place("contacts", "/contacts", () => t("Contacts"), "contact", { may: "contacts.read", key: "g c" }),
    ],
  },
  {
    key: "purchases",
    name: () => t.of("places", "Purchases"),
    places: [
      place("bills", "/bills", () => t("Bills"), "receipt", { may: "finance.read" }),
      place("inbox", "/inbox", () => t("Inbox"), "inbox", { may: "finance.read", counts: "inbox" }),
      place("payment-runs", "/payment-runs", () => t("Payment runs"), "send", { may: "finance.read" }),
    ],
  },
  {
    key: "money",
    name: () => t("Money"),
    places: [
      place("bank", "/bank", () => t("Bank"), "landmark", { may: "finance.read", key: "g k", counts: "bank" }),
      place("payments", "/payments", () => t("Payments"), "banknote", { may: "finance.read", key: "g p" }),
      place("open-items", "/open-items", () => t("Open items"), "list-checks", { may: "finance.read" }),
      place("reminders", "/reminders", () => t("Reminders"), "bell", { may: "finance.read" }),
      place("messages", "/messages", () => t("Messages"), "mail", { may: MAIL_READERS }),
    ],
  },
  {
    key: "books",
    name: () => t("Books"),
    places: [
      place("reports", "/reports", () => t("Reports"), "chart-column", { may: "finance.read", key: "g r" }),
      place("journals", "/journals", () => t("Journal"), "book-open", { may: "finance.read", key: "g j" }),
      place("accounts", "/accounts", () => t("Accounts"), "list-tree", { may: "finance.read", key: "g a" }),
      place("assets", "/assets", () => t.of("fixed", "Assets"), "briefcase", { may: "finance.read" }),
      place("budgets", "/budgets", () => t("Budgets"), "calculator", { may: "finance.read" }),
      place("close", "/close", () => t.of("books", "Close"), "lock", { may: "finance.read" }),
    ],
  },
  {
    key: "work",
    name: () => t.of("places", "Work"),
    places: [
      place("projects", "/projects", () => t("Projects"), "folder", { may: "projects.read" }),
      place("board", "/board", () => t("Board"), "square-kanban", { may: "tasks.read", key: "g b" }),
      place("tasks", "/tasks", () => t("Tasks"), "square-check", { may: "tasks.read" }),
      place("time", "/time", () => t("Time"), "clock", { may: "time.read_own", key: "g t" }),
    ],
  },
  {
    key: "people",
    name: () => t("People"),
    places: [
      place("people", "/people", () => t("People"), "users", { may: "employees.read" }),
      place("leave", "/leave", () => t("Leave"), "tree-palm", { may: "leave.read_reports", key: "g l" }),
      place("attendance", "/attendance", () => t("Attendance"), "calendar-check", { may: "attendance.read_reports" }),
      place("expenses", "/expenses", () => t.of("claims", "Expenses"), "receipt-text", { may: "expenses.read_own" }),
      place("payroll", "/payroll", () => t("Payroll"), "wallet", { may: "payroll.read" }),
    ],
  },
];

// At the foot.
const last = [place("settings", "/settings", () => t("Settings"), "settings", { may: "workspace.write" })];

export const places = { first, groups, last };
export const allPlaces = [first, ...groups.map((group) => group.places), last].flat();

// Screens that other screens lead to, and the palette.
export const further = [
  place("home", "/notices", () => t("Notices"), "bell"),
  place("payments", "/transfers", () => t("Transfers between accounts"), "arrow-right-left", { may: "finance.read" }),
  place("open-items", "/offsets", () => t("Offsets"), "scale", { may: "finance.read" }),
  place("close", "/close/year", () => t("Year end"), "calendar-check", { may: "finance.read" }),
  place("close", "/close/revaluation", () => t("Revaluations"), "scale", { may: "finance.read" }),
  place("assets", "/depreciation-runs", () => t("Depreciation runs"), "calendar-check", { may: "finance.read" }),
  place("accounts", "/settings/tax-rates", () => t("Tax rates"), "percent", { may: "finance.read" }),
  place("accounts", "/settings/dimensions", () => t("Dimensions"), "list-tree", { may: "finance.read" }),
  place("accounts", "/settings/exchange-rates", () => t("Exchange rates"), "coins", { may: "finance.read" }),
  place("settings", "/settings/reminder-levels", () => t("Reminder levels"), "list-tree", { may: "finance.read" }),
  place("settings", "/settings/base-rates", () => t("Base rates"), "percent", { may: "finance.read" }),
  place("settings", "/settings/default-accounts", () => t("Default accounts"), "list-tree", {
    may: "workspace.write",
  }),
  place("settings", "/settings/workspace", () => t("Workspace"), "building-2", { may: "workspace.own" }),
  place("settings", "/settings/paper", () => t.of("settings", "Paper"), "file-text", { may: "workspace.write" }),
  place("settings", "/settings/texts", () => t("Texts"), "pencil", { may: "workspace.write" }),
  place("people", "/people/checklists", () => t("Checklists"), "list-checks", { may: "employees.write" }),
  place("people", "/people/documents", () => t("Documents of employees"), "file-text", { may: "employees.write" }),
  place("people", "/settings/sites", () => t("Sites"), "building-2", { may: "leave.read_own" }),
  place("leave", "/settings/leave-types", () => t("Leave types"), "list-tree", { may: "leave.read_reports" }),
  place("leave", "/settings/holidays", () => t("Public holidays"), "calendar", { may: "leave.read_own" }),
  place("expenses", "/settings/expense-categories", () => t("Expense categories"), "list-tree", {
    may: "expenses.post",
  }),
  place("expenses", "/settings/expense-rates", () => t("Expense rates"), "percent", { may: "expenses.post" }),
  place("payroll", "/settings/pay-components", () => t("Pay components"), "list-tree", { may: "payroll.read" }),
  place("payroll", "/payroll/wages", () => t("Wage data"), "download", { may: "payroll.read" }),
  place("payroll", "/settings/wage-types", () => t("Wage types"), "list-tree", { may: "payroll.read" }),
  place("time", "/time/entries", () => t("Time entries"), "clock", { may: "time.read_own" }),
  place("time", "/time/approve", () => t("Approve time"), "calendar-check", {
    may: "time.write",
    isShown: () => settings().timeApproval !== "off",
  }),
  place("bank", "/bank/rules", () => t("Bank rules"), "list-checks", { may: "finance.read" }),
  place("reports", "/report-proof", () => t("Verify a report"), "shield", { may: "finance.read" }),
  place("reports", "/reports/tax", () => t("VAT return"), "chart-column", { may: "finance.read" }),
  place("reports", "/reports/profit-and-loss", () => t("Profit and loss"), "chart-column", { may: "finance.read" }),
  place("reports", "/reports/balance-sheet", () => t("Balance sheet"), "chart-column", { may: "finance.read" }),
  place("reports", "/reports/trial-balance", () => t("Trial balance"), "chart-column", { may: "finance.read" }),
  place("reports", "/reports/project-margin", () => t("Margin of projects"), "chart-column", { may: "finance.read" }),
  place("reports", "/reports/asset-register", () => t("Asset register"), "chart-column", { may: "finance.read" }),
  ...[
    ["aged-receivables", () => t("Aged receivables")],
    ["aged-payables", () => t("Aged payables")],
    ["cash-flow", () => t("Cash flow")],
    ["cash-forecast", () => t("Cash forecast")],
    ["general-ledger", () => t("General ledger")],
    ["ec-sales-list", () => t("EC sales list")],
    ["number-gaps", () => t("Missing numbers")],
    ["asset-movements", () => t("Movements of fixed assets")],
  ].map(([name, text]) => place("reports", `/reports/${name}`, text, "chart-column", { may: "finance.read" })),
  place("close", "/settings/process-chapters", () => t("Own chapters"), "file-text", { may: "finance.read" }),
  place("close", "/close/advisor", () => t("Tax advisor"), "file-text", { may: "finance.read" }),
  place("settings", "/settings/members", () => t("Members"), "users", { may: "members.read" }),
  place("settings", "/settings/mail", () => t("Mail server"), "mail", { may: "workspace.write" }),
  place("settings", "/settings/webhooks", () => t("Webhooks"), "settings", { may: "workspace.write" }),
  place("settings", "/import", () => t("Import data"), "upload", { may: "contacts.write" }),
  place("settings", "/settings/column-mappings", () => t("Column mappings"), "list-tree", { may: "contacts.write" }),
  place("settings", "/log", () => t("Audit log"), "history", { may: "events.read" }),
];

// Each of these makes something from every screen.
export const MAKERS = [
  "finance.write",
  "contacts.write",
  "tasks.write",
  "time.write_own",
  "leave.write_own",
  "employees.write",
];

// The bar of a phone: at most four places, and all others under "More".
export const onPhone = (may) => ["home", "me", "time", may("finance.read") ? "invoices" : "board"];
