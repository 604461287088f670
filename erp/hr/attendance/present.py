"""Presence now: at work, on a break, on leave, away."""

from collections.abc import Collection, Iterator, Mapping
from datetime import date, timedelta
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.hr.access import people, zones
from erp.hr.attendance import punches
from erp.hr.attendance.days import halves_of_leave
from erp.hr.attendance.punches import AT_WORK
from erp.hr.attendance.week import Recorded
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import WorkDay
from erp.kernel import clock
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Instant
from erp.web.schema import View

Presence = Literal["in", "on_break", "finished", "on_leave", "off", "away"]


class PresenceView(View):
    """An employee's presence now.

    `in`: clocked in, or marked as at work. `on_break`: clocked out before the day's expected minutes were worked.
    `finished`: clocked out after them. `on_leave`: a whole day of approved leave. `off`: nothing is expected today,
    as on a holiday. `away`: expected, and not here.
    """

    employee_id: str
    employee_number: str
    employee_name: str
    department: str | None
    presence: Presence
    since: Annotated[Instant | None, Meta(description="When they clocked in or out.")]
    worked_minutes: Annotated[int, Meta(description="Today, up to now.")]
    expected_minutes: int
    leave: Annotated[Literal["day", "half_day"] | None, Meta(description="Part of today that is approved leave.")]


_EMPLOYED = f"""
SELECT id, employee_number, name, department, keeps_attendance FROM employee
WHERE {work_calendar.EMPLOYED} AND (CAST(:ids AS TEXT) IS NULL OR id IN (SELECT value FROM json_each(:ids)))
ORDER BY name, employee_number
"""
_LATEST = """
SELECT employee_id, date, status, punches, break_minutes, worked_minutes, time_zone FROM attendance_record
WHERE employee_id IN (SELECT value FROM json_each(?)) AND date IN (SELECT value FROM json_each(?))
ORDER BY date
"""


def now() -> list[PresenceView]:
    """The presence of everyone whose attendance the caller may read, by name."""
    today = workspace_settings.today()
    visible = people.visible(None, "attendance.read")
    among = None if visible is None else sql.array(visible)
    employed = WORKSPACE.rows(_EMPLOYED, {"start": today.isoformat(), "end": today.isoformat(), "ids": among})
    return list(_rows(employed))


def _rows(employed: Collection[tuple[Any, ...]]) -> Iterator[PresenceView]:
    days = {id: clock.today(zone) for id, zone in zones.of([id for id, *_ in employed]).items()}
    first, last = min(days.values(), default=date.min), max(days.values(), default=date.min)
    records, calendars = _records(days), work_calendar.of([*days], first, last)
    leave = halves_of_leave([*days], first, last)
    for id, number, name, department, keeps_attendance in employed:
        today = days[id]
        halves, record, day = leave.get((id, today), 0), records.get(id), calendars[id].day(today)
        if keeps_attendance or record or halves:
            expected = punches.expected_minutes(record.status if record else None, day.expected_minutes, halves)
            yield PresenceView(
                employee_id=id,
                employee_number=number,
                employee_name=name,
                department=department,
                presence=_presence(record, day, halves, expected),
                since=_since(record),
                worked_minutes=record.worked() if record else 0,
                expected_minutes=expected,
                leave={0: None, 1: "half_day", 2: "day"}[halves],
            )


def _records(days: Mapping[str, date]) -> dict[str, Recorded]:
    """The record of each employee's today, or of their yesterday while its shift goes on."""
    wanted = sql.array(day.isoformat() for today in {*days.values()} for day in (today, today - timedelta(days=1)))
    records: dict[str, Recorded] = {}
    for id, text, *columns in WORKSPACE.rows(_LATEST, (sql.array(days), wanted)):
        record, day = Recorded.of(*columns), date.fromisoformat(text)
        if day == days[id] or (record.is_running and day == days[id] - timedelta(days=1)):
            records[id] = record
    return records


def _presence(record: Recorded | None, day: WorkDay, halves: int, expected: int) -> Presence:
    if record is not None and record.status in AT_WORK:
        if record.is_running or not record.punches:
            return "in"
        return "on_break" if record.worked() < expected else "finished"
    if halves == 2 or (record is not None and record.status == "on_leave"):
        return "on_leave"
    return "away" if day.is_working_day and (record is None or record.status != "holiday") else "off"


def _since(record: Recorded | None) -> str | None:
    if record is None or not record.punches:
        return None
    last = record.punches[-1]
    return clock.stamp(last.end or last.start)


class Present:
    @endpoint(permission="attendance.read_own")
    def on_get(self) -> list[PresenceView]:
        """Show everyone's presence: in, on a break, on leave or away.

        Without the right to read everyone's attendance, you see yourself and, as a manager, the people who report to
        you. People without attendance are listed only on leave, or if they have a record.
        """
        return now()
