"""The tables of employment and pay. Money is minor units."""

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.hr.access.models import Employee
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField


class Employment(WorkspaceTable):
    """An employment period, both dates included; open until it is terminated."""

    id = TextField(primary_key=True, default=new_id)
    employee = ForeignKeyField(Employee, lazy_load=False)
    starts_on = DayField()
    ends_on = DayField(null=True)

    employee_id: str


class Compensation(WorkspaceRecord):
    """An employee's pay from a day on; `components` is `[{componentId, amount?, percent?}]`, as scaled integers.

    A later row for the same day replaces it; it stays on record.
    """

    noun = Noun("compensation")
    sealed = frozenset({"pay_type", "amount", "frequency", "components"})

    employee = ForeignKeyField(Employee, lazy_load=False)
    effective_from = DayField()
    pay_type = TextField()
    amount = IntegerField()
    currency = TextField()
    frequency = TextField()
    components = JSONField(default=list)
    replaced_by = ForeignKeyField("self", null=True, lazy_load=False)

    employee_id: str
    replaced_by_id: str | None
