"""The tables of leave. Days are hundredths."""

from peewee import BooleanField, CompositeKey, ForeignKeyField, IntegerField, JSONField, TextField

from erp.hr.access.models import Employee
from erp.kernel import clock
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField


class LeaveType(WorkspaceRecord):
    """A type of leave and its rules."""

    noun = Noun("leave type")

    name = TextField()
    code = TextField()
    is_paid = BooleanField()
    allowance_days = IntegerField(default=0)
    accrual = TextField(default="none")
    allowance_basis = TextField(default="own_week")
    carry_forward_max_days = IntegerField(default=0)
    carry_forward_expires_after_months = IntegerField(null=True)
    allow_negative = BooleanField(default=False)
    interrupts_leave = BooleanField(default=False)
    max_consecutive_days = IntegerField(null=True)
    min_notice_days = IntegerField(null=True)
    color = TextField(null=True)
    position = IntegerField()
    archived_at = TextField(null=True)


class LeaveApplication(WorkspaceRecord):
    """Requested leave; `day_details` explains each of its days, and names the leave that has replaced it."""

    noun = Noun("leave request")
    sealed = frozenset({"leave_type_id", "reason", "decision_note", "day_details"})

    employee = ForeignKeyField(Employee, lazy_load=False)
    leave_type = ForeignKeyField(LeaveType, lazy_load=False)
    start_date = DayField()
    end_date = DayField()
    start_half = BooleanField(default=False)
    end_half = BooleanField(default=False)
    reason = TextField(null=True)
    days = IntegerField()
    day_details = JSONField()
    status = TextField(default="pending")
    decided_by = TextField(null=True)
    decided_at = TextField(null=True)
    decision_note = TextField(null=True)
    balance_before = IntegerField()
    balance_after = IntegerField()

    employee_id: str
    leave_type_id: str


class LeaveDay(WorkspaceTable):
    """A day or half-day of a pending or approved application; `days` is its effect on the balance."""

    application = ForeignKeyField(LeaveApplication, lazy_load=False, on_delete="CASCADE")
    date = DayField()
    employee = ForeignKeyField(Employee, lazy_load=False)
    part = TextField()
    days = IntegerField()

    application_id: str
    employee_id: str

    class Meta:
        primary_key = CompositeKey("application", "date")


class LeaveEntry(WorkspaceTable):
    """An entry of the leave ledger, never changed; the sum of the entries is the balance."""

    sealed = frozenset({"leave_type_id"})

    id = TextField(primary_key=True, default=new_id)
    created_at = TextField(default=clock.stamp)
    created_by = TextField(null=True)
    employee = ForeignKeyField(Employee, lazy_load=False)
    leave_type = ForeignKeyField(LeaveType, lazy_load=False)
    year = IntegerField()
    date = DayField()
    kind = TextField()
    days = IntegerField()
    application = ForeignKeyField(LeaveApplication, null=True, lazy_load=False)
    note = TextField(null=True)

    employee_id: str
    leave_type_id: str
    application_id: str | None


class LeaveYear(WorkspaceTable):
    """A closed leave year; all years before it are closed too."""

    year = IntegerField(primary_key=True)
    closed_at = TextField(default=clock.stamp)
    closed_by = TextField()
