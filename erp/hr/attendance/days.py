"""Attendance: what is known of the days of employees, many at once. Payroll and leave ask here too."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta

from erp.hr.attendance import punches
from erp.hr.calendar import work_calendar as rosters
from erp.hr.calendar.work_days import WorkCalendar
from erp.kernel import clock
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

Halves = Mapping[tuple[str, date], int]
"""How many halves of a day of an employee's are leave, 1 or 2; days without leave are left out."""

_LEAVE = """
SELECT leave_day.employee_id, leave_day.date, min(2, sum(iif(leave_day.part = 'day', 2, 1)))
FROM leave_day JOIN leave_application ON leave_application.id = leave_day.application_id
WHERE leave_application.status = 'approved' AND leave_day.date BETWEEN ? AND ? AND leave_day.employee_id IN ({})
GROUP BY leave_day.employee_id, leave_day.date
"""
_RECORDS = (
    "SELECT employee_id, date, status, worked_minutes FROM attendance_record"
    " WHERE date BETWEEN ? AND ? AND employee_id IN ({})"
)


def halves_of_leave(employee_ids: Collection[str], start: date, end: date) -> Halves:
    """How much of the days from `start` to `end` is approved leave; one query."""
    found = WORKSPACE.rows(_among(_LEAVE, employee_ids), (start.isoformat(), end.isoformat(), *employee_ids))
    return {(id, date.fromisoformat(day)): halves for id, day, halves in found}


def records_between(employee_ids: Collection[str], start: date, end: date) -> dict[str, dict[date, tuple[str, int]]]:
    """The status and the worked minutes of each marked day, by employee and day; one query."""
    found: dict[str, dict[date, tuple[str, int]]] = {id: {} for id in employee_ids}
    for id, day, status, worked in WORKSPACE.rows(
        _among(_RECORDS, employee_ids), (start.isoformat(), end.isoformat(), *employee_ids)
    ):
        found[id][date.fromisoformat(day)] = (status, worked)
    return found


def worked_between(employee_ids: Collection[str], start: date, end: date) -> dict[str, dict[date, int]]:
    """The worked minutes of each marked day from `start` to `end`, by employee and day; one query."""
    records = records_between(employee_ids, start, end)
    return {id: {day: worked for day, (_, worked) in days.items()} for id, days in records.items()}


def unmarked_between(
    employee_ids: Collection[str], start: date, end: date, rosters: Mapping[str, WorkCalendar]
) -> dict[str, list[date]]:
    """The working days from `start` to `end` that are over and have no record, nor are leave as a whole.

    Args:
        rosters: with the holidays of those days.

    Returns:
        Days in order, by employee; nobody is left out.
    """
    last = min(end, workspace_settings.today() - timedelta(days=1))
    records, leave = records_between(employee_ids, start, last), halves_of_leave(employee_ids, start, last)
    return {
        id: [
            day.date
            for day in rosters[id].days(start, last)
            if day.is_working_day and day.date not in records[id] and leave.get((id, day.date)) != 2
        ]
        for id in employee_ids
    }


_UNPUNCHED = (
    "SELECT id, date, status, worked_minutes FROM attendance_record"
    " WHERE employee_id = ? AND date BETWEEN ? AND ? AND json_array_length(punches) = 0"
)
_WORKED = "UPDATE attendance_record SET worked_minutes = ?, version = version + 1, updated_at = ? WHERE id = ?"


def reckon_anew(employee_id: str, start: date, end: date) -> None:
    """Reckon the days without punches anew, the last thing of a change to the schedule or the leave of those days."""
    roster = rosters.of([employee_id], start, end)[employee_id]
    leave = halves_of_leave([employee_id], start, end)
    for id, text, status, before in WORKSPACE.rows(_UNPUNCHED, (employee_id, start.isoformat(), end.isoformat())):
        day = date.fromisoformat(text)
        halves = leave.get((employee_id, day), 0)
        worked = punches.unpunched_minutes(status, roster.day(day).scheduled_minutes, halves)
        if worked != before:
            WORKSPACE.run(_WORKED, (worked, clock.stamp(), id))


def _among(sql: str, employee_ids: Collection[str]) -> str:
    return sql.format(", ".join("?" * len(employee_ids)))
