"""The tables of wage data. A quantity is hundredths of an hour or a day, or minor units of money."""

from typing import Literal

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.hr.payroll.models import PayComponent
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord

WageSource = Literal[
    "worked_hours",
    "overtime_hours",
    "leave_days",
    "sick_days",
    "unpaid_days",
    "holiday_days",
    "base_pay",
    "component",
]
WageUnit = Literal["hours", "days", "amount"]
WageFormat = Literal["lodas", "lohn_und_gehalt", "csv"]


class WageType(WorkspaceRecord):
    """The payroll provider's number for a figure of this office."""

    noun = Noun("wage type")

    source = TextField()
    component = ForeignKeyField(PayComponent, null=True, lazy_load=False)
    wage_type = IntegerField()
    unit = TextField()
    processing_key = IntegerField(null=True)

    component_id: str | None


class WageExport(WorkspaceRecord):
    """A file of wage data: the figures of a month, and corrections of months that earlier exports hold.

    `employee_ids` and `wage_type_ids` are the people and the wage types that it covers, even without a row.
    """

    noun = Noun("wage export")
    sealed = frozenset({"rows", "warnings", "employee_ids"})

    number = IntegerField()
    month = TextField()
    format = TextField()
    employee_ids = JSONField()
    wage_type_ids = JSONField()
    rows = JSONField()
    warnings = JSONField()
