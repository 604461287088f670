"""Work of the server in every workspace, done by a thread at its start and once an hour.

Hourly is early enough for the new day of every time zone; the start catches up on the time while the server was off.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import ClassVar

from erp.kernel import clock, config, threads
from erp.kernel.config import Config
from erp.store import control
from erp.store.connections import TROUBLE
from erp.store.control import Workspace

LOOK_EVERY = 30
"""Seconds; the clock is read repeatedly, because a computer may have slept and its clock may have been set."""

log = logging.getLogger("erp.hourly")


class Hourly:
    """A kind of work; one that fails in a workspace keeps neither others nor the next hour from it."""

    name: ClassVar[str]
    """The results of the work, such as `recurring documents`."""
    first_look: ClassVar[int]
    """Seconds from the start of the server."""
    last_wait: ClassVar[int]
    """Seconds that a stopping server leaves to the work."""

    def __init__(self, settings: Config, is_over: Callable[[], bool] = lambda: False) -> None:
        self._settings = settings
        self.is_over = is_over
        self._hour: datetime | None = None

    @classmethod
    def running(cls, settings: Config) -> AbstractContextManager[None]:
        """Work in a thread during the block."""

        def work(ending: threading.Event) -> None:
            cls(settings, ending.is_set).run(ending.wait)

        return threads.running(cls.name, work, cls.last_wait)

    def run(self, wait: Callable[[int], bool]) -> None:
        """Read the clock repeatedly.

        Args:
            wait: waits for some seconds; true when it is time to stop.
        """
        is_over = wait(self.first_look)
        while not is_over:
            self.look()
            is_over = wait(LOOK_EVERY)

    def look(self) -> None:
        """Work in every workspace, unless that was done in this hour."""
        hour = clock.now().replace(minute=0, second=0, microsecond=0)
        if hour == self._hour:
            return
        self._hour = hour
        with config.use(self._settings):
            for workspace_id in self._workspaces():
                if not self.is_over():
                    self._try_in(workspace_id)

    def work_in(self, workspace_id: str) -> None:
        """Do the work in a workspace, whose file is not open."""
        raise NotImplementedError

    def _workspaces(self) -> list[str]:
        """The workspaces that can be written."""
        try:
            with control.read():
                usable = (Workspace.state == "active") & (Workspace.status == "active") & Workspace.fault.is_null()
                return [row.id for row in Workspace.select(Workspace.id).where(usable).order_by(Workspace.id)]
        except TROUBLE as problem:
            log.warning("%s could not be made: %s", self.name, problem)
            return []

    def _try_in(self, workspace_id: str) -> None:
        try:
            self.work_in(workspace_id)
        except TROUBLE as problem:
            log.warning("%s of workspace %s could not all be made: %s", self.name, workspace_id, problem)
        except Exception:  # the thread must go on
            log.exception("%s of workspace %s could not all be made", self.name, workspace_id)
