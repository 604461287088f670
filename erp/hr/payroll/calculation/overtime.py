"""Overtime: which minutes of a day are beyond the threshold, and what an hour of them is worth.

Overtime of a week belongs to the days on which the week's running total, from Monday, is beyond the threshold, so
that it is paid once even if the week reaches into the next period. The regular rate of an hour is the straight pay
for it and the part of the other taxable earnings that falls on it; where the pay by the hour changes within a week,
the straight pay is the average over the hours paid in that week. Pay by the hour already holds the hours
themselves, so that only `multiplier` − 1 is added; a salary does not, so that they are paid `multiplier` times.
A salary is for its yearly amount ÷ 52 weeks ÷ the hours of the person's week.

Source: 29 CFR 778.109, 778.110, 778.113 and 778.115.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from erp.hr.payroll.calculation import wording
from erp.hr.payroll.calculation.proration import PERIODS_OF_YEAR
from erp.hr.payroll.calculation.values import Overtime, PayInputs, PayTerms, Work
from erp.kernel.money import MICRO

USUAL_WEEK = 40 * 60
"""Minutes of the week of somebody who has none scheduled, to make an hourly rate of her salary."""


def minutes_by_day(worked: Mapping[date, int], rule: Overtime) -> dict[date, int]:
    """The overtime of each day that has some."""
    found: dict[date, int] = {}
    total, monday = 0, date.min
    for day in sorted(worked):
        start = _beginning(day, rule)
        if start != monday:
            total, monday = 0, start
        beyond = max(0, total + worked[day] - rule.after_minutes) - max(0, total - rule.after_minutes)
        total += worked[day]
        if beyond:
            found[day] = beyond
    return found


def _beginning(day: date, rule: Overtime) -> date:
    """When the day or week begins over which time is added up."""
    return day if rule.per == "day" else day - timedelta(days=day.weekday())


def _hourly_rates(given: PayInputs, works: Sequence[Work], rule: Overtime) -> dict[date, Fraction]:
    """What an hour that is paid by the hour is worth on average in each day or week, by its beginning."""
    pay: Counter[date] = Counter()
    minutes: Counter[date] = Counter()
    for terms, day in _paid_days(works):
        if terms.pay_type == "hourly" and given.worked_minutes.get(day):
            pay[_beginning(day, rule)] += given.worked_minutes[day] * terms.amount
            minutes[_beginning(day, rule)] += given.worked_minutes[day]
    return {start: Fraction(pay[start], minutes[start]) for start in minutes}


def _salaried_rate(given: PayInputs, terms: PayTerms, day: date) -> Fraction:
    """What an hour of somebody's week is worth by her salary, in minor units."""
    monday = day - timedelta(days=day.weekday())
    week = sum(each.scheduled_minutes for each in given.roster if 0 <= (each.date - monday).days < 7)
    return Fraction(terms.amount * PERIODS_OF_YEAR[terms.frequency] * 60, 52 * (week or USUAL_WEEK))


@dataclass(frozen=True, slots=True)
class Hours:
    """Overtime minutes that are worth the same."""

    minutes: int
    straight: Fraction
    is_hourly: bool


def hours(given: PayInputs, works: Sequence[Work], rule: Overtime) -> list[Hours]:
    """The overtime of the paid days, by what it is worth."""
    overtime, rates = minutes_by_day(given.worked_minutes, rule), _hourly_rates(given, works, rule)
    found: dict[tuple[Fraction, bool], int] = {}
    for terms, day in _paid_days(works):
        if day in overtime:
            is_hourly = terms.pay_type == "hourly"
            worth = rates[_beginning(day, rule)] if is_hourly else _salaried_rate(given, terms, day), is_hourly
            found[worth] = found.get(worth, 0) + overtime[day]
    return [Hours(minutes, *worth) for worth, minutes in found.items()]


def value(counted: Sequence[Hours], rule: Overtime, other_rate: Fraction) -> Fraction:
    """What overtime comes to, exactly.

    Args:
        other_rate: what the other taxable earnings add to each hour worked.
    """
    extra = Fraction(rule.multiplier, MICRO) - 1
    # A salary does not hold the hours themselves; the other earnings are for all hours, these included.
    return sum(
        (
            Fraction(each.minutes, 60)
            * ((each.straight + other_rate) * extra + (0 if each.is_hourly else each.straight))
            for each in counted
        ),
        Fraction(0),
    )


def words(counted: Sequence[Hours], rule: Overtime, other_rate: Fraction, currency: str) -> str:
    """How it is reckoned: `overtime beyond 40 h a week: 6 h × 6.20 × 0.5 on top of the hours themselves`."""
    extra = Fraction(rule.multiplier, MICRO) - 1
    parts = " + ".join(_words(each, each.straight + other_rate, extra, currency) for each in counted)
    return f"overtime beyond {wording.hours(rule.after_minutes)} a {rule.per}: {parts}"


def _words(each: Hours, regular: Fraction, extra: Fraction, currency: str) -> str:
    time, rate = wording.hours(each.minutes), wording.rate(regular, currency)
    if each.is_hourly:
        return f"{time} × {rate} × {wording.decimal(extra)} on top of the hours themselves"
    if regular == each.straight:
        return f"{time} × {rate} × {wording.decimal(extra + 1)}"
    return f"{time} × ({wording.rate(each.straight, currency)} + {rate} × {wording.decimal(extra)})"


def _paid_days(works: Sequence[Work]) -> Iterator[tuple[PayTerms, date]]:
    return ((work.terms, day.date) for work in works for day in work.days)
