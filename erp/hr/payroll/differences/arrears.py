"""Back-dated pay, and the differences of earlier payslips that follow from it."""

from erp.hr.employees import compensation
from erp.hr.employees.compensation import NewCompensation
from erp.hr.employees.models import Compensation
from erp.hr.payroll.differences import differences
from erp.hr.payroll.differences.differences import Scope

Grosses = dict[str, int]
"""Gross differences by payslip."""


def set_pay(employee_id: str, new: NewCompensation) -> tuple[Compensation, Grosses]:
    """Set an employee's pay from a day on, and tell by how much it changes the open differences of earlier payslips.

    Raises:
        As `compensation.add`.
    """
    before = _open(employee_id)
    pay = compensation.add(employee_id, new)
    after = _open(employee_id)
    changed = {id: after.get(id, 0) - before.get(id, 0) for id in {*before, *after}}
    return pay, {id: gross for id, gross in changed.items() if gross}


def _open(employee_id: str) -> Grosses:
    rests = differences.open_rests(Scope(employee_ids=[employee_id]))
    return {difference.payslip.id: difference.sums("rest")["gross"] for difference in rests.get(employee_id, ())}
