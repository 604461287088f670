"""The days of an employee as plain values: employed or not, scheduled minutes, holidays."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

USUAL_MINUTES = 480
"""What somebody without a schedule of her own works on a day that is not of the weekend."""


@dataclass(frozen=True, slots=True)
class WorkDay:
    """A day of somebody's: scheduled minutes are those of her week, whether or not it is a holiday."""

    date: date
    employed: bool
    scheduled_minutes: int
    holiday: str | None

    @property
    def is_working_day(self) -> bool:
        """Whether she is to work: employed, scheduled, and no holiday."""
        return self.employed and self.scheduled_minutes > 0 and self.holiday is None

    @property
    def expected_minutes(self) -> int:
        """How long she is to work."""
        return self.scheduled_minutes if self.is_working_day else 0


Week = tuple[int, ...]
"""Minutes by weekday, Monday first."""


@dataclass(frozen=True, slots=True)
class WorkCalendar:
    """What is known of one employee's days: schedules from a day on, stretches of employment, holidays by day."""

    usual: Week
    schedules: Sequence[tuple[date, Week]] = ()
    employments: Sequence[tuple[date, date | None]] = ()
    holidays: Mapping[date, str] = field(default_factory=dict)

    def day(self, day: date) -> WorkDay:
        """That day."""
        employed = any(start <= day and (end is None or day <= end) for start, end in self.employments)
        return WorkDay(day, employed, self._week(day)[day.weekday()], self.holidays.get(day))

    def days(self, start: date, end: date) -> Iterator[WorkDay]:
        """The days from `start` to `end`, both in."""
        return (self.day(start + timedelta(days=n)) for n in range((end - start).days + 1))

    def _week(self, day: date) -> Week:
        place = bisect_right(self.schedules, day, key=lambda schedule: schedule[0])
        if place == 0:  # before the first schedule it is the first that tells
            return self.schedules[0][1] if self.schedules else self.usual
        return self.schedules[place - 1][1]
