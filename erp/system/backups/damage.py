"""What happens when a workspace's file turns out to be damaged while the server runs."""

import logging
from pathlib import Path

from peewee import DatabaseError, PeeweeException

from erp.kernel.errors import Refusal
from erp.store import connections, control, router
from erp.store.control import Workspace
from erp.system.backups import backups

log = logging.getLogger("erp.damage")


def note(path: Path, problem: Exception) -> None:
    """Let nobody touch the file any more, and tell the log what helps.

    The workspace is unavailable from the next request on. What stands in the file's write-ahead log stays there.
    """
    fault = f"Its file cannot be used: {str(problem).rstrip('.')}."
    try:
        with control.write():
            is_new = Workspace.update(fault=fault).where(Workspace.id == path.stem, Workspace.fault.is_null()).execute()
    except (Refusal, PeeweeException) as trouble:
        log.error("workspace %s is damaged, and that could not be noted: %s", path.stem, trouble)
        return
    if is_new:
        _close(path)
        log.error("workspace %s is unavailable. %s %s", path.stem, fault, remedy(path.stem))


def remedy(workspace_id: str) -> str:
    """The last good backup of a workspace, and how it is put back."""
    good = backups.latest_good(workspace_id)
    if good is None:
        return "No backup holds it."
    return (
        f"Its last good backup is {good.path}; with the server stopped, `erp restore {good.name} --workspace "
        f"{workspace_id}` brings it back alone, or while it runs the administrator by POST "
        f'/api/v1/system/backups/{good.name}/restore and {{"workspaceId": "{workspace_id}"}}.'
    )


def _close(path: Path) -> None:
    """Close the file without moving its log into it, as closing the last connection that could write would."""
    try:
        with connections.looking(path):
            router.WORKSPACE.release(path)
    except (DatabaseError, connections.sqlite3.Error) as problem:
        log.warning("%s stays open until the server stops: %s", path, problem)
