"""Views of leave applications."""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec

from erp.hr.access.models import Employee
from erp.hr.leave import decisions
from erp.hr.leave.calendar import AbsenceView
from erp.hr.leave.days import CountedDay, DaysText, shown
from erp.hr.leave.models import LeaveApplication, LeaveType
from erp.kernel.errors import Complaint
from erp.store import names
from erp.store.router import WORKSPACE
from erp.web.schema import DetailView, RecordView, Unset, View, show

Status = Literal["pending", "approved", "rejected", "cancelled"]


class LeaveDayView(View):
    """A day of an application, with its covered part, its effect on the balance, and the reason."""

    date: str
    fraction: DaysText
    counted: DaysText
    why: str
    replaced_by_leave_id: Annotated[
        str | Unset, msgspec.Meta(description="The leave that has taken the place of this day, or of half of it.")
    ] = msgspec.UNSET


class LeaveView(RecordView):
    """Requested leave; the balances are before and after it, at the time of the request.

    They ignore other pending leave; leave across the turn of the year shows both years together.
    """

    created_by: str | None
    created_by_name: str | None
    employee_id: str
    employee_name: str
    leave_type_id: str
    leave_type_name: str
    start_date: str
    end_date: str
    start_half: bool
    end_half: bool
    reason: str | None
    days: DaysText
    day_details: list[LeaveDayView]
    status: Status
    decided_by: str | None
    decided_by_name: str | None
    decided_at: str | None
    decision_note: str | None
    balance_before: DaysText
    balance_after: DaysText
    can: Annotated[
        list[decisions.Action],
        msgspec.Meta(description="Actions open to you now, except where a rule about its days refuses, such as pay."),
    ]

    @classmethod
    def of(cls, leave: LeaveApplication) -> "LeaveView":
        return show(
            cls,
            leave,
            can=decisions.actions(leave),
            decided_by_name=names.of_user(leave.decided_by),
            employee_name=_names("employee")[leave.employee_id],
            leave_type_name=_names("leave_type")[leave.leave_type_id],
            start_date=leave.start_date.isoformat(),
            end_date=leave.end_date.isoformat(),
            days=shown(leave.days),
            day_details=[LeaveDayView(**day) for day in leave.day_details],
            balance_before=shown(leave.balance_before),
            balance_after=shown(leave.balance_after),
        )


class DecidedLeavesView(View):
    """The leave that was decided, in the order of the request."""

    leaves: list[LeaveView]


class LeaveWarning(View):
    """A remark about a request that was accepted."""

    code: Literal["holidays_imported", "no_holidays"]
    message: str


class RequestedLeaveView(LeaveView):
    """Leave that was just requested."""

    warnings: list[LeaveWarning]

    @classmethod
    def of_request(cls, leave: LeaveApplication, warnings: Sequence[LeaveWarning]) -> "RequestedLeaveView":
        return cls(**msgspec.structs.asdict(LeaveView.of(leave)), warnings=list(warnings))


class Rehearsal(NamedTuple):
    """A request for leave that is not stored: its effect, and the rules that it breaks."""

    employee: Employee
    leave_type: LeaveType
    counted: list[CountedDay]
    balance_before: int
    others: list[AbsenceView]
    complaints: list[Complaint]
    warnings: list[LeaveWarning]


class LeavePreview(View):
    """The effect of a request for leave; without `details` it would be accepted.

    `absences` lists others who are out on one of its days, as the leave calendar shows them to you.
    """

    employee_id: str
    employee_name: str
    leave_type_id: str
    leave_type_name: str
    days: DaysText
    day_details: list[LeaveDayView]
    balance_before: DaysText
    balance_after: DaysText
    absences: list[AbsenceView]
    details: list[DetailView]
    warnings: list[LeaveWarning]

    @classmethod
    def of(cls, rehearsal: Rehearsal) -> "LeavePreview":
        days = sum(day.days for day in rehearsal.counted)
        return cls(
            employee_id=rehearsal.employee.id,
            employee_name=rehearsal.employee.name,
            leave_type_id=rehearsal.leave_type.id,
            leave_type_name=rehearsal.leave_type.name,
            days=shown(days),
            day_details=[LeaveDayView(**day.detail()) for day in rehearsal.counted],
            balance_before=shown(rehearsal.balance_before),
            balance_after=shown(rehearsal.balance_before - days),
            absences=rehearsal.others,
            details=DetailView.of_all(rehearsal.complaints),
            warnings=rehearsal.warnings,
        )


def _names(table: str) -> dict[str, str]:
    return WORKSPACE.memo(f"{table}_names", lambda: dict(WORKSPACE.rows(f"SELECT id, name FROM {table}")))
