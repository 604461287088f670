"""An employee to pay in tests: her calendar, her terms, and what a payslip then says."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from erp.hr.calendar.work_days import WorkCalendar
from erp.hr.payroll.calculation.payslip import compute, days_needed
from erp.hr.payroll.calculation.values import Component, MonthPart, PayInputs, PayResult, PayTerms
from erp.kernel.money import MICRO, scaled

FULL_WEEK = (480,) * 5 + (0, 0)


def between(start: date, end: date) -> list[date]:
    return [start + timedelta(days=n) for n in range((end - start).days + 1)]


def salary(amount: int, start: date = date(2020, 1, 1), frequency: Any = "monthly", *components: Any) -> PayTerms:
    return PayTerms(start, "salary", amount, frequency, components)


def hourly(amount: int, *components: Any) -> PayTerms:
    return PayTerms(date(2020, 1, 1), "hourly", amount, "weekly", components)


def inputs(
    start: date,
    end: date,
    *terms: PayTerms,
    calendar: WorkCalendar | None = None,
    due: Sequence[date] | None = None,
    basis: Any = "working_days",
    currency: str = "EUR",
    **others: Any,
) -> PayInputs:
    """A full-time employee of long standing, paid for the whole period, unless something else is said."""
    known = calendar or WorkCalendar(FULL_WEEK, employments=[(date(2019, 1, 1), None)])
    days = list(known.days(*days_needed(start, end)))
    return PayInputs(start, end, currency, basis, terms, days, between(start, end) if due is None else due, **others)


def pay(start: date, end: date, *terms: PayTerms, **others: Any) -> PayResult:
    return compute(inputs(start, end, *terms, **others))


def component(code: str, kind: Any, calculation: Any, **others: Any) -> Component:
    """A component for everybody, whose id is its code."""
    return Component(code, code, code.capitalize(), kind, calculation, applies_to_all=True, **others)


def micro(text: str) -> int:
    """A percentage or multiplier as columns keep it."""
    return scaled(Decimal(text), MICRO)


def cents(text: str) -> int:
    return scaled(Decimal(text), 100)


def in_parts(start: date, end: date, cuts: Sequence[date], *terms: PayTerms, **others: Any) -> list[PayResult]:
    """One payslip after the other, each paying up to and with the next cut."""
    found: list[PayResult] = []
    before: list[MonthPart] = []
    first = start
    for last in [*sorted(cuts), end]:
        due = between(first, last)
        found.append(compute(inputs(start, end, *terms, due=due, before=tuple(before), **others)))
        before += found[-1].parts
        first = last + timedelta(days=1)
    return found
