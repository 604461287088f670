"""Days as the scenario writes them: from today, from the day of an entry, or in the time of a project.

The notation is explained at the top of `scenario.toml`.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count
from typing import NamedTuple

YEAR = 12
"""The books begin so many months ago."""
_MONTH = re.compile(r"(\d+) months? ago|in (\d+) months?|this month")
_OWN_MONTH = {"same month": 0, "month before": -1}
_POINT = re.compile(r"day (\d+)|Monday (\d)|first day|last day|last working day")
_EVERY = re.compile(r"every (?:(\d+) months|month|(quarter)), (.+)")
_NEAR = re.compile(r"(\d+) days? (ago|later)|in (\d+) days?")
_SHARE = re.compile(r"at (\d+) %")


class Span(NamedTuple):
    """The first and the last day of a project."""

    first: date
    last: date

    def at(self, percent: int) -> date:
        """The day on which so much of the time is over; beyond 100, after its end."""
        return self.first + timedelta(days=(self.last - self.first).days * percent // 100)


class Calendar:
    """The days of the year that ends today."""

    def __init__(self, today: date) -> None:
        self.today = today
        self.holidays: set[date] = set()

    def month(self, ago: int) -> date:
        """The first day of the month so many months ago."""
        return _moved(self.today, -ago)

    def age(self, day: date) -> int:
        """Calendar months from the month of a day to this one."""
        return (self.today.year - day.year) * 12 + self.today.month - day.month

    def is_working(self, day: date) -> bool:
        """Whether the office is open on a day."""
        return day.weekday() < 5 and day not in self.holidays

    def working(self, day: date, step: int = 1) -> date:
        """The day, or the next one in a direction on which the office is open."""
        while not self.is_working(day):
            day += timedelta(days=step)
        return day

    def working_days(self, month: date) -> list[date]:
        """The days of a month before today on which the office is open."""
        days = (month.replace(day=n) for n in range(1, monthrange(month.year, month.month)[1] + 1))
        return [day for day in days if day < self.today and self.is_working(day)]

    def exact(self, text: str, own: date, span: Span | None = None) -> date | None:
        """The day that a field says, or None if the text is no day.

        Args:
            own: the day of the entry.
            span: of the project that the entry is part of.
        """
        if text in ("today", "same day"):
            return self.today if text == "today" else own
        if near := _NEAR.fullmatch(text):
            days, direction, ahead = near.groups()
            base = own if direction == "later" else self.today
            return base + timedelta(days=-int(days) if direction == "ago" else int(days or ahead))
        if (share := _SHARE.fullmatch(text)) and span:
            return span.at(int(share[1]))
        period, _, point = text.partition(", ")
        months = self._months(period, own)
        return self._point(months, point) if months and _POINT.fullmatch(point) else None

    def day(self, text: str, own: date, span: Span | None = None) -> date:
        """The day that a text says, as it is.

        Raises:
            ValueError: it is no day.
        """
        day = self.exact(text, own, span)
        if day is None:
            raise ValueError(f"“{text}” is not a day.")
        return day

    def acts(
        self, text: str, own: date, span: Span | None = None, since: str = "", through: str = ""
    ) -> Iterator[date]:
        """The days on which something is done, as `on` says; a day off gives way to a working day."""
        if every := _EVERY.fullmatch(text):
            months, quarter, point = every.groups()
            for month in self._every(int(months or 1), bool(quarter), since, through):
                yield self._open(point, self._point((month, month), point))
        else:
            yield self._open(text, self.day(text, own, span))

    def _open(self, text: str, day: date) -> date:
        """The day, or one on which the office is open, unless the text names it as it is."""
        if not text.startswith("at ") and not re.search(r"day \d+$|days? (ago|later)$", text):
            return day
        return self.working(day, -1 if text.endswith("ago") else 1)

    def _every(self, step: int, quarter: bool, since: str, through: str) -> Iterator[date]:
        first = self._months(since, self.today)[0] if since else self.month(YEAR)
        last = self._months(through, self.today)[0] if through else self.today
        for months in count(0, step):
            if (month := _moved(first, months)) > last:
                return
            if not quarter or month.month % 3 == 1:
                yield month

    def _months(self, text: str, own: date) -> tuple[date, ...]:
        """The first days of the first and the last month of a period, or nothing."""
        if found := _MONTH.fullmatch(text):
            return (_moved(self.today, int(found[2] or 0) - int(found[1] or 0)),) * 2
        if text in _OWN_MONTH:
            return (_moved(own, _OWN_MONTH[text]),) * 2
        if text == "quarter before":
            first = _moved(own, -3 - (own.month - 1) % 3)
            return first, _moved(first, 2)
        return ()

    def _point(self, months: tuple[date, ...], text: str) -> date:
        first, last = months[0], months[1].replace(day=monthrange(months[1].year, months[1].month)[1])
        if text == "first day":
            return first
        if text.startswith("last"):
            return self.working(last, -1) if text == "last working day" else last
        name, number = text.split()
        if name == "Monday":
            return first + timedelta(days=-first.weekday() % 7 + 7 * (int(number) - 1))
        return min(last, first + timedelta(days=int(number) - 1))


def _moved(day: date, months: int) -> date:
    """The first day of the month so many months later."""
    year, index = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, index + 1, 1)
