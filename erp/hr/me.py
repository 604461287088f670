"""The employee's own page: record, leave, latest payslips, and the running clock."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Any, Literal

import msgspec

from erp.hr.access import people, zones
from erp.hr.access.models import Employee
from erp.hr.attendance import clocking
from erp.hr.attendance.week import OwnDayView, OwnWeekView, so_far
from erp.hr.employees.views import EmployeeView
from erp.hr.leave import balances, days
from erp.hr.leave.balances import LeaveBalanceFilter, LeaveBalanceView
from erp.kernel import clock, money
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Figure, Instant, Money
from erp.web.schema import View

PAYSLIPS = 3
"""Number of payslips shown; `GET /hr/payroll/payslips` lists all of them."""


REJECTED = timedelta(days=14)
"""Time for which rejected leave is shown."""


class OwnPayslip(View):
    """A payslip of an approved run."""

    id: str
    run_id: str
    period_start: str
    period_end: str
    pay_date: str
    currency: str
    gross: Money
    net: Money


class RemedyView(View):
    """A request to send, perhaps after changing its body."""

    method: Literal["GET", "POST"]
    path: str
    body: dict[str, Any]


class OwnOpenAttendance(View):
    """The attendance record of a shift that is still open."""

    id: str
    date: str
    since: Instant
    remedy: Annotated[
        RemedyView | None,
        msgspec.Meta(description="The correction to request if they forgot to clock out on an earlier day."),
    ]


class OwnPendingLeave(View):
    """Leave that is waiting for a decision."""

    id: str
    leave_type_id: str
    leave_type_name: str
    start_date: str
    end_date: str
    days: Figure


class OwnDecidedLeave(OwnPendingLeave):
    """Leave that is approved and not over yet, or was rejected in the last 14 days."""

    status: Literal["approved", "rejected"]
    decision_note: str | None


class MeView(View):
    """The caller as an employee; null and empty lists if there is no employee record."""

    employee: EmployeeView | None
    leave_balances: list[LeaveBalanceView]
    payslips: list[OwnPayslip]
    open_attendance: OwnOpenAttendance | None
    today: OwnDayView | None
    week: OwnWeekView | None
    pending_leaves: list[OwnPendingLeave]
    decided_leaves: list[OwnDecidedLeave]


_PAYSLIPS = """
SELECT payslip.id, run_id, payroll_run.period_start, payroll_run.period_end, payslip.pay_date, currency,
    payslip.gross, payslip.net
FROM payslip JOIN payroll_run ON payroll_run.id = run_id
WHERE employee_id = ? AND payroll_run.status IN ('approved', 'paid')
ORDER BY payslip.pay_date DESC, payroll_run.period_end DESC, payslip.id DESC LIMIT ?
"""
_PENDING = """
SELECT leave.id, leave_type_id, leave_type.name, start_date, end_date, days
FROM leave_application AS leave JOIN leave_type ON leave_type.id = leave_type_id
WHERE employee_id = ? AND status = 'pending' ORDER BY start_date, leave.id
"""

_DECIDED = """
SELECT leave.id, leave_type_id, leave_type.name, start_date, end_date, days, status, decision_note
FROM leave_application AS leave JOIN leave_type ON leave_type.id = leave_type_id
WHERE employee_id = :employee
AND (status = 'approved' AND end_date >= :today OR status = 'rejected' AND decided_at >= :rejected_since)
ORDER BY start_date, leave.id
"""


def show() -> MeView:
    """The caller's own data as an employee."""
    own = people.own()
    if own is None:
        nothing = dict.fromkeys(("employee", "open_attendance", "today", "week"))
        return MeView(leave_balances=[], payslips=[], pending_leaves=[], decided_leaves=[], **nothing)
    today, week = so_far(own.id)
    return MeView(
        employee=EmployeeView.of(own),
        leave_balances=[
            LeaveBalanceView.of(balance) for balance in balances.find(LeaveBalanceFilter(employee_id=own.id))
        ],
        payslips=_payslips(own),
        open_attendance=_open_attendance(own),
        today=today,
        week=week,
        pending_leaves=_pending(own),
        decided_leaves=_decided(own),
    )


def _open_attendance(own: Employee) -> OwnOpenAttendance | None:
    running = clocking.running(own.id)
    if running is None:
        return None
    remedy = clocking.remedy(running) if running.date < zones.today(own.id) else None
    return OwnOpenAttendance(
        id=running.id,
        date=running.date.isoformat(),
        since=Instant(running.open_since),
        remedy=None if remedy is None else RemedyView(method=remedy.method, path=remedy.path, body=dict(remedy.body)),
    )


def _named(view: type[View], row: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(view.__struct_fields__, row, strict=True))


def _payslips(own: Employee) -> list[OwnPayslip]:
    rows = WORKSPACE.rows(_PAYSLIPS, (own.id, PAYSLIPS))
    return [
        OwnPayslip(**_named(OwnPayslip, [*columns, currency, money.text(gross, currency), money.text(net, currency)]))
        for *columns, currency, gross, net in rows
    ]


def _pending(own: Employee) -> list[OwnPendingLeave]:
    rows = WORKSPACE.rows(_PENDING, (own.id,))
    return [OwnPendingLeave(**_named(OwnPendingLeave, [*columns, days.shown(taken)])) for *columns, taken in rows]


def _decided(own: Employee) -> list[OwnDecidedLeave]:
    days_of = {"today": str(zones.today(own.id)), "rejected_since": clock.stamp(clock.now() - REJECTED)}
    rows = WORKSPACE.rows(_DECIDED, {"employee": own.id, **days_of})
    return [
        OwnDecidedLeave(**_named(OwnDecidedLeave, [*columns, days.shown(taken), status, note]))
        for *columns, taken, status, note in rows
    ]


class Me:
    @endpoint(permission="employees.read_own")
    def on_get(self) -> MeView:
        """Show yourself: your employee record, leave balances of this year, latest payslips, today and this week.

        `today` has the day's punches; `today` and `week` count an open punch up to now. Everyone can ask. Without an
        employee record the answer has `null` and empty lists.
        """
        return show()
