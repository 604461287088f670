"""Holidays over HTTP. A change of the holidays counts leave again."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from erp.hr.calendar import holidays
from erp.hr.calendar.holidays import (
    HolidayChange,
    HolidayFilter,
    HolidayImportWarning,
    HolidayView,
    ImportedHolidaysView,
    NewHoliday,
    NewHolidayImport,
)
from erp.hr.calendar.models import Holiday
from erp.hr.leave import recounting
from erp.hr.leave.changing import Recounted
from erp.hr.leave.days import DaysText, shown
from erp.hr.leave.views import Status
from erp.kernel.errors import AlreadyExists, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page, View, show


class RecountedLeaveView(View):
    """Leave that takes other days because the holidays have changed; cancelled if it takes none."""

    leave_id: str
    employee_id: str
    employee_name: str
    start_date: str
    end_date: str
    status: Status
    days_before: DaysText
    days: DaysText
    changed_dates: Annotated[list[str], msgspec.Meta(description="The days that count otherwise than before.")]

    @classmethod
    def of(cls, recounted: Recounted) -> "RecountedLeaveView":
        leave = recounted.leave
        return show(
            cls,
            leave,
            leave_id=leave.id,
            employee_name=recounted.employee_name,
            start_date=leave.start_date.isoformat(),
            end_date=leave.end_date.isoformat(),
            days_before=shown(recounted.days_before),
            days=shown(recounted.days),
            changed_dates=[day.isoformat() for day in recounted.changed_dates],
        )


class LeaveRecountView(View):
    """The effect of changed holidays on leave."""

    recounted_leaves: list[RecountedLeaveView]


class ChangedHolidayView(HolidayView):
    """A holiday that was added or changed, and the leave that counts differently now."""

    recounted_leaves: list[RecountedLeaveView]


class HolidayImportView(ImportedHolidaysView):
    """The holidays that an import added or found present, and the leave that counts differently now."""

    recounted_leaves: list[RecountedLeaveView]
    warnings: list[HolidayImportWarning]


def _shown(recounted: Sequence[Recounted]) -> list[RecountedLeaveView]:
    return [RecountedLeaveView.of(application) for application in recounted]


def _changed(holiday: Holiday, recounted: Sequence[Recounted]) -> ChangedHolidayView:
    shown_holiday = msgspec.structs.asdict(HolidayView.of(holiday))
    return ChangedHolidayView(**shown_holiday, recounted_leaves=_shown(recounted))


class Collection:
    @endpoint(permission="leave.read_own", refuses=(UnknownReference,))
    def on_get(self, query: HolidayFilter) -> Page[HolidayView]:
        """List the holidays by date.

        Every member can read them. Those with `siteIds` are holidays only there, the others at all sites.
        """
        return holidays.search(query)

    @endpoint(permission="leave.write", status=201, refuses=(AlreadyExists, UnknownReference))
    def on_post(self, body: NewHoliday) -> ChangedHolidayView:
        """Add a holiday, or half of one with `part`.

        On half a holiday, the other half is worked: half the minutes, and half a day of leave. Pending and approved
        leave of that day is counted again, unless it is over. `recountedLeaves` lists leave that takes fewer days now;
        leave without any day is cancelled.
        """
        holiday = holidays.add(body)
        return _changed(holiday, recounting.recount([holiday.date]))


class Item:
    @endpoint(permission="leave.read_own")
    def on_get(self, id: str) -> HolidayView:
        """Show a holiday.

        It shows the date and the name. Every member can read it.
        """
        return HolidayView.of(Holiday.find(id))

    def _read(self, id: str) -> ChangedHolidayView:
        return _changed(Holiday.find(id), [])

    @endpoint(permission="leave.write", refuses=(AlreadyExists, UnknownReference), reads=_read)
    def on_patch(self, id: str, body: HolidayChange) -> ChangedHolidayView:
        """Change a holiday's date, name, part or sites.

        Leave of the old and the new day is counted again, as for a new holiday.
        The answer lists the leave that was counted again. A day that is a holiday already is refused (409).
        """
        return _changed(*recounting.move(id, body))

    @endpoint(permission="leave.write")
    def on_delete(self, id: str) -> LeaveRecountView:
        """Delete a holiday. Leave of that day is counted again and takes it, as if it had never been a holiday.

        The answer lists the leave that was counted again.
        """
        removed = holidays.remove(id)
        return LeaveRecountView(recounted_leaves=_shown(recounting.recount([removed.date])))


class Import:
    @endpoint(permission="leave.write", refuses=(UnknownReference,))
    def on_post(self, body: NewHolidayImport) -> HolidayImportView:
        """Import the public holidays of a country for a year.

        With `siteId` they are holidays at that site, of its country and subdivision; without, at all sites, of the
        workspace's country. A subdivision adds its regional holidays (a warning says that there are some), `halfDays`
        the afternoons of 24 and 31 December. Days that are holidays already keep their names and are listed as skipped.
        Leave of the added days is counted again, as for a new holiday. A year is imported automatically when leave in
        it is requested, from the calendars that were imported last for the person's site.
        """
        added, skipped = holidays.add_public(body)
        recounted = _shown(recounting.recount([holiday.date for holiday in added]))
        imported = msgspec.structs.asdict(ImportedHolidaysView.of(added, skipped))
        warnings = holidays.import_warnings(body)
        return HolidayImportView(**imported, recounted_leaves=recounted, warnings=warnings)
