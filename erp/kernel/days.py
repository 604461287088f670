"""Days counted in days, weeks, months and years.

A month that is too short for a day of the month ends on its last one: a month after 31 January is 28 February.
"""

from calendar import monthrange
from datetime import date, timedelta
from typing import Literal

Unit = Literal["day", "week", "month", "year"]

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2199, 12, 31)
"""The days that a request or an answer can hold."""

ONE_DAY = timedelta(days=1)
DAYS_OF = {"day": 1, "week": 7}
MONTHS_OF = {"month": 1, "year": 12}
LONGEST_MONTH = 31


def later(day: date, count: int, unit: Unit, of_month: int | None = None) -> date | None:
    """The day so many units later; None after `LAST_DAY`.

    Args:
        of_month: with months and years, the day of the month to keep; `day.day` when None.
    """
    if unit in DAYS_OF:
        days = count * DAYS_OF[unit]
        return day + timedelta(days=days) if days <= (LAST_DAY - day).days else None
    months = count * MONTHS_OF[unit]
    return months_later(day, months, of_month) if months <= months_between(day, LAST_DAY) else None


def months_later(day: date, months: int, of_month: int | None = None) -> date:
    """The same day so many months later, or earlier below zero; as `later`."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return in_month(date(year, month + 1, 1), day.day if of_month is None else of_month)


def months_between(first: date, last: date) -> int:
    """Months from the month of one day to the month of another."""
    return (last.year - first.year) * 12 + last.month - first.month


def in_month(day: date, number: int) -> date:
    """The day with that number in the month of a day, or the last one of a shorter month."""
    return date(day.year, day.month, min(number, monthrange(day.year, day.month)[1]))


def month_end(day: date) -> date:
    """The last day of the month of a day."""
    return in_month(day, LONGEST_MONTH)


def is_month_end(day: date) -> bool:
    """Whether a day is the last one of its month."""
    return day.day == month_end(day).day


def monday(day: date) -> date:
    """The first day of the week of a day."""
    return day - timedelta(days=day.weekday())
