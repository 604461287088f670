// The navigation beside all settings: their pages and screens.
import { t } from "../../core/i18n.js";
import { isAdmin, may } from "../../core/session.js";
import { tags } from "../../core/view.js";

const { a, div, nav, p } = tags;

const page = (key, name, right = null) => ({ key, href: `/settings/${key}`, name, may: right });
const screen = (href, name, right = null) => ({ key: null, href, name, may: right });

// In their order. One with a `key` is a page of the settings, the others are screens of their own.
export const groups = () => [
  {
    name: t("Office"),
    entries: [
      page("company", t("Company")),
      page("paper", t.of("settings", "Paper"), "workspace.write"),
      page("numbers", t("Number series")),
      screen("/settings/texts", t("Texts"), "workspace.write"),
      screen("/settings/workspace", t("Workspace"), "workspace.own"),
    ],
  },
  {
    name: t.of("settings", "Money"),
    entries: [
      page("tax", t("Tax")),
      page("defaults", t.of("settings", "Defaults")),
      page("default-accounts", t("Default accounts"), "finance.read"),
      screen("/settings/tax-rates", t("Tax rates"), "finance.read"),
      screen("/settings/dimensions", t("Dimensions"), "finance.read"),
      screen("/settings/exchange-rates", t("Exchange rates"), "finance.read"),
    ],
  },
  {
    name: t.of("settings", "Selling"),
    entries: [
      page("selling", t("Quotes and time")),
      page("reminders", t("Reminders")),
      screen("/settings/reminder-levels", t("Reminder levels"), "finance.read"),
      screen("/settings/base-rates", t("Base rates"), "finance.read"),
      screen("/settings/mail", t("Mail server"), "workspace.write"),
    ],
  },
  {
    name: t("Time"),
    entries: [
      page("work-week", t.of("settings", "Work week")),
      page("time", t("Approval of time")),
      screen("/settings/leave-types", t("Leave types"), "leave.read_reports"),
      screen("/settings/holidays", t("Public holidays"), "leave.read_own"),
      page("pay", t.of("noun", "Pay")),
      screen("/settings/pay-components", t("Pay components"), "payroll.read"),
      screen("/settings/wage-types", t("Wage types"), "payroll.read"),
    ],
  },
  {
    name: t("People"),
    entries: [
      screen("/settings/members", t("Members"), "members.read"),
      page("access", t("Access")),
      screen("/settings/sites", t("Sites"), "leave.read_own"),
      screen("/settings/expense-categories", t("Expense categories"), "expenses.post"),
      screen("/settings/expense-rates", t("Expense rates"), "expenses.post"),
      page("personal-data", t("Personal data"), "employees.write"),
    ],
  },
  {
    name: t.of("settings", "Data"),
    entries: [
      screen("/import", t("Import data")),
      screen("/settings/column-mappings", t("Column mappings"), "contacts.write"),
      page("export", t("Export"), "workspace.own"),
      screen("/settings/webhooks", t("Webhooks"), "workspace.write"),
      screen("/log", t("Audit log"), "events.read"),
    ],
  },
  {
    name: t("Server"),
    isAdmin: true,
    entries: [
      screen("/server", t("Network")),
      screen("/server/backups", t("Backups")),
      screen("/server/users", t("Users")),
    ],
  },
];

// What someone may see of them.
export const visible = () =>
  groups()
    .filter((group) => !group.isAdmin || isAdmin())
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => may(entry.may)) }))
    .filter(({ entries }) => entries.length);

// `field` finds a setting; `results()` stand in place of the groups while there are any.
export function navigationOf(all, shown, field, results = null) {
  const element = nav(
    { class: "settings-nav", "aria-label": t("Settings") },
    field,
    () => results?.() ?? all.map((group) => groupOf(group, shown)),
  );
  requestAnimationFrame(() => showCurrent(element));
  return element;
}

// Where it scrolls by itself, the page that is shown is in the middle of it.
function showCurrent(element) {
  /** @type {HTMLElement | null} */
  const current = element.querySelector("[aria-current=page]");
  if (current) element.scrollTop = current.offsetTop - element.clientHeight / 2;
}

const groupOf = ({ name, entries }, shown) =>
  div(
    { class: "settings-group" },
    p({ class: "soft small" }, name),
    entries.map((entry) =>
      a({ class: "nav-link", href: entry.href, "aria-current": entry === shown ? "page" : null }, entry.name)
    ),
  );
