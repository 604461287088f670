"""Holidays over HTTP."""

from typing import Literal

from erp.hr.calendar import holidays
from erp.hr.calendar.holidays import HolidayChange, HolidayImport, NewHoliday, Year
from erp.hr.calendar.models import Holiday
from erp.kernel.errors import AlreadyExists
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Day
from erp.web.schema import ListQuery, Page, RecordView, View


class HolidayFilter(ListQuery):
    """Which holidays to list."""

    year: Year | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "date"


class HolidayView(RecordView):
    """A day on which the office does not work."""

    created_by: str | None
    date: str
    name: str

    @classmethod
    def of(cls, holiday: Holiday) -> "HolidayView":
        """The view of a holiday."""
        plain = {name: getattr(holiday, name) for name in cls.__struct_fields__ if name != "date"}
        return cls(**plain, date=holiday.date.isoformat())


class ImportedHolidaysView(View):
    """What an import added, and which days were holidays already and keep their names."""

    added: list[HolidayView]
    skipped: list[HolidayView]


class Collection:
    @endpoint(permission="leave.read_own")
    def on_get(self, query: HolidayFilter) -> Page[HolidayView]:
        """List the holidays by date."""
        select = Holiday.select()
        if query.year is not None:
            select = select.where(Holiday.date.between(f"{query.year}-01-01", f"{query.year}-12-31"))
        if query.date_from is not None:
            select = select.where(Holiday.date >= query.date_from)
        if query.date_to is not None:
            select = select.where(Holiday.date <= query.date_to)
        return page(select, query, HolidayView.of, sort=query.sort, sortable={"date": Holiday.date})

    @endpoint(permission="leave.write", status=201, refuses=(AlreadyExists,))
    def on_post(self, body: NewHoliday) -> HolidayView:
        """Add a holiday.

        Applications from now on do not count it; those that are pending are counted again when they are approved.
        """
        return HolidayView.of(holidays.add(body))


class Item:
    @endpoint(permission="leave.read_own")
    def on_get(self, id: str) -> HolidayView:
        """Show a holiday."""
        return HolidayView.of(Holiday.find(id))

    @endpoint(permission="leave.write", refuses=(AlreadyExists,))
    def on_patch(self, id: str, body: HolidayChange) -> HolidayView:
        """Change a holiday's day or name."""
        return HolidayView.of(holidays.change(id, body))

    @endpoint(permission="leave.write")
    def on_delete(self, id: str) -> None:
        """Make a holiday a usual day."""
        holidays.remove(id)


class Import:
    @endpoint(permission="leave.write")
    def on_post(self, body: HolidayImport) -> ImportedHolidaysView:
        """Add the public holidays of a country's year.

        Without a country the workspace's; a subdivision adds its regional ones. Days that are holidays already keep
        their names and are told as skipped.
        """
        added, skipped = holidays.take_over(body)
        shown = [[HolidayView.of(each) for each in found] for found in (added, skipped)]
        return ImportedHolidaysView(added=shown[0], skipped=shown[1])
