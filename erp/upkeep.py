"""Making the data directory fit to serve, before the server listens: schemas, and what a crash left behind.

A workspace is made in three steps (control file, its own file, control file); whichever of them a crash cut off,
the next start ends it or undoes it. A file that cannot be used is named and set aside, never written to and never
deleted.
"""

import logging
from contextlib import closing
from pathlib import Path

from peewee import DatabaseError

from erp import clock, config, control, db, files
from erp.config import Config
from erp.control import Workspace
from erp.migrations import Connection, Step, migrate, version
from erp.migrations import control as control_schema
from erp.migrations import workspace as workspace_schema

log = logging.getLogger("erp.upkeep")


def prepare(settings: Config) -> None:
    """Bring every file of the data directory up to date.

    Raises:
        UnsafeSqlite: the SQLite library can lose data.
        NewerSchema: the control file was written by a newer version of this program.
    """
    db.check_sqlite_version()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    settings.workspaces_dir.mkdir(exist_ok=True)
    with config.use(settings):
        bring_up_to_date(settings.control_path, control_schema.STEPS, mode="rwc")
        recover_workspaces()


def bring_up_to_date(path: Path, steps: list[Step], mode: str = "rw") -> None:
    """Take the schema steps that a file lacks, keeping a copy of one that holds data already."""
    with closing(db.connect(path, mode)) as connection:
        if 0 < version(connection) < len(steps):
            _keep_copy(connection, path)
        migrate(connection, steps)


def _keep_copy(connection: Connection, path: Path) -> None:
    folder = config.current().data_dir / "backups"
    folder.mkdir(exist_ok=True)
    stamp = clock.stamp().replace(":", "").replace(".", "")
    kept = folder / f"before-migration-{path.stem}-v{version(connection)}-{stamp}.sqlite"
    connection.execute("VACUUM INTO ?", (str(kept),))
    with closing(db.connect(kept)) as copy:
        (verdict,) = copy.execute("PRAGMA integrity_check").fetchone()
    if verdict != "ok":
        raise DatabaseError(f"the copy of {path} is not sound: {verdict}")


def recover_workspaces() -> None:
    """End or undo what a crash cut off, and set aside what cannot be used."""
    folder = config.current().workspaces_dir
    for leftover in folder.glob("*.new*"):
        leftover.unlink()
    with control.read():
        known = {row.id: row for row in Workspace.select()}
    found = {file.stem for file in folder.glob("*.db")}
    for workspace_id in found - known.keys():
        _quarantine(folder / f"{workspace_id}.db")
    for workspace in known.values():
        _settle(workspace, workspace.id in found)


def _settle(workspace: Workspace, has_file: bool) -> None:
    if workspace.state == "creating" and not has_file:
        with control.write():
            Workspace.delete().where(Workspace.id == workspace.id).execute()
        return
    fault = _fault(workspace.id) if has_file else "Its file is missing."
    state = "active" if workspace.state == "creating" and fault is None else workspace.state
    if (state, fault) != (workspace.state, workspace.fault):
        with control.write():
            Workspace.update(state=state, fault=fault).where(Workspace.id == workspace.id).execute()


def _fault(workspace_id: str) -> str | None:
    """What keeps a workspace's file from being used, if anything does."""
    try:
        path = control.workspace_path(workspace_id)
        if path.stat().st_size == 0:  # SQLite would take it for a new file, and fill it
            raise db.WrongFile("the file is empty")
        bring_up_to_date(path, workspace_schema.STEPS)
        with control.open_workspace(workspace_id, write=False):
            return None
    except Exception as problem:  # noqa: BLE001 - whatever it is, the other workspaces are served
        log.error("workspace %s is unavailable: %s", workspace_id, problem)
        return f"Its file cannot be used: {problem}."


def _quarantine(path: Path) -> None:
    folder = config.current().data_dir / "quarantine"
    folder.mkdir(exist_ok=True)
    for file in path.parent.glob(f"{path.name}*"):
        files.replace(file, folder / file.name)
    log.warning("%s belongs to no workspace; it was moved to %s", path.name, folder)
