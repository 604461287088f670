"""Pay components on a payslip: the applicable ones, and their lines."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from erp.hr.payroll.calculation import brackets, overtime, proration, wording
from erp.hr.payroll.calculation.brackets import Context
from erp.hr.payroll.calculation.values import (
    Component,
    Frequency,
    MonthPart,
    NamedComponent,
    PayInputs,
    PayLine,
    PayTerms,
    Work,
)
from erp.kernel.language import Digits, says
from erp.kernel.money import MICRO


class Sums(msgspec.Struct, frozen=True):
    """The sums of the payslip so far; `extras` are taxable earnings other than base pay and overtime."""

    base: int = 0
    gross: int = 0
    taxable: int = 0
    extras: int = 0


class Figure(msgspec.Struct, frozen=True):
    """The amount of a component before any override; quantity and rate in their major units."""

    quantity: Fraction | None
    rate: Fraction | None
    amount: int
    words: str
    part: MonthPart | None = None


class Situation(msgspec.Struct, frozen=True):
    """The inputs of a component: the employee's, the days by their terms, and the sums so far."""

    inputs: PayInputs
    works: Sequence[Work]
    sums: Sums

    def money(self, amount: int | Fraction) -> Digits:
        """An amount in words."""
        return wording.amount(amount, self.inputs.currency)

    def major(self, amount: int | Fraction) -> Fraction:
        """An amount in its major unit."""
        return wording.major(amount, self.inputs.currency)

    @property
    def worked(self) -> int:
        """The minutes worked on the days paid."""
        return sum(self.inputs.worked_minutes.get(day.date, 0) for work in self.works for day in work.days)


def applicable(inputs: PayInputs, works: Sequence[Work]) -> list[Component]:
    """The components that the last terms name, and those that apply to all, with the employee's own amounts.

    A prorated component counts for the days on which any terms name it.
    """
    if not works:
        return _assessed_alone(inputs)
    applied = []
    for component in inputs.components:
        terms = [work.terms for work in works if entitled(component, work.terms)]
        if terms and (terms[-1] is works[-1].terms or component.is_prorated):
            applied.append(own(component, terms[-1]))
    return applied


def last_terms(inputs: PayInputs) -> list[Work]:
    """The terms by which one-off lines are assessed where no day is paid; without a day."""
    return [Work(inputs.terms[-1], ())] if inputs.one_offs and inputs.terms else []


def _assessed_alone(inputs: PayInputs) -> list[Component]:
    """The percentages and brackets that apply to one-off lines where no day is paid."""
    return [
        own(component, work.terms)
        for work in last_terms(inputs)
        for component in inputs.components
        if component.calculation in _ASSESSED and entitled(component, work.terms)
    ]


def entitled(component: Component, terms: PayTerms) -> bool:
    """Whether the terms entitle an employee to a component."""
    return component.applies_to_all or _named(component, terms) is not None


def own(component: Component, terms: PayTerms) -> Component:
    """The component with the amount and percentage that the terms set for it."""
    named = _named(component, terms)
    if named is None:
        return component
    amount = component.amount if named.amount is None else named.amount
    percent = component.percent if named.percent is None else named.percent
    return replace(component, amount=amount, percent=percent)


def is_complete(component: Component) -> bool:
    """Whether the component has the amount or percentage it needs, its own or from the terms."""
    if component.calculation in ("fixed", "per_hour"):
        return component.amount is not None
    return component.calculation in ("overtime", "brackets") or component.percent is not None


def compute(component: Component, situation: Situation) -> Iterator[Figure]:
    """Compute a component: one figure, or for a prorated component one per month or amount."""
    if component.calculation == "fixed" and component.is_prorated:
        figures = _prorated(component, situation)
    else:
        figures = _SINGLE[component.calculation](component, situation)
    return (_capped(component, figure, situation) for figure in figures)


def line(component: Component, figure: Figure) -> PayLine:
    """The line of a payslip."""
    return PayLine(
        component_id=component.id,
        code=component.code,
        name=component.name,
        kind=component.kind,
        quantity=None if figure.quantity is None else wording.micro(figure.quantity),
        rate=None if figure.rate is None else wording.micro(figure.rate),
        amount=figure.amount,
        computed_amount=figure.amount,
        explanation=figure.words,
        expense_account_id=component.expense_account_id,
        liability_account_id=component.liability_account_id,
    )


def _named(component: Component, terms: PayTerms) -> NamedComponent | None:
    return next((named for named in terms.components if named.component_id == component.id), None)


def _fixed(component: Component, situation: Situation) -> Iterator[Figure]:
    amount = component.amount or 0
    words = says("{amount} per payslip", amount=situation.money(amount))
    yield Figure(Fraction(1), situation.major(amount), amount, words)


def _prorated(component: Component, situation: Situation) -> Iterator[Figure]:
    """Prorated as a salary of that amount would be, for the days on which the terms name the component."""
    for work in _by_amount(component, situation.works):
        rate = work.terms.amount
        for portion in proration.portions(situation.inputs, work, component.id, rate, component.rounding):
            yield Figure(portion.share.fraction, situation.major(rate), portion.amount, portion.words, portion.part)


def _by_amount(component: Component, works: Sequence[Work]) -> list[Work]:
    """The days on which the employee has a component, by its amount, which replaces the pay in the terms."""
    by_amount: dict[tuple[int, Frequency], Work] = {}
    for work in works:
        amount = own(component, work.terms).amount
        if amount is not None and entitled(component, work.terms):
            key = amount, work.terms.frequency
            earlier = by_amount[key].days if key in by_amount else []
            by_amount[key] = Work(replace(work.terms, amount=amount), [*earlier, *work.days])
    return list(by_amount.values())


def _per_hour(component: Component, situation: Situation) -> Iterator[Figure]:
    hours, rate = Fraction(situation.worked, 60), component.amount or 0
    amount = wording.rounded(hours * rate, component.rounding)
    words = says(
        "{time} × {rate} an hour = {amount}",
        time=wording.hours(situation.worked),
        rate=situation.money(rate),
        amount=situation.money(amount),
    )
    yield Figure(hours, situation.major(rate), amount, words)


def _overtime(component: Component, situation: Situation) -> Iterator[Figure]:
    rule = component.overtime
    counted = overtime.hours(situation.inputs, situation.works, rule) if rule else []
    if rule is None or not counted:
        return
    extras = Fraction(situation.sums.extras * 60, situation.worked)
    value, hours = overtime.value(counted, rule, extras), Fraction(sum(part.minutes for part in counted), 60)
    amount = wording.rounded(value, component.rounding)
    words = says(
        "{words} = {amount}",
        words=overtime.words(counted, rule, extras, situation.inputs.currency),
        amount=situation.money(amount),
    )
    yield Figure(hours, situation.major(value / hours), amount, words)


def _assessed(component: Component, situation: Situation) -> Iterator[Figure]:
    """A percentage or brackets."""
    inputs, sums, year = situation.inputs, situation.sums, situation.inputs.year_to_date
    base, before = {
        "percent_of_base": (sums.base, year.base),
        "percent_of_gross": (sums.gross, year.gross),
        "brackets": (sums.taxable, year.taxable),
    }[component.calculation]
    periods = proration.periods_of_year(inputs, situation.works[-1].terms.frequency)
    context = Context(
        inputs.currency, periods=periods, base_before=before, taken_before=year.components.get(component.id, 0)
    )
    assessed = brackets.assess(component, base, context)
    rate = None if component.percent is None else Fraction(component.percent, MICRO)
    yield Figure(situation.major(base), rate, assessed.amount, assessed.words)


def _capped(component: Component, figure: Figure, situation: Situation) -> Figure:
    """Percentages and brackets apply the cap themselves, because a yearly cap is not the period's."""
    cap = component.amount_cap
    if cap is None or figure.amount <= cap or component.calculation not in ("fixed", "per_hour", "overtime"):
        return figure
    words = says("{words}, at most {amount}", words=figure.words, amount=situation.money(cap))
    return replace(figure, amount=cap, words=words)


_ASSESSED = ("percent_of_base", "percent_of_gross", "brackets")
_SINGLE: dict[str, Callable[[Component, Situation], Iterator[Figure]]] = {
    "fixed": _fixed,
    "per_hour": _per_hour,
    "overtime": _overtime,
    "percent_of_base": _assessed,
    "percent_of_gross": _assessed,
    "brackets": _assessed,
}
