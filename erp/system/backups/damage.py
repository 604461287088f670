"""Damaged files of workspaces, found while the server runs."""

import logging
from pathlib import Path

from peewee import PeeweeException

from erp.kernel.errors import Refusal
from erp.store import connections, control, router
from erp.store.control import Workspace
from erp.system.backups import backups

log = logging.getLogger("erp.damage")


def note(path: Path, problem: Exception) -> None:
    """Close the file to everyone, and log the remedy.

    The workspace is unavailable from the next request on. The file's write-ahead log stays as it is.
    """
    reason = f"Its file cannot be used: {str(problem).rstrip('.')}."
    try:
        with control.write():
            is_new = (
                Workspace.update(fault=reason).where(Workspace.id == path.stem, Workspace.fault.is_null()).execute()
            )
    except (Refusal, PeeweeException) as trouble:
        log.error("workspace %s is damaged, and that could not be noted: %s", path.stem, trouble)
        return
    if is_new:
        _close(path)
        log.error("workspace %s is unavailable. %s %s", path.stem, reason, remedy(path.stem))


def remedy(workspace_id: str) -> str:
    """The last good backup of a workspace, with the way to restore it."""
    good = backups.latest_good(workspace_id)
    if good is None:
        return (
            "No backup contains it. If only its newest changes are missing, make a backup and restore this workspace "
            "from that."
        )
    return (
        f"Its last good backup is {good.path}. To restore this workspace alone, stop the server and run `erp restore "
        f"{good.name} --workspace {workspace_id}`. While the server runs, the administrator can POST "
        f'{{"workspaceId": "{workspace_id}"}} to /api/v1/system/backups/{good.name}/restore. If '
        "only its newest changes are missing, a new backup still contains the others, and can be restored instead."
    )


def _close(path: Path) -> None:
    """Close the file without moving its log into it, unlike the closing of the last connection that could write."""
    try:
        with connections.looking(path):
            router.WORKSPACE.release(path)
    except connections.STORAGE_ERRORS as problem:
        log.warning("%s stays open until the server stops: %s", path, problem)
