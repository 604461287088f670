"""Rules for leave, checked when it is requested and when it is approved: days, employment, overlap, balance."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Any, Protocol

import msgspec

from erp.hr.access.models import Employee
from erp.hr.attendance import days as attendance
from erp.hr.attendance.punches import AT_WORK
from erp.hr.calendar import work_calendar
from erp.hr.leave import accrual, ledger
from erp.hr.leave import days as leave_days
from erp.hr.leave.accrual import Account, Use
from erp.hr.leave.days import SCALE, CountedDay, worded
from erp.hr.leave.models import LeaveApplication, LeaveType
from erp.hr.leave.types.types import in_words
from erp.kernel.errors import Refusal
from erp.kernel.language import Listed, Word, says
from erp.store.router import WORKSPACE


class NotEmployedThen(Refusal):
    """{name} is not employed on {day}."""

    status = 422


class NoLeaveDays(Refusal):
    """This leave includes no working days: {reasons}."""

    status = 422


class LeaveOverlap(Refusal):
    """The leave overlaps {status} leave from {start} to {end}."""

    status = 422


class TooLittleLeave(Refusal):
    """{leave_type} {year}: {left} remain, but this leave takes {days}."""

    status = 422


_ONE_DAY_LEFT = says("{leave_type} {year}: {left} remains, but this leave takes {days}.")


class AtWorkThen(Refusal):
    """{name} has attendance on {days}. Correct the attendance first, or request half a day."""


class HasDates(Protocol):
    """A request for leave, or an application."""

    @property
    def start_date(self) -> date: ...
    @property
    def end_date(self) -> date: ...
    @property
    def start_half(self) -> bool: ...
    @property
    def end_half(self) -> bool: ...


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """The days that an employee is away."""

    employee_id: str
    name: str
    start: date
    end: date
    start_half: bool
    end_half: bool
    application_id: str | None = None

    @classmethod
    def of(cls, leave: HasDates, employee: Employee, application_id: str | None = None) -> "Span":
        """The days of a request or, with its id, of an application."""
        return cls(
            employee_id=employee.id,
            name=employee.name,
            start=leave.start_date,
            end=leave.end_date,
            start_half=leave.start_half,
            end_half=leave.end_half,
            application_id=application_id,
        )


def count(span: Span) -> list[CountedDay]:
    """Count the days of a span by today's schedule, employments and holidays.

    Raises:
        NotEmployedThen: the employee is not employed on one of the days.
        NoLeaveDays: none of them is a working day.
    """
    calendar = work_calendar.of([span.employee_id], span.start, span.end)[span.employee_id]
    unemployed = next((day.date for day in calendar.days(span.start, span.end) if not day.employed), None)
    if unemployed is not None:
        field = "startDate" if unemployed == span.start else "endDate"
        raise NotEmployedThen(field=field, name=span.name, day=unemployed)
    replaced = leave_days.replaced(LeaveApplication.find(span.application_id)) if span.application_id else {}
    counted = leave_days.count(calendar, span.start, span.end, span.start_half, span.end_half, replaced)
    if not any(day.days for day in counted):
        reasons = Listed.of(list(dict.fromkeys(day.why for day in counted)), separator="; ")
        raise NoLeaveDays(field="startDate", reasons=reasons)
    return counted


_OTHERS = """
SELECT date, part, start_date, end_date, status FROM leave_day
JOIN leave_application ON leave_application.id = application_id JOIN leave_type ON leave_type.id = leave_type_id
WHERE leave_day.employee_id = ? AND date BETWEEN ? AND ? AND application_id IS DISTINCT FROM CAST(? AS TEXT)
AND interrupts_leave >= ? ORDER BY date, part
"""


def check_free(span: Span, leave_type: LeaveType, counted: Sequence[CountedDay]) -> None:
    """Refuse leave on days that other leave covers; two different halves of a day are no overlap.

    Leave that interrupts may cover the days of leave that does not.

    Raises:
        LeaveOverlap: pending or approved leave covers one of them.
    """
    parts = {day.date.isoformat(): day.part for day in counted}
    days = span.start.isoformat(), span.end.isoformat()
    values = span.employee_id, *days, span.application_id, leave_type.interrupts_leave
    for day, part, start, end, status in WORKSPACE.rows(_OTHERS, values):
        if "day" in (part, parts[day]) or part == parts[day]:
            raise LeaveOverlap(
                field="startDate", start=date.fromisoformat(start), end=date.fromisoformat(end), status=Word.of(status)
            )


def check_absent(span: Span, counted: Sequence[CountedDay]) -> None:
    """Refuse leave on full days with attendance at work.

    Raises:
        AtWorkThen: there is such a day.
    """
    recorded = attendance.records_between([span.employee_id], span.start, span.end)[span.employee_id]
    worked = [
        day.date for day in counted if day.part == "day" and day.days and recorded.get(day.date, ("", 0))[0] in AT_WORK
    ]
    if worked:
        raise AtWorkThen(field="startDate", name=span.name, days=Listed.of(worked))


def by_year(counted: Sequence[CountedDay]) -> dict[int, list[CountedDay]]:
    """The days that count against a balance, by leave year."""
    days: dict[int, list[CountedDay]] = defaultdict(list)
    for day in counted:
        if day.days:
            days[day.date.year].append(day)
    return dict(days)


def check_balance(span: Span, leave_type: LeaveType, counted: Sequence[CountedDay]) -> int:
    """Refuse leave in a closed year, or for more than the days remaining in a year.

    Returns:
        The days available before it, in all its years together.

    Raises:
        LeaveYearClosed: a year is closed, and the caller cannot manage leave.
        TooLittleLeave: a year has too few days left; pending leave reserves its days.
    """
    before = 0
    ledger.check_open(by_year(counted), leave_type)
    for year, days in by_year(counted).items():
        account = _account(span, leave_type, year, days[-1].date)
        before += account.available
        taking = sum(day.days for day in days)
        remaining = taking + accrual.lowest(
            account.plus(uses=[Use(day.date, day.days, True) for day in days]), days[0].date
        )
        if remaining < taking and not leave_type.allow_negative:
            places: dict[str, Any] = {
                "left": worded(max(remaining, 0)),
                "leave_type": in_words(leave_type.name),
                "year": year,
                "days": worded(taking),
            }
            raise TooLittleLeave(
                _ONE_DAY_LEFT.fill(**places) if remaining == SCALE else None, field="endDate", **places
            )
    return before


def available(span: Span, leave_type: LeaveType, counted: Sequence[CountedDay]) -> int:
    """The days available before a leave, in all its years together, enough or not."""
    last_days = {year: days[-1].date for year, days in by_year(counted).items()}
    return sum(_account(span, leave_type, year, last).available for year, last in last_days.items())


def _account(span: Span, leave_type: LeaveType, year: int, last: date) -> Account:
    accounts = ledger.compute([span.employee_id], [leave_type], year, last, span.application_id)
    account = accounts[span.employee_id, leave_type.id]
    return account.reopened if account.closed else account
