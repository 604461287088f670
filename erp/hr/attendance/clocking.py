"""Clocking in and out: for oneself now, for others with the right to."""

from datetime import date, datetime
from typing import Annotated, Any, ClassVar

import msgspec

from erp.hr import locked_days
from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.access.people import NoEmployeeRecord
from erp.hr.attendance import checks, records, views
from erp.hr.attendance.models import AttendanceRecord
from erp.hr.attendance.punches import AT_WORK, LONGEST, Punch, local_day
from erp.hr.attendance.records import EmployeeName
from erp.hr.attendance.views import AttendanceView
from erp.hr.calendar import work_calendar
from erp.hr.locked_days import PaidAlready
from erp.kernel import caller, clock
from erp.kernel.errors import Forbidden, Invalid, Refusal, UnknownReference
from erp.store import events
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Moment, Note
from erp.web.schema import Body

NOTE_LENGTH = 4000


class Clocking(Body):
    """Who begins or ends her work, and when; a note is added to those of the day."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"employeeId": "EMP-0001", "note": "At the bakery"}

    employee_id: EmployeeName | None = None
    at: (
        Annotated[Moment, msgspec.Meta(description="Now when absent; only for those who may write attendance.")] | None
    ) = None
    note: Note | None = None


class AlreadyClockedIn(Refusal):
    """{name} is clocked in since {since}; clock out first."""


class NotClockedIn(Refusal):
    """{name} is not clocked in."""


def clock_in(wanted: Clocking) -> str:
    """Begin to work; the id of the day's record.

    Raises:
        Forbidden: it is somebody else's clock, or another time than now, and the caller lacks the right.
        NoEmployeeRecord: the caller is no employee.
        AlreadyClockedIn: the clock is running.
        Invalid: it is not a time at which that employee can begin.
        PaidAlready: payroll covers the day.
    """
    employee, at = _who_and_when(wanted)
    running = _running(employee.id)
    if running is not None:
        raise AlreadyClockedIn(name=employee.name, since=running.open_since)
    day = local_day(at, checks.zone())
    _check_can_begin(employee, at, day)
    found = records.of_day(employee.id, day)
    if found is None:
        found = _begin_day(employee.id, day, Punch(at), wanted.note)
    else:
        status = found.status if found.status in AT_WORK else "present"
        _punch(found, [*_punches(found), Punch(at)], wanted.note, status=status, source="clock")
    _tell("attendance.clocked_in", found, at)
    return found.id


def _check_can_begin(employee: Employee, at: datetime, day: date) -> None:
    if not work_calendar.of([employee.id], day, day)[employee.id].day(day).employed:
        raise Invalid.one("at", "not_employed", f"{employee.name} is not employed on {day}.")
    _check_is_after(_last_end(employee.id, day), at)
    locked_days.check_open(employee.id, day, day, "at")


def _begin_day(employee_id: str, day: date, punch: Punch, note: str | None) -> AttendanceRecord:
    columns = checks.punched([punch], 0)
    return AttendanceRecord.add(
        employee=employee_id, date=day, status="present", source="clock", note=note or None, **columns
    )


def clock_out(wanted: Clocking) -> str:
    """End the work that goes on; the id of the record of the day on which it began.

    Raises:
        Forbidden: it is somebody else's clock, or another time than now, and the caller lacks the right.
        NoEmployeeRecord: the caller is no employee.
        NotClockedIn: the clock is not running.
        Invalid: it is not a time at which the work can have ended, or is to be told because it began long ago.
        PaidAlready: payroll covers the day.
    """
    employee, at = _who_and_when(wanted)
    found = _running(employee.id)
    if found is None:
        raise NotClockedIn(name=employee.name)
    *before, last = _punches(found)
    _check_is_after(last.start, at)
    if at - last.start > LONGEST:
        raise Invalid.one("at", *_too_long(found, wanted))
    locked_days.check_open(employee.id, found.date, found.date, "at")
    _punch(found, [*before, Punch(last.start, at)], wanted.note)
    _tell("attendance.clocked_out", found, at)
    return found.id


def _who_and_when(wanted: Clocking) -> tuple[Employee, datetime]:
    employee = people.subject(wanted.employee_id, "attendance.write")
    now = clock.now()
    if wanted.at is None:
        return employee, now
    if not caller.may("attendance.write"):
        raise Forbidden("Only who may write attendance tells the time; leave out `at` to clock now.")
    if wanted.at > now:
        raise Invalid.one("at", "future", "It lies in the future.")
    return employee, wanted.at


def _running(employee_id: str) -> AttendanceRecord | None:
    found: AttendanceRecord | None = AttendanceRecord.get_or_none(
        AttendanceRecord.employee == employee_id, AttendanceRecord.open_since.is_null(False)
    )
    return found


_LAST_END = (
    "SELECT max(json_extract(punch.value, '$.out')) FROM attendance_record, json_each(punches) AS punch"
    " WHERE employee_id = ? AND date >= ?"
)


def _last_end(employee_id: str, day: date) -> datetime | None:
    """When the last punch ended that can be later than the beginning of a day."""
    since = day - checks.NEAR
    ((last,),) = WORKSPACE.rows(_LAST_END, (employee_id, since.isoformat()))
    return None if last is None else clock.parse(last)


def _check_is_after(before: datetime | None, at: datetime) -> None:
    if before is not None and at < before:
        raise Invalid.one("at", "before_last_punch", f"The last punch was later, at {clock.stamp(before)}.")


def _too_long(found: AttendanceRecord, wanted: Clocking) -> tuple[str, str]:
    if wanted.at is not None:
        return "too_long", f"The clock runs since {found.open_since}, and a punch lasts 24 hours at most."
    return "required", (
        f"The clock runs since {found.open_since}, for more than 24 hours: somebody who may write attendance has to"
        " tell when the work ended, or you ask for a correction of that day."
    )


def _punches(found: AttendanceRecord) -> list[Punch]:
    return [Punch.of(each) for each in found.punches]


def _punch(found: AttendanceRecord, punches: list[Punch], note: str | None, **besides: object) -> None:
    columns = checks.punched(punches, found.break_minutes)
    found.change(**columns, note=_noted(found.note, note), **besides)


def _noted(before: str | None, note: str | None) -> str | None:
    """The notes of a day, one a line."""
    noted = "\n".join(text for text in (before, note) if text)
    if len(noted) > NOTE_LENGTH:
        raise Invalid.one("note", "too_long", f"The notes of a day have {NOTE_LENGTH} characters at most.")
    return noted or None


def _tell(what: str, found: AttendanceRecord, at: datetime) -> None:
    events.write(what, "attendance", found.id, records.facts(found) | {"at": clock.stamp(at)})


class ClockIn:
    @endpoint(
        permission="attendance.write_own",
        refuses=(NoEmployeeRecord, UnknownReference, AlreadyClockedIn, PaidAlready),
    )
    def on_post(self, body: Clocking) -> AttendanceView:
        """Begin to work, now.

        It adds a punch to the record of the present day, which is made if there is none. Who may write attendance
        clocks others as well, and tells another time that is not before the last punch.
        """
        return views.show([clock_in(body)])[0]


class ClockOut:
    @endpoint(
        permission="attendance.write_own",
        refuses=(NoEmployeeRecord, UnknownReference, NotClockedIn, PaidAlready),
    )
    def on_post(self, body: Clocking) -> AttendanceView:
        """End the work that goes on, now.

        The shift stays with the day on which it began, also past midnight. A clock that has run for more than 24
        hours was forgotten: then `at` has to say when the work ended.
        """
        return views.show([clock_out(body)])[0]
