"""Payroll runs: the pay of a period, as a draft that can be recalculated until it is approved."""

from collections.abc import Mapping, Sequence
from typing import Any

from erp.hr.payroll import due, leave_payout, proposals, slips, store
from erp.hr.payroll.bodies import NewPayrollRun
from erp.hr.payroll.differences import differences
from erp.hr.payroll.differences.differences import Scope
from erp.hr.payroll.due import NobodyDue
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.slips import Outcome
from erp.hr.payroll.store import Overrides, StoredLine
from erp.kernel import caller
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.kernel.language import Listed, Noun, Word, says
from erp.store import events, sql, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE

Entries = Sequence[Mapping[str, Any]]
"""Warnings or variances as a run stores them, each of an `employeeId`."""


def prepare(new: NewPayrollRun) -> tuple[PayrollRun, Outcome]:
    """Compute a run without storing any of it.

    Raises:
        Invalid: the period does not fit, or a named employee is not employed in it.
        UnknownReference: a named employee is not in this workspace.
        NobodyDue: there is no one to pay.
        DaysInOtherRun: another live run pays days of a named employee.
        PayTooLarge: an employee's pay is beyond what the books hold.
    """
    run = _correction(new) if new.kind == "correction" else _regular(new)
    outcome = slips.compute(run, proposals.overrides(run) if new.take_overrides else {})
    for name, value in _columns(outcome).items():
        setattr(run, name, value)
    return run, outcome


def _regular(new: NewPayrollRun) -> PayrollRun:
    assert new.period_start is not None
    assert new.period_end is not None
    period = new.period_start, new.period_end
    return PayrollRun(
        id=new_id(),
        period_start=new.period_start,
        period_end=new.period_end,
        pay_date=new.pay_date or new.period_end,
        currency=_currency(new),
        includes_differences=new.include_differences,
        employee_ids=None if new.employee_ids is None else due.named(new.employee_ids, period),
    )


def _currency(new: NewPayrollRun) -> str:
    return new.currency or workspace_settings.current().base_currency


def _correction(new: NewPayrollRun) -> PayrollRun:
    """A run of differences alone; by default its period spans the periods of the runs that it corrects."""
    employee_ids = None if new.employee_ids is None else due.named(new.employee_ids)
    run_ids = None if new.of_run_ids is None else [_refer(id, i) for i, id in enumerate(new.of_run_ids)]
    rests = differences.open_rests(Scope(employee_ids=employee_ids, run_ids=run_ids, currency=_currency(new)))
    origins = [difference.run for of_employee in rests.values() for difference in of_employee]
    if not origins:
        raise NobodyDue
    return PayrollRun(
        id=new_id(),
        kind="correction",
        period_start=new.period_start or min(run.period_start for run in origins),
        period_end=new.period_end or max(run.period_end for run in origins),
        pay_date=new.pay_date or workspace_settings.today(),
        currency=_currency(new),
        employee_ids=employee_ids,
        of_run_ids=run_ids,
    )


def _refer(id: str, index: int) -> str:
    if PayrollRun.find_or_none(id) is None:
        raise UnknownReference(f"ofRunIds[{index}]", Noun("payroll run"))
    return id


def create(new: NewPayrollRun) -> PayrollRun:
    """Create a draft run with its payslips, all or none; refuses as `prepare` does.

    It takes its number now; the number stays unused if the draft is deleted.
    """
    run, outcome = prepare(new)
    run.number, run.fiscal_year, run.seq = workspace_settings.next_number("payrollRun", run.pay_date)
    run.prepared_by = prepared_by(run)
    run.save(force_insert=True)
    store.replace([], outcome.payslips)
    events.write("payroll_run.draft", "payroll_run", run.id, event_data(run, len(outcome.payslips)))
    return run


def recalculate(id: str, *, take_overrides: bool = False, take: bool = False) -> PayrollRun:
    """Recalculate a draft; overridden lines keep their amounts if they still exist.

    Args:
        take_overrides: whether other lines take the overrides of the reversed run for the period.
        take: whether the proposed lines are added.

    Raises:
        InvalidTransition: it is no longer a draft.
        NobodyDue: there is no longer anyone to pay.
        DaysInOtherRun: another live run pays days of a named employee.
        PayTooLarge: an employee's pay is beyond what the books hold.
    """
    run = find_draft(id, "recalculated")
    old = store.of_run(id)
    lines = store.lines(old)
    overrides: dict[str, Overrides] = {payslip.employee_id: store.overrides(lines[payslip.id]) for payslip in old}
    if take_overrides:
        for employee_id, proposed in proposals.overrides(run).items():
            overrides[employee_id] = {**proposed, **overrides.get(employee_id, {})}
    outcome = slips.compute(run, overrides, one_offs=leave_payout.lines(run) if take else None)
    store.replace(old, outcome.payslips)
    run.change(**_columns(outcome), prepared_by=prepared_by(run))
    events.write("payroll_run.recalculated", "payroll_run", id, event_data(run, len(outcome.payslips)))
    return run


def recalculate_one(
    run: PayrollRun, employee_id: str, overrides: Overrides, one_offs: Sequence[StoredLine] | None = None
) -> None:
    """Recalculate one payslip of a draft with other entries by hand; the rest of the run stays as it is.

    Args:
        one_offs: in place of its one-off lines, which stay by default.
    """
    lines = None if one_offs is None else {employee_id: one_offs}
    replace_one(run, employee_id, slips.compute(run, {employee_id: overrides}, employee_id, lines))


def replace_one(run: PayrollRun, employee_id: str, outcome: Outcome) -> None:
    """Replace one payslip of a draft."""
    old = [payslip for payslip in store.of_run(run.id) if payslip.employee_id == employee_id]
    store.replace(old, outcome.payslips)
    ((gross, deductions, contributions, net, payable),) = WORKSPACE.rows(_TOTALS, (run.id,))
    run.change(
        gross=gross,
        deductions=deductions,
        employer_contributions=contributions,
        net=net,
        payable=payable,
        prepared_by=prepared_by(run),
        warnings=_replaced(run.warnings, outcome.warnings, employee_id),
        variance=_replaced(run.variance, outcome.variance, employee_id),
    )


_TOTALS = """
SELECT coalesce(sum(gross), 0), coalesce(sum(deductions), 0), coalesce(sum(employer_contributions), 0),
    coalesce(sum(net), 0), coalesce(sum(payable), 0) FROM payslip WHERE run_id = ?
"""
_NUMBERS = "SELECT id, employee_number FROM employee WHERE id IN (SELECT value FROM json_each(?))"


def delete(id: str) -> None:
    """Delete a draft, so that another run can pay its days.

    Raises:
        InvalidTransition: it is no longer a draft.
    """
    run = find_draft(id, "deleted")
    data = event_data(run, head_count(id))
    run.delete_instance()
    events.write("payroll_run.deleted", "payroll_run", id, data)


def find_draft(id: str, action: str) -> PayrollRun:
    """Find a draft to change.

    Args:
        action: the intended act, as a participle (`deleted`).

    Raises:
        InvalidTransition: it is no longer a draft.
    """
    run = PayrollRun.find_to_change(id)
    refuse_unless(run, ("draft",), action)
    return run


def refuse_unless(run: PayrollRun, statuses: tuple[str, ...], action: str) -> None:
    """Refuse an action that the status of a run does not allow.

    Raises:
        InvalidTransition: the run has none of the statuses.
    """
    if run.status not in statuses:
        allowed = Listed.of([Word.of(status) for status in statuses], "or")
        raise InvalidTransition(
            says(
                "{number} is {status}. Only {allowed} payroll runs can be {action}.",
                number=run.number,
                status=Word.of(run.status),
                allowed=allowed,
                action=Word.of(action),
            )
        )


def prepared_by(run: PayrollRun) -> list[str]:
    """The users who have prepared a run, with the caller."""
    return sorted({*run.prepared_by, caller.current().user_id})


def head_count(run_id: str) -> int:
    return store.head_counts([run_id]).get(run_id, 0)


def event_data(run: PayrollRun, head_count: int) -> dict[str, Any]:
    """Counts and dates of a run, without any pay."""
    period = {"periodStart": run.period_start.isoformat(), "periodEnd": run.period_end.isoformat()}
    return {"number": run.number, **period, "headCount": head_count}


def _columns(outcome: Outcome) -> dict[str, Any]:
    sums = slips.total(outcome.payslips)
    return {**sums, "warnings": outcome.warnings, "variance": outcome.variance}


def _replaced(old: Entries, new: Entries, employee_id: str) -> Entries:
    """The entries after one employee's are replaced, by employee number; the ones about no one are last."""
    gone = {employee_id, *(entry["employeeId"] for entry in new)}
    replaced = [*(entry for entry in old if entry["employeeId"] not in gone), *new]
    of_people = {entry["employeeId"] for entry in replaced} - {None}
    numbers = dict(WORKSPACE.rows(_NUMBERS, (sql.array(of_people),)))
    return sorted(replaced, key=lambda entry: (entry["employeeId"] is None, str(numbers.get(entry["employeeId"]))))
