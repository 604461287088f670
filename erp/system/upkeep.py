"""Preparing the data directory before the server listens: schema steps, and the remains of a crash.

Every file is examined first, over a connection that changes nothing: it must have its newest change as `tips.db`, the
control file and the newest backup note it. If one lacks schema steps, everything is backed up before the first step is
taken. A workspace is created in three steps (control file, its own file, control file); if a crash interrupts them, the
next start completes or undoes them. A file that cannot be used is reported and set aside, never written to and never
deleted. The write-ahead logs of all others are moved into their files, here and at a stop, so that each file is whole
by itself.
"""

import base64
import logging
import re
import secrets
import shutil
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

import msgspec
from peewee import DatabaseError

from erp.kernel import config
from erp.kernel.config import Config
from erp.migrations import (
    CONTROL_SCHEMA,
    WORKSPACE_SCHEMA,
    CannotMigrate,
    Connection,
    Schema,
    SchemaProblem,
    known_version,
    migrate,
)
from erp.store import connections, control, engine, events, files, router, tips
from erp.store.connections import STORAGE_ERRORS
from erp.store.control import Workspace
from erp.store.records import new_id
from erp.store.router import CONTROL, WORKSPACE
from erp.store.search.words import discard_others
from erp.store.tips import LostChanges, Tip
from erp.system.backups import backups, chain_heads, damage, exclusive, workspace_restore
from erp.system.backups.noted import Notes
from erp.system.checks import files as checking
from erp.system.checks.chain import NotedHead
from erp.workspace import samples

log = logging.getLogger("erp.upkeep")

Unusable = dict[str, Exception]
"""The reason why a workspace's file cannot be used, by workspace id."""


Depth = Literal["nothing", "structure", "whole"]


class Examined(msgspec.Struct):
    """The state of the workspaces' files at a start, by workspace id, before it changes anything.

    `behind` are files that lack schema steps; `heads` are the newest events of usable files, and those that
    others have lost.
    """

    unusable: Unusable = msgspec.field(default_factory=dict)
    behind: set[str] = msgspec.field(default_factory=set)
    heads: dict[str, tuple[int, str]] = msgspec.field(default_factory=dict)


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
        exclusive.tidy()
        shutil.rmtree(samples.folder(), ignore_errors=True)
        workspace_restore.finish_interrupted()
        examined = _examine(after_crash)
        with _naming_control_file():
            _prepare_control_file(settings.control_path)
        recover_workspaces(examined, after_crash=after_crash)


def finish() -> None:
    """Leave every file whole, as the last act of a server: no change is in a write-ahead log alone."""
    chain_heads.note_written()
    WORKSPACE.close_connections()
    try:
        _empty_logs()
    except STORAGE_ERRORS as problem:
        log.warning("the workspaces' files could not all be completed: %s", problem)
    router.close_all()


def _examine(after_crash: bool) -> Examined:
    """Find the workspaces that cannot be used and those that lack schema steps; back everything up before steps."""
    examined, notes = Examined(), Notes(tips.read(), backups.find_all())
    depth = _depth(notes, after_crash)
    with _naming_control_file():
        version = _examine_control_file(notes, depth)
    rows = chain_heads.rows_of(config.current().control_path, nobody_writes=True) if version else {}
    for path in sorted(config.current().workspaces_dir.glob("*.db")):
        with _collecting(examined.unusable, path.stem):
            heads = notes.of_workspace(path.stem, rows[path.stem]) if path.stem in rows else []
            _examine_workspace(path, examined, heads, depth)
    if examined.behind or 0 < version < CONTROL_SCHEMA.version:
        examined.unusable |= {id: problem for id, problem in _back_up().items() if id in examined.behind}
    examined.behind -= examined.unusable.keys()
    return examined


def _depth(notes: Notes, after_crash: bool) -> Depth:
    """The depth to which each file is checked.

    A copy of a folder in which a server was at work can mix the pages of a file as it was at different moments. That
    may show in nothing but its rows, which differ from what its log has recorded.
    """
    if after_crash and tips.are_copied(notes.tips):
        log.warning(
            "the data folder was copied while a server was running, so every file is checked in full. Stop the server "
            "before its folder is copied, or restore a backup instead"
        )
        return "whole"
    return "structure" if after_crash else "nothing"


def _examine_control_file(notes: Notes, depth: Depth) -> int:
    """The version of the control file; 0 if there is none yet."""
    path = config.current().control_path
    if not path.exists() or path.stat().st_size == 0:
        return 0
    if depth != "nothing":
        _refuse_damage(checking.control_file(path, thorough=depth == "whole", nobody_writes=True).problems)
    with CONTROL.inspect(path, nobody_writes=True):
        CONTROL.check_identity(CONTROL.connection(), str(path))
        engine.check_release(CONTROL.connection(), CONTROL_SCHEMA)
        _, history = control.newest_change()
        _refuse_loss(notes.of_control_file(history), control.loss)
        return known_version(CONTROL.connection(), CONTROL_SCHEMA)


def _examine_workspace(path: Path, examined: Examined, noted: Sequence[NotedHead], depth: Depth) -> None:
    if path.stat().st_size == 0:  # SQLite would take it for a new file, and fill it
        raise connections.WrongFile("the file is empty")
    with WORKSPACE.inspect(path, nobody_writes=True):
        WORKSPACE.check_identity(WORKSPACE.connection(), str(path))
        is_behind = known_version(WORKSPACE.connection(), WORKSPACE_SCHEMA) < WORKSPACE_SCHEMA.version
        if is_behind:
            engine.check_release(WORKSPACE.connection(), WORKSPACE_SCHEMA)
        if noted and events.tip()[0] < noted[0].seq:
            examined.heads[path.stem] = (noted[0].seq, noted[0].hash)
        _refuse_loss(noted, events.loss)
        head = None if is_behind else events.sound_tip()
    if depth != "nothing":
        _refuse_damage(checking.workspace_file(path, thorough=depth == "whole", nobody_writes=True).findings)
    if is_behind:
        examined.behind.add(path.stem)
    if head is not None:
        examined.heads[path.stem] = head


def _refuse_loss(noted: Sequence[NotedHead], loss: Callable[[Tip, str], str | None]) -> None:
    for head in noted:
        if (words := loss((head.seq, head.hash), "")) is not None:
            raise LostChanges(words)


def _refuse_damage(problems: Sequence[str]) -> None:
    if problems:
        raise DatabaseError("; ".join(problem.rstrip(".") for problem in problems[:3]))


def _back_up() -> Unusable:
    """Back everything up; return the workspaces that the backup lacks, with the reasons."""
    try:
        backup = backups.make("before-migration")
        backups.rotate()  # a program that fails here and is restarted repeatedly must not fill the disk
    except Exception as problem:
        reason = str(problem).removesuffix(" Nothing was changed.").rstrip(".")
        raise CannotMigrate(
            f"The data must be brought up to date, but the backup that is made first has failed ({reason}). Nothing "
            "was changed."
        ) from problem
    log.info("the data was backed up to %s before it is brought up to date", backup.path)
    return {skipped.workspace_id: DatabaseError(skipped.reason) for skipped in backup.manifest.skipped}


def _prepare_control_file(path: Path) -> None:
    if path.exists() and path.stat().st_size > 0:
        _take_steps(path, CONTROL_SCHEMA)
        return
    with closing(connections.connect(path, "rwc")) as connection:
        engine.create(connection, CONTROL_SCHEMA, _fill)


def _fill(connection: Connection) -> None:
    """Draw the id and the secrets of the installation, and begin its history.

    `device` signs the marks of browsers; `mail` encrypts passwords that workspaces' files have.
    """
    connection.execute("INSERT INTO installation (id) VALUES (?)", (new_id(),))
    mail_key = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()
    for name, value in (("device", secrets.token_hex(32)), ("mail", mail_key)):
        connection.execute("INSERT INTO installation_secret (name, value) VALUES (?, ?)", (name, value))
    connection.execute("INSERT INTO change_count (number, history) VALUES (0, ?)", (new_id(),))


def _take_steps(path: Path, schema: Schema) -> None:
    with closing(connections.connect(path)) as connection:
        try:
            count = migrate(connection, schema)
        except Exception as problem:
            log.info("%s could not be brought up to date", path, exc_info=problem)
            raise CannotMigrate(
                f"it could not be brought up to date ({str(problem).rstrip('.')}) and is unchanged"
            ) from problem
    if count:
        log.info("%s took %s schema steps", path.name, count)


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
    except Exception as problem:  # noqa: BLE001 - the other workspaces are served all the same
        unusable[workspace_id] = problem


def recover_workspaces(examined: Examined, *, after_crash: bool = False) -> None:
    """Complete or undo interrupted work, migrate files with missing steps, and set aside unusable ones."""
    folder, unusable = config.current().workspaces_dir, examined.unusable
    for leftover in folder.glob("*.new*"):
        leftover.unlink()
    with control.read():
        workspaces = {row.id: row for row in Workspace.select()}
    present = {file.stem for file in folder.glob("*.db")}
    _forget_samples(workspaces, present)
    for workspace_id in present - workspaces.keys():
        _quarantine(folder / f"{workspace_id}.db")
    unusable |= {id: connections.WrongFile("it is missing") for id in workspaces.keys() - present}
    for id in sorted(examined.behind & workspaces.keys()):
        with _collecting(unusable, id):
            _take_steps(control.workspace_path(id), WORKSPACE_SCHEMA)
            with WORKSPACE.inspect(control.workspace_path(id), nobody_writes=True):
                if (head := events.sound_tip()) is not None:
                    examined.heads[id] = head
    for workspace in workspaces.values():
        if workspace.fault is not None and workspace.id not in unusable:
            with _collecting(unusable, workspace.id):  # damage that the server met at work may lie deep inside
                report = checking.workspace_file(control.workspace_path(workspace.id), nobody_writes=True)
                _refuse_damage(report.findings)
        _update_state(workspace, unusable.get(workspace.id), has_file=workspace.id in present)
    _empty_logs()
    discard_others(config.current().search_dir, () if after_crash else workspaces)
    chain_heads.note_all(examined.heads)
    for id, head in examined.heads.items():
        tips.here().note(control.workspace_path(id).name, head)


def _forget_samples(workspaces: dict[str, Workspace], present: Container[str]) -> None:
    """Forget the samples without a file: one was being deleted, or a backup was restored, which has none."""
    for gone in [id for id, row in workspaces.items() if row.is_sample and id not in present]:
        samples.forget(gone)
        del workspaces[gone]


def _empty_logs() -> None:
    """Move each write-ahead log of a killed server into its file, unless the file cannot be used."""
    with control.read():
        usable = [row.id for row in Workspace.select(Workspace.id).where(Workspace.fault.is_null())]
    for path in map(control.workspace_path, usable):
        if path.with_name(f"{path.name}-wal").exists():
            try:
                engine.checkpoint(path)
            except STORAGE_ERRORS as problem:  # opening the file reads the log as well
                log.warning("the write-ahead log of %s stays beside it: %s", path.name, problem)


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
    """Log that a workspace is unavailable, with the remedy; return the reason, for the instance admin."""
    words = re.sub(r"^(Its?|Event|Another)\b", lambda first: first[0].lower(), str(problem).rstrip("."))
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
