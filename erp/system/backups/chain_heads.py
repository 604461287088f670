"""The newest event of each workspace, noted in the control file, so that a log that was cut off is detected."""

import logging

from peewee import PeeweeException

from erp.kernel.errors import Refusal
from erp.store import control, events
from erp.store.control import Workspace
from erp.store.router import WORKSPACE

log = logging.getLogger("erp.events")


def note_written() -> None:
    """Note the chain heads of every workspace that this process has changed, just before the files are closed."""
    while WORKSPACE.written:
        path = WORKSPACE.written.pop()
        try:
            _note(path.stem)
        except (Refusal, PeeweeException) as problem:
            log.warning("the newest event of workspace %s could not be noted: %s", path.stem, problem)


def _note(workspace_id: str) -> None:
    with control.read():
        workspace = Workspace.find_or_none(workspace_id)
    if workspace is None or workspace.fault is not None:
        return
    with control.open_workspace(workspace_id, write=False):
        seq, hash = events.tip()
    with control.write():
        note(workspace_id, seq, hash)


def note(workspace_id: str, seq: int, hash: str | None) -> None:
    """Note an event of a workspace, unless a newer one is noted; within the control file's transaction."""
    is_newer = (Workspace.id == workspace_id) & (Workspace.tip_seq < seq)
    Workspace.update(tip_seq=seq, tip_hash=hash).where(is_newer).execute()
