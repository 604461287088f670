"""The days of the demonstration: the twelve months before the current one, and the current one, number 12."""

from calendar import monthrange
from datetime import date, timedelta

import msgspec

PRESENT = 12
"""The number of the current month; the books begin in month 0."""


class Days(msgspec.Struct, frozen=True):
    """Days as the plan names them, relative to today; the holidays are added once they are known."""

    today: date
    holidays: set[date] = msgspec.field(default_factory=set)

    def first(self, month: int) -> date:
        """The first day of a month."""
        year, index = divmod(self.today.year * 12 + self.today.month - 1 + month - PRESENT, 12)
        return date(year, index + 1, 1)

    def last(self, month: int) -> date:
        """The last day of a month."""
        return self.on(month, 31)

    def on(self, month: int, day: int) -> date:
        """A day of a month, or the last one if the month is too short."""
        first = self.first(month)
        return first.replace(day=min(day, monthrange(first.year, first.month)[1]))

    def monday(self, month: int, ordinal: int) -> date:
        """The first, second … Monday of a month."""
        first = self.first(month)
        return first + timedelta(days=-first.weekday() % 7 + 7 * (ordinal - 1))

    def ago(self, days: int) -> date:
        """The day so many days ago, or the last working day before it."""
        day = self.today - timedelta(days=days)
        while not self.is_working(day):
            day -= timedelta(days=1)
        return day

    def is_working(self, day: date) -> bool:
        """Whether the office works on a day."""
        return day.weekday() < 5 and day not in self.holidays

    def working(self, day: date) -> date:
        """The day, or the next one on which the office works."""
        while not self.is_working(day):
            day += timedelta(days=1)
        return day

    def pay_day(self, month: int) -> date:
        """The last day of a month on which the office works."""
        day = self.last(month)
        while not self.is_working(day):
            day -= timedelta(days=1)
        return day

    def of_month(self, month: int) -> list[date]:
        """The working days of a month before today."""
        end = min(self.last(month), self.today - timedelta(days=1))
        days = [self.first(month) + timedelta(days=n) for n in range((end - self.first(month)).days + 1)]
        return [day for day in days if self.is_working(day)]
