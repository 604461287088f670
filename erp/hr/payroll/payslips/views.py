"""Payslips as they are shown: to those who may read pay, and once they are approved, to the person herself."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, cast

import msgspec

from erp.hr.leave import days as leave_days
from erp.hr.leave.days import DaysText
from erp.hr.payroll import store
from erp.hr.payroll.calculation.values import Kind
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import KeptLine, Slip
from erp.kernel import money
from erp.store import workspace_settings
from erp.web.scalars import Money
from erp.web.schema import RecordView, Unset, View

RunStatus = Literal["draft", "approved", "paid", "reversed"]


class PayslipSnapshot(View):
    """The person as she was when the payslip was worked out."""

    name: str
    job_title: str | None
    employee_number: str | None = None


class PayslipLineView(View):
    """A line: quantity × rate is about the amount, and the explanation tells how it came about."""

    position: int
    component_id: str | None
    code: str
    name: str
    kind: Kind
    quantity: str | None
    rate: str | None
    amount: Money
    explanation: str
    computed_amount: Annotated[
        Money | Unset, msgspec.Meta(description="What the amount would be; where it was put in by hand.")
    ] = msgspec.UNSET
    override_reason: str | Unset = msgspec.UNSET


class ComponentToDate(View):
    """What a component, or base pay, has come to in the year."""

    component_id: str | None
    code: str
    name: str
    kind: Kind
    amount: Money


class YearToDateView(View):
    """The calendar year of the pay date, this payslip included."""

    gross: Money
    deductions: Money
    employer_contributions: Money
    net: Money
    components: list[ComponentToDate]


class PayslipView(RecordView):
    """What somebody gets in a payroll run; net is gross less deductions."""

    created_by: str | None
    run_id: str
    run_number: str | None
    status: RunStatus
    period_start: str
    period_end: str
    pay_date: str
    currency: str
    employee_id: str
    snapshot: PayslipSnapshot
    working_days: DaysText
    paid_days: DaysText
    unpaid_leave_days: DaysText
    paid_leave_days: DaysText
    worked_minutes: int
    lines: list[PayslipLineView]
    gross: Money
    deductions: Money
    net: Money
    employer_contributions: Money
    year_to_date: YearToDateView


_DAYS = ("working_days", "paid_days", "unpaid_leave_days", "paid_leave_days")
_SUMS = ("gross", "deductions", "net", "employer_contributions")
_PLAIN = ("id", "version", "created_at", "updated_at", "created_by", "run_id", "employee_id", "worked_minutes")
_RUNS = "SELECT * FROM payroll_run WHERE id IN (SELECT run_id FROM payslip WHERE payslip.id IN ({}))"


def shown(found: Sequence[Payslip]) -> list[PayslipView]:
    """The views of payslips; two queries, however many they are."""
    lines = store.lines(found)
    marks = ", ".join("?" * len(found))
    runs = {run.id: run for run in PayrollRun.raw(_RUNS.format(marks), *(slip.id for slip in found))}
    return [view(runs[slip.run_id], slip, lines[slip.id]) for slip in found]


def of_run(run: PayrollRun) -> list[PayslipView]:
    """The views of the payslips of a run."""
    found = store.of_run(run.id)
    lines = store.lines(found)
    return [view(run, slip, lines[slip.id]) for slip in found]


def of_outcome(run: PayrollRun, slips: Sequence[Slip]) -> list[PayslipView]:
    """The views of payslips that are not kept."""
    return [view(run, slip.row, slip.lines) for slip in slips]


def view(run: PayrollRun, slip: Payslip, lines: Sequence[KeptLine]) -> PayslipView:
    """The view of a payslip."""
    currency = workspace_settings.current().base_currency
    figures: dict[str, Any] = {name: leave_days.shown(getattr(slip, name)) for name in _DAYS}
    figures |= {name: money.text(getattr(slip, name), currency) for name in _SUMS}
    return PayslipView(
        **{name: getattr(slip, name) for name in _PLAIN},
        **figures,
        run_number=run.number,
        status=cast(RunStatus, run.status),
        period_start=run.period_start.isoformat(),
        period_end=run.period_end.isoformat(),
        pay_date=run.pay_date.isoformat(),
        currency=currency,
        snapshot=msgspec.convert(slip.snapshot, PayslipSnapshot),
        lines=[_line(place, line, currency) for place, line in enumerate(lines)],
        year_to_date=_year_to_date(slip.year_to_date, currency),
    )


def _line(position: int, line: KeptLine, currency: str) -> PayslipLineView:
    overridden: dict[str, Any] = {}
    if line.override_reason is not None:
        computed = money.text(line.computed_amount, currency)
        overridden = {"computed_amount": computed, "override_reason": line.override_reason}
    return PayslipLineView(
        position=position,
        component_id=line.component_id,
        code=line.code,
        name=line.name,
        kind=line.kind,
        quantity=None if line.quantity is None else money.plain(line.quantity),
        rate=None if line.rate is None else money.plain(line.rate),
        amount=money.text(line.amount, currency),
        explanation=line.explanation,
        **overridden,
    )


def _year_to_date(kept: dict[str, Any], currency: str) -> YearToDateView:
    amounts = {name: money.text(kept[name], currency) for name in ("gross", "deductions", "net")}
    components = [
        ComponentToDate(
            component_id=each["componentId"],
            code=each["code"],
            name=each["name"],
            kind=each["kind"],
            amount=money.text(each["amount"], currency),
        )
        for each in kept["components"]
    ]
    contributions = money.text(kept["employerContributions"], currency)
    return YearToDateView(**amounts, employer_contributions=contributions, components=components)
