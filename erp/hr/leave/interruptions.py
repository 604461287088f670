"""Leave that interrupts other leave, such as illness in a holiday: it takes the place of the days that it covers."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import msgspec

from erp.hr.attendance import days as attendance
from erp.hr.attendance.punches import AT_WORK
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import Half, WorkCalendar
from erp.hr.leave import accrual, late, ledger
from erp.hr.leave import days as leave_days
from erp.hr.leave.accrual import Use
from erp.hr.leave.changing import Cause, change_days
from erp.hr.leave.days import CountedDay, Replaced, halves_of, part_of
from erp.hr.leave.models import LeaveApplication, LeaveType
from erp.store.router import WORKSPACE

REPLACED = Cause("Other leave has taken the place of days.", "Other leave has taken the place of every day.")
PUT_BACK = Cause("The leave that had taken the place of days was cancelled.", "No day of this leave is free.")

_UNDER = """
SELECT DISTINCT application_id, start_date FROM leave_day
JOIN leave_application ON leave_application.id = application_id JOIN leave_type ON leave_type.id = leave_type_id
WHERE leave_day.employee_id = ? AND date BETWEEN ? AND ? AND application_id <> ? AND interrupts_leave = 0
ORDER BY start_date, application_id
"""


def replace_days(leave: LeaveApplication, counted: Sequence[CountedDay]) -> None:
    """Take the days of approved leave out of the leave that it interrupts, which is cancelled if it has none left."""
    parts = {day.date: day.part for day in counted}
    for id, _ in WORKSPACE.rows(_UNDER, (leave.employee_id, leave.start_date, leave.end_date, leave.id)):
        other = LeaveApplication.find(id)
        before, calendar = leave_days.of(other), _calendar(other)
        _change(other, before, [_without(day, parts.get(day.date), calendar, leave.id) for day in before], REPLACED)


def _without(day: CountedDay, part: Any, calendar: WorkCalendar, by: str) -> CountedDay:
    remaining = part_of(halves_of(day.part) - halves_of(part))
    return day if remaining == day.part else leave_days.remaining(calendar.day(day.date), Replaced(remaining, by))


def put_back(leave: LeaveApplication) -> None:
    """Return the days that leave took the place of, now that it is not approved any more.

    A day stays as it is if other leave or work has it by now, or if the balance does not cover it any more.
    """
    for other in _replaced_by(leave):
        before = leave_days.of(other)
        after = _covered(other, before, list(_free(other, before, leave.id)))
        if after != before and other.status == "cancelled":
            _revive(other)
        _change(other, before, after, PUT_BACK)
    attendance.recompute(leave.employee_id, leave.start_date, leave.end_date)


def _change(other: LeaveApplication, before: Sequence[CountedDay], after: Sequence[CountedDay], cause: Cause) -> None:
    if change_days(other, before, after, cause) is None and after != before:  # days off, which count nothing
        leave_days.write(other, after)
        other.change(**leave_days.columns(after, other.balance_before))


_AROUND = """
SELECT id FROM leave_application
WHERE employee_id = ? AND id <> ? AND start_date <= ? AND end_date >= ? AND status <> 'rejected'
ORDER BY start_date, id
"""


def _replaced_by(leave: LeaveApplication) -> Iterator[LeaveApplication]:
    """The leave of which days were replaced, cancelled leave only if it was for want of days."""
    for (id,) in WORKSPACE.rows(_AROUND, (leave.employee_id, leave.id, leave.end_date, leave.start_date)):
        other = LeaveApplication.find(id)
        is_replaced = any(day.get("replaced_by_leave_id") == leave.id for day in other.day_details)
        if is_replaced and (other.status != "cancelled" or all(day["counted"] == "0" for day in other.day_details)):
            yield other


def _revive(other: LeaveApplication) -> None:
    """Make leave that was cancelled for want of days approved again, or pending if no one had decided."""
    if WORKSPACE.rows("SELECT 1 FROM leave_entry WHERE application_id = ? LIMIT 1", (other.id,)):
        other.change(status="approved", decision_note=None)
    else:
        other.change(status="pending", decision_note=None, decided_by=None, decided_at=None)


def _free(other: LeaveApplication, before: Sequence[CountedDay], by: str) -> Iterator[CountedDay]:
    """The days as they are with those that are free again."""
    calendar, taken = _calendar(other), _taken(other)
    whole = leave_days.count(calendar, other.start_date, other.end_date, other.start_half, other.end_half)
    for old, new in zip(before, whole, strict=True):
        if old.replaced_by == by:
            held = taken[old.date]
            part = part_of(halves_of(new.part) - held.halves)
            rest = Replaced(part, held.by or by)
            yield new if part == new.part else leave_days.remaining(calendar.day(old.date), rest)
        else:
            yield new if other.status == "cancelled" and old.replaced_by is None else old


class _Taken(msgspec.Struct):
    """The halves of a day that others have, and the id of leave that interrupts."""

    halves: frozenset[Half] = frozenset()
    by: str | None = None


_HELD = """
SELECT date, part, interrupts_leave, application_id FROM leave_day
JOIN leave_application ON leave_application.id = application_id JOIN leave_type ON leave_type.id = leave_type_id
WHERE leave_day.employee_id = ? AND date BETWEEN ? AND ? AND application_id <> ?
AND (status = 'approved' OR interrupts_leave = 0)
"""


def _taken(other: LeaveApplication) -> dict[date, _Taken]:
    """The halves of the days of an application that other leave or work has."""
    between = other.start_date, other.end_date
    taken: dict[date, _Taken] = defaultdict(_Taken)
    for day, part, interrupts, id in WORKSPACE.rows(_HELD, (other.employee_id, *between, other.id)):
        held = taken[date.fromisoformat(day)]
        held.halves |= halves_of(part)
        held.by = id if interrupts else held.by
    for day, (status, _) in attendance.records_between([other.employee_id], *between)[other.employee_id].items():
        if status in AT_WORK:
            taken[day].halves = halves_of("day")
    return taken


def _covered(other: LeaveApplication, before: Sequence[CountedDay], after: Sequence[CountedDay]) -> list[CountedDay]:
    """The days that the balance covers; the others stay as they were."""
    leave_type = LeaveType.find(other.leave_type_id)
    uses: list[Use] = []
    covered = []
    for old, new in zip(before, after, strict=True):
        use = Use(new.date, new.days - old.days, True)
        is_covered = use.days <= 0 or leave_type.allow_negative or _covers(other, leave_type, [*uses, use])
        covered.append(new if is_covered else old)
        if is_covered and use.days:
            uses.append(use)
    return covered


def _covers(other: LeaveApplication, leave_type: LeaveType, uses: Sequence[Use]) -> bool:
    """Whether the balance covers more days of an application, with what a closed year has carried over."""
    return all(_covers_year(other, leave_type, uses, year) for year in {use.date.year for use in uses})


def _covers_year(other: LeaveApplication, leave_type: LeaveType, uses: Sequence[Use], year: int) -> bool:
    if year <= ledger.last_closed():
        later = sum(use.days for use in uses if use.date.year >= year)
        if later > late.spare(other.employee_id, leave_type, year):
            return False
    accounts = ledger.compute([other.employee_id], [leave_type], year, other.end_date)
    account = accounts[other.employee_id, leave_type.id]
    account = account.reopened if account.closed else account
    within = [use for use in uses if use.date.year == year]
    return accrual.lowest(account.plus(uses=within), within[0].date) >= 0


def _calendar(leave: LeaveApplication) -> WorkCalendar:
    return work_calendar.of([leave.employee_id], leave.start_date, leave.end_date)[leave.employee_id]
