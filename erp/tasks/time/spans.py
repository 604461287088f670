"""When somebody worked: minutes of a day, or from an instant to another; and what keeps a person's time possible.

Nobody works twice at the same time, more than 24 hours on a day, or in the future. Days are those of the person's
own time zone, minutes those that really went by: a change of the clocks neither adds nor takes any.
"""

import datetime
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, ClassVar
from zoneinfo import ZoneInfo

import msgspec

from erp.kernel import clock
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.members import people
from erp.store.router import WORKSPACE

LONGEST = 1440
"""Minutes of a log, and of all logs of a person and day."""

Minutes = Annotated[int, msgspec.Meta(ge=1, le=LONGEST, description="1 to 1440.")]


class TimeOverlap(Refusal):
    """This overlaps other time of the same person: {other}."""

    status: ClassVar[int] = 422


class DayFull(Refusal):
    """A day has 24 hours: on {date} there are {left} minutes left, and this takes {minutes}."""

    status: ClassVar[int] = 422


@dataclass(frozen=True, slots=True)
class Worked:
    """A piece of somebody's time as a log keeps it; one without instants is of that day, whenever it was."""

    date: datetime.date
    minutes: int
    started_at: str | None = None
    ended_at: str | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What a request says of when somebody worked: a date and minutes, or a start and an end."""

    date: datetime.date | None = None
    minutes: int | None = None
    started_at: datetime.datetime | None = None
    ended_at: datetime.datetime | None = None


def read(given: Given, user_id: str, complaints: Complaints) -> Worked | None:
    """The time that a request tells of; None when there are complaints."""
    before = len(complaints.items)
    timed = given.started_at is not None or given.ended_at is not None
    worked = _timed(given, people.zone(user_id), complaints) if timed else _of_day(given, user_id, complaints)
    return worked if len(complaints.items) == before else None


def _of_day(given: Given, user_id: str, complaints: Complaints) -> Worked | None:
    today = people.today(user_id)
    if given.minutes is None:
        complaints.add("minutes", "required", "Say how many minutes, or from when to when.")
    if given.date is not None and given.date > today:
        complaints.add("date", "in_future", f"Time is logged when it is over; today is {today}.")
    return None if given.minutes is None else Worked(given.date or today, given.minutes)


def _timed(given: Given, zone: str, complaints: Complaints) -> Worked | None:
    start, end = given.started_at, given.ended_at
    if given.minutes is not None:
        complaints.add(
            "minutes",
            "either_or",
            "A start and an end make the minutes: leave the minutes out, or start and end empty (null).",
        )
    if start is None or end is None:
        complaints.add("startedAt" if start is None else "endedAt", "required", "A start and an end go together.")
        return None
    _check_span(start, end, complaints)
    day = day_of(start, zone)
    if given.date not in (None, day):
        complaints.add(
            "date", "wrong_day", f"The date is that of the start, {day} in the time zone {zone}; leave it out."
        )
    return Worked(day, elapsed(start, end), clock.stamp(start), clock.stamp(end))


def _check_span(start: datetime.datetime, end: datetime.datetime, complaints: Complaints) -> None:
    if end <= start:
        complaints.add("endedAt", "before_start", "The end must be after the start.")
    elif end > clock.now():
        complaints.add("endedAt", "in_future", "Time is logged when it is over.")
    elif elapsed(start, end) > LONGEST:
        complaints.add("endedAt", "too_long", "At most 24 hours are logged at once.")


def day_of(instant: datetime.datetime, zone: str) -> datetime.date:
    """The day on which an instant falls in a time zone."""
    return instant.astimezone(ZoneInfo(zone)).date()


def elapsed(start: datetime.datetime, end: datetime.datetime) -> int:
    """The minutes between two instants, to the nearest, at least 1."""
    return max(1, (end - start + timedelta(seconds=30)) // timedelta(minutes=1))


_OTHER = """
SELECT started_at, ended_at, task.key FROM time_log JOIN task ON task.id = task_id
WHERE user_id = ? AND started_at < ? AND ended_at > ? AND started_at > ? AND time_log.id <> ?
ORDER BY started_at LIMIT 1
"""
_RUNNING = "SELECT started_at, task.key FROM timer JOIN task ON task.id = task_id WHERE user_id = ? AND started_at < ?"
_SPENT = "SELECT coalesce(sum(minutes), 0) FROM time_log WHERE user_id = ? AND date = ? AND id <> ?"


def check(user_id: str, worked: Worked, *, but: str = "", timer: bool = True, field: str = "minutes") -> None:
    """Refuse time that a person cannot have besides what is logged already.

    Args:
        but: the log that is changed, which does not stand against itself.
        timer: whether the person's running timer counts as well.
        field: what to complain of when the day is full.

    Raises:
        TimeOverlap: it is at the same time as another log, or as the timer that is running.
        DayFull: the day would have more than 24 hours.
    """
    if worked.started_at is not None:
        _check_overlap(user_id, worked, but, timer)
    ((spent,),) = WORKSPACE.rows(_SPENT, (user_id, worked.date.isoformat(), but))
    if spent + worked.minutes > LONGEST:
        raise DayFull(field=field, date=worked.date, left=LONGEST - spent, minutes=worked.minutes)


def _check_overlap(user_id: str, worked: Worked, but: str, timer: bool) -> None:
    began = str(worked.started_at)
    for start, end, key in WORKSPACE.rows(_OTHER, (user_id, worked.ended_at, began, well_before(began), but)):
        raise TimeOverlap(field="startedAt", other=f"{shown(start, end, people.zone(user_id))} ({key})")
    for start, key in WORKSPACE.rows(_RUNNING, (user_id, worked.ended_at)) if timer else ():
        raise TimeOverlap(field="endedAt", other=f"{running(start, people.zone(user_id))} ({key})")


def well_before(stamped: str) -> str:
    """An instant by which time must have begun to last until another one: no log is of more than 24 hours."""
    return clock.stamp(clock.parse(stamped) - timedelta(days=2))


def shown(start: str, end: str, zone: str) -> str:
    """A span as people of a time zone say it."""
    return f"{_local(start, zone)} to {_local(end, zone)}"


def running(start: str, zone: str) -> str:
    """The span of a running timer as people of a time zone say it."""
    return f"a timer that runs since {_local(start, zone)}"


def _local(stamped: str, zone: str) -> str:
    return f"{clock.parse(stamped).astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"
