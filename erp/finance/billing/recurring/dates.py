"""The dates of what recurs, counted from its first day alone, so that they never drift.

In months and years an occurrence is the day of the month that the schedule is tied to, or the last of a month that is
too short for it: from 31 January, 28 February, then 31 March. An occurrence stands for the time from its own date to
the day before the next one.
"""

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count
from typing import Literal

import msgspec

Unit = Literal["day", "week", "month", "year"]

LAST_DAY = 31
"""The day of the month that a schedule on the last of each month is tied to."""
LAST_YEAR = 2199
"""The last year that a request or an answer can hold."""

_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}
ONE_DAY = timedelta(days=1)


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """When something recurs.

    Attributes:
        start: no occurrence is before it; the first one is on it, unless `day` is another day of the month.
        day: the day of the month, only in months and years; that of `start` when None.
        until: no occurrence is after it.
        times: how many occurrences there are.
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
    count = _first_after(schedule, schedule.until or date(LAST_YEAR, 12, 31))
    if schedule.times is not None:
        count = min(count, schedule.times)
    return nth(schedule, count - 1) if count else None


def period(schedule: Schedule, day: date) -> tuple[date, date]:
    """The first and the last day of the time that an occurrence stands for."""
    following = _unbounded(schedule, _first_after(schedule, day))
    return day, (following or date(LAST_YEAR + 1, 1, 1)) - ONE_DAY


def _unbounded(schedule: Schedule, n: int) -> date | None:
    """The date of the nth occurrence as if there were no end; None after `LAST_YEAR`."""
    if schedule.unit in _DAYS:
        days = n * schedule.every * _DAYS[schedule.unit]
        is_far = days > (date(LAST_YEAR, 12, 31) - schedule.start).days
        return None if is_far else schedule.start + timedelta(days=days)
    return _in_month(_first_month(schedule) + n * schedule.every * _MONTHS[schedule.unit], _day(schedule))


def _first_after(schedule: Schedule, day: date) -> int:
    """The number of the first occurrence after a day."""
    if day < schedule.start:
        return 0
    if schedule.unit in _DAYS:
        return (day - schedule.start).days // (schedule.every * _DAYS[schedule.unit]) + 1
    months = day.year * 12 + day.month - 1 - _first_month(schedule)
    n = max(0, months // (schedule.every * _MONTHS[schedule.unit]))
    found = _unbounded(schedule, n)
    return n + 1 if found is not None and found <= day else n


def _day(schedule: Schedule) -> int:
    return schedule.start.day if schedule.day is None else schedule.day


def _first_month(schedule: Schedule) -> int:
    """The month of the first occurrence, counted from the year 0: the next one, if its day is over at the start."""
    month = schedule.start.year * 12 + schedule.start.month - 1
    first = _in_month(month, _day(schedule))
    return month if first is None or first >= schedule.start else month + _MONTHS[schedule.unit]


def _in_month(month: int, day: int) -> date | None:
    year, of_year = divmod(month, 12)
    if year > LAST_YEAR:
        return None
    return date(year, of_year + 1, min(day, monthrange(year, of_year + 1)[1]))
