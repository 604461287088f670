"""The dates of a schedule, counted from its first day alone, so that they never drift.

In months and years an occurrence is on the schedule's day of the month, or on the last day of a shorter month: from
31 January, 28 February, then 31 March. The period of an occurrence is from its own date to the day before the next one.
"""

from collections.abc import Iterator
from datetime import date
from itertools import count

import msgspec

from erp.kernel import days
from erp.kernel.days import DAYS_OF, LAST_DAY, MONTHS_OF, ONE_DAY, Unit


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A first day, a rhythm and an end.

    Attributes:
        start: no occurrence is before it; the first one is on it, unless `day` is another day of the month.
        day: the day of the month, only in months and years; the day of `start` when None.
        until: no occurrence is after it.
        times: number of occurrences.
    """

    start: date
    every: int
    unit: Unit
    day: int | None = None
    until: date | None = None
    times: int | None = None


def occurrences(schedule: Schedule, after: date | None = None) -> Iterator[date]:
    """The dates of a schedule in order, those after a day only."""
    for n in count(0 if after is None else _first_after(schedule, after)):
        day = nth(schedule, n)
        if day is None:
            return
        yield day


def nth(schedule: Schedule, n: int) -> date | None:
    """The date of the nth occurrence, counted from 0; None when the schedule is over before that."""
    if schedule.times is not None and n >= schedule.times:
        return None
    day = _unbounded(schedule, n)
    if day is None or (schedule.until is not None and day > schedule.until):
        return None
    return day


def last(schedule: Schedule) -> date | None:
    """The date of the last occurrence; None when there is none, or no end."""
    if schedule.until is None and schedule.times is None:
        return None
    count = _first_after(schedule, schedule.until or LAST_DAY)
    if schedule.times is not None:
        count = min(count, schedule.times)
    return nth(schedule, count - 1) if count else None


def period(schedule: Schedule, day: date) -> tuple[date, date]:
    """The first and the last day of an occurrence's period."""
    following = _unbounded(schedule, _first_after(schedule, day))
    return day, following - ONE_DAY if following else LAST_DAY


def _unbounded(schedule: Schedule, n: int) -> date | None:
    """The date of the nth occurrence as if there were no end; None after `LAST_DAY`."""
    first = _first(schedule)
    return first and days.later(first, n * schedule.every, schedule.unit, _day(schedule))


def _first(schedule: Schedule) -> date | None:
    """The first occurrence: on the schedule's day of the month, not before the start."""
    if schedule.unit in DAYS_OF:
        return schedule.start
    found = days.in_month(schedule.start, _day(schedule))
    return found if found >= schedule.start else days.later(found, 1, schedule.unit, _day(schedule))


def _first_after(schedule: Schedule, day: date) -> int:
    """The number of the first occurrence after a day."""
    first = _first(schedule)
    if first is None or day < first:
        return 0
    if schedule.unit in DAYS_OF:
        return (day - first).days // (schedule.every * DAYS_OF[schedule.unit]) + 1
    n = days.months_between(first, day) // (schedule.every * MONTHS_OF[schedule.unit])
    found = _unbounded(schedule, n)
    return n + 1 if found is not None and found <= day else n


def _day(schedule: Schedule) -> int:
    return schedule.start.day if schedule.day is None else schedule.day
