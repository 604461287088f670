"""The tables of work schedules and holidays."""

from peewee import BooleanField, ForeignKeyField, IntegerField, JSONField, TextField

from erp.hr.access.models import Employee
from erp.hr.sites.models import Site
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class WorkSchedule(WorkspaceTable):
    """The minutes an employee works on each weekday, from a day on.

    `hours` is `{mon: {begin, end, breakMinutes}}` of the weekdays whose hours are known.
    """

    id = TextField(primary_key=True, default=new_id)
    employee = ForeignKeyField(Employee, lazy_load=False)
    effective_from = DayField()
    mon = IntegerField()
    tue = IntegerField()
    wed = IntegerField()
    thu = IntegerField()
    fri = IntegerField()
    sat = IntegerField()
    sun = IntegerField()
    hours = JSONField(default=dict)

    employee_id: str


class HolidayImport(WorkspaceTable):
    """An import of a country's public holidays of a year, for one site or all; the next year follows the latest."""

    id = TextField(primary_key=True, default=new_id)
    year = IntegerField()
    country = TextField()
    subdivision = TextField(null=True)
    language = TextField(null=True)
    half_days = BooleanField(default=False)
    site = ForeignKeyField(Site, null=True, lazy_load=False)


class Holiday(WorkspaceRecord):
    """A day, or half of one, on which the office does not work: at some sites, or without any named at all of them."""

    noun = Noun("holiday")

    date = DayField()
    name = TextField()
    part = TextField(default="day")
    site_ids = JSONField(default=list)
