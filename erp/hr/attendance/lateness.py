"""Lateness: how far the first and the last punch of a day are off the hours of the work schedule."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from erp.hr.attendance.punches import MINUTE
from erp.hr.calendar.work_days import Part, WorkCalendar, WorkDay
from erp.kernel import clock
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE


class Lateness(NamedTuple):
    """Minutes after the begin and before the end of a day's hours; 0 within the workspace's grace."""

    late: int = 0
    left_early: int = 0


_ENDS = """
SELECT employee_id, date, json_extract(punches, '$[0].in'), json_extract(punches, '$[#-1].out'), time_zone
FROM attendance_record WHERE date BETWEEN ? AND ? AND employee_id IN (SELECT value FROM json_each(?))
    AND status IN ('present', 'remote') AND json_array_length(punches) > 0
"""
_LEAVE = """
SELECT leave_day.employee_id, date, part
FROM leave_day JOIN leave_application ON leave_application.id = leave_day.application_id
WHERE status = 'approved' AND date BETWEEN ? AND ? AND leave_day.employee_id IN (SELECT value FROM json_each(?))
"""


def between(calendars: Mapping[str, WorkCalendar], start: date, end: date) -> dict[tuple[str, date], Lateness]:
    """The lateness of the days at work from `start` to `end` that have hours, by employee and day.

    No one is late for a free morning, nor leaves a free afternoon early.
    """
    ids = [id for id, calendar in calendars.items() if calendar.hours]
    if not ids:
        return {}
    parameters = (start.isoformat(), end.isoformat(), sql.array(ids))
    leave: dict[tuple[str, str], set[Part]] = defaultdict(set)
    for id, text, part in WORKSPACE.rows(_LEAVE, parameters):
        leave[id, text].add(part)
    found = {}
    for id, text, first, last, zone in WORKSPACE.rows(_ENDS, parameters):
        day = calendars[id].day(date.fromisoformat(text))
        if day.hours is not None and day.is_working_day:
            ends = clock.parse(first), last and clock.parse(last)
            found[id, day.date] = _of(day, *ends, ZoneInfo(zone), _free(day, leave[id, text]))
    return found


def _free(day: WorkDay, leave: Collection[Part]) -> set[Part]:
    """The halves of a day that are leave or a holiday."""
    free = {"morning", "afternoon"} if "day" in leave else set(leave)
    half = day.holiday and day.holiday.half
    return free | {half} if half else free  # type: ignore[return-value]  # mypy takes the halves for text


def _of(day: WorkDay, first: datetime, last: datetime | None, zone: ZoneInfo, free: Collection[Part]) -> Lateness:
    assert day.hours is not None
    midnight, grace = datetime.combine(day.date, time()), workspace_settings.current().lateness_grace_minutes

    def minutes(begun: datetime, ended: datetime) -> int:
        passed = (ended - begun) // MINUTE
        return passed if passed > grace else 0

    def at(past: int) -> datetime:
        return (midnight + timedelta(minutes=past)).replace(tzinfo=zone)

    late = 0 if "morning" in free else minutes(at(day.hours.begin), first)
    left = 0 if last is None or "afternoon" in free else minutes(last, at(day.hours.end))
    return Lateness(late, left)
