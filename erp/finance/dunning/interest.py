"""Default interest by day: exact, rounded once. Pure.

Interest = Σ over days of principal × rate ÷ 365, in leap years as well. A rate is millionths of a percent.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from erp.kernel import money

DAYS_OF_YEAR = 365
_DIVISOR = DAYS_OF_YEAR * 100 * money.MICRO


class Step(NamedTuple):
    """A value from a day on."""

    since: date
    value: int


class Stretch(NamedTuple):
    """Days on which principal and rate stay the same."""

    first: date
    last: date
    principal: int
    rate: int

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


def stretches(first: date, last: date, principal: Sequence[Step], rates: Sequence[Step]) -> list[Stretch]:
    """The days from the first to the last, in stretches with interest.

    Args:
        principal: steps in order of days, the first at or before the first day.
        rates: the same.
    """
    starts = sorted({first, *(step.since for step in (*principal, *rates) if first < step.since <= last)})
    ends = [*(day - timedelta(1) for day in starts[1:]), last]
    found = [
        Stretch(start, end, max(0, _at(principal, start)), max(0, _at(rates, start)))
        for start, end in zip(starts, ends, strict=True)
        if start <= end
    ]
    return [stretch for stretch in found if stretch.principal and stretch.rate]


def amount(parts: Sequence[Stretch]) -> int:
    """The interest of stretches in minor units, rounded once, half away from zero."""
    return money.divide(sum(part.days * part.principal * part.rate for part in parts), _DIVISOR)


def _at(steps: Sequence[Step], day: date) -> int:
    value = 0
    for step in steps:
        if step.since > day:
            break
        value = step.value
    return value
