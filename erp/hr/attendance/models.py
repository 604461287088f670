"""The tables of attendance."""

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.hr.access.models import Employee
from erp.kernel.language import Noun
from erp.store import workspace_settings
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField


class AttendanceRecord(WorkspaceRecord):
    """An employee's day: `punches` is `[{in, out?}]` in UTC, `open_since` the start of the open one.

    The day began in `time_zone`, the employee's as the record was made.
    """

    noun = Noun("attendance record")

    employee = ForeignKeyField(Employee, lazy_load=False)
    date = DayField()
    status = TextField()
    punches = JSONField(default=list)
    open_since = TextField(null=True)
    break_minutes = IntegerField(default=0)
    note = TextField(null=True)
    source = TextField()
    worked_minutes = IntegerField(default=0)
    time_zone = TextField(default=workspace_settings.time_zone)

    employee_id: str


class AttendanceCorrection(WorkspaceRecord):
    """A change to an employee's day that someone has requested; `proposed` holds the fields to change.

    `replaced` is the day as approval found it, with the version of the record as approval left it.
    """

    noun = Noun("correction")
    sealed = frozenset({"proposed", "reason", "decision_note", "replaced"})

    employee = ForeignKeyField(Employee, lazy_load=False)
    date = DayField()
    proposed = JSONField()
    reason = TextField(null=True)
    status = TextField(default="pending")
    decided_by = TextField(null=True)
    decided_at = TextField(null=True)
    decision_note = TextField(null=True)
    replaced = JSONField(null=True)

    employee_id: str
