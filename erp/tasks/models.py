"""The tables of tasks and time. Rates and amounts are minor units of the base currency."""

from typing import Self

from peewee import BooleanField, CompositeKey, ForeignKeyField, IntegerField, JSONField, TextField

from erp.kernel.language import Noun
from erp.projects.models import Project
from erp.store.records import WorkspaceRecord, WorkspaceTable
from erp.store.rows import DayField
from erp.tasks import privacy


class Task(WorkspaceRecord):
    """A piece of work; `position` orders it within its column of its project's board.

    `left_position` is where it was in the column `left_status`, which it has left last. A task about an employee is
    private; see `erp.tasks.privacy`.
    """

    noun = Noun("task")
    derived = frozenset({"position", "left_status", "left_position", "successor_id"})

    key = TextField()
    project = ForeignKeyField(Project, null=True, lazy_load=False)
    title = TextField()
    description = TextField(null=True)
    status = TextField(default="todo")
    priority = TextField(default="medium")
    reporter_user_id = TextField(null=True)
    tags = JSONField(default=list)
    parent = ForeignKeyField("self", null=True, lazy_load=False)
    start_date = DayField(null=True)
    due_date = DayField(null=True)
    estimate_minutes = IntegerField(null=True)
    is_billable = BooleanField(null=True)
    hourly_rate = IntegerField(null=True)
    repeat = JSONField(null=True)
    successor = ForeignKeyField("self", null=True, lazy_load=False, on_delete="SET NULL")
    position = IntegerField()
    left_status = TextField(null=True)
    left_position = IntegerField(null=True)
    completed_at = TextField(null=True)
    archived_at = TextField(null=True)
    employee_id = TextField(null=True)

    project_id: str | None
    parent_id: str | None
    successor_id: str | None

    @classmethod
    def find_or_none(cls, id: str) -> Self | None:
        """The task with that id, unless it is private and not for the caller."""
        task = super().find_or_none(id)
        return task if task is not None and privacy.may_see(task.id, task.employee_id) else None


class TaskAssignee(WorkspaceTable):
    """A user whom a task is assigned to."""

    task = ForeignKeyField(Task, lazy_load=False, on_delete="CASCADE")
    user_id = TextField()

    class Meta:
        primary_key = CompositeKey("task", "user_id")


class TaskDependency(WorkspaceTable):
    """A task that cannot be done before another."""

    task = ForeignKeyField(Task, lazy_load=False, on_delete="CASCADE")
    depends_on = ForeignKeyField(Task, lazy_load=False, on_delete="CASCADE")

    class Meta:
        primary_key = CompositeKey("task", "depends_on")


class TaskComment(WorkspaceRecord):
    """A comment on a task."""

    noun = Noun("comment")

    task = ForeignKeyField(Task, lazy_load=False, on_delete="CASCADE")
    text = TextField()

    task_id: str


class TimeLog(WorkspaceRecord):
    """Minutes that a user worked on a task.

    `amount` is their value at the log's own rate, else the task's, else the project's. It follows these rates until
    the log is on an invoice; `invoice_line` is the position of its line, and
    `billed_minutes` are its part of the line. `cost_rate` and `cost` are null until the week
    is approved: till then they follow what an hour of the person costs.
    """

    noun = Noun("time entry")
    derived = frozenset({"amount", "billed_minutes", "cost", "cost_rate", "invoice_line"})

    task = ForeignKeyField(Task, lazy_load=False)
    project = ForeignKeyField(Project, null=True, lazy_load=False)
    user_id = TextField()
    date = DayField()
    started_at = TextField(null=True)
    ended_at = TextField(null=True)
    minutes = IntegerField()
    note = TextField(null=True)
    is_billable = BooleanField()
    hourly_rate = IntegerField(null=True)
    amount = IntegerField(default=0)
    cost_rate = IntegerField(null=True)
    cost = IntegerField(null=True)
    invoice_id = TextField(null=True)
    invoice_line = IntegerField(null=True)
    billed_minutes = IntegerField(null=True)

    task_id: str
    project_id: str | None


class TimeWeek(WorkspaceRecord):
    """A person's week of time, or its part in a month, since it was first submitted or asked for.

    Time in a submitted or approved one is never changed; triggers of the file refuse it. The minutes are what was
    submitted.
    """

    noun = Noun("week of time")

    user_id = TextField()
    date_from = DayField()
    date_to = DayField()
    status = TextField(default="open")
    note = TextField(null=True)
    logged_minutes = IntegerField(null=True)
    billable_minutes = IntegerField(null=True)
    submitted_at = TextField(null=True)
    decided_by = TextField(null=True)
    decided_at = TextField(null=True)


class Timer(WorkspaceTable):
    """A user's running timer."""

    is_recorded = False

    user_id = TextField(primary_key=True)
    task = ForeignKeyField(Task, lazy_load=False)
    started_at = TextField()
    note = TextField(null=True)
    is_billable = BooleanField(null=True)

    task_id: str
