"""Attendance of several people on several days at once, such as a team that was at a fair."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import date
from itertools import count
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET

from erp.hr.access import people, zones
from erp.hr.access.people import refusal
from erp.hr.attendance import records
from erp.hr.attendance.bodies import BreakMinutes, Status
from erp.hr.attendance.checks import ClaimedDay
from erp.hr.attendance.days import halves_of_leave, records_between
from erp.hr.attendance.importing import TimeText
from erp.hr.attendance.punches import Punch
from erp.hr.calendar import work_calendar
from erp.kernel.complaints import Complaints
from erp.kernel.errors import AlreadyExists, Complaint, Invalid, Refusal, UnknownReference
from erp.kernel.language import says
from erp.store import names
from erp.store.names import Names
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Id, Note, Unfit
from erp.web.schema import Body, Unset, View
from erp.web.transport import times

MOST = 1000
"""The most days recorded at once."""


class TimesOfDay(Body):
    """A period of work on each day."""

    start: TimeText = msgspec.field(name="in")
    end: TimeText = msgspec.field(name="out")


class AttendanceBatch(Body):
    """The same attendance for people on each of their working days, by `status` or by the times of `punches`."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "employeeIds": ["EMP-0001"],
        "dateFrom": "2026-03-02",
        "dateTo": "2026-03-03",
        "punches": [{"in": "08:00", "out": "16:30"}],
        "breakMinutes": 30,
    }

    employee_ids: Annotated[list[Id], msgspec.Meta(min_length=1, max_length=200)]
    date_from: Day
    date_to: Day
    status: Status = "present"
    punches: Annotated[list[TimesOfDay], msgspec.Meta(max_length=24)] | Unset = UNSET
    break_minutes: BreakMinutes = 0
    note: Note | None = None
    skip_recorded: Annotated[bool, msgspec.Meta(description="Leave days out that have a record; else refuse them.")] = (
        True
    )
    dry_run: Annotated[bool, msgspec.Meta(description="List the days, and record nothing.")] = False

    def check(self) -> Iterator[Complaint]:
        """Complaints about the range."""
        if UNSET in (self.date_from, self.date_to):
            return
        if self.date_to < self.date_from:
            yield Complaint("dateTo", "before_start", says("The last day must not be before the first."))
        elif (self.date_to - self.date_from).days >= MOST:
            yield Complaint("dateTo", "too_long", says("At most {most} days can be recorded at once.", most=MOST))


class BatchDayView(View):
    """A day of a person."""

    employee_id: str
    employee_name: str
    date: str
    status: Status


class RecordedBatchView(View):
    """The days that were recorded or, as a dry run, would be."""

    dry_run: bool
    days: list[BatchDayView]


def record(batch: AttendanceBatch) -> RecordedBatchView:
    """Record attendance on the working days of several people, all days or none.

    Raises:
        Forbidden: one of them is beyond the caller's rights.
        UnknownReference: someone is unknown.
        Invalid: there is no such day, there are too many, or a day cannot be as claimed.
        AlreadyExists: a day has a record, and such days are not skipped.
    """
    named = [people.refer(id, f"employeeIds[{i}]").id for i, id in enumerate(batch.employee_ids)]
    ids = list(dict.fromkeys(named))
    if not all(people.may_for(id, "attendance.write") for id in ids):
        raise refusal("attendance.write")
    days = list(_claimed(batch, ids))
    if not days:
        raise Invalid.one("dateFrom", "no_days", says("There is no working day without a record."))
    if len(days) > MOST:
        raise Invalid.one("dateTo", "too_long", says("At most {most} days can be recorded at once.", most=MOST))
    called = names.of(employee=ids)
    try:
        with WORKSPACE.undone() if batch.dry_run else nullcontext():
            records.add_imported(days)
    except (Invalid, AlreadyExists) as refused:
        raise _by_person(refused, days, named, called) from refused
    shown = [
        BatchDayView(day.employee_id, str(called.name(day.employee_id)), str(day.date), batch.status) for day in days
    ]
    return RecordedBatchView(batch.dry_run, shown)


def _by_person(refused: Refusal, days: Sequence[ClaimedDay], named: list[str], called: Names) -> Refusal:
    """The refusal of some days, with a complaint for each person and day; about a field if it fits none of the days."""
    told = [(*_place(complaint.field), complaint) for complaint in refused.details]
    common = Counter((field, complaint.message) for _, field, complaint in told)
    details: dict[int | str, Complaint] = {}
    for index, field, complaint in told:
        if field != "date" and common[field, complaint.message] == len(days):
            details.setdefault(field, Complaint(field, complaint.code, complaint.message))
        else:
            details.setdefault(index, _of_day(complaint, days[index], named, called))
    said = [*details.values()]
    return Invalid(said) if isinstance(refused, Invalid) else AlreadyExists(refused.message, details=said)


def _place(path: str) -> tuple[int, str]:
    """The index of the day, and its field, of a path such as `days[3].date`."""
    index, _, field = path.removeprefix("days[").partition("].")
    return int(index), field


def _of_day(complaint: Complaint, day: ClaimedDay, named: list[str], called: Names) -> Complaint:
    message = says(
        "{name}, {day}: {problem}", name=called.name(day.employee_id), day=day.date, problem=complaint.message
    )
    return Complaint(f"employeeIds[{named.index(day.employee_id)}]", complaint.code, message)


def _claimed(batch: AttendanceBatch, ids: list[str]) -> Iterator[ClaimedDay]:
    first, last = batch.date_from, batch.date_to
    calendars, zone_of = work_calendar.of(ids, first, last), zones.of(ids)
    recorded, leave = records_between(ids, first, last), halves_of_leave(ids, first, last)
    number = count()
    for id in ids:
        for day in calendars[id].days(first, last):
            is_open = day.date not in recorded[id] or not batch.skip_recorded
            if day.is_working_day and leave.get((id, day.date)) != 2 and is_open:
                yield ClaimedDay(
                    employee_id=id,
                    date=day.date,
                    status=batch.status,
                    punches=_punches(batch, day.date, zone_of[id]),
                    break_minutes=batch.break_minutes,
                    note=batch.note,
                    path=f"days[{next(number)}].",
                )


def _punches(batch: AttendanceBatch, day: date, zone: str) -> list[Punch]:
    complaints = Complaints()
    punches: list[Punch] = []
    for i, punch in enumerate(batch.punches or ()):
        try:
            start = times.instant(punch.start, day, zone)
            punches.append(Punch(start, times.end(punch.end, start, day, zone)))
        except Unfit as unfit:
            complaints.add(f"punches[{i}]", unfit.code, unfit.message)
    complaints.refuse()
    return punches


class Batch:
    @endpoint(permission="attendance.write_reports", refuses=(UnknownReference, AlreadyExists))
    def on_post(self, body: AttendanceBatch) -> RecordedBatchView:
        """Record the same attendance for several people on their working days, all days or none.

        Days off, holidays and full days of leave are left out, and so are days that have a record, unless
        `skipRecorded` is false. A time is a time of day (08:30) in the person's time zone. Managers record for the
        people who report to them. At most 1000 days at once; `dryRun` lists them. A refusal names each person and day
        at their `employeeIds`, or the field if it fits no day.
        """
        return record(body)
