"""Leave applications and their rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET

from erp.hr.access import people, zones
from erp.hr.access.models import Employee
from erp.hr.leave import calendar, days, ledger, rules
from erp.hr.leave.days import CountedDay, worded
from erp.hr.leave.holidays import coming_years
from erp.hr.leave.models import LeaveApplication, LeaveType
from erp.hr.leave.rules import Span
from erp.hr.leave.types import types
from erp.hr.leave.types.types import in_words
from erp.hr.leave.views import LeaveWarning, Rehearsal
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint, Invalid, Refusal
from erp.kernel.language import counted, says
from erp.store import events
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Id, Note
from erp.web.schema import Body

LONGEST = 1100
"""The most calendar days of one application: three years."""


class NewLeave(Body):
    """Leave to request: the caller's own and of the first leave type by default."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "employeeId": "EMP-0001",
        "startDate": "2026-08-03",
        "endDate": "2026-08-07",
        "reason": "Summer",
    }

    start_date: Day
    end_date: Day
    employee_id: Annotated[
        Id | None, msgspec.Meta(description="An id or number; someone else's needs the right to manage leave.")
    ] = None
    leave_type_id: Id | None = None
    start_half: Annotated[bool, msgspec.Meta(description="It begins at noon on the first day.")] = False
    end_half: Annotated[bool, msgspec.Meta(description="It ends at noon on the last day.")] = False
    reason: Annotated[Note | None, msgspec.Meta(description="For the employee and readers of all leave.")] = None
    approve: Annotated[
        bool,
        msgspec.Meta(description="Approve it as well; for others, with the right to manage their leave."),
    ] = False
    dry_run: Annotated[
        bool, msgspec.Meta(description="Show the days and every rule that they break, and store nothing.")
    ] = False

    def check(self) -> Iterable[Complaint]:
        return () if self.dry_run else self.of_dates()

    def of_dates(self) -> Iterator[Complaint]:
        """Complaints about the days; a dry run shows them instead of being refused."""
        if UNSET in (self.start_date, self.end_date):
            return
        if self.end_date < self.start_date:
            yield Complaint("endDate", "before_start", says("The last day must not be before the first."))
        if self.end_date - self.start_date >= timedelta(days=LONGEST):
            message = says("A leave request can cover {most} days at most.", most=LONGEST)
            yield Complaint("endDate", "too_long", message)
        if self.start_date == self.end_date and self.start_half and self.end_half:
            message = says("Leave of a single day can begin at noon or end at noon, not both.")
            yield Complaint("endHalf", "both_halves", message)


class TooManyConsecutiveDays(Refusal):
    """{leave_type}: at most {most} in a row. This leave takes {days}."""

    status = 422


class NoticeTooShort(Refusal):
    """The leave must be requested earlier."""

    status = 422


_ONE_DAY_BEFORE = says("{leave_type} must be requested at least 1 day before it begins.")
_DAYS_BEFORE = says("{leave_type} must be requested at least {days} days before it begins.")


def request(new: NewLeave) -> tuple[LeaveApplication, list[LeaveWarning]]:
    """Request leave; its days are reserved until someone decides.

    Holidays of a year that has not been needed before are imported first; the warnings report that, or that there are
    none.

    Raises:
        NoEmployeeRecord: no employee is named, and the caller has no employee record.
        Forbidden: someone else is named, and the caller cannot manage leave.
        UnknownReference: there is no such employee or leave type in this workspace.
        LeaveYearClosed: it takes days of a closed year.
        NotEmployedThen, NoLeaveDays, LeaveOverlap, AtWorkThen, TooLittleLeave, TooManyConsecutiveDays, NoticeTooShort:
            it breaks that rule.
    """
    employee = people.subject(new.employee_id, "leave.write")
    leave_type = types.refer(new.leave_type_id)
    warnings = coming_years.import_missing(employee.id, new.start_date, new.end_date)
    _check_notice(leave_type, employee.id, new.start_date)
    span = Span.of(new, employee)
    counted = rules.count(span)
    for check in _checks(span, leave_type, counted):
        check()
    before = rules.check_balance(span, leave_type, counted)
    columns = new.changes() | {"employee_id": employee.id, "leave_type_id": leave_type.id, "balance_before": before}
    del columns["dry_run"], columns["approve"]
    return _add(columns, leave_type, counted), warnings


def rehearse(new: NewLeave) -> Rehearsal:
    """The effect of a request for leave, and every rule that it breaks; nothing is stored.

    Raises:
        NoEmployeeRecord, Forbidden, UnknownReference: as `request`.
    """
    employee = people.subject(new.employee_id, "leave.write")
    leave_type = types.refer(new.leave_type_id)
    complaints = Complaints()
    with complaints.taking("startDate"):
        if of_dates := list(new.of_dates()):
            raise Invalid(of_dates)
        with WORKSPACE.undone():  # the holidays that it would import
            return _rehearsed(new, employee, leave_type)
    return Rehearsal(employee, leave_type, [], 0, [], complaints.items, [])


def _rehearsed(new: NewLeave, employee: Employee, leave_type: LeaveType) -> Rehearsal:
    complaints = Complaints()
    counted: list[CountedDay] = []
    imported = coming_years.import_missing(employee.id, new.start_date, new.end_date)
    span = Span.of(new, employee)
    with complaints.taking("startDate"):
        _check_notice(leave_type, employee.id, span.start)
    with complaints.taking("startDate"):
        counted = rules.count(span)
    for check in _checks(span, leave_type, counted):
        with complaints.taking("startDate"):
            check()
    with complaints.taking("endDate"):
        rules.check_balance(span, leave_type, counted)
    before = rules.available(span, leave_type, counted)
    others = [absence for absence in calendar.absences(span.start, span.end) if absence.employee_id != employee.id]
    unknown = [warning for warning in imported if warning.code == "no_holidays"]  # the others are undone
    return Rehearsal(employee, leave_type, counted, before, others, complaints.items, unknown)


def _checks(span: Span, leave_type: LeaveType, counted: list[CountedDay]) -> list[Callable[[], object]]:
    """The rules about days that have been counted, except for the balance."""
    if not counted:
        return []
    return [
        lambda: rules.check_free(span, leave_type, counted),
        lambda: rules.check_absent(span, counted),
        lambda: _check_length(leave_type, sum(day.days for day in counted)),
    ]


def find(id: str) -> LeaveApplication:
    """An application that the caller can see.

    Raises:
        NotFound: there is no such application in this workspace.
        Forbidden: it is someone else's, and the caller can read only their own leave.
    """
    leave = LeaveApplication.find(id)
    people.visible(leave.employee_id, "leave.read")
    return leave


def _add(columns: Mapping[str, Any], leave_type: LeaveType, counted: list[CountedDay]) -> LeaveApplication:
    leave = LeaveApplication.add(**columns, **days.columns(counted, columns["balance_before"]))
    days.write(leave, counted)
    ledger.settle_leave(leave, leave_type)
    events.write("leave.pending", "leave", leave.id, days.event_data(leave))
    return leave


def _check_notice(leave_type: LeaveType, employee_id: str, start: date) -> None:
    """Callers with the right to manage leave may enter it late."""
    notice = leave_type.min_notice_days
    if (
        notice is not None
        and (start - zones.today(employee_id)).days < notice
        and not people.may_for(employee_id, "leave.write")
    ):
        raise NoticeTooShort(
            counted(notice, _ONE_DAY_BEFORE, _DAYS_BEFORE, leave_type=in_words(leave_type.name), days=notice),
            field="startDate",
        )


def _check_length(leave_type: LeaveType, days: int) -> None:
    most = leave_type.max_consecutive_days
    if most is not None and days > most:
        raise TooManyConsecutiveDays(
            field="endDate", leave_type=in_words(leave_type.name), most=worded(most), days=worded(days)
        )
