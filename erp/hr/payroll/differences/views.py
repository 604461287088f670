"""Views of differences."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

import msgspec

from erp.hr.employees.models import Compensation
from erp.hr.employees.views import CompensationView
from erp.hr.payroll.calculation.values import Kind
from erp.hr.payroll.differences.differences import Difference, LineDifference, Status
from erp.hr.payroll.differences.facts import Cause, CauseKind, CauseType
from erp.kernel import money
from erp.kernel.language import translated
from erp.store import workspace_settings
from erp.web.scalars import Instant, Money
from erp.web.schema import View, show


class PayAmounts(View):
    """The sums of a payslip."""

    gross: Money
    deductions: Money
    employer_contributions: Money
    net: Money


class DifferenceLine(View):
    """A line of a payslip: what it has paid, what is due now, and the difference after other corrections."""

    component_id: str | None
    code: str
    name: str
    kind: Kind
    paid: Money
    due: Money
    difference: Money


class CauseResource(View):
    """The record whose change is a cause."""

    type: CauseType
    id: str


class DifferenceCause(View):
    """A change of time, leave or pay after the payslip was computed."""

    kind: CauseKind
    date: str | None
    resource: CauseResource
    at: Instant
    by_user_id: str | None
    by_name: str | None


class PayrollDifference(View):
    """A payslip of an approved run that differs from what is due by today's facts."""

    payslip_id: str
    run_id: str
    run_number: str
    period_start: str
    period_end: str
    employee_id: str
    employee_name: str
    currency: str
    paid: PayAmounts
    due: PayAmounts
    difference: Annotated[
        PayAmounts, msgspec.Meta(description="Due less paid, less the corrections in live runs, drafts included.")
    ]
    lines: list[DifferenceLine]
    causes: list[DifferenceCause]
    warnings: Annotated[
        list[str],
        msgspec.Meta(
            description="`components_not_kept`: computed with the pay components of today, as the run has kept none."
        ),
    ]
    status: Status
    in_run_id: Annotated[str | None, msgspec.Meta(description="The last run that has corrected it.")]


class Arrears(View):
    """The earlier payslips whose open differences a pay change alters, and the gross pay it adds to them."""

    periods: int
    gross: Money


class PayChangeView(CompensationView):
    """Pay from a day on, with its arrears."""

    arrears: Arrears

    @classmethod
    def of_change(cls, pay: Compensation, grosses: Mapping[str, int]) -> Self:
        arrears = Arrears(len(grosses), money.text(sum(grosses.values()), pay.currency))
        return show(cls, CompensationView.of(pay), arrears=arrears)


class PayChangePreview(PayChangeView):
    """Pay that is not stored: its id names nothing."""


def of(difference: Difference) -> PayrollDifference:
    run, payslip = difference.run, difference.payslip
    currency = run.currency
    return PayrollDifference(
        payslip_id=payslip.id,
        run_id=run.id,
        run_number=run.number,
        period_start=run.period_start.isoformat(),
        period_end=run.period_end.isoformat(),
        employee_id=payslip.employee_id,
        employee_name=payslip.snapshot["name"],
        currency=currency,
        paid=_amounts(difference, "paid", currency),
        due=_amounts(difference, "due", currency),
        difference=_amounts(difference, "rest", currency),
        lines=[_line(line, currency) for line in difference.lines],
        causes=[_cause(cause) for cause in difference.causes],
        warnings=[] if run.rules else ["components_not_kept"],
        status=difference.status,
        in_run_id=difference.in_run_id,
    )


def _amounts(difference: Difference, column: Literal["paid", "due", "rest"], currency: str) -> PayAmounts:
    return PayAmounts(**{name: money.text(amount, currency) for name, amount in difference.sums(column).items()})


def _line(line: LineDifference, currency: str) -> DifferenceLine:
    return show(
        DifferenceLine,
        line.line,
        name=translated(line.line.name, workspace_settings.paper_language()),
        paid=money.text(line.paid, currency),
        due=money.text(line.due, currency),
        difference=money.text(line.rest, currency),
    )


def _cause(cause: Cause) -> DifferenceCause:
    return DifferenceCause(
        kind=cause.kind,
        date=cause.date,
        resource=CauseResource(type=cause.resource_type, id=cause.resource_id),
        at=cause.at,
        by_user_id=cause.by_user_id,
        by_name=cause.by_name,
    )
