"""Computing the payslips of a run: `calculation.payslip` for each employee, with the warnings and the variance."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from erp.hr.payroll import due, history, inputs
from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.calculation.base_pay import HOURS
from erp.hr.payroll.calculation.values import PayLine, PayResult
from erp.hr.payroll.due import NobodyDue
from erp.hr.payroll.history import Earlier
from erp.hr.payroll.inputs import Case, Source
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import ComputedPayslip, Override, Overrides, StoredLine
from erp.hr.payroll.warnings import computing
from erp.kernel.errors import Refusal
from erp.kernel.language import Word, says, translated
from erp.kernel.money import LIMIT, OutOfRange
from erp.store import workspace_settings

_SUMS = ("gross", "deductions", "employer_contributions", "net")


class PayTooLarge(Refusal):
    """The pay of {name} is more than the books can hold."""

    status = 422


class Outcome(msgspec.Struct, frozen=True):
    """The payslips of a run; `warnings` and `variance` as the run stores them."""

    payslips: list[ComputedPayslip]
    warnings: Sequence[Mapping[str, Any]]
    variance: Sequence[Mapping[str, Any]]


def compute(run: PayrollRun, overrides: Mapping[str, Overrides], only: str | None = None) -> Outcome:
    """Compute the payslips of a run.

    Args:
        overrides: by employee.
        only: one employee, to leave out all others.

    Raises:
        NobodyDue: no employee gets a payslip.
        DaysInOtherRun: another live run pays days of an employee whom this run names.
        PayTooLarge: the pay of an employee, or of all together, is beyond what the books hold.
    """
    due_employees = due.find(run, only)
    cases = inputs.gather(run, due_employees, overrides)
    if not cases:
        raise NobodyDue
    ids = [case.due.employee.id for case in cases]
    previous = history.latest(run, ids)
    results = [_compute(case) for case in cases]
    payslips = [
        _payslip(run, case, result, overrides.get(id, {})) for id, case, result in zip(ids, cases, results, strict=True)
    ]
    if max(map(abs, total(payslips).values())) > LIMIT:
        raise PayTooLarge(name=Word("everyone together"))
    about = computing.about(run, due_employees, list(zip(cases, results, payslips, strict=True)), overrides)
    variance = [_variance(computed.row, previous.get(computed.row.employee_id)) for computed in payslips]
    return Outcome(payslips, about, variance)


def _compute(case: Case) -> PayResult:
    try:
        result = payslip.compute(case.inputs)
    except OutOfRange:
        raise PayTooLarge(name=case.due.employee.name) from None
    return replace(result, lines=[_worded(line, case.source) for line in result.lines])


def _worded(line: PayLine, source: Source) -> PayLine:
    """A line in the language of the office's papers."""
    words, language = line.explanation, workspace_settings.paper_language()
    if line.component_id is not None:
        return replace(line, explanation=translated(words, language))
    if line.code == HOURS and source == "time_logs":
        words = says("{words}; hours from time entries", words=words)
    if line.code == HOURS and source == "attendance":
        words = says("{words}; hours from attendance", words=words)
    return replace(line, name=translated(line.name, language), explanation=translated(words, language))


def _payslip(run: PayrollRun, case: Case, result: PayResult, overrides: Overrides) -> ComputedPayslip:
    employee, days = case.due.employee, result.days
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
        parts=[history.stored_part(part) for part in result.parts],
        year_to_date=_year_to_date(result, case.earlier),
        **{name: getattr(result, name) for name in _SUMS},
    )
    return ComputedPayslip(row, _lines(result, overrides), case.due.days)


def _lines(result: PayResult, overrides: Overrides) -> list[StoredLine]:
    keys = payslip.line_keys((line.component_id, line.code) for line in result.lines)
    return [_line(line, overrides.get(key)) for key, line in zip(keys, result.lines, strict=True)]


def _line(line: PayLine, override: Override | None) -> StoredLine:
    return StoredLine(**asdict(line), override_reason=None if override is None else override.reason)


def _year_to_date(result: PayResult, earlier: Earlier) -> dict[str, Any]:
    components = {(entry["componentId"] or entry["code"], entry["kind"]): dict(entry) for entry in earlier.components}
    for line in result.lines:
        new = {"componentId": line.component_id, "code": line.code, "name": line.name, "kind": line.kind, "amount": 0}
        components.setdefault((line.component_id or line.code, line.kind), new)["amount"] += line.amount
    return {
        "gross": earlier.sums.gross + result.gross,
        "deductions": earlier.deductions + result.deductions,
        "employerContributions": earlier.employer_contributions + result.employer_contributions,
        "net": earlier.net + result.net,
        "components": list(components.values()),
    }


def _variance(row: Payslip, previous: tuple[int, int] | None) -> dict[str, Any]:
    gross, net = previous or (None, None)
    return {
        "employeeId": row.employee_id,
        "name": row.snapshot["name"],
        "previousGross": gross,
        "gross": row.gross,
        "previousNet": net,
        "net": row.net,
        "difference": row.net - (net or 0),
    }


def total(payslips: Sequence[ComputedPayslip]) -> dict[str, int]:
    """The sums of payslips, by column."""
    return {name: sum(getattr(computed.row, name) for computed in payslips) for name in _SUMS}
