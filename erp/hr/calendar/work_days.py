"""The days of an employee as plain values: employment, scheduled minutes, holidays."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Literal

import msgspec

USUAL_MINUTES = 480
"""Minutes on a day outside the weekend, for an employee without a schedule."""


Half = Literal["morning", "afternoon"]
Part = Literal["day", "morning", "afternoon"]


class Holiday(msgspec.Struct, frozen=True):
    """The name of a holiday, and its half of the day; None if the whole day is free."""

    name: str
    half: Half | None = None


class Hours(msgspec.Struct, frozen=True):
    """The hours of a day of work, in minutes past its midnight; past the next midnight there are more than 1,440."""

    begin: int
    end: int
    break_minutes: int = 0

    @classmethod
    def of(cls, begin: str, end: str, break_minutes: int = 0) -> "Hours":
        """Hours from times of day such as 08:30; an end that is not after the begin is on the next day."""
        first, last = _past_midnight(begin), _past_midnight(end)
        return cls(first, last if last > first else last + 1440, break_minutes)

    @property
    def minutes(self) -> int:
        """The minutes to work."""
        return self.end - self.begin - self.break_minutes


def _past_midnight(time: str) -> int:
    hour, minute = map(int, time.split(":"))
    return hour * 60 + minute


class WorkDay(msgspec.Struct, frozen=True):
    """An employee's day; scheduled minutes follow the weekly schedule, holiday or not."""

    date: date
    employed: bool
    scheduled_minutes: int
    holiday: Holiday | None
    hours: Hours | None = None

    @property
    def is_working_day(self) -> bool:
        """Employed, scheduled and not free all day."""
        return self.working_halves > 0

    @property
    def working_halves(self) -> int:
        """The halves of the day that are to be worked, 0 to 2."""
        if not self.employed or not self.scheduled_minutes:
            return 0
        if self.holiday is None:
            return 2
        return 0 if self.holiday.half is None else 1

    @property
    def expected_minutes(self) -> int:
        """The scheduled minutes less a holiday; half of them is rounded up."""
        return (self.scheduled_minutes * self.working_halves + 1) // 2

    @property
    def usual_minutes(self) -> int:
        """The minutes that count for a day at work without punches; on a holiday, all that are scheduled."""
        return self.expected_minutes if self.working_halves == 1 else self.scheduled_minutes


Week = tuple[int, ...]
"""Minutes by weekday, Monday first."""
WeekHours = Mapping[int, Hours]
"""The hours of the weekdays that have them, by their place in the week."""


class WorkCalendar(msgspec.Struct, frozen=True):
    """One employee's days: schedules from a day on, employment periods, holidays by day.

    The hours of a schedule are found by its first day.
    """

    usual: Week
    schedules: Sequence[tuple[date, Week]] = ()
    employments: Sequence[tuple[date, date | None]] = ()
    holidays: Mapping[date, Holiday] = msgspec.field(default_factory=dict)
    hours: Mapping[date, WeekHours] = msgspec.field(default_factory=dict)

    def day(self, day: date) -> WorkDay:
        employed = any(start <= day and (end is None or day <= end) for start, end in self.employments)
        since, week = self._schedule(day)
        hours = self.hours[since].get(day.weekday()) if since in self.hours else None
        return WorkDay(day, employed, week[day.weekday()], self.holidays.get(day), hours)

    def is_open(self, day: date) -> bool:
        """Whether people work at the site on a day: not at its weekend, nor on a holiday of the whole day."""
        holiday = self.holidays.get(day)
        return self.usual[day.weekday()] > 0 and (holiday is None or holiday.half is not None)

    def days(self, start: date, end: date) -> Iterator[WorkDay]:
        """The days from `start` to `end`, both included."""
        return (self.day(start + timedelta(days=n)) for n in range((end - start).days + 1))

    def _schedule(self, day: date) -> tuple[date, Week]:
        """The schedule in force, with its first day; the first one also holds before."""
        if not self.schedules:
            return date.min, self.usual
        begun = bisect_right(self.schedules, day, key=lambda schedule: schedule[0])
        return self.schedules[max(begun - 1, 0)]
