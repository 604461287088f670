"""Timers over HTTP."""

from erp.tasks.time import listing, timers
from erp.tasks.time.api import CLOSED, IMPOSSIBLE
from erp.tasks.time.listing import TimeLogView
from erp.tasks.time.timers import NoTimer, TimerOwner, TimerRunning, TimerStart, TimerStop, TimerView
from erp.web.endpoint import endpoint


class Running:
    @endpoint(permission="time.read_own")
    def on_get(self) -> TimerView:
        """Show your running timer.

        When none runs, `running` is false.
        """
        return TimerView.of(timers.mine())

    @endpoint(permission="time.write_own", refuses=(NoTimer,))
    def on_delete(self, query: TimerOwner) -> None:
        """Discard a running timer without logging its time, for example one started by mistake."""
        timers.discard(query.user_id)


class Start:
    @endpoint(permission="time.write_own", refuses=(TimerRunning, *CLOSED))
    def on_post(self, id: str, body: TimerStart) -> TimerView:
        """Start your timer on a task; only one runs at a time."""
        return TimerView.of(timers.start(id, body))


class Stop:
    @endpoint(permission="time.write_own", refuses=(NoTimer, *IMPOSSIBLE))
    def on_post(self, body: TimerStop) -> TimeLogView:
        """Stop your timer and log its time.

        The minutes are rounded to the nearest, at least 1, on the day it was started in your time zone. A timer that
        has run for more than 24 hours needs an `endedAt`, which may be any time since the start.
        """
        return listing.show(timers.stop(body).id)
