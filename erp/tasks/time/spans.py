"""Spans of time worked: minutes of a day, or from one instant to another, and the limits of one person.

No one can work twice at the same time, more than 24 hours a day, or in the future. Days are in the person's time zone;
minutes are elapsed time, so that a change of the clocks neither adds nor takes any.
"""

import datetime
from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated, ClassVar
from zoneinfo import ZoneInfo

import msgspec

from erp.kernel import clock
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint, Refusal
from erp.kernel.language import counted, says
from erp.members import people
from erp.store.router import WORKSPACE

LONGEST = 1440
"""The most minutes of a log, and of all logs of a person on a day."""

Minutes = Annotated[int, msgspec.Meta(ge=1, le=LONGEST, description="1 to 1440.")]


class TimeOverlap(Refusal):
    """This overlaps other time of the same person: {other}."""

    status: ClassVar[int] = 422


class DayFull(Refusal):
    """A day has 24 hours. {minutes} minutes are more than the {left} still free on {date}."""

    status: ClassVar[int] = 422


class Worked(msgspec.Struct, frozen=True):
    """Time worked, as a log stores it; without instants, at any time of that day."""

    date: datetime.date
    minutes: int
    started_at: str | None = None
    ended_at: str | None = None


class EnteredTime(msgspec.Struct, frozen=True):
    """Time worked, as a request gives it: a date and minutes, or a start and an end."""

    date: datetime.date | None = None
    minutes: int | None = None
    started_at: datetime.datetime | None = None
    ended_at: datetime.datetime | None = None


def read(time: EnteredTime, user_id: str, complaints: Complaints) -> Worked | None:
    """Check entered time; None when there are complaints."""
    before = len(complaints.items)
    timed = time.started_at is not None or time.ended_at is not None
    worked = _timed(time, people.zone(user_id), complaints) if timed else _of_day(time, user_id, complaints)
    return worked if len(complaints.items) == before else None


def _of_day(time: EnteredTime, user_id: str, complaints: Complaints) -> Worked | None:
    today = people.today(user_id)
    if time.minutes is None:
        complaints.add("minutes", "required", says("Enter minutes, or a start and an end."))
    if time.date is not None and time.date > today:
        complaints.add(
            "date", "in_future", says("Time can only be logged for the past. Today is {today}.", today=today)
        )
    return None if time.minutes is None else Worked(time.date or today, time.minutes)


def _timed(time: EnteredTime, zone: str, complaints: Complaints) -> Worked | None:
    start, end = time.started_at, time.ended_at
    if time.minutes is not None:
        complaints.add(
            "minutes",
            "either_or",
            says("The minutes follow from start and end. Leave out the minutes, or set both start and end to null."),
        )
    if start is None or end is None:
        complaints.add("startedAt" if start is None else "endedAt", "required", says("A start and an end go together."))
        return None
    _check_span(start, end, complaints)
    day = day_of(start, zone)
    if time.date not in (None, day):
        complaints.add(
            "date",
            "wrong_day",
            says("The date follows from the start: {day} in the time zone {zone}. Clear the date.", day=day, zone=zone),
        )
    return Worked(day, elapsed(start, end), clock.stamp(start), clock.stamp(end))


def not_after(start: object, end: object) -> Iterator[Complaint]:
    """The complaint about an end that is not after the start; one that is absent or wrong has none."""
    if isinstance(start, datetime.datetime) and isinstance(end, datetime.datetime) and end <= start:
        yield Complaint("endedAt", "before_start", says("The end must be after the start."))


def _check_span(start: datetime.datetime, end: datetime.datetime, complaints: Complaints) -> None:
    if wrong := list(not_after(start, end)):
        complaints.items += wrong
    elif end > clock.now():
        complaints.add("endedAt", "in_future", says("The end must not be in the future."))
    elif elapsed(start, end) > LONGEST:
        complaints.add("endedAt", "too_long", says("A time entry can have at most 24 hours."))


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
    """Refuse time that a person cannot have worked, given the existing logs.

    Args:
        but: the log that is changed, which does not count.
        timer: whether the person's running timer counts too.
        field: the field to complain about when the day is full.

    Raises:
        TimeOverlap: it overlaps another log or the running timer.
        DayFull: the day would have more than 24 hours.
    """
    if worked.started_at is not None:
        _check_overlap(user_id, worked, but, timer)
    ((spent,),) = WORKSPACE.rows(_SPENT, (user_id, worked.date.isoformat(), but))
    left = LONGEST - spent
    if worked.minutes > left:
        message = counted(worked.minutes, _MINUTE, _MINUTES, minutes=worked.minutes, left=left, date=worked.date)
        raise DayFull(message, field=field)


_MINUTE = says("A day has 24 hours. 1 minute is more than the {left} still free on {date}.")
_MINUTES = says("A day has 24 hours. {minutes} minutes are more than the {left} still free on {date}.")


def _check_overlap(user_id: str, worked: Worked, but: str, timer: bool) -> None:
    began = str(worked.started_at)
    for start, end, key in WORKSPACE.rows(_OTHER, (user_id, worked.ended_at, began, well_before(began), but)):
        raise TimeOverlap(
            field="startedAt", other=says("{span} ({key})", span=shown(start, end, people.zone(user_id)), key=key)
        )
    for start, key in WORKSPACE.rows(_RUNNING, (user_id, worked.ended_at)) if timer else ():
        raise TimeOverlap(
            field="endedAt", other=says("{span} ({key})", span=running(start, people.zone(user_id)), key=key)
        )


def well_before(stamped: str) -> str:
    """An instant before any log that could last until another one: no log has more than 24 hours."""
    return clock.stamp(clock.parse(stamped) - timedelta(days=2))


def shown(start: str, end: str, zone: str) -> str:
    """The words for a span, in a time zone."""
    return says(
        "{start} to {end}", start=clock.shown(clock.parse(start), zone), end=clock.shown(clock.parse(end), zone)
    )


def running(start: str, zone: str) -> str:
    """The words for a running timer, in a time zone."""
    return says("a timer running since {start}", start=clock.shown(clock.parse(start), zone))
