"""Payroll runs: the pay of a period for everybody due, as a draft that can be worked out anew until it is approved."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any, ClassVar

import msgspec

from erp.hr.payroll import due, slips
from erp.hr.payroll import store as payslip_rows
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.slips import Outcome
from erp.hr.payroll.store import Overrides
from erp.kernel.errors import Complaint, Invalid, InvalidTransition
from erp.store import events, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Id
from erp.web.schema import Body

LONGEST = timedelta(days=366)
"""How many days a period may have."""


class NewPayrollRun(Body):
    """The period to pay, for everybody or for those named; `dryRun` only tells what it comes to."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "periodStart": "2026-01-01",
        "periodEnd": "2026-01-31",
        "payDate": "2026-01-30",
    }

    period_start: Day
    period_end: Annotated[Day, msgspec.Meta(description="The last day; a period has 366 days at most.")]
    pay_date: Annotated[Day, msgspec.Meta(description="`periodEnd` when absent.")] | None = None
    employee_ids: (
        Annotated[
            list[Id], msgspec.Meta(min_length=1, max_length=1000, description="Ids or numbers; everybody when absent.")
        ]
        | None
    ) = None
    dry_run: bool = False


def prepare(new: NewPayrollRun) -> tuple[PayrollRun, Outcome]:
    """Work out a run without keeping anything of it.

    Raises:
        Invalid: the period does not fit, or somebody named is not employed in it.
        UnknownReference: somebody named is not in this workspace.
        NobodyDue: nobody is to be paid.
        DaysInOtherRun: another live run pays days of somebody named.
        PayTooLarge: somebody's pay is beyond what the books hold.
    """
    _check_period(new.period_start, new.period_end)
    named = new.employee_ids
    run = PayrollRun(
        id=new_id(),
        period_start=new.period_start,
        period_end=new.period_end,
        pay_date=new.pay_date or new.period_end,
        employee_ids=None if named is None else due.named(named, new.period_start, new.period_end),
    )
    outcome = slips.work_out(run, {})
    for name, value in _figures(outcome).items():
        setattr(run, name, value)
    return run, outcome


def make(new: NewPayrollRun) -> PayrollRun:
    """Make a draft run with its payslips, all or none; refuses as `prepare` does.

    Numbers are given here, and one stays unused when its draft is deleted.
    """
    run, outcome = prepare(new)
    run.number, run.fiscal_year, run.seq = workspace_settings.next_number("payrollRun", run.pay_date)
    run.save(force_insert=True)
    payslip_rows.replace([], outcome.slips)
    events.write("payroll_run.created", "payroll_run", run.id, told(run, len(outcome.slips)))
    return run


def recalculate(id: str) -> PayrollRun:
    """Work out a draft anew; lines put in by hand stay, where there still is such a line.

    Raises:
        InvalidTransition: it is no draft any more.
        NobodyDue: nobody is to be paid any more.
        DaysInOtherRun: another live run pays days of somebody named.
        PayTooLarge: somebody's pay is beyond what the books hold.
    """
    run = find_draft(id, "recalculated")
    old = payslip_rows.of_run(id)
    lines = payslip_rows.lines(old)
    overrides = {slip.employee_id: payslip_rows.overrides(lines[slip.id]) for slip in old}
    outcome = slips.work_out(run, overrides)
    payslip_rows.replace(old, outcome.slips)
    run.change(**_figures(outcome))
    events.write("payroll_run.recalculated", "payroll_run", id, told(run, len(outcome.slips)))
    return run


def work_out_again(run: PayrollRun, employee_id: str, overrides: Overrides) -> None:
    """Work out one payslip of a draft anew, with other lines put in by hand; the rest of the run stays."""
    old = [slip for slip in payslip_rows.of_run(run.id) if slip.employee_id == employee_id]
    outcome = slips.work_out(run, {employee_id: overrides}, only=employee_id)
    payslip_rows.replace(old, outcome.slips)
    ((gross, deductions, contributions, net),) = WORKSPACE.rows(_TOTALS, (run.id,))
    run.change(
        gross=gross,
        deductions=deductions,
        employer_contributions=contributions,
        net=net,
        warnings=_replaced(run.warnings, outcome.warnings, employee_id),
        variance=_replaced(run.variance, outcome.variance, employee_id),
    )


_TOTALS = "SELECT sum(gross), sum(deductions), sum(employer_contributions), sum(net) FROM payslip WHERE run_id = ?"


def delete(id: str) -> None:
    """Delete a draft; its days can be paid by another run.

    Raises:
        InvalidTransition: it is no draft any more.
    """
    run = find_draft(id, "deleted")
    facts = told(run, head_count(id))
    run.delete_instance()
    events.write("payroll_run.deleted", "payroll_run", id, facts)


def find_draft(id: str, done: str) -> PayrollRun:
    """Find a run to change that is a draft still.

    Args:
        done: what is to be done with it, as a participle.

    Raises:
        InvalidTransition: it is no draft any more.
    """
    run = PayrollRun.find_to_change(id)
    refuse_unless(run, ("draft",), done)
    return run


def refuse_unless(run: PayrollRun, statuses: tuple[str, ...], done: str) -> None:
    """Refuse what the status of a run does not allow.

    Raises:
        InvalidTransition: its status is another one.
    """
    if run.status not in statuses:
        allowed = " or ".join(statuses)
        raise InvalidTransition(f"{run.number} is {run.status}; only a run that is {allowed} can be {done}.")


def head_count(run_id: str) -> int:
    """How many people a run pays."""
    ((count,),) = WORKSPACE.rows("SELECT count(*) FROM payslip WHERE run_id = ?", (run_id,))
    return int(count)


def told(run: PayrollRun, heads: int) -> dict[str, Any]:
    """What the log says of a run; nothing of what anybody is paid."""
    period = {"periodStart": run.period_start.isoformat(), "periodEnd": run.period_end.isoformat()}
    return {"number": run.number, **period, "headCount": heads}


def _check_period(start: date, end: date) -> None:
    if end < start:
        raise Invalid([Complaint("periodEnd", "before_start", "Must not be before periodStart.")])
    if end - start >= LONGEST:
        raise Invalid([Complaint("periodEnd", "too_long", f"A period has at most {LONGEST.days} days.")])


def _figures(outcome: Outcome) -> dict[str, Any]:
    sums = slips.total(outcome.slips)
    return {**sums, "warnings": outcome.warnings, "variance": outcome.variance}


def _replaced(kept: list[Mapping[str, Any]], new: list[Any], employee_id: str) -> list[Mapping[str, Any]]:
    """What is told of everybody, with what is told of one employee anew in its place."""
    numbers = dict(WORKSPACE.rows("SELECT id, employee_number FROM employee"))
    told = [each for each in kept if each["employeeId"] != employee_id]
    return sorted([*told, *new], key=lambda each: str(numbers[each["employeeId"]]))
