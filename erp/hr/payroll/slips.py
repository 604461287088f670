"""Computing the payslips of a run: `calculation.payslip` for each employee, with the warnings and the variance."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from erp.hr.payroll import due, history, inputs, reimbursements, store
from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.calculation.base_pay import HOURS
from erp.hr.payroll.calculation.values import KINDS, PayLine, PayResult
from erp.hr.payroll.differences import differences, lines
from erp.hr.payroll.differences.differences import Difference, Scope
from erp.hr.payroll.due import Due, NobodyDue
from erp.hr.payroll.history import Earlier
from erp.hr.payroll.inputs import ByHand, Case, PayTooLarge, Source
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import ComputedPayslip, Override, Overrides, StoredLine
from erp.hr.payroll.warnings import computing
from erp.kernel.language import Word, says, translated
from erp.kernel.money import LIMIT
from erp.store import workspace_settings

_SUMS = ("gross", "deductions", "employer_contributions", "net")


class Outcome(msgspec.Struct, frozen=True):
    """The payslips of a run; `warnings` and `variance` as the run stores them."""

    payslips: list[ComputedPayslip]
    warnings: Sequence[Mapping[str, Any]]
    variance: Sequence[Mapping[str, Any]]


def compute(
    run: PayrollRun,
    overrides: Mapping[str, Overrides],
    only: str | None = None,
    one_offs: Mapping[str, Sequence[StoredLine]] | None = None,
) -> Outcome:
    """Compute the payslips of a run.

    Args:
        overrides: by employee.
        only: one employee, to leave out all others.
        one_offs: by employee; by default as the run has them.

    Raises:
        NobodyDue: no employee gets a payslip.
        DaysInOtherRun: another live run pays days of an employee whom this run names.
        PayTooLarge: the pay of an employee, or of all together, is beyond what the books hold.
    """
    entered = store.one_offs(run.id) if one_offs is None else one_offs
    one_offs = {id: of_employee for id, of_employee in entered.items() if of_employee and only in (None, id)}
    rests = _rests(run, None if only is None else [only]) if run.kind == "correction" else {}
    due_employees = _due(run, only, {*one_offs, *rests})
    by_hand = {id: ByHand(overrides.get(id, {}), one_offs.get(id, ())) for id in {*overrides, *one_offs}}
    cases = inputs.gather(run, due_employees, by_hand)
    if not cases:
        raise NobodyDue
    ids = [case.due.employee.id for case in cases]
    if run.kind == "regular" and run.includes_differences:
        rests = _rests(run, ids)
    previous, carried = history.latest(run, ids), store.open_carry(ids, run.currency, run.id)
    repaid = reimbursements.due(run, ids)
    results = [_corrected(_compute(case), rests.get(id, ())) for id, case in zip(ids, cases, strict=True)]
    payslips = [
        _payslip(run, case, result, [*_lines(result, overrides.get(id, {})), *repaid.get(id, ())], carried.get(id, 0))
        for id, case, result in zip(ids, cases, results, strict=True)
    ]
    if max(map(abs, total(payslips).values())) > LIMIT:
        raise PayTooLarge(name=Word("everyone together"))
    about = computing.about(run, due_employees, list(zip(cases, results, payslips, strict=True)), overrides)
    variance = [_variance(computed.row, previous.get(computed.row.employee_id)) for computed in payslips]
    return Outcome(payslips, about, variance if run.kind == "regular" else [])


def _rests(run: PayrollRun, ids: Collection[str] | None) -> Mapping[str, Sequence[Difference]]:
    """The open differences that a run takes, by employee."""
    named = run.employee_ids if ids is None else ids
    scope = Scope(employee_ids=named, run_ids=run.of_run_ids, except_run=run.id, currency=run.currency)
    return differences.open_rests(scope)


def _due(run: PayrollRun, only: str | None, always: Collection[str]) -> list[Due]:
    """The employees due, and those who get a payslip without a day."""
    with_days = due.find(run, only) if run.kind == "regular" else []
    others = set(always) - {entry.employee.id for entry in with_days}
    return [
        *(replace(entry, always=entry.employee.id in always) for entry in with_days),
        *due.without_days(run, others),
    ]


def _compute(case: Case) -> PayResult:
    result = case.compute()
    return replace(result, lines=[_worded(line, case.source) for line in result.lines])


def _corrected(result: PayResult, rests: Sequence[Difference]) -> PayResult:
    """A payslip with the open differences of earlier ones, which change nothing else on it."""
    taken = [line for difference in rests for line in difference.lines]
    sums = Counter[str]()
    for difference in rests:
        sums.update(difference.sums("rest"))
    corrections = [line for difference in rests for line in lines.of(difference)]
    return replace(
        result,
        lines=sorted([*result.lines, *corrections], key=lambda line: KINDS.index(line.kind)),
        base=result.base + sum(line.rest for line in taken if line.is_base),
        taxable=result.taxable + sum(line.taxed for line in taken),
        **{name: getattr(result, name) + sums[name] for name in _SUMS},
    )


def _worded(line: PayLine, source: Source) -> PayLine:
    """A line with its name in the language of the office's papers, and with the source of its hours."""
    if isinstance(line, StoredLine) or line.component_id is not None:
        return line
    words = line.explanation
    if line.code == HOURS and source == "time_logs":
        words = says("{words}; hours from time entries", words=words)
    if line.code == HOURS and source == "attendance":
        words = says("{words}; hours from attendance", words=words)
    return replace(line, name=translated(line.name, workspace_settings.paper_language()), explanation=words)


def _payslip(
    run: PayrollRun,
    case: Case,
    result: PayResult,
    lines: Sequence[StoredLine],
    carried_in: int,
) -> ComputedPayslip:
    employee, days = case.due.employee, result.days
    repaid = sum(line.amount for line in lines if line.kind == "reimbursement")
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
        carried_in=carried_in,
        reimbursements=repaid,
        payable=max(0, result.net + carried_in + repaid),
        time_source=case.source,
        parts=[history.stored_part(part) for part in result.parts],
        earlier=history.stored(case.earlier, case.inputs.before),
        year_to_date=_year_to_date(result, case.earlier),
        **{name: getattr(result, name) for name in _SUMS},
    )
    return ComputedPayslip(row, lines, case.due.days)


def _lines(result: PayResult, overrides: Overrides) -> list[StoredLine]:
    computed = [line for line in result.lines if not isinstance(line, StoredLine)]
    keys = iter(payslip.line_keys((line.component_id, line.code) for line in computed))
    return [line if isinstance(line, StoredLine) else _line(line, overrides.get(next(keys))) for line in result.lines]


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
    return {name: sum(getattr(computed.row, name) for computed in payslips) for name in (*_SUMS, "payable")}
