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


class WorkDay(msgspec.Struct, frozen=True):
    """An employee's day; scheduled minutes follow the weekly schedule, holiday or not."""

    date: date
    employed: bool
    scheduled_minutes: int
    holiday: Holiday | None

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


class WorkCalendar(msgspec.Struct, frozen=True):
    """One employee's days: schedules from a day on, employment periods, holidays by day."""

    usual: Week
    schedules: Sequence[tuple[date, Week]] = ()
    employments: Sequence[tuple[date, date | None]] = ()
    holidays: Mapping[date, Holiday] = msgspec.field(default_factory=dict)

    def day(self, day: date) -> WorkDay:
        employed = any(start <= day and (end is None or day <= end) for start, end in self.employments)
        return WorkDay(day, employed, self._week(day)[day.weekday()], self.holidays.get(day))

    def days(self, start: date, end: date) -> Iterator[WorkDay]:
        """The days from `start` to `end`, both included."""
        return (self.day(start + timedelta(days=n)) for n in range((end - start).days + 1))

    def _week(self, day: date) -> Week:
        begun = bisect_right(self.schedules, day, key=lambda schedule: schedule[0])
        if begun == 0:  # the first schedule also holds before its day
            return self.schedules[0][1] if self.schedules else self.usual
        return self.schedules[begun - 1][1]
