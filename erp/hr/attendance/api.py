"""Attendance over HTTP."""

from msgspec import UNSET

from erp.hr.access import people
from erp.hr.access.people import NoEmployeeRecord
from erp.hr.attendance import importing, listing, records
from erp.hr.attendance.bodies import AttendanceChange, AttendanceFilter, NewAttendance
from erp.hr.attendance.importing import AttendanceRow
from erp.hr.attendance.models import AttendanceRecord
from erp.hr.attendance.views import AttendanceRowView, AttendanceView, RecordedAttendanceView
from erp.kernel.errors import AlreadyExists, BadParameter, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, ReadRows, SheetImport


class Collection:
    @endpoint(permission="attendance.read_own", refuses=(BadParameter, UnknownReference))
    def on_get(self, query: AttendanceFilter) -> Page[AttendanceRowView]:
        """List days of attendance, the newest first.

        Without the right to read everyone's attendance, the list holds your own and, as a manager, your reports' days.
        With `isMissing=true` it lists working days that are over and have no record: days on which an employed person
        who keeps attendance has scheduled minutes, without a holiday or a full day of approved leave. They are the days
        from `dateFrom` to `dateTo`, a year at most; this month's by default.
        """
        return listing.search(query)

    @endpoint(
        permission="attendance.write_reports",
        status=201,
        refuses=(NoEmployeeRecord, UnknownReference, AlreadyExists),
    )
    def on_post(self, body: NewAttendance) -> RecordedAttendanceView:
        """Record a day of attendance by hand, or import many: all of them or none.

        Managers record the days of the people who report to them, not their own.

        Each employee has one record a day. Punches are in order and overlap neither each other nor punches of other
        days; none is in the future or longer than 24 hours. A shift belongs to the day on which it began in the
        person's time zone, even past midnight. The minutes between punches are those that really passed, whatever
        the clocks did, rounded by the workspace's `punchRounding`. A day of absence, leave or holiday cannot have
        punches. Complaints about an import say which day: `records[3].date`.
        """
        return RecordedAttendanceView.of_all(records.record(body), are_many=body.records is not UNSET)


class Import:
    @endpoint(permission="attendance.write", prepare=sheets.rows_of(AttendanceRow))
    def on_post(self, body: SheetImport, prepared: ReadRows[AttendanceRow]) -> ImportedView:
        """Import days of attendance from a spreadsheet, all rows or none.

        Each row is a period of work with the headings `date`, `in` and `out`, and optionally `employeeId` (an id or a
        number; your own by default), `breakMinutes`, `status` and `note`. Rows of one person and date are one day. A
        time is a time of day (08:30) in the person's time zone, or an instant with its offset; an end that is not
        after the start is on the next day. A row without times is a whole day, such as an absence. Every day follows
        the rules of `POST /hr/attendance`. Errors name the row (`rows[3].in`; the headings are row 1). `dryRun` only
        checks.
        """
        return importing.load(body, prepared)


class Item:
    @endpoint(permission="attendance.read_own")
    def on_get(self, id: str) -> AttendanceView:
        """Show a day of attendance.

        Your own, or with the right to read all attendance, anyone's. It shows the punches, the break and the minutes
        worked.
        """
        record = AttendanceRecord.find(id)
        people.subject(record.employee_id, "attendance.read")
        return AttendanceView.of(record)

    @endpoint(permission="attendance.write_reports")
    def on_patch(self, id: str, body: AttendanceChange) -> AttendanceView:
        """Change the record of a day; fields that are left out stay.

        Where a payslip has paid the day, the difference goes into a later payroll run.
        """
        return AttendanceView.of(records.change(id, body))

    @endpoint(permission="attendance.write_reports")
    def on_delete(self, id: str) -> None:
        """Delete the record of a day.

        The day counts as missing again where attendance is expected. Where a payslip has
        paid it, the difference goes into a later payroll run.
        """
        records.remove(id)
