"""Checks of claimed days of attendance, all days at once."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from erp.hr.access import zones
from erp.hr.attendance.days import Halves, halves_of_leave
from erp.hr.attendance.punches import (
    AT_WORK,
    Punch,
    Rounding,
    first_overlap,
    punch_complaints,
    punched_minutes,
    unpunched_minutes,
)
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import WorkCalendar
from erp.kernel import clock
from erp.kernel.errors import AlreadyExists, Complaint, Invalid
from erp.kernel.language import says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

PLANNED = ("on_leave", "holiday")
"""The statuses that a future day can have."""

NEAR = timedelta(days=3)
"""The punches of records further apart than this never touch."""


class ClaimedDay(msgspec.Struct, frozen=True, kw_only=True):
    """An employee's day as it is to be recorded.

    Attributes:
        path: the prefix of its fields in complaints.
        record_id: the record that it replaces.
        time_zone: the record's; the employee's by default.
    """

    employee_id: str
    date: date
    status: str = "present"
    punches: Sequence[Punch] = ()
    break_minutes: int = 0
    note: str | None = None
    path: str = ""
    record_id: str | None = None
    time_zone: str | None = None


def check(days: Sequence[ClaimedDay]) -> list[dict[str, Any]]:
    """Check days before they are recorded.

    Returns:
        The columns of each record except employee, date and source.

    Raises:
        Invalid: with everything that is wrong with any day.
        AlreadyExists: a day has a record already.
    """
    known = _Known.about(days)
    complaints: list[Complaint] = []
    for day in days:
        complaints += _below(day.path, known.complaints(day))
        known.learn(day)
    if complaints:
        raise Invalid(complaints)
    known.refuse_recorded(days)
    return [known.columns(day) for day in days]


def _below(path: str, complaints: Iterable[Complaint]) -> Iterator[Complaint]:
    """The complaints with a path before their fields."""
    for complaint in complaints:
        yield Complaint(f"{path}{complaint.field}", complaint.code, complaint.message)


def punch_columns(punches: Sequence[Punch], break_minutes: int, time_zone: str) -> dict[str, Any]:
    """The columns that store punches, with those computed from them."""
    zone = ZoneInfo(time_zone)
    return {
        "punches": [punch.stored() for punch in punches],
        "open_since": next((clock.stamp(punch.start) for punch in punches if punch.end is None), None),
        "worked_minutes": max(0, punched_minutes(punches, zone, _rounding()) - break_minutes),
    }


def _rounding() -> Rounding | None:
    chosen = workspace_settings.current().punch_rounding
    return None if chosen is None else Rounding(**chosen)


_NEARBY = """
SELECT id, employee_id, date, punches, open_since FROM attendance_record
WHERE employee_id IN (SELECT value FROM json_each(?)) AND (date BETWEEN ? AND ? OR open_since IS NOT NULL)
"""


class _Known(msgspec.Struct):
    """The recorded facts about the claimed days and the days around them."""

    zones: Mapping[str, str]
    now: datetime
    calendars: Mapping[str, WorkCalendar]
    leave: Halves
    recorded: dict[tuple[str, date], str] = msgspec.field(default_factory=dict)
    claimed: set[tuple[str, date]] = msgspec.field(default_factory=set)
    punches: dict[tuple[str, date], Sequence[Punch]] = msgspec.field(default_factory=dict)
    open: dict[str, date] = msgspec.field(default_factory=dict)

    @classmethod
    def about(cls, days: Sequence[ClaimedDay]) -> "_Known":
        """Read the facts in a few queries for any number of days, without the records to be replaced."""
        employee_ids = list({day.employee_id for day in days})
        start, end = min(day.date for day in days), max(day.date for day in days)
        known = cls(
            zones=zones.of(employee_ids),
            now=clock.now(),
            calendars=work_calendar.of(employee_ids, start, end),
            leave=halves_of_leave(employee_ids, start, end),
        )
        known._read_records(employee_ids, start - NEAR, end + NEAR, {day.record_id for day in days})
        return known

    def _read_records(self, employee_ids: Sequence[str], start: date, end: date, replaced: set[str | None]) -> None:
        rows = WORKSPACE.rows(_NEARBY, (sql.array(employee_ids), start.isoformat(), end.isoformat()))
        for id, employee_id, day, punches, open_since in rows:
            key = (employee_id, date.fromisoformat(day))
            if id not in replaced:
                self.recorded[key] = id
                self.punches[key] = [Punch.of(punch) for punch in json.loads(punches)]
                if open_since is not None:
                    self.open[employee_id] = key[1]

    def learn(self, day: ClaimedDay) -> None:
        """Count a claimed day as known, for the days after it."""
        key = (day.employee_id, day.date)
        self.claimed.add(key)
        self.punches.setdefault(key, day.punches)
        if any(punch.end is None for punch in day.punches):
            self.open.setdefault(day.employee_id, day.date)

    def complaints(self, day: ClaimedDay) -> Iterator[Complaint]:
        """The complaints about a day."""
        zone = ZoneInfo(self.zone(day))
        if day.date > clock.today(zone.key) and day.status not in PLANNED:
            yield Complaint(
                "date", "future", says("The date is in the future. It can only be marked as leave or public holiday.")
            )
        if not self.calendars[day.employee_id].day(day.date).employed:
            yield Complaint("date", "not_employed", says("This person is not employed on {date}.", date=day.date))
        if (day.employee_id, day.date) in self.claimed:
            yield Complaint(
                "date", "duplicate", says("Another row here is for the same person on {date}.", date=day.date)
            )
        yield from self._of_punches(day, zone)
        yield from _of_break(day, zone)

    def zone(self, day: ClaimedDay) -> str:
        """The time zone in which a day begins."""
        return day.time_zone or self.zones[day.employee_id]

    def _of_punches(self, day: ClaimedDay, zone: ZoneInfo) -> Iterator[Complaint]:
        if day.punches and day.status not in AT_WORK:
            yield Complaint("punches", "not_at_work", says("A day of absence, leave or holiday cannot have punches."))
        yield from _below("punches", punch_complaints(day.punches, day.date, zone, self.now))
        index = first_overlap(day.punches, self._around(day))
        if index is not None:
            yield Complaint(f"punches[{index}].in", "overlaps", says("This punch overlaps a punch of another day."))
        running = self.open.get(day.employee_id, day.date)
        if running != day.date and any(punch.end is None for punch in day.punches):
            message = says("This person has been clocked in since {running}. Add an end here.", running=running)
            yield Complaint(f"punches[{len(day.punches) - 1}].out", "required", message)

    def _around(self, day: ClaimedDay) -> Iterator[Punch]:
        for n in range(-NEAR.days, NEAR.days + 1):
            if n != 0:
                yield from self.punches.get((day.employee_id, day.date + timedelta(days=n)), ())

    def refuse_recorded(self, days: Sequence[ClaimedDay]) -> None:
        """Refuse a second record of a day, naming all such days."""
        details = [
            Complaint(
                f"{day.path}date",
                AlreadyExists.code,
                says("This person already has a record for {date}. Change that record instead.", date=day.date),
            )
            for day in days
            if (day.employee_id, day.date) in self.recorded
        ]
        if details:
            raise AlreadyExists(details[0].message, details=details)

    def columns(self, day: ClaimedDay) -> dict[str, Any]:
        """The columns of a day that has passed the checks."""
        columns = {"status": day.status, "break_minutes": day.break_minutes, "note": day.note}
        columns |= punch_columns(day.punches, day.break_minutes, self.zone(day)) | {"time_zone": self.zone(day)}
        if not day.punches:
            usual = self.calendars[day.employee_id].day(day.date).usual_minutes
            halves = self.leave.get((day.employee_id, day.date), 0)
            columns["worked_minutes"] = unpunched_minutes(day.status, usual, halves)
        return columns


def _of_break(day: ClaimedDay, zone: ZoneInfo) -> Iterator[Complaint]:
    if day.break_minutes and not day.punches:
        yield Complaint("breakMinutes", "no_punches", says("A day without punches cannot have a break."))
    elif day.break_minutes and all(punch.end is not None for punch in day.punches):
        worked = punched_minutes(day.punches, zone, _rounding())
        if day.break_minutes > worked:
            message = says("The break is longer than the {worked} minutes of the punches.", worked=worked)
            yield Complaint("breakMinutes", "too_long", message)
