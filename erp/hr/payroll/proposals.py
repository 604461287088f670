"""Overrides that a draft can copy from the reversed run for the same period."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from erp.hr.access import own_pay, people
from erp.hr.payroll import store
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import ComputedPayslip, Override, Overrides, StoredLine
from erp.store.router import WORKSPACE

_REVERSED = """
SELECT payslip.* FROM payslip JOIN payroll_run AS run ON run.id = run_id
WHERE run.status = 'reversed' AND run.period_start = ? AND run.period_end = ? AND run.currency = ?
ORDER BY run.id
"""


class Proposal(msgspec.Struct, frozen=True):
    """An override of a reversed run; `key` is its line's, by which the next run finds it."""

    employee_id: str
    name: str
    key: str
    code: str
    line_name: str
    amount: int
    reason: str
    run_id: str
    run_number: str


def find(run: PayrollRun, computed: Sequence[ComputedPayslip] | None = None) -> list[Proposal]:
    """The overrides of the last reversed run of a draft's period that its payslips do not have.

    Args:
        computed: the payslips of a run that is not stored.
    """
    offered = _offered(run)
    if not offered:
        return []
    if computed is None:
        payslips = store.of_run(run.id)
        by_payslip = store.lines(payslips)
        lines: dict[str, Sequence[StoredLine]] = {row.employee_id: by_payslip[row.id] for row in payslips}
    else:
        lines = {payslip.row.employee_id: payslip.lines for payslip in computed}
    return [
        proposal
        for proposal in offered
        if proposal.employee_id in lines and proposal.key not in store.overrides(lines[proposal.employee_id])
    ]


def overrides(run: PayrollRun) -> dict[str, Overrides]:
    """The overrides for a run to copy, by employee; the caller's own are left to someone else."""
    own_id = None if own_pay.is_alone() else people.own_id()
    by_employee: dict[str, dict[str, Override]] = defaultdict(dict)
    for proposal in _offered(run):
        if proposal.employee_id != own_id:
            by_employee[proposal.employee_id][proposal.key] = Override(proposal.amount, proposal.reason)
    return dict(by_employee)


def _offered(run: PayrollRun) -> list[Proposal]:
    """The overrides of each employee's last reversed payslip for the same period."""
    rows = Payslip.fetch(_REVERSED, run.period_start.isoformat(), run.period_end.isoformat(), run.currency)
    last = {payslip.employee_id: payslip for payslip in rows}
    lines = store.lines(list(last.values())) if last else {}
    numbers = dict(WORKSPACE.rows("SELECT id, number FROM payroll_run WHERE status = 'reversed'")) if last else {}
    return [
        Proposal(
            employee_id=payslip.employee_id,
            name=payslip.snapshot["name"],
            key=key,
            code=line.code,
            line_name=line.name,
            amount=line.amount,
            reason=line.override_reason,
            run_id=payslip.run_id,
            run_number=numbers[payslip.run_id],
        )
        for payslip in sorted(last.values(), key=lambda payslip: str(payslip.snapshot.get("employeeNumber")))
        for key, line in zip(store.keys(lines[payslip.id]), store.computed(lines[payslip.id]), strict=True)
        if line.override_reason is not None
    ]
