"""The daily backup: a thread of the server makes it when it is due, or later if that was missed.

The thread also notes the newest event of each workspace that was changed, and has memory tidied.
"""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, time, timedelta

from erp.kernel import caller, clock, config, threads
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.store import control, events
from erp.store.connections import TROUBLE
from erp.store.control import User
from erp.system.backups import backups, chain_heads
from erp.system.backups.exclusive import BackupUnderWay

FIRST_LOOK = 10.0
LOOK_EVERY = 30.0
"""Seconds. A change is noted within a minute, even if a backup takes half of it. The clock is read repeatedly, because
a computer may have slept and its clock may have been set."""

RETRY_AFTER = timedelta(hours=1)

LAST_WAIT = 2.0
"""Seconds that a stopping server leaves to a backup under way; then it is cut off, which harms no other backup."""

log = logging.getLogger("erp.backups")


def running(settings: Config, tidy: Callable[[], None] = lambda: None) -> AbstractContextManager[None]:
    """Make the daily backups in a thread during the block.

    Args:
        tidy: called after each look at the clock, to free the memory of backups and other large work.
    """
    daily = Daily(settings, tidy)
    return threads.running("daily backup", lambda ending: daily.run(ending.wait), LAST_WAIT)


class Daily:
    """Makes the backup whenever it is due."""

    def __init__(self, settings: Config, tidy: Callable[[], None] = lambda: None) -> None:
        self._settings, self._tidy = settings, tidy
        self._not_before = datetime(2000, 1, 1, tzinfo=UTC)
        self._has_told = False

    def run(self, wait: Callable[[float], bool]) -> None:
        """Read the clock repeatedly.

        Args:
            wait: waits for some seconds; true when it is time to stop.
        """
        with config.use(self._settings):
            is_over = wait(FIRST_LOOK)
            while not is_over:
                chain_heads.note_written()
                self.look()
                self._tidy()
                is_over = wait(LOOK_EVERY)

    def look(self) -> None:
        """Make the backup if it is due; a failure is logged, and tried again after an hour."""
        now = clock.now()
        if self._not_before - RETRY_AFTER <= now < self._not_before:  # unless the clock was set back
            return
        try:
            if next_due(now) <= now and _is_set_up():
                backups.make("daily")
                self._has_told = False
                backups.rotate()
        except BackupUnderWay:
            return
        except Exception as problem:  # noqa: BLE001 - whatever it was, the thread goes on
            self._not_before = now + RETRY_AFTER
            log.error("the daily backup failed and will be tried again in an hour: %s", problem)
            self._tell_once()

    def _tell_once(self) -> None:
        """Log the first failure since a backup was made in the workspaces of the people who look after the server."""
        if self._has_told:
            return
        try:
            with caller.acting(Caller(user_id="", name="Daily backup", email="")):
                _log_failure()
            self._has_told = True
        except TROUBLE as problem:
            log.warning("the failure of the backup could not be logged in the workspaces: %s", problem)


_WORKSPACES_OF_ADMINS = f"""
SELECT DISTINCT w.id FROM workspace AS w JOIN member AS m ON m.workspace_id = w.id JOIN "user" AS u ON u.id = m.user_id
WHERE {control.MAY_ENTER} AND u.is_instance_admin AND u.status = 'active'
    AND w.state = 'active' AND w.status = 'active' AND w.fault IS NULL
"""


def _log_failure() -> None:
    ids = [id for (id,) in control.look_up(_WORKSPACES_OF_ADMINS, (clock.stamp(),))]
    with control.write():
        for id in ids:
            events.write_later(id, "workspace.backup_failed", "workspace", id)
    for id in ids:
        events.try_to_deliver(id)


def next_due(now: datetime | None = None) -> datetime:
    """The time of the next daily backup; in the past if one was missed."""
    now, time_of_day = now or clock.now(), config.current().backup_at
    today = now.astimezone().date()
    moments = [_moment(today + timedelta(days=days), time_of_day) for days in (-1, 0, 1)]
    last, following = max(at for at in moments if at <= now), min(at for at in moments if at > now)
    instants = (
        clock.parse(instants.manifest.created_at)
        for instants in backups.find_all()
        if instants.manifest.kind == "daily"
    )
    return following if any(last <= instant <= now for instant in instants) else last


def _moment(day: date, time_of_day: time) -> datetime:
    """A time of day on this computer, also on a day when its clocks change."""
    return datetime.combine(day, time_of_day).astimezone()


def _is_set_up() -> bool:
    with control.read():
        return bool(User.select().exists())
