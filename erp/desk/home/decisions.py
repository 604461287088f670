"""Pending decisions: leave, corrections of attendance, payroll runs."""

from typing import Any, Literal

from erp.desk.home import waiting
from erp.desk.home.waiting import MOST, Waiting
from erp.hr.access import people
from erp.hr.attendance.corrections.corrections import ProposedAttendanceView
from erp.hr.leave.days import DaysText, shown
from erp.hr.payroll import approval
from erp.hr.payroll.differences import differences
from erp.kernel import caller, money
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Instant, Money
from erp.web.schema import View


class AlsoAwayView(View):
    """Another person who is away in those days; pending leave is shown to people who decide on it."""

    employee_id: str
    employee_name: str
    start_date: str
    end_date: str
    status: Literal["pending", "approved"]


class LeaveToDecideView(View):
    """Requested leave, and other people who are away."""

    id: str
    version: int
    created_at: Instant
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
    also_away: list[AlsoAwayView]


class LeavesToDecide(Waiting):
    """Leave to decide on, the earliest first day at the top."""

    items: list[LeaveToDecideView]


class CorrectionToDecideView(View):
    """A requested correction of attendance."""

    id: str
    version: int
    created_at: Instant
    employee_id: str
    employee_name: str
    date: Day
    proposed: ProposedAttendanceView
    reason: str | None


class CorrectionsToDecide(Waiting):
    """Corrections to decide on, the earliest day at the top."""

    items: list[CorrectionToDecideView]


class PayrollToHandleView(View):
    """A payroll run, and its next step."""

    id: str
    version: int
    number: str
    period_start: str
    period_end: str
    pay_date: str
    action: Literal["approve", "pay"]
    head_count: int
    currency: str
    net: Money


class PayDifferencesView(View):
    """Open differences of approved payslips."""

    count: int
    net: Money
    currency: str


class PayrollToHandle(Waiting):
    """Payroll runs to approve or to pay, the earliest pay date at the top."""

    items: list[PayrollToHandleView]


_DECIDED = (
    "(CAST(:decided AS TEXT) IS NULL OR {employee_id} IN (SELECT value FROM json_each(:decided)))"
    " AND {employee_id} <> :own"
)
_LEAVE = f"""
SELECT leave.id, leave.version, leave.created_at, leave.employee_id, employee.name, leave_type_id, leave_type.name,
    start_date, end_date, start_half, end_half, reason, days, count(*) OVER ()
FROM leave_application AS leave
JOIN employee ON employee.id = leave.employee_id JOIN leave_type ON leave_type.id = leave_type_id
WHERE leave.status = 'pending' AND {_DECIDED.format(employee_id="leave.employee_id")}
ORDER BY start_date, leave.id LIMIT {MOST}
"""
_ALSO_AWAY = """
SELECT asked.id, other.employee_id, employee.name, other.start_date, other.end_date, other.status
FROM leave_application AS asked
JOIN leave_application AS other ON other.start_date <= asked.end_date AND other.end_date >= asked.start_date
    AND other.employee_id <> asked.employee_id
JOIN employee ON employee.id = other.employee_id
WHERE asked.id IN (SELECT value FROM json_each(:asked)) AND (other.status = 'approved' OR (other.status = 'pending'
    AND (CAST(:decided AS TEXT) IS NULL OR other.employee_id IN (SELECT value FROM json_each(:decided)))))
ORDER BY other.start_date, employee.name, other.id
"""


def leaves() -> LeavesToDecide | None:
    """The leave on which the caller decides; None without such a right."""
    if not caller.may("leave.decide_reports"):
        return None
    parameters = _whose("leave.decide")
    rows = WORKSPACE.rows(_LEAVE, parameters)
    asked = sql.array(id for id, *_ in rows)
    away: dict[str, list[AlsoAwayView]] = {id: [] for id, *_ in rows}
    for id, *other in WORKSPACE.rows(_ALSO_AWAY, {"asked": asked, "decided": parameters["decided"]}) if rows else ():
        away[id].append(AlsoAwayView(**waiting.named(AlsoAwayView, tuple(other))))
    items = [_leave(row[:-1], away[row[0]]) for row in rows]
    return LeavesToDecide(total=rows[0][-1] if rows else 0, items=items)


def _leave(row: tuple[Any, ...], also_away: list[AlsoAwayView]) -> LeaveToDecideView:
    values = waiting.named(LeaveToDecideView, row)
    halves = {name: bool(values[name]) for name in ("start_half", "end_half")}
    return LeaveToDecideView(**{**values, **halves, "days": shown(values["days"])}, also_away=also_away)


def _whose(permission: str) -> dict[str, Any]:
    """The requests on which the caller decides: never their own, unless they are an owner."""
    decided = people.over(permission)
    own = None if caller.current().role == "owner" else people.own_id()
    return {"decided": None if decided is None else sql.array(decided), "own": own or ""}


_CORRECTIONS = f"""
SELECT {
    sql.json_of(
        CorrectionToDecideView,
        {
            "employee_name": "(SELECT name FROM employee WHERE employee.id = employee_id)",
            "proposed": "json(proposed)",
        },
    )
}, count(*) OVER ()
FROM attendance_correction WHERE status = 'pending' AND {_DECIDED.format(employee_id="employee_id")}
ORDER BY date, id
"""


def corrections() -> CorrectionsToDecide | None:
    """The corrections on which the caller decides; None without such a right."""
    if not caller.may("attendance.decide_reports"):
        return None
    return waiting.read(CorrectionsToDecide, _CORRECTIONS, _whose("attendance.decide"))


_RUNS = f"""
SELECT {
    sql.json_of(
        PayrollToHandleView,
        {
            "action": "CASE status WHEN 'draft' THEN 'approve' ELSE 'pay' END",
            "head_count": "(SELECT count(*) FROM payslip WHERE run_id = payroll_run.id)",
            "currency": "CAST(:base AS TEXT)",
            "net": sql.money_text("net", "CAST(:base AS TEXT)"),
        },
    )
}, count(*) OVER ()
FROM payroll_run WHERE id IN (SELECT value FROM json_each(:ids))
ORDER BY pay_date, id
"""


def payroll_runs() -> PayrollToHandle | None:
    """The payroll runs that the caller may approve or pay; None without the right to either."""
    runs = approval.to_handle()
    if runs is None:
        return None
    base = workspace_settings.current().base_currency
    return waiting.read(PayrollToHandle, _RUNS, {"ids": sql.array(run.id for run in runs), "base": base})


def pay_differences() -> PayDifferencesView | None:
    """The differences that the next payroll run pays; None without the right to make it, or where there are none."""
    open_sum = differences.open_sum() if caller.may("payroll.write") else None
    if not open_sum or not open_sum.count:
        return None
    base = workspace_settings.current().base_currency
    return PayDifferencesView(count=open_sum.count, net=money.text(open_sum.net, base), currency=base)
