"""The tables of checklists."""

from peewee import CompositeKey, ForeignKeyField, JSONField, TextField

from erp.hr.access.models import Employee
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable
from erp.store.rows import DayField


class Checklist(WorkspaceRecord):
    """A list of steps; `items` is `[{title, note, days, assignee}]`."""

    noun = Noun("checklist")

    name = TextField()
    kind = TextField()
    items = JSONField()


class ChecklistStart(WorkspaceTable):
    """A day for which a checklist was started for an employee."""

    checklist = ForeignKeyField(Checklist, lazy_load=False, on_delete="CASCADE")
    employee = ForeignKeyField(Employee, lazy_load=False)
    date = DayField()

    class Meta:
        primary_key = CompositeKey("checklist", "employee", "date")
