"""The newest event of each workspace, noted in the control file, so that a file that has lost changes is detected.

They are noted at a start (`erp.system.upkeep`), soon after each change, with each backup, and at a stop. Requests only
remember the changed files (`Router.written`); a thread of the server notes them.
"""

import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from erp.kernel import config
from erp.store import control, events, tips
from erp.store.connections import TROUBLE
from erp.store.control import Workspace
from erp.store.router import CONTROL, WORKSPACE

log = logging.getLogger("erp.events")

LOCK = threading.Lock()
"""Held while chain heads are noted, and while a workspace's file is replaced: else the old file's head could be noted.
"""


def note_written() -> None:
    """Note the chain heads of the workspaces that this process has changed since its last notes."""
    with LOCK:
        heads: dict[str, tuple[int, str]] = {}
        paths = [path for path in list(WORKSPACE.written) if path.parent == config.current().workspaces_dir]
        for path in paths:
            WORKSPACE.written.discard(path)  # before it is read: a change during that puts it back
            if head := _head(path):
                heads[path.stem] = head
        note_all(heads)
    tips.here().sync()


def _head(path: Path) -> tuple[int, str] | None:
    try:
        with control.read():
            workspace = Workspace.find_or_none(path.stem)
        if workspace is None or workspace.fault is not None:
            return None
        with control.open_workspace(path.stem, write=False):
            return events.sound_tip()
    except TROUBLE as problem:
        WORKSPACE.written.add(path)
        log.warning("the newest event of workspace %s could not be noted: %s", path.stem, problem)
        return None


def note_all(heads: Mapping[str, tuple[int, str]]) -> None:
    """Note the chain heads of workspaces, by id; failures are retried the next time."""
    if not heads:
        return
    try:
        with control.note():
            for workspace_id, (seq, hash) in heads.items():
                note(workspace_id, seq, hash)
    except TROUBLE as problem:
        WORKSPACE.written.update(map(control.workspace_path, heads))
        log.warning("the newest events of %d workspaces could not be noted: %s", len(heads), problem)


def note(workspace_id: str, seq: int, hash: str | None) -> None:
    """Note an event of a workspace, unless a newer one is noted; within the control file's transaction."""
    is_newer = (Workspace.id == workspace_id) & (Workspace.tip_seq < seq)
    Workspace.update(tip_seq=seq, tip_hash=hash).where(is_newer).execute()


def history_of(control_path: Path, *, nobody_writes: bool) -> str:
    """The history of a control file.

    Args:
        nobody_writes: as for `connections.looking`.
    """
    with CONTROL.inspect(control_path, nobody_writes=nobody_writes):
        _, history = control.newest_change()
    return history


class WorkspaceRow(NamedTuple):
    """A workspace in a control file; `noted_head` is the newest event that it has noted."""

    name: str
    state: str
    fault: str | None
    noted_head: tuple[int, str] | None
    history: str | None
    is_sample: bool


def rows_of(control_path: Path, *, nobody_writes: bool) -> dict[str, WorkspaceRow]:
    """The workspaces of a control file, by id.

    Args:
        nobody_writes: as for `connections.looking`.
    """
    with CONTROL.inspect(control_path, nobody_writes=nobody_writes):
        query = "SELECT id, name, state, fault, history, tip_seq, tip_hash, is_sample FROM workspace"
        return {
            id: WorkspaceRow(name, state, fault, (seq, hash) if hash else None, history, bool(is_sample))
            for id, name, state, fault, history, seq, hash, is_sample in CONTROL.rows(query)
        }
