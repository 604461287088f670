"""The daily backup: a thread of the server makes it when it is due, also when that was missed."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta

from erp.kernel import clock, config
from erp.kernel.config import Config
from erp.store import control
from erp.store.control import User
from erp.system.backups import backups
from erp.system.backups.exclusive import BackupUnderWay

FIRST_LOOK = 10.0
LOOK_EVERY = 60.0
"""Seconds. The clock is looked at again and again: a computer that slept, or was set right, is caught up with."""

RETRY_AFTER = timedelta(hours=1)

LAST_WAIT = 2.0
"""Seconds that the end of the server leaves to a backup under way; then it is cut off, which harms no other."""

log = logging.getLogger("erp.backups")


@contextmanager
def running(settings: Config) -> Iterator[None]:
    """Make the daily backups in a thread during the block."""
    ending = threading.Event()
    thread = threading.Thread(target=Daily(settings).run, args=(ending.wait,), name="daily backup", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join(LAST_WAIT)


class Daily:
    """Looks whether a backup is due, and makes it."""

    def __init__(self, settings: Config) -> None:
        self._settings = settings
        self._not_before = datetime(2000, 1, 1, tzinfo=UTC)

    def run(self, wait: Callable[[float], bool]) -> None:
        """Look at the clock again and again.

        Args:
            wait: waits for some seconds; true when it is time to end.
        """
        with config.use(self._settings):
            is_over = wait(FIRST_LOOK)
            while not is_over:
                self.look()
                is_over = wait(LOOK_EVERY)

    def look(self) -> None:
        """Make the backup when it is due; a failure is told in the log, and made good within the hour."""
        now = clock.now()
        if self._not_before - RETRY_AFTER <= now < self._not_before:  # unless the clock was set back
            return
        try:
            if next_due(now) <= now and _is_set_up():
                backups.make("daily")
                backups.rotate()
        except BackupUnderWay:
            return
        except Exception as problem:  # noqa: BLE001 - whatever it was, there will be another day
            self._not_before = now + RETRY_AFTER
            log.error("the daily backup failed, and is tried again in an hour: %s", problem)


def next_due(now: datetime | None = None) -> datetime:
    """When the next daily backup is due; in the past, when one was missed."""
    now, at = now or clock.now(), config.current().backup_at
    today = now.astimezone().date()
    moments = [_moment(today + timedelta(days=days), at) for days in (-1, 0, 1)]
    last, following = max(each for each in moments if each <= now), min(each for each in moments if each > now)
    made = (clock.parse(each.manifest.created_at) for each in backups.find_all() if each.manifest.kind == "daily")
    return following if any(last <= each <= now for each in made) else last


def _moment(day: date, at: time) -> datetime:
    """A time of the day on this computer, whatever its clocks do on that day."""
    return datetime.combine(day, at).astimezone()


def _is_set_up() -> bool:
    with control.read():
        return bool(User.select().exists())
