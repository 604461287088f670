"""The tables of budgets. Amounts are minor units of the base currency, above zero on the account's own side."""

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import Account
from erp.kernel.language import Noun
from erp.projects.models import Project
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id


class Budget(WorkspaceRecord):
    """A plan of a fiscal year, named by the year in which it ends."""

    noun = Noun("budget")

    year = IntegerField()
    name = TextField()

    @property
    def lines(self) -> "list[BudgetLine]":
        """Its lines, in their order."""
        return BudgetLine.fetch("SELECT * FROM budget_line WHERE budget_id = ? ORDER BY position", self.id)


class BudgetLine(WorkspaceTable):
    """The amounts of an account in the twelve months of the fiscal year.

    They are of one project or of no particular one, and the same for values of dimensions.
    """

    id = TextField(primary_key=True, default=new_id)
    budget = ForeignKeyField(Budget, lazy_load=False)
    position = IntegerField()
    account = ForeignKeyField(Account, lazy_load=False)
    project = ForeignKeyField(Project, null=True, lazy_load=False)
    dimensions = TextField(null=True)
    months = JSONField()

    budget_id: str
    account_id: str
    project_id: str | None
