"""The tables of projects. Rates, prices and budgets are minor units of the base currency."""

from peewee import CompositeKey, ForeignKeyField, IntegerField, JSONField, TextField

from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable
from erp.store.router import WORKSPACE
from erp.store.rows import DayField


class Project(WorkspaceRecord):
    """Work for a customer, or for the office itself; `last_task` is the number of its newest task."""

    noun = Noun("project")
    derived = frozenset({"last_task"})

    code = TextField()
    name = TextField()
    description = TextField(null=True)
    customer_id = TextField(null=True)
    owner_user_id = TextField(null=True)
    status = TextField(default="planned")
    start_date = DayField(null=True)
    due_date = DayField(null=True)
    billing = TextField(default="non_billable")
    hourly_rate = IntegerField(null=True)
    fixed_price = IntegerField(null=True)
    budget_minutes = IntegerField(null=True)
    budget_amount = IntegerField(null=True)
    expense_markup_percent = IntegerField(default=0)
    time_billing = JSONField(null=True)
    tags = JSONField(default=list)
    archived_at = TextField(null=True)
    last_task = IntegerField(default=0)

    @property
    def member_user_ids(self) -> list[str]:
        """The users who work on it, in the order of their ids."""
        return [user_id for (user_id,) in WORKSPACE.rows(_MEMBERS, (self.id,))]


_MEMBERS = "SELECT user_id FROM project_member WHERE project_id = ? ORDER BY user_id"


class PastRate(WorkspaceRecord):
    """The hourly rate that a project or a task had before, for time dated before the day `until`."""

    noun = Noun("hourly rate")

    project = ForeignKeyField(Project, null=True, lazy_load=False)
    task_id = TextField(null=True)
    until = DayField()
    hourly_rate = IntegerField(null=True)


class ProjectMember(WorkspaceTable):
    """A user who works on a project."""

    project = ForeignKeyField(Project, lazy_load=False, on_delete="CASCADE")
    user_id = TextField()

    class Meta:
        primary_key = CompositeKey("project", "user_id")
