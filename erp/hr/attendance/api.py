"""Attendance over HTTP."""

from typing import Any

import msgspec

from erp.hr.access import people
from erp.hr.access.people import NoEmployeeRecord
from erp.hr.attendance import missing, records
from erp.hr.attendance import views as attendance_views
from erp.hr.attendance.records import AttendanceChange, NewAttendance
from erp.hr.attendance.views import AttendanceFilter, AttendanceRow, AttendanceView, RecordedView
from erp.hr.locked_days import PaidAlready
from erp.kernel.errors import AlreadyExists, BadParameter, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="attendance.read_own", refuses=(BadParameter,))
    def on_get(self, query: AttendanceFilter) -> Page[AttendanceRow]:
        """List days of attendance, the newest first.

        Who may not read everybody's is shown her own. With `missing=true` it lists the working days instead that are
        over and not marked: days of employed people with scheduled minutes that are neither a holiday nor, as a
        whole, approved leave. These are of the days from `dateFrom` to `dateTo`, a year at most, and of the current
        month where no days are given.
        """
        visible = msgspec.structs.replace(query, employee_id=people.visible(query.employee_id, "attendance.read"))
        return missing.search(visible) if query.missing else attendance_views.search(visible)

    @endpoint(
        permission="attendance.write",
        status=201,
        refuses=(NoEmployeeRecord, UnknownReference, AlreadyExists, PaidAlready),
    )
    def on_post(self, body: NewAttendance) -> RecordedView:
        """Record a day of attendance by hand, or import many: all of them, or none.

        A day has one record for each employee. Punches are in order and do not overlap, nor do they those of other
        days; none lies in the future or lasts more than 24 hours. A shift belongs to the day on which it began in the
        workspace's time zone, also past midnight. The minutes between punches are those that really went by, whatever
        the clocks did, rounded as the workspace's `punchRounding` says. Who is absent, on leave or on holiday has no
        punches. Complaints about one of several say which: `records[3].date`.
        """
        views = attendance_views.show(records.record(body))
        facts: dict[str, Any] = msgspec.structs.asdict(views[0])
        return RecordedView(**facts) if body.records is msgspec.UNSET else RecordedView(**facts, records=views)


class Item:
    @endpoint(permission="attendance.read_own")
    def on_get(self, id: str) -> AttendanceView:
        """Show a day of attendance."""
        return attendance_views.find(id)

    @endpoint(permission="attendance.write", refuses=(PaidAlready,))
    def on_patch(self, id: str, body: AttendanceChange) -> AttendanceView:
        """Change what was recorded of a day, until an approved payroll run pays it."""
        records.change(id, body)
        return attendance_views.find(id)

    @endpoint(permission="attendance.write", refuses=(PaidAlready,))
    def on_delete(self, id: str) -> None:
        """Delete what was recorded of a day, so that it is unmarked again."""
        records.remove(id)
