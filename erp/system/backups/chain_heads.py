"""The newest event of each workspace, noted in the control file: by it a tail that was cut off is found out."""

import logging

from peewee import PeeweeException

from erp.kernel.errors import Refusal
from erp.store import control, events
from erp.store.control import Workspace
from erp.store.router import WORKSPACE

log = logging.getLogger("erp.events")


def note_written() -> None:
    """Note it for every workspace that this program has changed; the last thing before the files are closed."""
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
        seq, tip = events.tip()
    with control.write():
        note(workspace_id, seq, tip)


def note(workspace_id: str, seq: int, tip: str | None) -> None:
    """Note an event of a workspace, unless a newer one is noted; within the control file's transaction."""
    is_older = (Workspace.id == workspace_id) & (Workspace.tip_seq < seq)
    Workspace.update(tip_seq=seq, tip_hash=tip).where(is_older).execute()
