"""Weeks as they are submitted: from Monday to Sunday, or parted where a month ends."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from erp.kernel.days import ONE_DAY, monday, month_end
from erp.web.text_scalars import TimeApproval


class Span(NamedTuple):
    """The days of a week or of its part, both included."""

    first: date
    last: date

    @property
    def days(self) -> list[date]:
        return [self.first + timedelta(days=n) for n in range((self.last - self.first).days + 1)]

    def meets(self, other: "Span") -> bool:
        """Whether the two have a day in common."""
        return self.first <= other.last and other.first <= self.last


def between(first: date, last: date, mode: TimeApproval) -> Iterator[Span]:
    """The weeks that have a day from `first` to `last`, or their parts."""
    asked, start = Span(first, last), monday(first)
    while start <= last:
        sunday, end = start + timedelta(days=6), month_end(start)
        cut = mode == "week_in_month" and end < sunday
        for span in (Span(start, end), Span(end + ONE_DAY, sunday)) if cut else (Span(start, sunday),):
            if span.meets(asked):
                yield span
        start = sunday + ONE_DAY


def beginning(day: date, mode: TimeApproval) -> Span | None:
    """The week or part that begins on a day; None if none does."""
    return next((span for span in between(day, day, mode) if span.first == day), None)
