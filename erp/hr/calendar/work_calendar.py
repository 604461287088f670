"""Rosters: on which days somebody is employed, how long she is to work, and which of them are holidays."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from erp.hr.calendar.models import WEEKDAYS
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

USUAL_MINUTES = 480
"""What somebody without a schedule of her own works on a day that is not of the weekend."""


@dataclass(frozen=True, slots=True)
class RosterDay:
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
class Roster:
    """What is known of one employee's days: schedules from a day on, stretches of employment, holidays by day."""

    usual: Week
    schedules: Sequence[tuple[date, Week]] = ()
    employments: Sequence[tuple[date, date | None]] = ()
    holidays: Mapping[date, str] = field(default_factory=dict)

    def day(self, day: date) -> RosterDay:
        """That day."""
        employed = any(start <= day and (end is None or day <= end) for start, end in self.employments)
        return RosterDay(day, employed, self._week(day)[day.weekday()], self.holidays.get(day))

    def days(self, start: date, end: date) -> Iterator[RosterDay]:
        """The days from `start` to `end`, both in."""
        return (self.day(start + timedelta(days=n)) for n in range((end - start).days + 1))

    def _week(self, day: date) -> Week:
        place = bisect_right(self.schedules, day, key=lambda schedule: schedule[0])
        if place == 0:  # before the first schedule it is the first that tells
            return self.schedules[0][1] if self.schedules else self.usual
        return self.schedules[place - 1][1]


def usual_week() -> Week:
    """The minutes of a week of the office, by its weekend."""
    weekend = workspace_settings.current().weekend
    return tuple(0 if name in weekend else USUAL_MINUTES for name in WEEKDAYS)


def of(employee_ids: Collection[str], start: date, end: date) -> dict[str, Roster]:
    """The rosters of employees, with the holidays from `start` to `end`; three queries, however many they are."""
    usual, holidays = usual_week(), holidays_between(start, end)
    schedules, employments = _schedules(employee_ids), _employments(employee_ids)
    return {id: Roster(usual, schedules.get(id, ()), employments.get(id, ()), holidays) for id in employee_ids}


def employments(employee_id: str) -> Sequence[tuple[date, date | None]]:
    """The stretches in which somebody is employed, in order."""
    return _employments([employee_id])[employee_id]


def holidays_between(start: date, end: date) -> dict[date, str]:
    """The names of the holidays from `start` to `end`, by day."""
    found = WORKSPACE.rows(
        "SELECT date, name FROM holiday WHERE date BETWEEN ? AND ?", (start.isoformat(), end.isoformat())
    )
    return {date.fromisoformat(day): name for day, name in found}


def _schedules(employee_ids: Collection[str]) -> dict[str, list[tuple[date, Week]]]:
    found: dict[str, list[tuple[date, Week]]] = defaultdict(list)
    for id, day, *minutes in WORKSPACE.rows(
        f"SELECT employee_id, effective_from, {', '.join(WEEKDAYS)} FROM work_schedule"
        f" WHERE employee_id IN ({', '.join('?' * len(employee_ids))}) ORDER BY effective_from",
        [*employee_ids],
    ):
        found[id].append((date.fromisoformat(day), tuple(minutes)))
    return found


def _employments(employee_ids: Collection[str]) -> dict[str, list[tuple[date, date | None]]]:
    found: dict[str, list[tuple[date, date | None]]] = defaultdict(list)
    for id, start, end in WORKSPACE.rows(
        "SELECT employee_id, starts_on, ends_on FROM employment"
        f" WHERE employee_id IN ({', '.join('?' * len(employee_ids))}) ORDER BY starts_on",
        [*employee_ids],
    ):
        found[id].append((date.fromisoformat(start), end and date.fromisoformat(end)))
    return found
