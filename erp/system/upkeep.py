"""Making the data directory fit to serve, before the server listens: schemas, and what a crash left behind.

Every file is looked at first, over a connection that changes nothing; when one lacks schema steps, everything is
backed up before the first is taken. A workspace is made in three steps (control file, its own file, control file);
whichever of them a crash cut off, the next start ends it or undoes it. A file that cannot be used is named and set
aside, never written to and never deleted.
"""

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from peewee import DatabaseError

from erp.kernel import config
from erp.kernel.config import Config
from erp.migrations import CannotMigrate, SchemaProblem, Step, migrate, steps_taken
from erp.migrations import control as control_schema
from erp.migrations import workspace as workspace_schema
from erp.store import connections, control, files
from erp.store import router as db
from erp.store.control import Workspace
from erp.system.backups import backups, damage
from erp.system.checks import files as checking

log = logging.getLogger("erp.upkeep")

Complaints = dict[str, Exception]
"""By workspace, what keeps its file from being used."""


def prepare(settings: Config, *, after_crash: bool = False) -> None:
    """Bring every file of the data directory up to date.

    Args:
        after_crash: the last server did not end by itself, so every file is checked.

    Raises:
        UnsafeSqlite: the SQLite library can lose data.
        SchemaProblem: the control file was written by a newer version of this program or cannot be brought up to
            date, or the backup that comes first cannot be made.
        DatabaseError: the control file is damaged.
    """
    connections.check_sqlite_version()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    settings.workspaces_dir.mkdir(exist_ok=True)
    with config.use(settings):
        complaints, behind = _look_through(after_crash)
        with _naming_control_file():
            _take_steps(settings.control_path, control_schema.STEPS, mode="rwc")
        recover_workspaces(complaints, behind)


def _look_through(after_crash: bool) -> tuple[Complaints, set[str]]:
    """Find the workspaces that cannot be used, and those that lack schema steps; then back everything up."""
    complaints: Complaints = {}
    behind: set[str] = set()
    with _naming_control_file():
        is_control_file_behind = _look_at_control_file(after_crash)
    for path in sorted(config.current().workspaces_dir.glob("*.db")):
        with _noting(complaints, path.stem):
            if _look_at_workspace(path, after_crash):
                behind.add(path.stem)
    if behind or is_control_file_behind:
        complaints |= {id: problem for id, problem in _back_up().items() if id in behind}
    return complaints, behind - complaints.keys()


def _look_at_control_file(after_crash: bool) -> bool:
    path = config.current().control_path
    if not path.exists() or path.stat().st_size == 0:
        return False
    if after_crash:
        _refuse_damage(checking.control_file(path, thorough=False, nobody_writes=True))
    return _lacks_steps(path, db.CONTROL, control_schema.STEPS)


def _look_at_workspace(path: Path, after_crash: bool) -> bool:
    if path.stat().st_size == 0:  # SQLite would take it for a new file, and fill it
        raise connections.WrongFile("the file is empty")
    lacks_steps = _lacks_steps(path, db.WORKSPACE, workspace_schema.STEPS)
    if after_crash:
        _refuse_damage(checking.workspace_file(path, thorough=False, nobody_writes=True))
    return lacks_steps


def _lacks_steps(path: Path, router: db.Router, steps: Sequence[Step]) -> bool:
    with connections.looking(path, nobody_writes=True) as connection:
        router.check_identity(connection, str(path))
        return steps_taken(connection, steps) < len(steps)


def _refuse_damage(report: checking.Report) -> None:
    if report.problems:
        raise DatabaseError("; ".join(problem.rstrip(".") for problem in report.problems[:3]))


def _back_up() -> Complaints:
    """Back everything up; tell of which workspaces the backup holds no sound copy."""
    try:
        made = backups.make("before-migration")
        backups.rotate()  # a program that fails here, and is started again and again, must not fill the disk
    except Exception as problem:
        raise CannotMigrate(
            "The data has to be brought up to date, but the backup that is made before failed "
            f"({str(problem).rstrip('.')}). Nothing was changed."
        ) from problem
    log.info("before the data is brought up to date, it was backed up to %s", made.path)
    return {each.workspace_id: DatabaseError(each.reason) for each in made.manifest.skipped}


def _take_steps(path: Path, steps: Sequence[Step], mode: str = "rw") -> None:
    with closing(connections.connect(path, mode)) as connection:
        try:
            taken = migrate(connection, steps)
        except Exception as problem:
            log.info("%s could not be brought up to date", path, exc_info=problem)
            raise CannotMigrate(
                f"it could not be brought up to date ({str(problem).rstrip('.')}), and is as it was before"
            ) from problem
    if taken:
        log.info("%s has taken %s schema steps", path.name, taken)


@contextmanager
def _naming_control_file() -> Iterator[None]:
    try:
        yield
    except SchemaProblem as problem:
        raise type(problem)(f"{config.current().control_path} cannot be used: {problem}.") from problem


@contextmanager
def _noting(complaints: Complaints, workspace_id: str) -> Iterator[None]:
    try:
        yield
    except Exception as problem:  # noqa: BLE001 - whatever it is, the other workspaces are served
        complaints[workspace_id] = problem


def recover_workspaces(complaints: Complaints, behind: set[str]) -> None:
    """End or undo what a crash cut off, bring up to date what is behind, and set aside what cannot be used."""
    folder = config.current().workspaces_dir
    for leftover in folder.glob("*.new*"):
        leftover.unlink()
    with control.read():
        known = {row.id: row for row in Workspace.select()}
    found = {file.stem for file in folder.glob("*.db")}
    for workspace_id in found - known.keys():
        _quarantine(folder / f"{workspace_id}.db")
    complaints |= {id: connections.WrongFile("it is missing") for id in known.keys() - found}
    for id in sorted(behind & known.keys()):
        with _noting(complaints, id):
            _take_steps(control.workspace_path(id), workspace_schema.STEPS)
    for workspace in known.values():
        if workspace.fault is not None and workspace.id not in complaints:
            with _noting(complaints, workspace.id):  # what was found while the server ran may lie deep inside the file
                _refuse_damage(checking.workspace_file(control.workspace_path(workspace.id), nobody_writes=True))
        _settle(workspace, complaints.get(workspace.id), has_file=workspace.id in found)


def _settle(workspace: Workspace, problem: Exception | None, *, has_file: bool) -> None:
    if workspace.state == "creating" and not has_file:
        with control.write():
            Workspace.delete().where(Workspace.id == workspace.id).execute()
        return
    fault = _tell(workspace, problem) if problem else None
    state = "active" if workspace.state == "creating" and fault is None else workspace.state
    if (state, fault) != (workspace.state, workspace.fault):
        with control.write():
            Workspace.update(state=state, fault=fault).where(Workspace.id == workspace.id).execute()


def _tell(workspace: Workspace, problem: Exception) -> str:
    """Log that a workspace is unavailable, and what helps; return why, for its administrator."""
    reason = re.sub(r"^It\b", "it", str(problem).rstrip("."))
    fault = f"Its file cannot be used: {reason}."
    log.error("Workspace %s is unavailable. %s%s", workspace.name, fault, _remedy(workspace.id, problem))
    return fault


def _remedy(workspace_id: str, problem: Exception) -> str:
    return "" if isinstance(problem, SchemaProblem) else f" {damage.remedy(workspace_id)}"


def _quarantine(path: Path) -> None:
    folder = config.current().data_dir / "quarantine"
    folder.mkdir(exist_ok=True)
    for file in path.parent.glob(f"{path.name}*"):
        files.replace(file, folder / file.name)
    log.warning("%s belongs to no workspace; it was moved to %s", path.name, folder)
