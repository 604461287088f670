"""The work of today and this week so far; an open punch counts up to now."""

import json
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from erp.hr.access import zones
from erp.hr.attendance import checks, punches
from erp.hr.attendance.bodies import Status
from erp.hr.attendance.days import halves_of_leave
from erp.hr.attendance.punches import LONGEST, Punch
from erp.hr.attendance.views import PunchView
from erp.hr.calendar import work_calendar
from erp.kernel import clock
from erp.kernel.days import monday
from erp.store.router import WORKSPACE
from erp.web.schema import View


class OwnDayView(View):
    """A day of attendance so far; without a record, `status` is null."""

    date: str
    status: Status | None
    punches: list[PunchView]
    break_minutes: int
    worked_minutes: Annotated[int, Meta(description="Up to now, if a punch is open.")]
    expected_minutes: Annotated[int, Meta(description="The schedule's minutes, less holidays and leave.")]


class OwnWeekView(View):
    """A week from Monday to Sunday so far; `expectedMinutes` is of the whole week."""

    date_from: str
    date_to: str
    worked_minutes: int
    expected_minutes: int


class Recorded(msgspec.Struct, frozen=True):
    """The columns of a day's record that are needed here."""

    status: Status
    punches: list[Punch]
    break_minutes: int
    worked_minutes: int
    time_zone: str

    @classmethod
    def of(cls, status: Any, stored: str, break_minutes: int, worked_minutes: int, time_zone: str) -> "Recorded":
        """Decode the columns of a record."""
        ends = [Punch.of(punch) for punch in json.loads(stored)]
        return cls(status, ends, break_minutes, worked_minutes, time_zone)

    @property
    def is_running(self) -> bool:
        """Whether a punch is open; one that has been open for more than a day was forgotten."""
        return any(punch.end is None and clock.now() - punch.start <= LONGEST for punch in self.punches)

    def worked(self) -> int:
        """The minutes worked, up to now."""
        if not self.is_running:
            return self.worked_minutes
        now = clock.now()
        ended = [punch if punch.end else Punch(punch.start, max(now, punch.start)) for punch in self.punches]
        return int(checks.punch_columns(ended, self.break_minutes, self.time_zone)["worked_minutes"])


_WEEK = """
SELECT date, status, punches, break_minutes, worked_minutes, time_zone FROM attendance_record
WHERE employee_id = ? AND date BETWEEN ? AND ?
"""


def so_far(employee_id: str) -> tuple[OwnDayView, OwnWeekView]:
    """Today and this week of an employee."""
    today = zones.today(employee_id)
    start = monday(today)
    days = [start + timedelta(days=number) for number in range(7)]
    rows = WORKSPACE.rows(_WEEK, (employee_id, start.isoformat(), days[-1].isoformat()))
    records = {date.fromisoformat(day): Recorded.of(*columns) for day, *columns in rows}
    expected = _expected(employee_id, days, records)
    week = OwnWeekView(
        date_from=start.isoformat(),
        date_to=days[-1].isoformat(),
        worked_minutes=sum(record.worked() for record in records.values()),
        expected_minutes=sum(expected.values()),
    )
    return _day(today, records.get(today), expected[today]), week


def _expected(employee_id: str, days: Sequence[date], records: dict[date, Recorded]) -> dict[date, int]:
    calendar = work_calendar.of([employee_id], days[0], days[-1])[employee_id]
    leave = halves_of_leave([employee_id], days[0], days[-1])
    return {
        day: punches.expected_minutes(
            records[day].status if day in records else None,
            calendar.day(day).expected_minutes,
            leave.get((employee_id, day), 0),
        )
        for day in days
    }


def _day(day: date, record: Recorded | None, expected: int) -> OwnDayView:
    shown = [] if record is None else [punch.stored() for punch in record.punches]
    return OwnDayView(
        date=day.isoformat(),
        status=record.status if record else None,
        punches=[PunchView(start=str(punch["in"]), end=punch["out"]) for punch in shown],
        break_minutes=record.break_minutes if record else 0,
        worked_minutes=record.worked() if record else 0,
        expected_minutes=expected,
    )
