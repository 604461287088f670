"""The days of an employee as plain values: employment, scheduled minutes, holidays."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

import msgspec

USUAL_MINUTES = 480
"""Minutes on a day outside the weekend, for an employee without a schedule."""


class WorkDay(msgspec.Struct, frozen=True):
    """An employee's day; scheduled minutes follow the weekly schedule, holiday or not."""

    date: date
    employed: bool
    scheduled_minutes: int
    holiday: str | None

    @property
    def is_working_day(self) -> bool:
        """Employed, scheduled and no holiday."""
        return self.employed and self.scheduled_minutes > 0 and self.holiday is None

    @property
    def expected_minutes(self) -> int:
        """The scheduled minutes of a working day; 0 on any other."""
        return self.scheduled_minutes if self.is_working_day else 0


Week = tuple[int, ...]
"""Minutes by weekday, Monday first."""


class WorkCalendar(msgspec.Struct, frozen=True):
    """One employee's days: schedules from a day on, employment periods, holidays by day."""

    usual: Week
    schedules: Sequence[tuple[date, Week]] = ()
    employments: Sequence[tuple[date, date | None]] = ()
    holidays: Mapping[date, str] = msgspec.field(default_factory=dict)

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
