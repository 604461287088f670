"""Sample data: a workspace with a made-up company to look around in, which its owner can delete.

The story is played into a data folder of its own, so that no one waits for it; only the finished file becomes a
workspace. The next start removes what a crash has left of it.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from erp.kernel import caller, config
from erp.kernel.errors import Conflict
from erp.store import control, files, tips
from erp.store.control import Outbox, Preference, Session, Workspace
from erp.store.router import CONTROL, WORKSPACE
from erp.store.search import words
from erp.workspace import provision

log = logging.getLogger("erp.samples")

FILLER: list[Callable[[str], AbstractContextManager[tuple[str, Path]]]] = []
"""Makes a file with the story for a workspace of a name: its id and its path, until the block ends."""

_MAKING = threading.Lock()
_PARTS = ("-wal", "-shm", "-journal", "")


class SampleUnderWay(Conflict):
    """Sample data is being made for someone right now. Try again in half a minute."""


class SampleExists(Conflict):
    """You have sample data already, in the workspace {name}. Delete that first."""


class NotASample(Conflict):
    """Only sample data can be deleted. Archive this workspace instead."""


def folder() -> Path:
    """The folder in which stories are played; nothing else is in it."""
    return config.current().data_dir / "sample"


def make(name: str) -> str:
    """Make a workspace with the story up to its last step, `provision.activate`; the caller becomes its owner.

    Returns:
        Its id.

    Raises:
        SampleExists: the caller has made one that is still there.
        SampleUnderWay: one is being made.
    """
    if not _MAKING.acquire(blocking=False):
        raise SampleUnderWay
    try:
        _check_has_none()
        with FILLER[0](name) as (workspace_id, file):
            _take_in(workspace_id, name, file)
    finally:
        _MAKING.release()
    return workspace_id


def _check_has_none() -> None:
    with control.read():
        rows = CONTROL.rows(_OWN, (caller.current().user_id,))
    if rows:
        raise SampleExists(name=rows[0][0])


_OWN = "SELECT name FROM workspace WHERE created_by = ? AND is_sample AND state <> 'creating'"


def _take_in(workspace_id: str, name: str, file: Path) -> None:
    provision.announce(name, id=workspace_id, is_sample=True)
    try:
        files.replace(file, provision.new_path(workspace_id))
        provision.put_in_place(workspace_id)
    except BaseException:
        provision.withdraw(workspace_id)
        raise


def delete(workspace_id: str) -> None:
    """Delete a sample with its file at once. If a crash comes between, the next start deletes the rest.

    Raises:
        NotASample: it is none.
        Busy: the file has been in use for too long. Nothing was deleted.
    """
    with control.read():
        if not Workspace.find(workspace_id).is_sample:
            raise NotASample
    path = control.workspace_path(workspace_id)
    with WORKSPACE.closed(path):
        for part in _PARTS:
            path.with_name(path.name + part).unlink(missing_ok=True)
        files.sync_folder(path.parent)
        forget(workspace_id)
    words.discard(words.path_of(workspace_id))
    log.info("deleted the sample %s", workspace_id)


def forget(workspace_id: str) -> None:
    """Delete what the control file has of a sample whose file is gone; tokens for it end."""
    path = control.workspace_path(workspace_id)
    tips.here().forget(path.name)
    WORKSPACE.written.discard(path)
    is_in_it = Session.active_workspace_id == workspace_id
    with control.write():
        Session.delete().where(is_in_it, Session.kind == "token").execute()
        Session.update(active_workspace_id=None).where(is_in_it).execute()
        Preference.update(workspace_id=None).where(Preference.workspace_id == workspace_id).execute()
        Outbox.delete().where(Outbox.workspace_id == workspace_id).execute()
        Workspace.delete().where(Workspace.id == workspace_id).execute()
