"""Attendance of many employees at once, for payroll and leave as well."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta

from erp.hr.attendance import punches
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import WorkCalendar
from erp.kernel import clock
from erp.store import recorded, sql, workspace_settings
from erp.store.router import WORKSPACE

Halves = Mapping[tuple[str, date], int]
"""Halves of a day's working time, 1 or 2, that are leave, by employee and day; days without leave are left out.

Where one half is a holiday, leave of the other one is leave of all the working time.
"""

_LEAVE = f"""
SELECT leave_day.employee_id, leave_day.date, sum(CASE WHEN leave_day.part = 'day' THEN 2
    WHEN holiday.part IS NULL OR holiday.part = 'day' THEN 1 WHEN holiday.part = leave_day.part THEN 0 ELSE 2 END)
FROM leave_day JOIN leave_application ON leave_application.id = leave_day.application_id
JOIN employee ON employee.id = leave_day.employee_id
LEFT JOIN holiday ON holiday.date = leave_day.date AND {work_calendar.AT_SITE}
WHERE leave_application.status = 'approved' AND leave_day.date BETWEEN ? AND ?
AND leave_day.employee_id IN (SELECT value FROM json_each(?))
GROUP BY leave_day.employee_id, leave_day.date
"""
_RECORDS = """
SELECT employee_id, date, status, worked_minutes FROM attendance_record
WHERE date BETWEEN ? AND ? AND employee_id IN (SELECT value FROM json_each(?))
"""


def halves_of_leave(employee_ids: Collection[str], start: date, end: date) -> Halves:
    """Approved leave from `start` to `end`; one query."""
    rows = WORKSPACE.rows(_LEAVE, (start.isoformat(), end.isoformat(), sql.array(employee_ids)))
    return {(id, date.fromisoformat(day)): min(2, halves) for id, day, halves in rows if halves}


def records_between(employee_ids: Collection[str], start: date, end: date) -> dict[str, dict[date, tuple[str, int]]]:
    """The status and the worked minutes of each recorded day, by employee and day; one query."""
    records: dict[str, dict[date, tuple[str, int]]] = {id: {} for id in employee_ids}
    rows = WORKSPACE.rows(_RECORDS, (start.isoformat(), end.isoformat(), sql.array(employee_ids)))
    for id, day, status, worked in rows:
        records[id][date.fromisoformat(day)] = (status, worked)
    return records


def worked_between(employee_ids: Collection[str], start: date, end: date) -> dict[str, dict[date, int]]:
    """The worked minutes of each recorded day from `start` to `end`, by employee and day; one query."""
    records = records_between(employee_ids, start, end)
    return {id: {day: worked for day, (_, worked) in days.items()} for id, days in records.items()}


def unmarked_between(
    employee_ids: Collection[str], start: date, end: date, calendars: Mapping[str, WorkCalendar]
) -> dict[str, list[date]]:
    """The working days from `start` to `end` that are over and have neither a record nor a full day of leave.

    Args:
        calendars: by employee, with the holidays of those days.

    Returns:
        Days in order, by employee; every employee has an entry.
    """
    last = min(end, workspace_settings.today() - timedelta(days=1))
    records, leave = records_between(employee_ids, start, last), halves_of_leave(employee_ids, start, last)
    return {
        id: [
            day.date
            for day in calendars[id].days(start, last)
            if day.is_working_day and day.date not in records[id] and leave.get((id, day.date)) != 2
        ]
        for id in employee_ids
    }


_UNPUNCHED = (
    "SELECT id, date, status, worked_minutes FROM attendance_record"
    " WHERE employee_id = ? AND date BETWEEN ? AND ? AND json_array_length(punches) = 0"
)
_UNPUNCHED_ON = "SELECT DISTINCT employee_id FROM attendance_record WHERE date = ? AND json_array_length(punches) = 0"
_SET_WORKED = "UPDATE attendance_record SET worked_minutes = ?, version = version + 1, updated_at = ? WHERE id = ?"


def recompute(employee_id: str, start: date, end: date) -> None:
    """Recompute the days without punches; the last step of a change to the schedule or the leave of those days."""
    calendar = work_calendar.of([employee_id], start, end)[employee_id]
    leave = halves_of_leave([employee_id], start, end)
    for id, text, status, before in WORKSPACE.rows(_UNPUNCHED, (employee_id, start.isoformat(), end.isoformat())):
        day = date.fromisoformat(text)
        halves = leave.get((employee_id, day), 0)
        worked = punches.unpunched_minutes(status, calendar.day(day).usual_minutes, halves)
        if worked != before:
            WORKSPACE.run(_SET_WORKED, (worked, clock.stamp(), id))
            recorded.note("attendance_record", id, {"worked_minutes": worked})


def recompute_all(day: date) -> None:
    """Recompute the records without punches of a day that has become a holiday or stopped being one."""
    for (employee_id,) in WORKSPACE.rows(_UNPUNCHED_ON, (day.isoformat(),)):
        recompute(employee_id, day, day)
