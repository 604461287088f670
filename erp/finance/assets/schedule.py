"""The depreciation of an asset by month: pure arithmetic.

Months are counted from year 0 (`year * 12 + month - 1`), amounts are minor units. Accumulated depreciation is computed
for the end of each month and rounded there; the depreciation of a month is a difference, so that the sum is exact.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

import msgspec

from erp.kernel.money import MICRO, divide

YEAR = 12
FOREVER = 10**9


class Life(NamedTuple):
    """A useful life in months, counted from the first month in use, and the first month in which it applies."""

    since: int
    months: int


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of depreciation.

    Attributes:
        cost: less `residual`, it is spread over the life.
        first: the first month in use.
        lives: the life from the first month of the schedule, then its changes; none is never depreciated.
        percent: of the book value in each year, in millionths, while that is more than spreading evenly.
        opening: accumulated before the schedule begins.
        year_start: the month of the year, from 1, with which a fiscal year begins.
    """

    cost: int
    first: int
    lives: Sequence[Life] = ()
    residual: int = 0
    percent: int = 0
    opening: int = 0
    year_start: int = 1


def number(day: date) -> int:
    """The number of a day's month."""
    return day.year * YEAR + day.month - 1


def first_day(month: int) -> date:
    """The first day of a month."""
    return date(month // YEAR, month % YEAR + 1, 1)


def year_of(month: int, year_start: int) -> int:
    """The first month of the fiscal year of a month."""
    return month - (month - (year_start - 1)) % YEAR


def accumulated(plan: Plan, month: int) -> int:
    """Accumulated depreciation at the end of a month."""
    reached = plan.opening
    ends = [*(life.since - 1 for life in plan.lives[1:]), FOREVER]
    for life, end in zip(plan.lives, ends, strict=False):
        if month < life.since:
            break
        reached = _within(plan, life, reached, min(month, end))
    return reached


def last_month(plan: Plan) -> int:
    """The month after whose end nothing is left to depreciate."""
    if not plan.lives:
        return plan.first
    life = plan.lives[-1]
    return max(plan.first + life.months - 1, life.since)


def months(plan: Plan) -> Iterator[tuple[int, int]]:
    """Every month of the schedule, with what is accumulated at its end."""
    if plan.lives:
        for month in range(plan.lives[0].since, last_month(plan) + 1):
            yield month, accumulated(plan, month)


def _within(plan: Plan, life: Life, reached: int, month: int) -> int:
    """Accumulated depreciation at the end of a month under one life; `reached` before its first month."""
    last = plan.first + life.months - 1
    rest = plan.cost - plan.residual - reached
    if month >= last:
        return reached + rest
    if plan.percent:
        return _declining(plan, life.since, last, reached, month)
    return reached + divide(rest * (month - life.since + 1), last - life.since + 1)


def _declining(plan: Plan, start: int, last: int, reached: int, month: int) -> int:
    """Year by year the larger of the percentage and an even share; within a year, evenly."""
    while True:
        end = min(year_of(start, plan.year_start) + YEAR - 1, last)
        amount = _of_year(plan, reached, end - start + 1, last - start + 1)
        if month <= end:
            return reached + divide(amount * (month - start + 1), end - start + 1)
        reached, start = reached + amount, end + 1


def _of_year(plan: Plan, reached: int, count: int, left: int) -> int:
    """The depreciation of `count` months of a year, with `left` months of the life at its start."""
    book = plan.cost - reached
    by_percent = divide(book * plan.percent * count, 100 * MICRO * YEAR)
    evenly = divide((book - plan.residual) * count, left)
    return min(max(by_percent, evenly), book - plan.residual)
