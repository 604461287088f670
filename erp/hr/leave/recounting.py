"""Counting leave again when a day becomes a holiday or stops being one, and when someone's week changes.

With a holiday, leave that is over keeps its days, and so do days of a closed leave year if the type has an allowance.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Any, cast

import msgspec

from erp.hr.access.models import Employee
from erp.hr.attendance import days as attendance
from erp.hr.calendar import holidays, work_calendar
from erp.hr.calendar.holidays import HolidayChange
from erp.hr.calendar.models import Holiday
from erp.hr.calendar.work_days import Part
from erp.hr.leave import days as leave_days
from erp.hr.leave import late, ledger
from erp.hr.leave.accrual import Line
from erp.hr.leave.days import CountedDay, event_data, shown
from erp.hr.leave.models import LeaveApplication, LeaveDay, LeaveType
from erp.kernel import caller, clock
from erp.store import events, sql, workspace_settings
from erp.store.router import WORKSPACE


class Cause(msgspec.Struct, frozen=True):
    """A reason to count leave again, as the ledger and leave without any day left note it."""

    of_ledger: str
    of_cancelled: str


HOLIDAYS = Cause("The holidays changed.", "Every day of this leave has become a holiday.")
WEEK = Cause("The work schedule was changed.", "The work schedule leaves no day of this leave.")


class Recounted(msgspec.Struct, frozen=True):
    """An application that takes other days than before; the days are in hundredths."""

    leave: LeaveApplication
    employee_name: str
    days_before: int
    days: int
    changed_dates: list[date]


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
    """Change a holiday, and count leave again on its old and new day if its date or part has changed.

    Raises:
        AlreadyExists: the new day is a holiday already.
    """
    before = Holiday.find(id)
    holiday = holidays.change(id, body)
    is_moved = (holiday.date, holiday.part) != (before.date, before.part)
    return holiday, recount({before.date, holiday.date}) if is_moved else []


def _recount(leave: LeaveApplication, again: Collection[date], cause: Cause) -> Recounted | None:
    before = _counted(leave)
    calendar = work_calendar.of([leave.employee_id], leave.start_date, leave.end_date)[leave.employee_id]
    now = leave_days.count(calendar, leave.start_date, leave.end_date, leave.start_half, leave.end_half)
    after = [new if new.date in again else old for old, new in zip(before, now, strict=True)]
    days_before, days = leave.days, sum(day.days for day in after)
    changed = [new.date for old, new in zip(before, after, strict=True) if new.days != old.days]
    if not changed:
        return None
    if leave.status == "approved":
        _write_ledger(leave, before, after, cause)
    _change(leave, after, days, cause)
    late.close_again(leave.employee_id, LeaveType.find(leave.leave_type_id), {day.year for day in changed})
    name = Employee.find(leave.employee_id).name
    about = event_data(leave) | {"days": shown(days), "daysBefore": shown(days_before)}
    events.write("leave.recounted" if days else "leave.cancelled", "leave", leave.id, about)
    return Recounted(leave, name, days_before, days, changed)


def _counted(leave: LeaveApplication) -> list[CountedDay]:
    """The days of an application as they were last counted."""
    reasons = {day["date"]: day["why"] for day in leave.day_details}
    rows = LeaveDay.select().where(LeaveDay.application == leave.id).order_by(LeaveDay.date)
    return [CountedDay(row.date, cast(Part, row.part), row.days, reasons[row.date.isoformat()]) for row in rows]


def _write_ledger(
    leave: LeaveApplication, before: Sequence[CountedDay], after: Sequence[CountedDay], cause: Cause
) -> None:
    freed: dict[int, int] = defaultdict(int)
    first: dict[int, date] = {}
    for old, new in zip(before, after, strict=True):
        if old.days != new.days:
            freed[new.date.year] += old.days - new.days
            first.setdefault(new.date.year, new.date)
    for year, days in freed.items():
        line = Line(first[year], "returned" if days > 0 else "taken", days)
        if days:
            ledger.write((leave.employee_id, leave.leave_type_id), year, line, leave.id, note=cause.of_ledger)


def _change(leave: LeaveApplication, after: Sequence[CountedDay], days: int, cause: Cause) -> None:
    if days:
        leave.change(**leave_days.columns(after, leave.balance_before))
        leave_days.write(leave, after)
    else:
        decided = {"decided_by": caller.current().user_id, "decided_at": clock.stamp()}
        leave.change(status="cancelled", decision_note=cause.of_cancelled, **decided)
        leave_days.drop(leave)
        attendance.recompute(leave.employee_id, leave.start_date, leave.end_date)
    ledger.settle_leave(leave, LeaveType.find(leave.leave_type_id))
