"""What leave has to keep to, whether it is asked for or approved: days, employment, overlap, balance, closed years."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from erp.hr.attendance import days as attendance
from erp.hr.attendance.punches import AT_WORK
from erp.hr.calendar import work_calendar
from erp.hr.leave import accrual, ledger
from erp.hr.leave import days as leave_days
from erp.hr.leave.accrual import Use
from erp.hr.leave.days import SCALE, CountedDay, worded
from erp.hr.leave.models import LeaveType
from erp.kernel.errors import Refusal
from erp.store.router import WORKSPACE


class NotEmployedThen(Refusal):
    """{name} is not employed on {day}."""

    status = 422


class NoLeaveDays(Refusal):
    """This leave takes no day: {reasons}."""

    status = 422


class LeaveOverlap(Refusal):
    """It overlaps leave from {start} to {end}, which is {status}."""

    status = 422


class TooLittleLeave(Refusal):
    """{left} left in {year}, and this leave takes {days} of it."""

    status = 422


class AtWorkThen(Refusal):
    """{name} was at work on {days}, says her attendance; correct that first, or leave out half of the day."""


@dataclass(frozen=True, slots=True)
class Span:
    """When somebody is to be away; `besides` is the application itself, once there is one."""

    employee_id: str
    name: str
    start: date
    end: date
    start_half: bool = False
    end_half: bool = False
    besides: str | None = None


def count(span: Span) -> list[CountedDay]:
    """Count the days of a span by the schedule, the employments and the holidays as they are now.

    Raises:
        NotEmployedThen: on one of the days.
        NoLeaveDays: none of them is to be worked.
    """
    roster = work_calendar.of([span.employee_id], span.start, span.end)[span.employee_id]
    unemployed = next((day.date for day in roster.days(span.start, span.end) if not day.employed), None)
    if unemployed is not None:
        field = "startDate" if unemployed == span.start else "endDate"
        raise NotEmployedThen(field=field, name=span.name, day=unemployed)
    counted = leave_days.count(roster, span.start, span.end, span.start_half, span.end_half)
    if not any(day.days for day in counted):
        reasons = "; ".join(dict.fromkeys(day.why for day in counted))
        raise NoLeaveDays(field="startDate", reasons=reasons)
    return counted


_OTHERS = """
SELECT date, part, start_date, end_date, status FROM leave_day
JOIN leave_application ON leave_application.id = application_id
WHERE leave_day.employee_id = ? AND date BETWEEN ? AND ? AND application_id IS NOT ? ORDER BY date, part
"""


def check_free(span: Span, counted: Sequence[CountedDay]) -> None:
    """Refuse leave on days that other leave covers; the halves of a day go together.

    Raises:
        LeaveOverlap: pending or approved leave covers one of them.
    """
    parts = {day.date.isoformat(): day.part for day in counted}
    between = (span.employee_id, span.start.isoformat(), span.end.isoformat(), span.besides)
    for day, part, start, end, status in WORKSPACE.rows(_OTHERS, between):
        if "day" in (part, parts[day]) or part == parts[day]:
            raise LeaveOverlap(field="startDate", start=start, end=end, status=status)


def check_absent(span: Span, counted: Sequence[CountedDay]) -> None:
    """Refuse leave on whole days on which attendance says that she worked.

    Raises:
        AtWorkThen: it says so of one of them.
    """
    marked = attendance.records_between([span.employee_id], span.start, span.end)[span.employee_id]
    worked = [day.date for day in counted if day.days == SCALE and marked.get(day.date, ("", 0))[0] in AT_WORK]
    if worked:
        raise AtWorkThen(field="startDate", name=span.name, days=", ".join(map(str, worked)))


def by_year(counted: Sequence[CountedDay]) -> dict[int, list[CountedDay]]:
    """The days that take something of a balance, by leave year."""
    found: dict[int, list[CountedDay]] = defaultdict(list)
    for day in counted:
        if day.days:
            found[day.date.year].append(day)
    return dict(found)


def check_balance(span: Span, kind: LeaveType, counted: Sequence[CountedDay]) -> int:
    """Refuse leave of a closed year, or of more days than are left in one.

    Returns:
        What is available before it, of all the years together that it takes days of.

    Raises:
        LeaveYearClosed: a year is closed.
        TooLittleLeave: a year has too little left; pending leave reserves its days.
    """
    before = 0
    for year, days in by_year(counted).items():
        ledger.check_open(year)
        accounts = ledger.reckon([span.employee_id], [kind], year, days[-1].date, span.besides)
        account = accounts[span.employee_id, kind.id]
        before += account.available
        taking = sum(day.days for day in days)
        left = taking + accrual.lowest(account.plus(uses=[Use(day.date, day.days, True) for day in days]), days[0].date)
        if left < taking and not kind.allow_negative:
            said = f"Only {worded(max(left, 0))} of {kind.name} {'is' if left == 100 else 'are'}"
            raise TooLittleLeave(field="endDate", left=said, year=year, days=worded(taking))
    return before
