"""The tables of work schedules and holidays."""

from peewee import ForeignKeyField, IntegerField, Model, TextField

from erp.hr.access.models import Employee
from erp.store.router import WORKSPACE, DayField, WorkspaceModel, new_id

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class WorkSchedule(Model):
    """The minutes that somebody is to work on each weekday, from a day on."""

    id = TextField(primary_key=True, default=new_id)
    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
    effective_from = DayField()
    mon = IntegerField()
    tue = IntegerField()
    wed = IntegerField()
    thu = IntegerField()
    fri = IntegerField()
    sat = IntegerField()
    sun = IntegerField()

    employee_id: str

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        indexes = ((("employee", "effective_from"), True),)


class Holiday(WorkspaceModel):
    """A day on which the office does not work."""

    noun = "holiday"

    date = DayField(unique=True)
    name = TextField()
