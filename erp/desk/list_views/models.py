"""The tables of views, and the lists that have them."""

from typing import TYPE_CHECKING, Literal

from peewee import BooleanField, CompositeKey, ForeignKeyField, JSONField, TextField

from erp.kernel import caller
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable

REPORTS = (
    "aged_payables",
    "aged_receivables",
    "asset_movements",
    "asset_register",
    "balance_sheet",
    "cash_flow",
    "cash_forecast",
    "consolidated",
    "ec_sales_list",
    "general_ledger",
    "number_gaps",
    "oss",
    "profit_and_loss",
    "sales_tax",
    "tax",
    "tax_annual",
    "trial_balance",
)
PERMISSIONS = {
    "accounts": "finance.read",
    "assets": "finance.read",
    "attendance": "attendance.read_reports",
    "bank": "finance.read",
    "bank_rules": "finance.read",
    "bills": "finance.read",
    "board": "tasks.read",
    "budgets": "finance.read",
    "checklists": "employees.write",
    "contacts": "contacts.read",
    "depreciation_runs": "finance.read",
    "documents": "employees.write",
    "expenses": "expenses.read_own",
    "inbox": "finance.read",
    "invoices": "finance.read",
    "journals": "finance.read",
    "leave": "leave.read_own",
    "log": "events.read",
    "members": "members.read",
    "messages": "workspace.read",
    "notices": "workspace.read",
    "offsets": "finance.read",
    "open_items": "finance.read",
    "payment_runs": "finance.read",
    "payments": "finance.read",
    "payroll": "payroll.read",
    "people": "employees.read",
    "products": "finance.read",
    "projects": "projects.read",
    "quotes": "finance.read",
    "recurring": "finance.read",
    "reminders": "finance.read",
    "revaluations": "finance.read",
    "tasks": "tasks.read",
    "tax_rates": "finance.read",
    "time": "time.read_own",
    "time_weeks": "time.write",
    "transfers": "finance.read",
    **{f"report_{name}": "finance.read" for name in REPORTS},
    "report_project_margin": "money.read",
}
"""The lists and reports that have views, by name, with the right to see each."""

if TYPE_CHECKING:
    PageName = str
else:
    PageName = Literal[tuple(PERMISSIONS)]


class ListView(WorkspaceRecord):
    """A view of a list; the user who made it is its owner."""

    noun = Noun("view")

    page = TextField()
    name = TextField()
    query = TextField()
    columns = JSONField()
    sort = TextField(null=True)
    is_shared = BooleanField()
    is_default_for_all = BooleanField()

    @property
    def is_own(self) -> bool:
        """Whether the caller made it."""
        return self.created_by == caller.current().user_id


class ListViewDefault(WorkspaceTable):
    """The view with which a list opens for a user."""

    is_recorded = False

    user_id = TextField()
    page = TextField()
    view = ForeignKeyField(ListView, lazy_load=False)

    class Meta:
        primary_key = CompositeKey("user_id", "page")
