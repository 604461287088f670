"""Clocking in and out: now for oneself, at any time for others with the right to edit attendance."""

from datetime import date, datetime
from typing import Annotated, Any, ClassVar
from zoneinfo import ZoneInfo

import msgspec

from erp.hr.access import people, zones
from erp.hr.access.models import Employee
from erp.hr.access.people import NoEmployeeRecord
from erp.hr.attendance import checks, records
from erp.hr.attendance.bodies import EmployeeName
from erp.hr.attendance.corrections import corrections
from erp.hr.attendance.models import AttendanceRecord
from erp.hr.attendance.punches import AT_WORK, LONGEST, MINUTE, Punch, local_day, punched_minutes
from erp.hr.attendance.views import AttendanceView, Source
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import USUAL_MINUTES
from erp.kernel import caller, clock
from erp.kernel.errors import Complaint, Forbidden, Invalid, Refusal, Remedy, UnknownReference
from erp.kernel.language import Sentence, says
from erp.members import people as members
from erp.store import events
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Moment, Note
from erp.web.schema import Body

NOTE_LENGTH = 4000
CORRECTIONS = "/api/v1/hr/attendance-corrections"
_FORGOTTEN = says("{name} has been clocked in since {since}. Clock out, or request a correction.")


class Clocking(Body):
    """A change between work and rest; a note is added to the day's."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"employeeId": "EMP-0001", "note": "At the bakery"}

    employee_id: EmployeeName | None = None
    at: (
        Annotated[Moment, msgspec.Meta(description="Now by default; another time needs the right to edit attendance.")]
        | None
    ) = None
    note: Note | None = None


class AlreadyClockedIn(Refusal):
    """{name} has been clocked in since {since}. Clock out first."""


class NotClockedIn(Refusal):
    """{name} is not clocked in."""


def clock_in(employee: Employee, at: datetime, note: str | None = None, source: Source = "clock") -> AttendanceRecord:
    """Start working; the record of the day.

    Raises:
        AlreadyClockedIn: the employee has not clocked out.
        Invalid: the employee cannot start at that time.
    """
    zone = zones.of_one(employee.id)
    day = local_day(at, ZoneInfo(zone))
    before = running(employee.id)
    if before is not None:
        _set_aside(before, employee, day)
    _check_can_begin(employee, at, day)
    record = records.of_day(employee.id, day)
    if record is None:
        record = _begin_day(employee.id, day, Punch(at), note, zone, source)
    else:
        status = record.status if record.status in AT_WORK else "present"
        _punch(record, [*_punches(record), Punch(at)], note, status=status, source=source)
    _write_event("attendance.clocked_in", record, at)
    return record


def _set_aside(record: AttendanceRecord, employee: Employee, day: date) -> None:
    """Leave a clock that was not stopped to the correction that the employee has requested.

    Raises:
        AlreadyClockedIn: the work goes on; or it began on an earlier day, and no correction says when it ended.
    """
    since = _shown_start(record)
    if record.date >= day:
        raise AlreadyClockedIn(name=employee.name, since=since)
    if not corrections.will_end(record):
        raise AlreadyClockedIn(_FORGOTTEN.fill(name=employee.name, since=since), remedy=remedy(record))
    record.change(open_since=None)


def remedy(record: AttendanceRecord) -> Remedy:
    """The correction to request for a clock that was not stopped; it ends by the schedule, at most now."""
    *before, last = _punches(record)
    scheduled = work_calendar.of([record.employee_id], record.date, record.date)[record.employee_id]
    expected = scheduled.day(record.date).usual_minutes or USUAL_MINUTES
    minutes = max(1, expected + record.break_minutes - punched_minutes(before, ZoneInfo(record.time_zone)))
    ended = Punch(last.start, min(last.start + minutes * MINUTE, clock.now()))
    body = {
        "employeeId": record.employee_id,
        "date": record.date.isoformat(),
        "punches": [punch.stored() for punch in (*before, ended)],
        "reason": "Forgot to clock out.",
    }
    return Remedy("POST", CORRECTIONS, body)


def _check_can_begin(employee: Employee, at: datetime, day: date) -> None:
    if not work_calendar.of([employee.id], day, day)[employee.id].day(day).employed:
        raise Invalid.one("at", "not_employed", says("{name} is not employed on {day}.", name=employee.name, day=day))
    _check_is_after(_last_end(employee.id, day), at)


def _begin_day(
    employee_id: str, day: date, punch: Punch, note: str | None, zone: str, source: Source
) -> AttendanceRecord:
    columns = checks.punch_columns([punch], 0, zone) | {"time_zone": zone}
    return AttendanceRecord.add(
        employee=employee_id, date=day, status="present", source=source, note=note or None, **columns
    )


def clock_out(employee: Employee, at: datetime, note: str | None = None, *, is_now: bool) -> AttendanceRecord:
    """Stop working; the record of the day on which the work began.

    Args:
        is_now: whether no one said when, so that `at` is the present.

    Raises:
        NotClockedIn: the employee is not clocked in.
        Invalid: the work cannot have ended at that time, or began so long ago that `at` is required.
    """
    record = running(employee.id)
    if record is None:
        raise NotClockedIn(name=employee.name)
    *before, last = _punches(record)
    _check_is_after(last.start, at)
    if at - last.start > LONGEST:
        raise Invalid([Complaint("at", *_too_long(record, is_now=is_now))], remedy=remedy(record))
    _punch(record, [*before, Punch(last.start, at)], note)
    _write_event("attendance.clocked_out", record, at)
    return record


def _who_and_when(body: Clocking) -> tuple[Employee, datetime]:
    """The employee whom a request clocks in or out, and the time.

    Raises:
        Forbidden: it is for someone else or for another time than now, and the caller lacks the right.
        NoEmployeeRecord: the caller has no employee record.
        Invalid: the time is in the future.
    """
    employee = people.subject(body.employee_id, "attendance.write")
    now = clock.now()
    if body.at is None:
        return employee, now
    if not caller.may("attendance.write"):
        raise Forbidden(says("Only someone who may edit attendance can set `at`. Leave it out to clock in or out now."))
    if body.at > now:
        raise Invalid.one("at", "future", says("This time is in the future."))
    return employee, body.at


def running(employee_id: str) -> AttendanceRecord | None:
    """The employee's record with an open punch."""
    record: AttendanceRecord | None = AttendanceRecord.get_or_none(
        AttendanceRecord.employee == employee_id, AttendanceRecord.open_since.is_null(False)
    )
    return record


_LAST_END = (
    "SELECT max(json_extract(punch.value, '$.out')) FROM attendance_record, json_each(punches) AS punch"
    " WHERE employee_id = ? AND date >= ?"
)


def _last_end(employee_id: str, day: date) -> datetime | None:
    """The end of the latest punch that could reach past the start of a day."""
    since = day - checks.NEAR
    ((last,),) = WORKSPACE.rows(_LAST_END, (employee_id, since.isoformat()))
    return None if last is None else clock.parse(last)


def _check_is_after(before: datetime | None, at: datetime) -> None:
    if before is not None and at < before:
        message = says("The time is before the last punch, at {since}.", since=clock.shown(before, members.zone()))
        raise Invalid.one("at", "before_last_punch", message)


def _too_long(record: AttendanceRecord, *, is_now: bool) -> tuple[str, Sentence]:
    since = _shown_start(record)
    if not is_now:
        return "too_long", says(
            "The clock has been running since {since}. A punch can last 24 hours at most.", since=since
        )
    return "required", (
        says(
            "The clock has been running for more than 24 hours, since {since}. Request a correction of that day, or ask"
            " someone who may edit attendance to set when the work ended.",
            since=since,
        )
    )


def _shown_start(record: AttendanceRecord) -> str:
    """The start of the open punch, in the reader's zone."""
    return clock.shown(_punches(record)[-1].start, members.zone())


def _punches(record: AttendanceRecord) -> list[Punch]:
    return [Punch.of(punch) for punch in record.punches]


def _punch(record: AttendanceRecord, punches: list[Punch], note: str | None, **others: object) -> None:
    columns = checks.punch_columns(punches, record.break_minutes, record.time_zone)
    record.change(**columns, note=_noted(record.note, note), **others)


def _noted(before: str | None, note: str | None) -> str | None:
    """The notes of a day, one a line."""
    notes = "\n".join(text for text in (before, note) if text)
    if len(notes) > NOTE_LENGTH:
        raise Invalid.one(
            "note", "too_long", says("The notes of a day can have {most} characters at most.", most=NOTE_LENGTH)
        )
    return notes or None


def _write_event(type: str, record: AttendanceRecord, at: datetime) -> None:
    events.write(type, "attendance", record.id, records.event_data(record) | {"at": clock.stamp(at)})


class ClockIn:
    @endpoint(
        permission="attendance.write_own",
        refuses=(NoEmployeeRecord, UnknownReference, AlreadyClockedIn),
    )
    def on_post(self, body: Clocking) -> AttendanceView:
        """Clock in: start working now.

        Adds a punch to today's record, or makes the record. With the right to edit attendance you can clock others in
        and set another time, not before the last punch. If someone forgot to clock out on an earlier day, the refusal
        has a `remedy`: the correction of that day, ready to be sent once its end is right. When it is requested, you
        can clock in; the earlier day waits for the decision.
        """
        return AttendanceView.of(clock_in(*_who_and_when(body), body.note))


class ClockOut:
    @endpoint(
        permission="attendance.write_own",
        refuses=(NoEmployeeRecord, UnknownReference, NotClockedIn),
    )
    def on_post(self, body: Clocking) -> AttendanceView:
        """Clock out: stop working now.

        The shift stays with the day on which it began, even past midnight. If the clock has been running for more than
        24 hours, it was forgotten: `at` has to say when the work ended. The refusal's `remedy` is the correction to
        request instead.
        """
        return AttendanceView.of(clock_out(*_who_and_when(body), body.note, is_now=body.at is None))
