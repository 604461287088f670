"""Counting leave again when a day becomes a holiday or stops being one, and when someone's week changes.

With a holiday, leave that is over keeps its days, and so do days of a closed leave year if the type has an allowance.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Any

from erp.hr.attendance import days as attendance
from erp.hr.calendar import holidays, work_calendar
from erp.hr.calendar.holidays import HolidayChange
from erp.hr.calendar.models import Holiday
from erp.hr.leave import days as leave_days
from erp.hr.leave import interruptions, ledger
from erp.hr.leave.changing import Cause, Recounted, change_days
from erp.hr.leave.models import LeaveApplication
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

HOLIDAYS = Cause("The holidays changed.", "Every day of this leave has become a holiday.")
SITE = Cause("The person works at another site.", "At the new site, no day of this leave is a working day.")
WEEK = Cause("The work schedule was changed.", "The work schedule leaves no day of this leave.")

_COVERED = """
SELECT application_id, date FROM leave_day
JOIN leave_application ON leave_application.id = application_id
JOIN leave_type ON leave_type.id = leave_type_id
WHERE date IN (SELECT value FROM json_each(?)) AND end_date >= ?
AND (CAST(substr(date, 1, 4) AS INTEGER) > ? OR accrual = 'none')
ORDER BY start_date, application_id
"""
_OF_EMPLOYEE = """
SELECT application_id, date FROM leave_day JOIN leave_application ON leave_application.id = application_id
JOIN leave_type ON leave_type.id = leave_type_id
WHERE leave_day.employee_id = ? AND date BETWEEN ? AND ?
AND (CAST(substr(date, 1, 4) AS INTEGER) > ? OR accrual = 'none')
ORDER BY start_date, application_id
"""


def recount_week(employee_id: str, start: date, end: date) -> list[Recounted]:
    """Count an employee's pending and approved leave again on the days of another weekly schedule, past ones too."""
    values = employee_id, start.isoformat(), end.isoformat(), ledger.last_closed()
    return _recount_all(WORKSPACE.rows(_OF_EMPLOYEE, values), WEEK)


def recount_site(employee_id: str) -> list[Recounted]:
    """Count an employee's pending and approved leave again from today on, by the holidays of another site."""
    values = employee_id, workspace_settings.today().isoformat(), date.max.isoformat(), ledger.last_closed()
    return _recount_all(WORKSPACE.rows(_OF_EMPLOYEE, values), SITE)


def _recount_all(rows: Iterable[Sequence[Any]], cause: Cause) -> list[Recounted]:
    days: dict[str, set[date]] = defaultdict(set)
    for application_id, day in rows:
        days[application_id].add(date.fromisoformat(day))
    recounted = (_recount(LeaveApplication.find(id), again, cause) for id, again in days.items())
    return [application for application in recounted if application is not None]


def recount(changed: Collection[date]) -> list[Recounted]:
    """Count pending and approved leave again on days that have become holidays or stopped being ones.

    The ledger follows, and each application writes an event. An application without any day is cancelled.
    """
    for day in changed:
        attendance.recompute_all(day)
    values = sql.array(day.isoformat() for day in changed), workspace_settings.today().isoformat(), ledger.last_closed()
    return _recount_all(WORKSPACE.rows(_COVERED, values), HOLIDAYS)


def move(id: str, body: HolidayChange) -> tuple[Holiday, list[Recounted]]:
    """Change a holiday, and count leave again on its old and new day if its date, part or sites have changed.

    Raises:
        AlreadyExists: the new day is a holiday already.
    """
    before = Holiday.find(id)
    holiday = holidays.change(id, body)
    is_moved = _place(holiday) != _place(before)
    return holiday, recount({before.date, holiday.date}) if is_moved else []


def _place(holiday: Holiday) -> tuple[Any, ...]:
    return holiday.date, holiday.part, holiday.site_ids


def _recount(leave: LeaveApplication, again: Collection[date], cause: Cause) -> Recounted | None:
    before, replaced = leave_days.of(leave), leave_days.replaced(leave)
    calendar = work_calendar.of([leave.employee_id], leave.start_date, leave.end_date)[leave.employee_id]
    now = leave_days.count(
        calendar, leave.start_date, leave.end_date, leave.start_half, leave.end_half, replaced=replaced
    )
    after = [new if new.date in again else old for old, new in zip(before, now, strict=True)]
    recounted = change_days(leave, before, after, cause)
    if recounted is not None and leave.status == "cancelled":
        interruptions.put_back(leave)
    return recounted
