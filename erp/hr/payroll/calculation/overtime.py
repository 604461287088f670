"""Overtime: the minutes of a day beyond the threshold, and their hourly rate.

Weekly overtime falls on the days on which the week's running total, from Monday, is beyond the threshold, so it is
paid once even if the week reaches into the next period. The regular rate of an hour is its straight pay plus its
share of the other taxable earnings; where hourly pay changes within a week, the straight pay is the average over the
hours paid in that week. Hourly pay already includes the hours themselves, so only `multiplier` − 1 is added; a salary
does not, so they are paid `multiplier` times. The straight pay of a salary is its yearly amount ÷ 52 weeks ÷ the
hours of the employee's week.

Source: 29 CFR 778.109, 778.110, 778.113 and 778.115.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction

import msgspec

from erp.hr.payroll.calculation import wording
from erp.hr.payroll.calculation.proration import PERIODS_OF_YEAR
from erp.hr.payroll.calculation.values import Overtime, PayInputs, PayTerms, Work
from erp.kernel import days
from erp.kernel.language import Listed, Word, says
from erp.kernel.money import MICRO

USUAL_WEEK = 40 * 60
"""Weekly minutes of an employee with none scheduled, to derive an hourly rate from the salary."""


def minutes_by_day(worked: Mapping[date, int], rule: Overtime) -> dict[date, int]:
    """The overtime minutes of each day that has any."""
    overtime: dict[date, int] = {}
    total, monday = 0, date.min
    for day in sorted(worked):
        start = _beginning(day, rule)
        if start != monday:
            total, monday = 0, start
        beyond = max(0, total + worked[day] - rule.after_minutes) - max(0, total - rule.after_minutes)
        total += worked[day]
        if beyond:
            overtime[day] = beyond
    return overtime


def _beginning(day: date, rule: Overtime) -> date:
    """The first day of the day or week over which time is added up."""
    return day if rule.per == "day" else days.monday(day)


def _hourly_rates(inputs: PayInputs, works: Sequence[Work], rule: Overtime) -> dict[date, Fraction]:
    """The average hourly pay of each day or week, in minor units, by its first day."""
    pay: Counter[date] = Counter()
    minutes: Counter[date] = Counter()
    for terms, day in _paid_days(works):
        if terms.pay_type == "hourly" and inputs.worked_minutes.get(day):
            pay[_beginning(day, rule)] += inputs.worked_minutes[day] * terms.amount
            minutes[_beginning(day, rule)] += inputs.worked_minutes[day]
    return {start: Fraction(pay[start], minutes[start]) for start in minutes}


def _salaried_rate(inputs: PayInputs, terms: PayTerms, day: date) -> Fraction:
    """The salary of one hour of the employee's week, in minor units."""
    start = days.monday(day)
    week = sum(other.scheduled_minutes for other in inputs.work_days if 0 <= (other.date - start).days < 7)
    return Fraction(terms.amount * PERIODS_OF_YEAR[terms.frequency] * 60, 52 * (week or USUAL_WEEK))


class Hours(msgspec.Struct, frozen=True):
    """Overtime minutes at one rate of straight pay, in minor units an hour."""

    minutes: int
    straight: Fraction
    is_hourly: bool


def hours(inputs: PayInputs, works: Sequence[Work], rule: Overtime) -> list[Hours]:
    """The overtime of the paid days, by rate."""
    overtime, rates = minutes_by_day(inputs.worked_minutes, rule), _hourly_rates(inputs, works, rule)
    minutes_by_rate: dict[tuple[Fraction, bool], int] = {}
    for terms, day in _paid_days(works):
        if day in overtime:
            is_hourly = terms.pay_type == "hourly"
            straight = rates[_beginning(day, rule)] if is_hourly else _salaried_rate(inputs, terms, day)
            rate = straight, is_hourly
            minutes_by_rate[rate] = minutes_by_rate.get(rate, 0) + overtime[day]
    return [Hours(minutes, *rate) for rate, minutes in minutes_by_rate.items()]


def value(counted: Sequence[Hours], rule: Overtime, other_rate: Fraction) -> Fraction:
    """The exact value of overtime, not rounded.

    Args:
        other_rate: the other taxable earnings for each hour worked.
    """
    extra = Fraction(rule.multiplier, MICRO) - 1
    # A salary does not include the hours themselves; the other earnings are for all hours, these included.
    return sum(
        (
            Fraction(hours.minutes, 60)
            * ((hours.straight + other_rate) * extra + (0 if hours.is_hourly else hours.straight))
            for hours in counted
        ),
        Fraction(0),
    )


_PERIODS = {"day": Word("day"), "week": Word("week")}


def words(counted: Sequence[Hours], rule: Overtime, other_rate: Fraction, currency: str) -> str:
    """The arithmetic: `overtime beyond 40 h a week: 6 h × 6.20 × 0.5 on top of the hours themselves`."""
    extra = Fraction(rule.multiplier, MICRO) - 1
    parts = [_words(hours, hours.straight + other_rate, extra, currency) for hours in counted]
    return says(
        "overtime beyond {time} a {period}: {parts}",
        time=wording.hours(rule.after_minutes),
        period=_PERIODS[rule.per],
        parts=Listed.of(parts, separator=" + "),
    )


def _words(hours: Hours, regular: Fraction, extra: Fraction, currency: str) -> str:
    time, rate = wording.hours(hours.minutes), wording.rate(regular, currency)
    if hours.is_hourly:
        template = says("{time} × {rate} × {factor} on top of the hours themselves")
        return template.fill(time=time, rate=rate, factor=wording.decimal(extra))
    if regular == hours.straight:
        return says("{time} × {rate} × {factor}", time=time, rate=rate, factor=wording.decimal(extra + 1))
    straight, factor = wording.rate(hours.straight, currency), wording.decimal(extra)
    return says("{time} × ({straight} + {rate} × {factor})", time=time, straight=straight, rate=rate, factor=factor)


def _paid_days(works: Sequence[Work]) -> Iterator[tuple[PayTerms, date]]:
    return ((work.terms, day.date) for work in works for day in work.days)
