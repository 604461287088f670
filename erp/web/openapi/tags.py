"""The tags of operations: what people look for, whichever area serves it."""

from typing import NamedTuple


class Tag(NamedTuple):
    """A tag, and the beginnings of its paths; a longer beginning goes before a shorter one."""

    name: str
    description: str
    paths: tuple[str, ...]


TAGS = (
    Tag("Sign-in", "Registration, signing in and out, two-factor sign-in, passwords and sessions.", ("/auth",)),
    Tag("Access tokens", "Tokens for scripts, and secret calendar addresses.", ("/auth/tokens", "/auth/calendar")),
    Tag("Workspaces", "Workspaces and their settings, the home page and the search.", ("/workspace",)),
    Tag(
        "Members",
        "Members of a workspace, their roles, and invites.",
        ("/workspace/members", "/workspace/invites", "/workspace/roles", "/workspace/leave"),
    ),
    Tag("Changes", "The feed of changes, and the audit log.", ("/workspace/changes", "/workspace/events")),
    Tag("Notices", "Messages about events that concern you.", ("/workspace/notice",)),
    Tag(
        "Data protection",
        "Personal data: its export, its erasure, and how long it is kept.",
        ("/workspace/people", "/workspace/retention", "/hr/me/export"),
    ),
    Tag("Views", "Views of lists: their filters, columns and order.", ("/workspace/views",)),
    Tag("Files", "Files of records, and the inbox.", ("/workspace/attachments",)),
    Tag("Webhooks", "Events of a workspace, sent to other programs.", ("/workspace/webhooks",)),
    Tag(
        "Mail",
        "The mail server of a workspace, and messages that go out.",
        ("/workspace/mail", "/workspace/messages"),
    ),
    Tag("Projects", "Projects: the office's work, its customers, budgets and results.", ("/projects",)),
    Tag("Tasks", "Tasks, the board and comments.", ("/tasks",)),
    Tag(
        "Time",
        "Time logs and timers.",
        ("/tasks/time-logs", "/tasks/timer", "/tasks/{id}/time-logs", "/tasks/{id}/timer"),
    ),
    Tag(
        "Contacts",
        "Customers and suppliers, their statements, and the columns of files that are imported.",
        ("/finance/contacts", "/finance/column-mappings"),
    ),
    Tag("Products", "Articles and services for lines of documents.", ("/finance/products",)),
    Tag("Invoices", "Invoices, bills and credit notes.", ("/finance/invoices",)),
    Tag("Quotes", "Quotes: what customers are offered, accept, and are invoiced.", ("/finance/quotes",)),
    Tag(
        "Reminders",
        "Letters about overdue invoices, their levels, and the base rates of interest.",
        ("/finance/reminders", "/finance/reminder-levels", "/finance/reminder-runs", "/finance/base-rates"),
    ),
    Tag("Recurring documents", "Invoices and entries that repeat.", ("/finance/recurring",)),
    Tag(
        "Payments",
        "Payments, payment runs and the bills that they pay, and transfers between own accounts.",
        ("/finance/payments", "/finance/payment-runs", "/finance/bills", "/finance/transfers"),
    ),
    Tag(
        "Open items",
        "Amounts that contacts owe or are owed, and settling them against each other.",
        ("/finance/open-items", "/finance/allocations", "/finance/offsets"),
    ),
    Tag("Bank", "Bank statements, transactions and their matches, and rules.", ("/finance/bank",)),
    Tag("Budgets", "Planned income and expenses of a fiscal year.", ("/finance/budgets",)),
    Tag(
        "Accounts and journal",
        "The chart of accounts, dimensions, journal entries and opening balances.",
        ("/finance/accounts", "/finance/dimension", "/finance/journals", "/finance/opening-balances"),
    ),
    Tag(
        "Fixed assets",
        "Fixed assets, their depreciation and their disposal.",
        ("/finance/assets", "/finance/depreciation-runs", "/finance/reports/asset-"),
    ),
    Tag(
        "Taxes",
        "Tax rates, VAT returns, the EC sales list, the one-stop shop and sales tax.",
        (
            "/finance/tax-rates",
            "/finance/tax-returns",
            "/finance/reports/tax",
            "/finance/reports/ec-sales",
            "/finance/reports/oss",
            "/finance/reports/sales-tax",
        ),
    ),
    Tag(
        "Currencies",
        "Exchange rates, and the value of foreign currencies at the end of a day.",
        ("/finance/exchange-rates", "/finance/revaluations"),
    ),
    Tag(
        "Reports",
        "Balance sheet, profit and loss, and the other reports of the books.",
        ("/finance/reports", "/workspace/consolidated"),
    ),
    Tag(
        "Closing",
        "Locked periods, fiscal years and the process description.",
        ("/finance/periods", "/finance/fiscal-years", "/finance/process-chapters"),
    ),
    Tag("Shared documents", "One document by the secret of a link, without signing in.", ("/share",)),
    Tag("DATEV", "Batches for the tax advisor, and from them.", ("/finance/datev",)),
    Tag(
        "Employees",
        "Employees, their sites, their employment and their pay.",
        ("/hr/employees", "/hr/me", "/hr/sites"),
    ),
    Tag(
        "Papers and checklists",
        "Documents of employees, and lists of what is to be done when somebody comes or leaves.",
        ("/hr/documents", "/hr/checklist"),
    ),
    Tag(
        "Attendance",
        "Clocking in and out, also at a kiosk, attendance records and their corrections.",
        ("/hr/attendance", "/hr/kiosks", "/kiosk"),
    ),
    Tag("Expenses", "Expense claims, their categories, and rates of mileage and per diems.", ("/hr/expense",)),
    Tag("Leave", "Leave applications, the leave calendar and holidays.", ("/hr/leave", "/hr/holidays")),
    Tag(
        "Leave accounts",
        "Leave types, balances, adjustments and leave years.",
        ("/hr/leave-types", "/hr/leave-balances", "/hr/leave-adjustments", "/hr/leave-years"),
    ),
    Tag(
        "Payroll",
        "Payroll runs and payslips, and wage data for an external payroll provider.",
        ("/hr/payroll",),
    ),
    Tag(
        "Pay components",
        "Pay components, templates of them, and the wage types that they become elsewhere.",
        ("/hr/pay-components", "/hr/component-sets", "/hr/wage-types"),
    ),
    Tag("Installation", "The server: its state, users and backups; for its administrators alone.", ("/system",)),
)


def tag_of(path: str) -> str:
    """The tag of a path; its first part, if there is none for it yet."""
    begun = ((len(start), tag.name) for tag in TAGS for start in tag.paths if path.startswith(start))
    return max(begun, default=(0, path.split("/")[1]))[1]
