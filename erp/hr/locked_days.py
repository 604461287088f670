"""Days that payroll has paid: nobody is paid for one twice, and what happened on it stands."""

import json
from collections.abc import Collection
from datetime import date

from erp.kernel.errors import Refusal
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
AND payslip.run_id IS NOT ? ORDER BY paid_day.date
"""


class PaidAlready(Refusal):
    """{day} is paid by payroll run {run} and stands as it is; reverse the run first."""


def check_open(employee_id: str, start: date, end: date, field: str | None = None) -> None:
    """Refuse to change what happened on days that an approved payroll run pays; drafts do not lock them.

    Raises:
        PaidAlready: one of the days from `start` to `end` is paid.
    """
    found = WORKSPACE.rows(_PAID, (employee_id, start.isoformat(), end.isoformat()))
    if found:
        raise PaidAlready(run=found[0][0], day=found[0][1], field=field)


def taken(
    employee_ids: Collection[str], start: date, end: date, besides: str | None = None
) -> dict[str, dict[date, str]]:
    """The days from `start` to `end` that live runs, drafts too, pay each employee for, with the run's number.

    Args:
        besides: a run whose own days do not count.
    """
    found: dict[str, dict[date, str]] = {id: {} for id in employee_ids}
    values = json.dumps(list(found)), start.isoformat(), end.isoformat(), besides
    for id, day, number in WORKSPACE.rows(_TAKEN, values):
        found[id][date.fromisoformat(day)] = number
    return found
