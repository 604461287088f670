"""Notices that no event makes but a day that comes, looked for by a thread of the server at its start and each hour.

It also deletes notices that were read long ago.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import datetime

from erp.desk.home import leavers
from erp.desk.notices import concerned, notices
from erp.kernel import caller, clock, config, threads
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.store import control, sql
from erp.store.connections import TROUBLE
from erp.store.control import Workspace
from erp.store.router import WORKSPACE

FIRST_LOOK = 20
LOOK_EVERY = 30
"""Seconds; the clock is read repeatedly, because a computer may have slept and its clock may have been set."""

LAST_WAIT = 2

log = logging.getLogger("erp.notices")


def running(settings: Config) -> AbstractContextManager[None]:
    """Look for notices that are due in a thread during the block."""
    return threads.running("notices", lambda ending: Watch(settings).run(ending), LAST_WAIT)


class Watch:
    """Writes the notices that are due, once an hour."""

    def __init__(self, settings: Config) -> None:
        self._settings = settings
        self._hour: datetime | None = None

    def run(self, ending: threading.Event) -> None:
        """Read the clock repeatedly."""
        is_over = ending.wait(FIRST_LOOK)
        while not is_over:
            self.look()
            is_over = ending.wait(LOOK_EVERY)

    def look(self) -> None:
        """Write what is due in every workspace, unless that was done in this hour."""
        hour = clock.now().replace(minute=0, second=0, microsecond=0)
        if hour == self._hour:
            return
        self._hour = hour
        with config.use(self._settings):
            for workspace_id in _workspaces():
                _try_in(workspace_id)


def _try_in(workspace_id: str) -> None:
    try:
        _look_in(workspace_id)
    except TROUBLE as problem:
        log.warning("notices of workspace %s could not be written: %s", workspace_id, problem)
    except Exception:  # the thread must go on
        log.exception("notices of workspace %s could not be written", workspace_id)


def _workspaces() -> list[str]:
    """The workspaces that can be written."""
    try:
        with control.read():
            usable = (Workspace.state == "active") & (Workspace.status == "active") & Workspace.fault.is_null()
            return [row.id for row in Workspace.select(Workspace.id).where(usable).order_by(Workspace.id)]
    except TROUBLE as problem:
        log.warning("notices could not be written: %s", problem)
        return []


def _look_in(workspace_id: str) -> None:
    with caller.acting(Caller(user_id="", name="Notices", email="", workspace_id=workspace_id)):
        with control.open_workspace(workspace_id, write=False):
            is_due = bool([*_untold_leavers(workspace_id)]) or notices.has_old()
        if is_due:
            with control.open_workspace(workspace_id, write=True):
                for employee_id, seq in _untold_leavers(workspace_id):
                    whom = [(user_id, employee_id) for user_id in concerned.holding("members.write")]
                    notices.tell("leaver_has_access", "employee", whom, seq)
                notices.drop_old()


_UNTOLD = """
SELECT gone.id, gone.seq FROM (
    SELECT resource_id AS id, max(seq) AS seq FROM event
    WHERE resource_type = 'employee' AND type IN ('employee.created', 'employee.terminated')
        AND resource_id IN (SELECT value FROM json_each(?))
    GROUP BY resource_id) AS gone
WHERE NOT EXISTS (SELECT 1 FROM notice
    WHERE kind = 'leaver_has_access' AND resource_id = gone.id AND event_seq >= gone.seq)
"""


def _untold_leavers(workspace_id: str) -> Iterator[tuple[str, int]]:
    """The people who have left and can still sign in, of whom no notice has told, with the event of their leaving."""
    gone = sql.array(leaver.employee_id for leaver in leavers.still_active(workspace_id))
    yield from WORKSPACE.rows(_UNTOLD, (gone,))
