"""Whether days of attendance can be as somebody says they were: checked against what is known of them, all at once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from erp.hr import locked_days
from erp.hr.attendance import punches as times
from erp.hr.attendance.days import Halves, halves_of_leave
from erp.hr.attendance.punches import AT_WORK, Punch, Rounding
from erp.hr.calendar import work_calendar as rosters
from erp.hr.calendar.work_days import WorkCalendar
from erp.kernel import clock
from erp.kernel.errors import AlreadyExists, Complaint, Invalid
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

Status = Literal["present", "absent", "half_day", "remote", "on_leave", "holiday"]

PLANNED = ("on_leave", "holiday")
"""The statuses that a day ahead may have."""

NEAR = timedelta(days=3)
"""Punches of records further apart than that never touch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedDay:
    """A day of an employee's as somebody says it was.

    Attributes:
        where: what stands before the names of its fields in complaints.
        record_id: the record that it is to replace.
    """

    employee_id: str
    date: date
    status: str = "present"
    punches: Sequence[Punch] = ()
    break_minutes: int = 0
    note: str | None = None
    where: str = ""
    record_id: str | None = None


def check(days: Sequence[ClaimedDay]) -> list[dict[str, Any]]:
    """Check days that are to be recorded.

    Returns:
        What the table keeps of each, besides employee, date and source.

    Raises:
        Invalid: with everything that is wrong with any of them.
        AlreadyExists: one has a record already.
        PaidAlready: payroll covers one.
    """
    known = _Known.about(days)
    complaints: list[Complaint] = []
    for day in days:
        complaints += [Complaint(day.where + where, code, message) for where, code, message in known.complaints(day)]
        known.learn(day)
    if complaints:
        raise Invalid(complaints)
    for day in days:
        known.refuse_marked(day)
        locked_days.check_open(day.employee_id, day.date, day.date, f"{day.where}date")
    return [known.columns(day) for day in days]


def punched(punches: Sequence[Punch], break_minutes: int) -> dict[str, Any]:
    """What the table keeps of punches, and what follows from them."""
    return {
        "punches": [punch.kept() for punch in punches],
        "open_since": next((clock.stamp(punch.start) for punch in punches if punch.end is None), None),
        "worked_minutes": max(0, times.punched_minutes(punches, zone(), _rounding()) - break_minutes),
    }


def zone() -> ZoneInfo:
    """The zone in which days of attendance begin."""
    return ZoneInfo(workspace_settings.time_zone())


def _rounding() -> Rounding | None:
    chosen = workspace_settings.current().punch_rounding
    return None if chosen is None else Rounding(**chosen)


_NEARBY = (
    "SELECT id, employee_id, date, punches, open_since FROM attendance_record"
    " WHERE employee_id IN ({}) AND (date BETWEEN ? AND ? OR open_since IS NOT NULL)"
)


@dataclass(slots=True)
class _Known:
    """What is known of the days claimed and those around them."""

    zone: ZoneInfo
    now: datetime
    rosters: Mapping[str, WorkCalendar]
    leave: Halves
    marked: dict[tuple[str, date], str] = field(default_factory=dict)
    claimed: set[tuple[str, date]] = field(default_factory=set)
    punches: dict[tuple[str, date], Sequence[Punch]] = field(default_factory=dict)
    open: dict[str, date] = field(default_factory=dict)

    @classmethod
    def about(cls, days: Sequence[ClaimedDay]) -> "_Known":
        """Read it, in a few queries however many days there are; the records to be replaced are left out."""
        employee_ids = list({day.employee_id for day in days})
        start, end = min(day.date for day in days), max(day.date for day in days)
        known = cls(
            zone=zone(),
            now=clock.now(),
            rosters=rosters.of(employee_ids, start, end),
            leave=halves_of_leave(employee_ids, start, end),
        )
        known._read_records(employee_ids, start - NEAR, end + NEAR, {day.record_id for day in days})
        return known

    def _read_records(self, employee_ids: Sequence[str], start: date, end: date, replaced: set[str | None]) -> None:
        sql = _NEARBY.format(", ".join("?" * len(employee_ids)))
        for id, employee_id, day, punches, open_since in WORKSPACE.rows(
            sql, (*employee_ids, start.isoformat(), end.isoformat())
        ):
            place = (employee_id, date.fromisoformat(day))
            if id not in replaced:
                self.marked[place] = id
                self.punches[place] = [Punch.of(each) for each in json.loads(punches)]
                if open_since is not None:
                    self.open[employee_id] = place[1]

    def learn(self, day: ClaimedDay) -> None:
        """Take a day that was claimed as known, for the days after it."""
        place = (day.employee_id, day.date)
        self.claimed.add(place)
        self.punches.setdefault(place, day.punches)
        if any(punch.end is None for punch in day.punches):
            self.open.setdefault(day.employee_id, day.date)

    def complaints(self, day: ClaimedDay) -> Iterator[tuple[str, str, str]]:
        """What is wrong with a day: the field, a code, a sentence."""
        if day.date > clock.today(self.zone.key) and day.status not in PLANNED:
            yield "date", "future", "Attendance is recorded when the day has come."
        if not self.rosters[day.employee_id].day(day.date).employed:
            yield "date", "not_employed", f"Is not employed on {day.date}."
        if (day.employee_id, day.date) in self.claimed:
            yield "date", "duplicate", f"There are two records of {day.date} for the same person."
        yield from self._of_punches(day)
        yield from _of_break(day, self.zone)

    def _of_punches(self, day: ClaimedDay) -> Iterator[tuple[str, str, str]]:
        if day.punches and day.status not in AT_WORK:
            yield "punches", "not_at_work", "Who is absent, on leave or on holiday has no punches."
        for where, code, message in times.complaints(day.punches, day.date, self.zone, self.now):
            yield f"punches{where}", code, message
        place = times.first_overlap(day.punches, self._around(day))
        if place is not None:
            yield f"punches[{place}].in", "overlaps", "It overlaps a punch of another day's record."
        running = self.open.get(day.employee_id, day.date)
        if running != day.date and any(punch.end is None for punch in day.punches):
            yield f"punches[{len(day.punches) - 1}].out", "required", f"The clock is running since {running} already."

    def _around(self, day: ClaimedDay) -> Iterator[Punch]:
        """The punches of the days around."""
        for n in range(-NEAR.days, NEAR.days + 1):
            if n != 0:
                yield from self.punches.get((day.employee_id, day.date + timedelta(days=n)), ())

    def refuse_marked(self, day: ClaimedDay) -> None:
        """Refuse a second record of a day."""
        if (day.employee_id, day.date) in self.marked:
            raise AlreadyExists(
                f"{day.date} has a record for this person already; change that one.", field=f"{day.where}date"
            )

    def columns(self, day: ClaimedDay) -> dict[str, Any]:
        """What the table keeps of a day that was found right."""
        columns = {"status": day.status, "break_minutes": day.break_minutes, "note": day.note}
        columns |= punched(day.punches, day.break_minutes)
        if not day.punches:
            scheduled = self.rosters[day.employee_id].day(day.date).scheduled_minutes
            halves = self.leave.get((day.employee_id, day.date), 0)
            columns["worked_minutes"] = times.unpunched_minutes(day.status, scheduled, halves)
        return columns


def _of_break(day: ClaimedDay, zone: ZoneInfo) -> Iterator[tuple[str, str, str]]:
    if day.break_minutes and not day.punches:
        yield "breakMinutes", "no_punches", "A break is taken off punches, and there are none."
    elif day.break_minutes and all(punch.end is not None for punch in day.punches):
        worked = times.punched_minutes(day.punches, zone, _rounding())
        if day.break_minutes > worked:
            yield "breakMinutes", "too_long", f"The break is longer than the {worked} minutes of the punches."
