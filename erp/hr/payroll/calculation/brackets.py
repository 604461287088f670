"""Percentages and brackets of pay: exact across all slices, rounded once at the end."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from erp.hr.payroll.calculation import wording
from erp.hr.payroll.calculation.values import Bracket, Component
from erp.hr.payroll.calculation.wording import HUNDRED_PERCENT
from erp.kernel.language import Listed, says


class Assessed(msgspec.Struct, frozen=True):
    """An amount, and its arithmetic in words."""

    amount: int
    words: str


class Context(msgspec.Struct, frozen=True):
    """The currency and the year so far, which an assessment depends on apart from its base.

    Args:
        periods: how many pay periods of this length a year has.
        base_before: the base of earlier payslips of the year.
        taken_before: the component's amounts on them.
    """

    currency: str
    periods: Fraction = Fraction(1)
    base_before: int = 0
    taken_before: int = 0


Slice = tuple[Fraction, int]
"""An amount, and the rate that applies to it."""


def cut(base: Fraction, brackets: Sequence[Bracket]) -> tuple[int | None, list[Slice]]:
    """Cut a base into the brackets it reaches. A bracket begins above the previous one's end, and includes its own.

    The amount is fixed for all below the first slice, where a bracket that the base reaches says so.
    """
    fixed, parts, start = None, list[Slice](), Fraction(0)
    for bracket in brackets:
        if base <= start:
            break
        end = base if bracket.up_to is None else min(base, Fraction(bracket.up_to))
        if bracket.fixed is not None:
            fixed, parts = bracket.fixed, []
        parts.append((end - start, bracket.rate))
        start = end
    return fixed, parts


def tax(base: Fraction, brackets: Sequence[Bracket]) -> Fraction:
    """The exact tax of the brackets, not rounded: fixed + rate × (base − over), or the sum of the slices."""
    fixed, parts = cut(base, brackets)
    return (fixed or 0) + sum((part * rate for part, rate in parts), Fraction(0)) / HUNDRED_PERCENT


def assess(component: Component, base: int, context: Context) -> Assessed:
    """Apply a percentage or brackets, with their caps, to the period's base.

    A yearly table is applied to the period's base times the periods of a year, and the result divided by them; a
    cumulative one to the base of the year so far, less earlier amounts.
    """
    if component.method == "cumulative":
        return _cumulative(component, base, context)
    if component.bracket_period == "year":
        return _yearly(component, base, context)
    value, words = _apply(component, Fraction(base), context.currency)
    amount = wording.rounded(value, component.rounding)
    return Assessed(amount, says("{words} = {amount}", words=words, amount=wording.amount(amount, context.currency)))


def _yearly(component: Component, base: int, context: Context) -> Assessed:
    year = base * context.periods
    value, words = _apply(component, year, context.currency)
    amount = wording.rounded(value / context.periods, component.rounding)
    figures: dict[str, int | Fraction] = {"base": base, "year": year, "value": value, "amount": amount}
    shown = {name: wording.amount(figure, context.currency) for name, figure in figures.items()}
    template = says("{base} × {periods} = {year} a year: {words} = {value}; ÷ {periods} = {amount}")
    return Assessed(amount, template.fill(words=words, periods=wording.decimal(context.periods), **shown))


def _cumulative(component: Component, base: int, context: Context) -> Assessed:
    so_far = Fraction(context.base_before + base)
    value, words = _apply(component, so_far, context.currency)
    whole = wording.rounded(value, component.rounding)
    amount = whole - context.taken_before
    figures: dict[str, int | Fraction] = {
        "base": so_far,
        "whole": whole,
        "taken": context.taken_before,
        "amount": amount,
    }
    shown = {name: wording.amount(figure, context.currency) for name, figure in figures.items()}
    template = says("{base} so far this year: {words} = {whole}; less {taken} taken before = {amount}")
    return Assessed(amount, template.fill(words=words, **shown))


def _apply(component: Component, base: Fraction, currency: str) -> tuple[Fraction, str]:
    """The exact result for a base, and its arithmetic in words up to the equals sign."""
    capped = max(base, Fraction(0))
    if component.base_cap is not None:
        capped = min(capped, Fraction(component.base_cap))
    table = component.brackets if component.calculation == "brackets" else [Bracket(None, component.percent or 0)]
    value, words = tax(capped, table), _words(capped, table, currency)
    if capped < base:
        limits = {"base": wording.amount(base, currency), "cap": wording.amount(capped, currency)}
        words = says("{words} ({base} capped at {cap})", words=words, **limits)
    if component.amount_cap is not None and value > component.amount_cap:
        limit = wording.amount(component.amount_cap, currency)
        return Fraction(component.amount_cap), says("{words}, at most {amount}", words=words, amount=limit)
    return value, words


def _words(base: Fraction, table: Sequence[Bracket], currency: str) -> str:
    fixed, slices = cut(base, table)
    parts: list[str] = [
        says("{percent} of {amount}", percent=wording.percent(rate), amount=wording.amount(part, currency))
        for part, rate in slices or [(base, table[0].rate)]
    ]
    begun = [] if fixed is None else [wording.amount(fixed, currency)]
    return says("{parts}", parts=Listed.of([*begun, *parts], separator=" + "))
