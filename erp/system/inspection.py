"""Checking everything that lies in a data directory, whether a server runs on it or not; nothing is changed."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from peewee import DatabaseError

from erp.kernel.config import Config
from erp.migrations import control as control_schema
from erp.migrations import workspace as workspace_schema
from erp.store import files
from erp.store.connections import sqlite3
from erp.store.router import CONTROL
from erp.system.backups import archive, backups, damage
from erp.system.backups.archive import BadBackup
from erp.system.checks import files as checking
from erp.system.checks.files import Report


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was looked at: what it is called, what it is, what is wrong with it, and what else is to be known."""

    name: str
    facts: str = ""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Known(NamedTuple):
    """A workspace, as the control file knows it."""

    name: str
    state: str
    fault: str | None
    tip_seq: int
    tip_hash: str | None


def check_all(settings: Config, *, unpack_backups: bool = False) -> Iterator[Checked]:
    """Check every file of the data directory, which the caller has made the configured one.

    Args:
        unpack_backups: check what is in the backups as well, not only that they are as they were written.
    """
    with _without_server(settings.data_dir) as nobody_writes:
        yield _control_file(settings.control_path, nobody_writes=nobody_writes)
        known = _known_workspaces(settings.control_path, nobody_writes=nobody_writes)
        present = {path.stem for path in settings.workspaces_dir.glob("*.db")}
        for id in sorted(present | (known or {}).keys()):
            yield _workspace(settings, id, id in present, known, nobody_writes=nobody_writes)
    yield from _backups(unpack=unpack_backups)


@contextmanager
def _without_server(data_dir: Path) -> Iterator[bool]:
    """Keep every server off the data for the block; false when one runs on it already."""
    if not (data_dir / "erp.lock").exists():
        yield True
        return
    with (data_dir / "erp.lock").open("rb") as file:
        try:
            files.lock(file)
        except (BlockingIOError, PermissionError):
            yield False
        else:
            yield True


def _control_file(path: Path, *, nobody_writes: bool) -> Checked:
    report = checking.control_file(path, nobody_writes=nobody_writes)
    return Checked(path.name, _schema(report, len(control_schema.STEPS)), report.problems)


def _known_workspaces(path: Path, *, nobody_writes: bool) -> dict[str, Known] | None:
    """The workspaces by id; None when the control file does not tell."""
    if not path.exists():
        return None
    try:
        with CONTROL.inspect(path, nobody_writes=nobody_writes):
            rows = CONTROL.rows("SELECT id, name, state, fault, tip_seq, tip_hash FROM workspace")
            return {id: Known(*values) for id, *values in rows}
    except (DatabaseError, sqlite3.Error):  # told already, by the check of the file itself
        return None


def _workspace(
    settings: Config, id: str, is_present: bool, known: Mapping[str, Known] | None, *, nobody_writes: bool
) -> Checked:
    row = known.get(id) if known else None
    label = f"{row.name} (workspaces/{id}.db)" if row else f"workspaces/{id}.db"
    if row and row.state == "creating" and not is_present:
        return Checked(label, "being made")
    noted = (row.tip_seq, row.tip_hash) if row and row.tip_hash else None
    report = checking.workspace_file(settings.workspaces_dir / f"{id}.db", nobody_writes=nobody_writes, noted=noted)
    problems = [*report.problems]
    if known is not None and row is None:
        problems.append("The control file knows no such workspace.")
    if row and row.fault:
        problems.append(f"The server does not open it. {row.fault}")
    if problems:
        problems.append(damage.remedy(id))
    schema = _schema(report, len(workspace_schema.STEPS))
    return Checked(label, f"{schema}, {report.seq} event{'s' * (report.seq != 1)}" if schema else "", problems)


def _schema(report: Report, known: int) -> str:
    if 0 < report.schema < known:
        return f"schema {report.schema} of {known}: the next start brings it up to date"
    return f"schema {report.schema}" if report.schema else ""


def _backups(*, unpack: bool) -> Iterator[Checked]:
    for backup in backups.find_all():
        count = len(backup.manifest.files)
        facts = f"{backup.manifest.kind}, {count} file{'s' * (count != 1)}"
        notes = [f"{each.workspace_name} is not in it: {each.reason}" for each in backup.manifest.skipped]
        yield Checked(
            f"backups/{backup.name}", facts, _inside(backup.path) if unpack else _as_written(backup.path), notes
        )
    for path, problem in backups.unreadable():
        yield Checked(f"backups/{path.name}", problems=[problem])


def _as_written(path: Path) -> list[str]:
    try:
        archive.check(path)
    except BadBackup as problem:
        return [problem.message]
    return []


def _inside(path: Path) -> list[str]:
    """What is wrong with the files in a backup; they are unpacked outside of the data directory."""
    with tempfile.TemporaryDirectory(prefix="erp-check-") as folder:
        try:
            return backups.problems(archive.unpack(path, Path(folder)), Path(folder))
        except BadBackup as problem:
            return [problem.message]
