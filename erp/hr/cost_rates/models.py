"""The table of cost rates. Amounts are minor units, and percentages are scaled."""

from typing import Literal

from peewee import ForeignKeyField, IntegerField, TextField

from erp.hr.access.models import Employee
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField

Method = Literal["given", "from_pay"]


class CostRate(WorkspaceRecord):
    """The cost of an hour of an employee from a day on; without `hourly_cost` it is worked out from their pay."""

    noun = Noun("cost rate")
    sealed = frozenset({"hourly_cost", "employer_percent"})

    employee = ForeignKeyField(Employee, lazy_load=False)
    effective_from = DayField()
    method = TextField()
    hourly_cost = IntegerField(null=True)
    employer_percent = IntegerField(null=True)

    employee_id: str
