"""Trying the pay components on an amount: a month's pay of no one, of which nothing is stored."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, cast

import msgspec

from erp.hr.calendar.work_days import USUAL_MINUTES, WorkCalendar
from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.calculation.values import (
    Basis,
    Component,
    LineKind,
    NamedComponent,
    PayInputs,
    PayLine,
    PayResult,
    PayTerms,
)
from erp.hr.payroll.components import components
from erp.hr.payroll.inputs import taken_in
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.days import month_end
from erp.kernel.errors import Refusal, UnknownReference
from erp.kernel.language import Noun, says
from erp.kernel.money import OutOfRange
from erp.members import people
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Id, Money, PositiveAmount
from erp.web.schema import Body, View, show
from erp.web.text_scalars import KnownCurrency

_WEEK = (USUAL_MINUTES,) * 5 + (0, 0)


class TrialTooLarge(Refusal):
    """The pay is more than the books can hold."""

    status = 422


class PayTrial(Body, kw_only=True):
    """A monthly salary to try the pay components on."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"amount": "3200.00"}

    amount: PositiveAmount
    currency: Annotated[KnownCurrency, msgspec.Meta(description="The base currency when absent.")] | None = None
    component_ids: Annotated[
        list[Id], msgspec.Meta(max_length=100, description="Components, each once, beside the ones that apply to all.")
    ] = []


class TriedLine(View):
    """A line of a trial, named after its component, or after the pay itself."""

    component_id: str | None
    code: str
    name: str
    kind: LineKind
    amount: Money
    explanation: str


class TriedPay(View):
    """A payslip of a whole month without earlier pay in the year: net = gross − deductions."""

    currency: str
    lines: list[TriedLine]
    gross: Money
    deductions: Money
    net: Money
    employer_contributions: Money
    warnings: Annotated[list[str], msgspec.Meta(description="Components that lack an amount or a percentage.")]


class Resource:
    @endpoint(permission="payroll.write", status=200, refuses=(TrialTooLarge, UnknownReference))
    def on_post(self, body: PayTrial) -> TriedPay:
        """Try the pay components on a monthly salary; nothing is stored.

        The pay is of this whole month, of someone without hours, leave or earlier pay in the year.
        """
        currency = body.currency or workspace_settings.current().base_currency
        return _view(_computed(body, currency), currency)


def _computed(body: PayTrial, currency: str) -> PayResult:
    complaints = Complaints()
    amount = complaints.minor(body.amount, currency, "amount")
    usable = [one for component in components.list_all() if (one := taken_in(currency, component))]
    named = _named(body.component_ids, usable, complaints)
    complaints.refuse()
    try:
        return payslip.compute(_inputs(amount, currency, usable, named))
    except OutOfRange:
        raise TrialTooLarge(field="amount") from None


def _named(ids: Sequence[str], usable: Sequence[Component], complaints: Complaints) -> list[NamedComponent]:
    named = {component.id for component in usable}
    for index, id in enumerate(ids):
        field = f"componentIds[{index}]"
        if id not in named:
            complaints.unknown(field, Noun("pay component"))
        elif id in ids[:index]:
            complaints.add(field, "duplicate", says("This pay component is already listed above."))
    return [NamedComponent(id) for id in ids]


def _inputs(amount: int, currency: str, usable: Sequence[Component], named: Sequence[NamedComponent]) -> PayInputs:
    first = people.today().replace(day=1)
    last = month_end(first)
    calendar = WorkCalendar(_WEEK, employments=[(first, None)])
    return PayInputs(
        period_start=first,
        period_end=last,
        currency=currency,
        basis=cast(Basis, workspace_settings.current().proration_basis),
        terms=[PayTerms(first, "salary", amount, "monthly", named)],
        work_days=list(calendar.days(*payslip.days_needed(first, last))),
        due=[day.date for day in calendar.days(first, last)],
        components=usable,
    )


def _view(result: PayResult, currency: str) -> TriedPay:
    sums = ("gross", "deductions", "net", "employer_contributions")
    return TriedPay(
        currency=currency,
        lines=[_line(line, currency) for line in result.lines],
        warnings=[warning.message for warning in result.warnings],
        **{name: money.text(getattr(result, name), currency) for name in sums},
    )


def _line(line: PayLine, currency: str) -> TriedLine:
    return show(TriedLine, line, amount=money.text(line.amount, currency))
