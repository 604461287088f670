"""What employees see of themselves: record, leave, latest payslips, and whether they are clocked in."""

from collections.abc import Sequence
from typing import Any

from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.employees.views import EmployeeView
from erp.hr.leave import balances, days
from erp.hr.leave.balances import LeaveBalanceFilter, LeaveBalanceView
from erp.kernel import money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Figure, Instant, Money
from erp.web.schema import View

PAYSLIPS = 3
"""How many payslips are shown; `GET /hr/payroll/payslips` lists all of them."""


class OwnPayslip(View):
    """A payslip of an approved run."""

    id: str
    run_id: str
    period_start: str
    period_end: str
    pay_date: str
    gross: Money
    net: Money


class OwnOpenAttendance(View):
    """The attendance record of a shift that is still open."""

    id: str
    date: str
    since: Instant


class OwnPendingLeave(View):
    """Leave that is waiting for a decision."""

    id: str
    leave_type_id: str
    start_date: str
    end_date: str
    days: Figure


class MeView(View):
    """The caller as an employee; null and empty lists if there is no employee record."""

    employee: EmployeeView | None
    leave_balances: list[LeaveBalanceView]
    payslips: list[OwnPayslip]
    open_attendance: OwnOpenAttendance | None
    pending_leaves: list[OwnPendingLeave]


_PAYSLIPS = """
SELECT payslip.id, run_id, payroll_run.period_start, payroll_run.period_end, payslip.pay_date, payslip.gross,
    payslip.net
FROM payslip JOIN payroll_run ON payroll_run.id = run_id
WHERE employee_id = ? AND payroll_run.status IN ('approved', 'paid')
ORDER BY payslip.pay_date DESC, payroll_run.period_end DESC, payslip.id DESC LIMIT ?
"""
_OPEN = "SELECT id, date, open_since FROM attendance_record WHERE employee_id = ? AND open_since IS NOT NULL"
_PENDING = """
SELECT id, leave_type_id, start_date, end_date, days FROM leave_application
WHERE employee_id = ? AND status = 'pending' ORDER BY start_date, id
"""


def show() -> MeView:
    """What callers see of themselves."""
    own = people.own()
    if own is None:
        return MeView(employee=None, leave_balances=[], payslips=[], open_attendance=None, pending_leaves=[])
    ongoing = [OwnOpenAttendance(**_named(OwnOpenAttendance, row)) for row in WORKSPACE.rows(_OPEN, (own.id,))]
    return MeView(
        employee=EmployeeView.of(own),
        leave_balances=[
            LeaveBalanceView.of(balance) for balance in balances.find(LeaveBalanceFilter(employee_id=own.id))
        ],
        payslips=_payslips(own),
        open_attendance=ongoing[0] if ongoing else None,
        pending_leaves=_pending(own),
    )


def _named(view: type[View], row: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(view.__struct_fields__, row, strict=True))


def _payslips(own: Employee) -> list[OwnPayslip]:
    currency = workspace_settings.current().base_currency
    rows = WORKSPACE.rows(_PAYSLIPS, (own.id, PAYSLIPS))
    return [
        OwnPayslip(**_named(OwnPayslip, [*columns, money.text(gross, currency), money.text(net, currency)]))
        for *columns, gross, net in rows
    ]


def _pending(own: Employee) -> list[OwnPendingLeave]:
    rows = WORKSPACE.rows(_PENDING, (own.id,))
    return [OwnPendingLeave(**_named(OwnPendingLeave, [*columns, days.shown(taken)])) for *columns, taken in rows]


class Me:
    @endpoint(permission="employees.read_own")
    def on_get(self) -> MeView:
        """Show yourself: your employee record, leave balances of this year, latest payslips and open attendance.

        Everyone can ask. Without an employee record the answer has `null` and empty lists.
        """
        return show()
