"""Tokens of kiosks, the time clocks on a wall: each opens the kiosk of one workspace, and nothing else."""

import logging

from erp.kernel import clock, tokens
from erp.kernel.caller import Caller
from erp.kernel.errors import Unavailable, WorkspaceArchived
from erp.store import control
from erp.store.connections import TROUBLE
from erp.store.control import Kiosk

log = logging.getLogger("erp.sessions")

_KIOSK = (
    "SELECT k.id, k.name, k.last_used_at, w.id, w.status FROM kiosk AS k"
    " JOIN workspace AS w ON w.id = k.workspace_id AND w.status <> 'creating' WHERE k.token_hash = ?"
)


def find(token: str | None, request_id: str) -> Caller | None:
    """The kiosk with this token as the caller; None if there is none.

    Raises:
        Unavailable: its workspace cannot be opened at the moment.
        WorkspaceArchived: no one works there any more.
    """
    rows = control.look_up(_KIOSK, (tokens.hashed(token),)) if token else []
    if not rows:
        return None
    ((id, name, last_used_at, workspace_id, status),) = rows
    if status == "unavailable":
        raise Unavailable
    if status == "archived":
        raise WorkspaceArchived
    _touch(id, last_used_at)
    return Caller(
        user_id=id,
        name=name,
        email="",
        session_id=id,
        session_kind="kiosk",
        workspace_id=workspace_id,
        request_id=request_id,
    )


def _touch(id: str, last_used_at: str | None) -> None:
    """Note the hour in which a kiosk is in use; if it cannot be noted, work goes on."""
    hour = clock.now().replace(minute=0, second=0, microsecond=0)
    if last_used_at is not None and last_used_at >= clock.stamp(hour):
        return
    try:
        with control.note():
            Kiosk.update(last_used_at=clock.stamp(hour)).where(Kiosk.id == id).execute()
    except TROUBLE as problem:
        log.warning("the last use of a kiosk could not be noted: %s", problem)
