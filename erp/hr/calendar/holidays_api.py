"""Holidays over HTTP."""

from erp.hr.calendar import holidays
from erp.hr.calendar.holidays import (
    HolidayChange,
    HolidayFilter,
    HolidayImport,
    HolidayView,
    ImportedHolidaysView,
    NewHoliday,
)
from erp.hr.calendar.models import Holiday
from erp.kernel.errors import AlreadyExists
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="leave.read_own")
    def on_get(self, query: HolidayFilter) -> Page[HolidayView]:
        """List the holidays by date."""
        return holidays.search(query)

    @endpoint(permission="leave.write", status=201, refuses=(AlreadyExists,))
    def on_post(self, body: NewHoliday) -> HolidayView:
        """Add a holiday.

        Leave requested from now on does not count it. Pending leave is counted again when it is approved.
        """
        return HolidayView.of(holidays.add(body))


class Item:
    @endpoint(permission="leave.read_own")
    def on_get(self, id: str) -> HolidayView:
        """Show a holiday."""
        return HolidayView.of(Holiday.find(id))

    @endpoint(permission="leave.write", refuses=(AlreadyExists,))
    def on_patch(self, id: str, body: HolidayChange) -> HolidayView:
        """Change a holiday's date or name."""
        return HolidayView.of(holidays.change(id, body))

    @endpoint(permission="leave.write")
    def on_delete(self, id: str) -> None:
        """Delete a holiday."""
        holidays.remove(id)


class Import:
    @endpoint(permission="leave.write")
    def on_post(self, body: HolidayImport) -> ImportedHolidaysView:
        """Import the public holidays of a country for a year.

        The country defaults to the workspace's; a subdivision adds its regional holidays. Days that are holidays
        already keep their names and are listed as skipped.
        """
        return ImportedHolidaysView.of(*holidays.take_over(body))
