"""Payslips of one employee, computed without an office: terms, components, a work calendar."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from erp.hr.calendar.work_days import WorkCalendar
from erp.hr.payroll.calculation.payslip import compute, days_needed
from erp.hr.payroll.calculation.values import Component, MonthPart, PayInputs, PayResult, PayTerms
from erp.kernel.money import MICRO, scaled

FULL_WEEK = (480,) * 5 + (0, 0)


def days_between(start: date, end: date) -> list[date]:
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
    """A long-standing full-time employee who is paid for the whole period, unless arguments say otherwise."""
    work_calendar = calendar or WorkCalendar(FULL_WEEK, employments=[(date(2019, 1, 1), None)])
    return PayInputs(
        period_start=start,
        period_end=end,
        currency=currency,
        basis=basis,
        terms=terms,
        work_days=list(work_calendar.days(*days_needed(start, end))),
        due=days_between(start, end) if due is None else due,
        **others,
    )


def payslip(start: date, end: date, *terms: PayTerms, **others: Any) -> PayResult:
    return compute(inputs(start, end, *terms, **others))


def component(code: str, kind: Any, calculation: Any, **others: Any) -> Component:
    """A component that applies to all, whose id is its code."""
    return Component(code, code, code.capitalize(), kind, calculation, applies_to_all=True, **others)


def micro(text: str) -> int:
    """A percentage or multiplier in millionths, as columns store it."""
    return scaled(Decimal(text), MICRO)


def cents(text: str) -> int:
    return scaled(Decimal(text), 100)


def partial_payslips(start: date, end: date, cuts: Sequence[date], *terms: PayTerms, **others: Any) -> list[PayResult]:
    """Successive payslips of a period, each paying up to and including the next cut."""
    payslips: list[PayResult] = []
    before: list[MonthPart] = []
    first = start
    for last in [*sorted(cuts), end]:
        due = days_between(first, last)
        payslips.append(compute(inputs(start, end, *terms, due=due, before=tuple(before), **others)))
        before += payslips[-1].parts
        first = last + timedelta(days=1)
    return payslips
