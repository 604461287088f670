"""Days that payroll has paid: each is paid once, and its records are locked."""

from collections.abc import Collection
from datetime import date

from erp.kernel.errors import Refusal
from erp.store import sql
from erp.store.router import WORKSPACE

_PAID = """
SELECT payroll_run.number, paid_day.date FROM paid_day
JOIN payslip ON payslip.id = paid_day.payslip_id JOIN payroll_run ON payroll_run.id = payslip.run_id
WHERE paid_day.employee_id = ? AND paid_day.date BETWEEN ? AND ? AND payroll_run.status IN ('approved', 'paid')
ORDER BY paid_day.date LIMIT 1
"""

_TAKEN = """
SELECT paid_day.employee_id, paid_day.date, payroll_run.number FROM paid_day
JOIN payslip ON payslip.id = paid_day.payslip_id JOIN payroll_run ON payroll_run.id = payslip.run_id
WHERE paid_day.employee_id IN (SELECT value FROM json_each(?)) AND paid_day.date BETWEEN ? AND ?
AND payslip.run_id IS DISTINCT FROM CAST(? AS TEXT) ORDER BY paid_day.date
"""


class PaidAlready(Refusal):
    """Payroll run {run} has already paid {day}. Reverse the run first."""


def check_open(employee_id: str, start: date, end: date, field: str | None = None) -> None:
    """Refuse to change records of days that an approved payroll run pays; drafts do not lock days.

    Raises:
        PaidAlready: a day from `start` to `end` is paid.
    """
    rows = WORKSPACE.rows(_PAID, (employee_id, start.isoformat(), end.isoformat()))
    if rows:
        ((run, day),) = rows
        raise PaidAlready(run=run, day=day, field=field)


_LOCKED = """
SELECT paid_day.employee_id, paid_day.date FROM paid_day
JOIN payslip ON payslip.id = paid_day.payslip_id JOIN payroll_run ON payroll_run.id = payslip.run_id
WHERE paid_day.date IN (SELECT value FROM json_each(?)) AND payroll_run.status IN ('approved', 'paid')
"""


def locked(days: Collection[date]) -> set[tuple[str, date]]:
    """The given days that an approved payroll run pays, with the employee's id."""
    rows = WORKSPACE.rows(_LOCKED, (sql.array(day.isoformat() for day in days),))
    return {(id, date.fromisoformat(day)) for id, day in rows}


def paid(
    employee_ids: Collection[str], start: date, end: date, except_run: str | None = None
) -> dict[str, dict[date, str]]:
    """The days from `start` to `end` that payroll runs pay, drafts included, by employee, with the run's number.

    Args:
        except_run: the id of a run whose own days do not count.
    """
    days: dict[str, dict[date, str]] = {id: {} for id in employee_ids}
    values = sql.array(days), start.isoformat(), end.isoformat(), except_run
    for id, day, number in WORKSPACE.rows(_TAKEN, values):
        days[id][date.fromisoformat(day)] = number
    return days
