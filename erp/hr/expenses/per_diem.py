"""The days of a journey that a per diem is paid for, and what each comes to.

Pure. Source: § 9 (4a) EStG: more than 8 hours away on one day, or the first and the last day of several, are partial
days; the days between are full ones. Meals that were given cut 20, 40 and 40 % of the full rate.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Literal

import msgspec

from erp.kernel import money

LEAST_MINUTES = 480
"""A single day counts with more minutes away than this."""

CUTS = {"breakfast": 20, "lunch": 40, "dinner": 40}
"""Per cent of the full rate."""

Part = Literal["full", "partial"]


class Place(msgspec.Struct, frozen=True):
    """A country and, where a table has one, a region or city with a rate of its own."""

    country: str
    region: str | None = None


class Away(msgspec.Struct, frozen=True):
    """A day of a journey that counts, and the place whose rate it has."""

    date: date
    part: Part
    place: Place


class Rate(msgspec.Struct, frozen=True):
    """The amounts of a full and of a partial day."""

    full: int
    partial: int


def days(start: datetime, end: datetime, stays: Mapping[date, Place], usual: Place, home: str) -> list[Away]:
    """The days of a journey with nights in lodging, or within one day.

    Args:
        start: in the person's zone, as `end`.
        stays: the place where a day ends, where it is not the usual one.
        home: the office's country; the last day has the rate of the last stay outside of it.
    """
    first, last = start.date(), end.date()
    if first == last:
        enough = _minutes(start, end) > LEAST_MINUTES
        return [Away(first, "partial", stays.get(first, usual))] if enough else []
    every = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    places = {day: stays.get(day, usual) for day in every}
    abroad = [places[day] for day in every[:-1] if places[day].country != home]
    if abroad:
        places[last] = abroad[-1]
    return [Away(day, "partial" if day in (first, last) else "full", places[day]) for day in every]


def without_night(start: datetime, end: datetime, stays: Mapping[date, Place], usual: Place) -> list[Away]:
    """The one day that counts of a journey over midnight without lodging: the longer one."""
    if _minutes(start, end) <= LEAST_MINUTES:
        return []
    midnight = datetime.combine(end.date(), datetime.min.time(), tzinfo=end.tzinfo)
    day = start.date() if midnight - start >= end - midnight else end.date()
    return [Away(day, "partial", stays.get(day, usual))]


def amount(day: Away, rate: Rate, meals: Sequence[str]) -> int:
    """The amount of a day, less the meals that were given; never below 0."""
    whole = rate.full if day.part == "full" else rate.partial
    return max(0, whole - money.divide(rate.full * sum(CUTS[meal] for meal in meals), 100))


def _minutes(start: datetime, end: datetime) -> int:
    return int((end - start).total_seconds() // 60)
