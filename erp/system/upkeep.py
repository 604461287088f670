"""Preparing the data directory before the server listens: schema steps, and what a crash left behind.

Every file is examined first, over a connection that changes nothing. If one lacks schema steps, everything is backed up
before the first step is taken. A workspace is created in three steps (control file, its own file, control file); if a
crash interrupts them, the next start completes or undoes them. A file that cannot be used is reported and set aside,
never written to and never deleted.
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
from erp.store.control import Workspace
from erp.store.router import CONTROL, WORKSPACE, Router
from erp.system.backups import backups, damage
from erp.system.checks import files as checking

log = logging.getLogger("erp.upkeep")

Unusable = dict[str, Exception]
"""Why a workspace's file cannot be used, by workspace id."""


def prepare(settings: Config, *, after_crash: bool = False) -> None:
    """Bring every file of the data directory up to date.

    Args:
        after_crash: the last server did not stop properly, so every file is checked.

    Raises:
        UnsafeSqlite: the SQLite library can lose data.
        SchemaProblem: the control file was written by a newer version of this program or cannot be brought up to
            date, or the backup that comes first failed.
        DatabaseError: the control file is damaged.
    """
    connections.check_sqlite_version()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    settings.workspaces_dir.mkdir(exist_ok=True)
    with config.use(settings):
        unusable, behind = _examine(after_crash)
        with _naming_control_file():
            _take_steps(settings.control_path, control_schema.STEPS, mode="rwc")
        recover_workspaces(unusable, behind)


def _examine(after_crash: bool) -> tuple[Unusable, set[str]]:
    """Find the workspaces that cannot be used and those that lack schema steps; back everything up before steps."""
    unusable: Unusable = {}
    behind: set[str] = set()
    with _naming_control_file():
        is_control_file_behind = _examine_control_file(after_crash)
    for path in sorted(config.current().workspaces_dir.glob("*.db")):
        with _collecting(unusable, path.stem):
            if _examine_workspace(path, after_crash):
                behind.add(path.stem)
    if behind or is_control_file_behind:
        unusable |= {id: problem for id, problem in _back_up().items() if id in behind}
    return unusable, behind - unusable.keys()


def _examine_control_file(after_crash: bool) -> bool:
    path = config.current().control_path
    if not path.exists() or path.stat().st_size == 0:
        return False
    if after_crash:
        _refuse_damage(checking.control_file(path, thorough=False, nobody_writes=True))
    return _lacks_steps(path, CONTROL, control_schema.STEPS)


def _examine_workspace(path: Path, after_crash: bool) -> bool:
    if path.stat().st_size == 0:  # SQLite would take it for a new file, and fill it
        raise connections.WrongFile("the file is empty")
    lacks_steps = _lacks_steps(path, WORKSPACE, workspace_schema.STEPS)
    if after_crash:
        _refuse_damage(checking.workspace_file(path, thorough=False, nobody_writes=True))
    return lacks_steps


def _lacks_steps(path: Path, router: Router, steps: Sequence[Step]) -> bool:
    with connections.looking(path, nobody_writes=True) as connection:
        router.check_identity(connection, str(path))
        return steps_taken(connection, steps) < len(steps)


def _refuse_damage(report: checking.Report) -> None:
    if report.problems:
        raise DatabaseError("; ".join(problem.rstrip(".") for problem in report.problems[:3]))


def _back_up() -> Unusable:
    """Back everything up; return the workspaces that the backup does not contain, and why."""
    try:
        made = backups.make("before-migration")
        backups.rotate()  # a program that fails here and is restarted repeatedly must not fill the disk
    except Exception as problem:
        raise CannotMigrate(
            "The data must be brought up to date, but the backup that is made first has failed "
            f"({str(problem).rstrip('.')}). Nothing was changed."
        ) from problem
    log.info("the data was backed up to %s before it is brought up to date", made.path)
    return {skipped.workspace_id: DatabaseError(skipped.reason) for skipped in made.manifest.skipped}


def _take_steps(path: Path, steps: Sequence[Step], mode: str = "rw") -> None:
    with closing(connections.connect(path, mode)) as connection:
        try:
            taken = migrate(connection, steps)
        except Exception as problem:
            log.info("%s could not be brought up to date", path, exc_info=problem)
            raise CannotMigrate(
                f"it could not be brought up to date ({str(problem).rstrip('.')}) and is unchanged"
            ) from problem
    if taken:
        log.info("%s took %s schema steps", path.name, taken)


@contextmanager
def _naming_control_file() -> Iterator[None]:
    try:
        yield
    except SchemaProblem as problem:
        raise type(problem)(f"{config.current().control_path} cannot be used: {problem}.") from problem


@contextmanager
def _collecting(unusable: Unusable, workspace_id: str) -> Iterator[None]:
    try:
        yield
    except Exception as problem:  # noqa: BLE001 - whatever it is, the other workspaces are served
        unusable[workspace_id] = problem


def recover_workspaces(unusable: Unusable, behind: set[str]) -> None:
    """Complete or undo what a crash interrupted, migrate what is behind, and set aside what cannot be used."""
    folder = config.current().workspaces_dir
    for leftover in folder.glob("*.new*"):
        leftover.unlink()
    with control.read():
        known = {row.id: row for row in Workspace.select()}
    present = {file.stem for file in folder.glob("*.db")}
    for workspace_id in present - known.keys():
        _quarantine(folder / f"{workspace_id}.db")
    unusable |= {id: connections.WrongFile("it is missing") for id in known.keys() - present}
    for id in sorted(behind & known.keys()):
        with _collecting(unusable, id):
            _take_steps(control.workspace_path(id), workspace_schema.STEPS)
    for workspace in known.values():
        if workspace.fault is not None and workspace.id not in unusable:
            with _collecting(unusable, workspace.id):  # damage that the server met at work may lie deep inside
                _refuse_damage(checking.workspace_file(control.workspace_path(workspace.id), nobody_writes=True))
        _update_state(workspace, unusable.get(workspace.id), has_file=workspace.id in present)


def _update_state(workspace: Workspace, problem: Exception | None, *, has_file: bool) -> None:
    if workspace.state == "creating" and not has_file:
        with control.write():
            Workspace.delete().where(Workspace.id == workspace.id).execute()
        return
    fault = _report(workspace, problem) if problem else None
    state = "active" if workspace.state == "creating" and fault is None else workspace.state
    if (state, fault) != (workspace.state, workspace.fault):
        with control.write():
            Workspace.update(state=state, fault=fault).where(Workspace.id == workspace.id).execute()


def _report(workspace: Workspace, problem: Exception) -> str:
    """Log that a workspace is unavailable, and what helps; return the reason, for the instance admin."""
    words = re.sub(r"^It\b", "it", str(problem).rstrip("."))
    reason = f"Its file cannot be used: {words}."
    log.error("Workspace %s is unavailable. %s%s", workspace.name, reason, _remedy(workspace.id, problem))
    return reason


def _remedy(workspace_id: str, problem: Exception) -> str:
    return "" if isinstance(problem, SchemaProblem) else f" {damage.remedy(workspace_id)}"


def _quarantine(path: Path) -> None:
    folder = config.current().data_dir / "quarantine"
    folder.mkdir(exist_ok=True)
    for file in path.parent.glob(f"{path.name}*"):
        files.replace(file, folder / file.name)
    log.warning("%s belongs to no workspace and was moved to %s", path.name, folder)
