"""Leave applications: what somebody asks for, and what it must keep to."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any, ClassVar

import msgspec

from erp.hr import locked_days
from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.leave import ledger, rules, types
from erp.hr.leave.days import CountedDay, shown, worded
from erp.hr.leave.models import LeaveApplication, LeaveType
from erp.hr.leave.rules import Span
from erp.kernel import caller
from erp.kernel.errors import Complaint, Invalid, Refusal
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Id, Note
from erp.web.schema import Body

LONGEST = 1100
"""Calendar days that one application covers at most: three years."""


class NewLeave(Body):
    """Leave to ask for; without an employee it is the caller's own, without a type the first of the list."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "employeeId": "EMP-0001",
        "startDate": "2026-08-03",
        "endDate": "2026-08-07",
        "reason": "Summer",
    }

    start_date: Day
    end_date: Day
    employee_id: Annotated[
        Id | None, msgspec.Meta(description="An id or number; another's needs the right to manage leave.")
    ] = None
    leave_type_id: Id | None = None
    start_half: Annotated[bool, msgspec.Meta(description="Begins at noon of the first day.")] = False
    end_half: Annotated[bool, msgspec.Meta(description="Ends at noon of the last day.")] = False
    reason: Annotated[Note | None, msgspec.Meta(description="Seen by herself and those who see all leave.")] = None


class TooManyConsecutiveDays(Refusal):
    """{kind} is taken for at most {most} at a time, and this leave takes {days}."""

    status = 422


class NoticeTooShort(Refusal):
    """{kind} is asked for {days} days before it begins at the latest."""

    status = 422


def request(new: NewLeave) -> LeaveApplication:
    """Ask for leave; its days are reserved until somebody decides.

    Raises:
        NoEmployeeRecord: the caller is no employee and names nobody.
        Forbidden: she names somebody else without the right to.
        UnknownReference: there is no such employee or leave type in this workspace.
        Invalid: the dates do not fit together.
        PaidAlready: payroll has paid one of the days.
        LeaveYearClosed: it takes days of a year that is closed.
        NotEmployedThen, NoLeaveDays, LeaveOverlap, AtWorkThen, TooLittleLeave, TooManyConsecutiveDays, NoticeTooShort:
            as they say.
    """
    employee = people.subject(new.employee_id, "leave.write")
    kind = types.refer(new.leave_type_id)
    _check_dates(new)
    _check_notice(kind, new.start_date)
    span = Span(employee.id, employee.name, new.start_date, new.end_date, new.start_half, new.end_half)
    locked_days.check_open(employee.id, span.start, span.end, field="startDate")
    counted = rules.count(span)
    rules.check_free(span, counted)
    rules.check_absent(span, counted)
    days = sum(day.days for day in counted)
    _check_length(kind, days)
    before = rules.check_balance(span, kind, counted)
    return _record(new, employee, kind, counted, before)


def told(leave: LeaveApplication) -> dict[str, Any]:
    """What the log says of an application: neither type nor reason, for illness is private."""
    span = {"startDate": leave.start_date.isoformat(), "endDate": leave.end_date.isoformat()}
    return {"employeeId": leave.employee_id, **span, "days": shown(leave.days)}


def keep_days(leave: LeaveApplication, counted: list[CountedDay]) -> None:
    """Write the days that an application covers, in place of those it covered before."""
    drop_days(leave)
    WORKSPACE.run_many(
        "INSERT INTO leave_day (application_id, date, employee_id, part, days) VALUES (?, ?, ?, ?, ?)",
        [(leave.id, day.date.isoformat(), leave.employee_id, day.part, day.days) for day in counted],
    )


def settle(leave: LeaveApplication, kind: LeaveType) -> None:
    """Write what the ledger is due in the years of an application, by the days that it covers now."""
    through = leave.end_date if leave.status in ("pending", "approved") else None
    for year in range(leave.start_date.year, leave.end_date.year + 1):
        ledger.settle([leave.employee_id], [kind], year, through)


def drop_days(leave: LeaveApplication) -> None:
    """Free the days that an application covered."""
    WORKSPACE.run("DELETE FROM leave_day WHERE application_id = ?", (leave.id,))


def _record(
    new: NewLeave, employee: Employee, kind: LeaveType, counted: list[CountedDay], before: int
) -> LeaveApplication:
    days = sum(day.days for day in counted)
    values: Mapping[str, Any] = new.changes() | {"employee_id": employee.id, "leave_type_id": kind.id}
    details = [day.detail() for day in counted]
    leave = LeaveApplication.add(
        **values, days=days, day_details=details, balance_before=before, balance_after=before - days
    )
    keep_days(leave, counted)
    settle(leave, kind)
    events.write("leave.requested", "leave", leave.id, told(leave))
    return leave


def _check_dates(new: NewLeave) -> None:
    found = []
    if new.end_date < new.start_date:
        found.append(Complaint("endDate", "before_start", "Must not be before the first day."))
    if new.end_date - new.start_date >= timedelta(days=LONGEST):
        found.append(Complaint("endDate", "too_long", f"One application covers at most {LONGEST} days."))
    if new.start_date == new.end_date and new.start_half and new.end_half:
        said = "A single day begins at noon or ends at noon, not both."
        found.append(Complaint("endHalf", "both_halves", said))
    if found:
        raise Invalid(found)


def _check_notice(kind: LeaveType, start: date) -> None:
    """Those who manage leave may enter it late."""
    notice = kind.min_notice_days
    if notice is not None and (start - workspace_settings.today()).days < notice and not caller.may("leave.write"):
        raise NoticeTooShort(field="startDate", kind=kind.name, days=notice)


def _check_length(kind: LeaveType, days: int) -> None:
    most = kind.max_consecutive_days
    if most is not None and days > most:
        raise TooManyConsecutiveDays(field="endDate", kind=kind.name, most=worded(most), days=worded(days))
