"""Payslips that a caller may see."""

from erp.hr.access import people
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.kernel import caller
from erp.kernel.errors import NotFound
from erp.kernel.language import says

SEEN_BY_EMPLOYEE = ("approved", "paid")
"""The statuses of runs whose payslips their employees see."""


def find(id: str) -> Payslip:
    """Find a payslip that the caller may see.

    Raises:
        NotFound: there is none in this workspace, or it is the caller's own and not approved.
        Forbidden: it is another employee's, and the caller may not read payroll.
    """
    payslip = Payslip.find(id)
    if caller.may("payroll.read"):
        return payslip
    if payslip.employee_id != people.own_id():
        raise caller.refusal("payroll.read")
    if PayrollRun.find(payslip.run_id).status not in SEEN_BY_EMPLOYEE:
        raise NotFound(says("There is no such payslip."))
    return payslip
