// The tables that can be imported; the ones that a role may import are tabs above each.
import { t } from "../core/i18n.js";
import { may } from "../core/session.js";
import { tags } from "../core/view.js";
import { empty } from "./empty.js";
import { tabs } from "./tabs.js";

const place = (area, key, text, right) => ({ key, text, may: right, href: `/import/${area}/${key}` });

const IMPORTS = [
  place("books", "contacts", () => t("Contacts"), "contacts.write"),
  place("books", "products", () => t("Products"), "finance.write"),
  place("books", "assets", () => t.of("fixed", "Assets"), "finance.write"),
  place("books", "accounts", () => t("Accounts"), "finance.write"),
  place("books", "opening", () => t("Opening balances"), "finance.write"),
  place("books", "journals", () => t("Journal entries"), "finance.write"),
  place("books", "gnucash", () => t("Journal entries from GnuCash"), "finance.write"),
  place("books", "xero-contacts", () => t("Contacts from Xero"), "contacts.write"),
  place("books", "xero-accounts", () => t("Accounts from Xero"), "finance.write"),
  place("books", "xero-invoices", () => t("Open invoices and bills from Xero"), "finance.write"),
  place("people", "employees", () => t("Employees"), "employees.write"),
  place("work", "tasks", () => t("Tasks"), "tasks.write_own"),
  place("people", "attendance", () => t("Attendance"), "attendance.write"),
  place("work", "time", () => t("Working time"), "time.write_own"),
  place("work", "toggl", () => "Toggl Track", "time.write"),
  place("work", "clockify", () => "Clockify", "time.write"),
  place("work", "kimai", () => "Kimai", "time.write"),
];

// A screen of the table `name`, or of none yet.
export function importFrame(name, content) {
  const allowed = IMPORTS.filter((one) => may(one.may));
  const isAllowed = name ? allowed.some(({ key }) => key === name) : allowed.length > 0;
  return {
    title: t("Import data"),
    back: may("workspace.write") ? { href: "/settings", text: t("Settings") } : null,
    body: tags.div(
      { class: "stack document" },
      allowed.length > 0 && tabs({
        label: t("Data"),
        items: allowed.map(({ key, text, href }) => ({ key, text: text(), href })),
        current: () => name,
      }),
      isAllowed ? content : empty(t("Your role cannot import anything here.")),
    ),
  };
}

export const chooseTable = () => tags.p({ class: "soft" }, t("Choose the data to import."));
