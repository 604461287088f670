"""Timers: at most one runs for a user, until it is stopped and becomes a time log."""

import datetime
from datetime import timedelta
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta

from erp.kernel import caller, clock
from erp.kernel.errors import Conflict, Invalid
from erp.kernel.language import says
from erp.members import people
from erp.projects.models import Project
from erp.store import events, names
from erp.store.router import WORKSPACE
from erp.tasks.models import Task, TimeLog, Timer
from erp.tasks.time import locks, logs, spans
from erp.tasks.time.locks import Force
from erp.tasks.time.spans import LONGEST, Worked
from erp.web.scalars import Id, Instant, Moment, Note
from erp.web.schema import Body, Query, Unset, View

TICK = timedelta(milliseconds=1)
"""The shortest time of a log: a timer may be stopped at the instant it was started."""


class TimerStart(Body):
    """A timer to start."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"note": "Sketches for the front page"}

    note: Note | None = None
    is_billable: Annotated[bool | None, Meta(description="As for a time log; decided when the timer stops.")] = None


class TimerStop(Body):
    """The end of a timer: now, unless it was forgotten."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    ended_at: Moment | None = None
    note: Annotated[Note | Unset | None, Meta(description="Replaces the note it was started with.")] = UNSET
    force: Force = False


class TimerOwner(Query):
    """The owner of the timer."""

    user_id: Annotated[
        Id | None, Meta(description="Yours when absent. Another user's needs the right to log for others.")
    ] = None


class TimerView(View):
    """The caller's timer. When none runs, `running` is false and the rest is empty."""

    is_running: bool
    task_id: str | None = None
    task_key: str | None = None
    task_title: str | None = None
    project_id: str | None = None
    project_name: str | None = None
    started_at: Instant | None = None
    minutes: Annotated[int, Meta(description="Minutes to log if stopped now.")] = 0
    note: str | None = None
    is_billable: bool | None = None

    @classmethod
    def of(cls, timer: Timer | None) -> "TimerView":
        if timer is None:
            return cls(is_running=False)
        task, start = Task.find(timer.task_id), clock.parse(timer.started_at)
        return cls(
            is_running=True,
            task_id=task.id,
            task_key=task.key,
            task_title=task.title,
            project_id=task.project_id,
            project_name=names.of(project=[task.project_id]).name(task.project_id),
            started_at=timer.started_at,
            minutes=spans.elapsed(start, clock.now()),
            note=timer.note,
            is_billable=timer.is_billable,
        )


class TimerRunning(Conflict):
    """A timer has been running on {key} since {since}. Stop the timer first."""


class NoTimer(Conflict):
    """No timer is running."""


def mine() -> Timer | None:
    """The caller's running timer."""
    return Timer.find_by(user_id=caller.current().user_id)


def start(task_id: str, body: TimerStart) -> Timer:
    """Start the caller's timer on a task.

    Raises:
        NotFound: there is no such task.
        ProjectArchived, ProjectCancelled, TaskCancelled: it takes no time.
        TimerRunning: one is running already.
        TimeSubmitted, TimeApproved, TimeClosed, PeriodLocked: the day takes no more time.
    """
    task, running = Task.find(task_id), mine()
    logs.open_project(task)
    if running is not None:
        since = clock.shown(clock.parse(running.started_at), people.zone())
        raise TimerRunning(since=since, key=Task.find(running.task_id).key)
    locks.check(caller.current().user_id, [people.today()])
    started_at = max(clock.stamp(), _last_end())
    timer: Timer = Timer.create(
        user_id=caller.current().user_id,
        task=task.id,
        started_at=started_at,
        note=body.note or None,
        is_billable=body.is_billable,
    )
    events.write("timer.started", "timer", timer.user_id, {"taskId": task.id, "startedAt": started_at})
    return timer


def _last_end() -> str:
    """The end of the caller's latest log: a tick from now if that log was the shortest possible."""
    rows = WORKSPACE.rows(_LAST_END, (caller.current().user_id,))
    return str(rows[0][0]) if rows else ""


_LAST_END = (
    "SELECT ended_at FROM time_log WHERE user_id = ? AND started_at IS NOT NULL ORDER BY started_at DESC LIMIT 1"
)


def stop(body: TimerStop) -> TimeLog:
    """Stop the caller's timer and log its time, even where the task takes no new time.

    Raises:
        NoTimer: none is running.
        Invalid: the end is impossible, or missing after more than 24 hours.
        DayFull: the day has less time left.
        TimeSubmitted, TimeApproved, TimeClosed, PeriodLocked: the day takes no more time.
    """
    timer = mine()
    if timer is None:
        raise NoTimer
    began = clock.parse(timer.started_at)
    end = _end(began, body.ended_at)
    worked = Worked(spans.day_of(began, people.zone()), spans.elapsed(began, end), timer.started_at, clock.stamp(end))
    locks.check(timer.user_id, [worked.date], force=body.force)
    spans.check(timer.user_id, worked, timer=False, field="endedAt")
    timer.delete_instance()
    task = Task.find(timer.task_id)
    project = Project.find_or_none(task.project_id) if task.project_id is not None else None
    note = timer.note if body.note is UNSET else body.note
    return logs.insert(task, project, timer.user_id, worked, note=note, is_billable=timer.is_billable)


def stop_of(user_id: str) -> None:
    """Stop the timer of someone who leaves now, and log its time.

    One that was forgotten, or whose day is locked, is discarded.
    """
    timer = Timer.find_by(user_id=user_id)
    if timer is None:
        return
    timer.delete_instance()
    began, now = clock.parse(timer.started_at), clock.now()
    if began < now and spans.elapsed(began, now) <= LONGEST:
        day = spans.day_of(began, people.zone(user_id))
        if locks.refusal(user_id, day):
            return
        worked = Worked(day, spans.elapsed(began, now), timer.started_at, clock.stamp(now))
        task = Task.find(timer.task_id)
        project = Project.find_or_none(task.project_id) if task.project_id is not None else None
        logs.insert(task, project, user_id, worked, note=timer.note, is_billable=timer.is_billable)


def discard(user_id: str | None) -> None:
    """Discard a running timer without logging its time.

    Args:
        user_id: its owner; the caller when absent.

    Raises:
        Forbidden: it is someone else's, and the caller may log only their own time.
        NoTimer: none is running.
    """
    user_id = people.meant(user_id or people.ME)
    if user_id != caller.current().user_id and not caller.may("time.write"):
        raise caller.refusal("time.write")
    timer = Timer.find_by(user_id=user_id)
    if timer is None:
        raise NoTimer
    timer.delete_instance()
    events.write("timer.discarded", "timer", user_id, {"taskId": timer.task_id, "startedAt": timer.started_at})


def _end(began: datetime.datetime, ended_at: datetime.datetime | None) -> datetime.datetime:
    now = clock.now()
    if ended_at is not None and ended_at < began:
        raise Invalid.one(
            "endedAt",
            "before_start",
            says("The timer was started at {start}. The end must be later.", start=clock.shown(began, people.zone())),
        )
    if ended_at is not None and ended_at > now:
        raise Invalid.one("endedAt", "in_future", says("The end must not be in the future."))
    end = max(ended_at or now, began + TICK)
    if spans.elapsed(began, end) > LONGEST:
        raise Invalid.one(
            "endedAt", "too_long", says("The timer has been running for more than 24 hours. Enter when the work ended.")
        )
    return end
