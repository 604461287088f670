"""How leave applications are shown."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from erp.hr.leave import decisions
from erp.hr.leave.days import DaysText, shown
from erp.hr.leave.models import LeaveApplication
from erp.store import names
from erp.store.router import WORKSPACE
from erp.web.schema import RecordView, View, show

Status = Literal["pending", "approved", "rejected", "cancelled"]


class LeaveDayView(View):
    """A day of an application: how much of it is leave, what it takes from the balance, and why."""

    date: str
    fraction: DaysText
    counted: DaysText
    why: str


class LeaveView(RecordView):
    """Requested leave; the balances are those before and after it at the time of the request.

    They leave out what other pending leave reserves; leave across the turn of the year shows both years together.
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
        msgspec.Meta(description="What you may do with it now, unless a rule about its days refuses, such as pay."),
    ]

    @classmethod
    def of(cls, leave: LeaveApplication) -> "LeaveView":
        """The view of an application."""
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


class LeaveWarning(View):
    """What to know about a request that was accepted."""

    code: Literal["holidays_imported", "no_holidays"]
    message: str


class RequestedLeaveView(LeaveView):
    """Leave that was just requested."""

    warnings: list[LeaveWarning]

    @classmethod
    def of_request(cls, leave: LeaveApplication, warnings: Sequence[LeaveWarning]) -> "RequestedLeaveView":
        """The view of a new application."""
        return cls(**msgspec.structs.asdict(LeaveView.of(leave)), warnings=list(warnings))


def _names(table: str) -> dict[str, str]:
    return WORKSPACE.memo(f"{table}_names", lambda: dict(WORKSPACE.rows(f"SELECT id, name FROM {table}")))
