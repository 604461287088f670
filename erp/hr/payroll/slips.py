"""Working out the payslips of a run: what `calculation.payslip` computes, with what it means to the office."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from erp.hr.payroll import due as payroll_due
from erp.hr.payroll import history, inputs
from erp.hr.payroll import warnings as payroll_warnings
from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.calculation.base_pay import HOURS
from erp.hr.payroll.calculation.values import PayLine, PayResult
from erp.hr.payroll.due import NobodyDue
from erp.hr.payroll.history import Earlier
from erp.hr.payroll.inputs import Case
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import KeptLine, Overrides, Slip
from erp.kernel.errors import Refusal
from erp.kernel.money import LIMIT, OutOfRange

_FROM = {"time_logs": "; hours from time logs", "attendance": "; hours from attendance", "none": ""}
_SUMS = ("gross", "deductions", "employer_contributions", "net")


class PayTooLarge(Refusal):
    """The pay of {name} comes to more than the books can hold."""

    status = 422


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run comes to; `warnings` and `variance` as it keeps them."""

    slips: list[Slip]
    warnings: list[dict[str, str]]
    variance: list[dict[str, Any]]


def work_out(run: PayrollRun, overrides: Mapping[str, Overrides], only: str | None = None) -> Outcome:
    """Work out the payslips of a run.

    Args:
        overrides: by employee.
        only: one employee, to leave out all others.

    Raises:
        NobodyDue: nobody has a payslip.
        DaysInOtherRun: the run names somebody of whom another live run has days.
        PayTooLarge: somebody's pay, or that of all together, is beyond what the books hold.
    """
    due = payroll_due.find(run, only)
    cases = inputs.gather(run, due, overrides)
    if not cases:
        raise NobodyDue
    ids = [case.due.employee.id for case in cases]
    latest = history.latest(run, ids)
    results = [_compute(case) for case in cases]
    slips = [
        _slip(run, case, result, overrides.get(id, {})) for id, case, result in zip(ids, cases, results, strict=True)
    ]
    if max(map(abs, total(slips).values())) > LIMIT:
        raise PayTooLarge(name="everybody together")
    warnings = payroll_warnings.about(run, due, list(zip(cases, results, slips, strict=True)), overrides)
    return Outcome(slips, warnings, [_variance(slip.row, latest.get(slip.row.employee_id)) for slip in slips])


def _compute(case: Case) -> PayResult:
    try:
        return payslip.compute(case.inputs)
    except OutOfRange:
        raise PayTooLarge(name=case.due.employee.name) from None


def _slip(run: PayrollRun, case: Case, result: PayResult, overrides: Overrides) -> Slip:
    employee, days = case.due.employee, result.days
    kept = _lines(case, result, overrides)
    row = Payslip(
        run=run.id,
        employee=employee.id,
        pay_date=run.pay_date,
        snapshot={"name": employee.name, "jobTitle": employee.job_title, "employeeNumber": employee.employee_number},
        working_days=days.working,
        paid_days=days.paid,
        unpaid_leave_days=days.unpaid_leave,
        paid_leave_days=days.paid_leave,
        worked_minutes=days.worked_minutes,
        base=result.base,
        taxable=result.taxable,
        parts=[history.kept_part(part) for part in result.parts],
        year_to_date=_year_to_date(result, case.earlier),
        **{name: getattr(result, name) for name in _SUMS},
    )
    return Slip(row, kept, case.due.days)


def _lines(case: Case, result: PayResult, overrides: Overrides) -> list[KeptLine]:
    keys = payslip.line_keys((line.component_id, line.code) for line in result.lines)
    return [_line(case, line, overrides.get(key)) for key, line in zip(keys, result.lines, strict=True)]


def _line(case: Case, line: PayLine, override: tuple[int, str] | None) -> KeptLine:
    values = asdict(line)
    if line.component_id is None and line.code == HOURS:
        values["explanation"] += _FROM[case.source]
    return KeptLine(**values, override_reason=override[1] if override else None)


def _year_to_date(result: PayResult, earlier: Earlier) -> dict[str, Any]:
    components = {(each["componentId"] or each["code"], each["kind"]): dict(each) for each in earlier.components}
    for line in result.lines:
        fresh = {"componentId": line.component_id, "code": line.code, "name": line.name, "kind": line.kind, "amount": 0}
        components.setdefault((line.component_id or line.code, line.kind), fresh)["amount"] += line.amount
    return {
        "gross": earlier.sums.gross + result.gross,
        "deductions": earlier.deductions + result.deductions,
        "employerContributions": earlier.employer_contributions + result.employer_contributions,
        "net": earlier.net + result.net,
        "components": list(components.values()),
    }


def _variance(slip: Payslip, previous: tuple[int, int] | None) -> dict[str, Any]:
    gross, net = previous or (None, None)
    return {
        "employeeId": slip.employee_id,
        "name": slip.snapshot["name"],
        "previousGross": gross,
        "gross": slip.gross,
        "previousNet": net,
        "net": slip.net,
        "difference": slip.net - (net or 0),
    }


def total(slips: Sequence[Slip]) -> dict[str, int]:
    """The sums of payslips, by column."""
    return {name: sum(getattr(slip.row, name) for slip in slips) for name in _SUMS}
