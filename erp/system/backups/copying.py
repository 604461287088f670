"""Copying the installation's databases, and checking each copy before it is relied on."""

from dataclasses import dataclass
from pathlib import Path

from peewee import DatabaseError, sqlite3  # type: ignore[attr-defined]

from erp import __version__
from erp.kernel import config
from erp.kernel.errors import Refusal
from erp.store import connections, control
from erp.system.backups import archive, snapshot
from erp.system.backups.exclusive import says_full
from erp.system.backups.manifest import CONTROL, FORMAT, FileEntry, Kind, Manifest, Skipped, workspace_file
from erp.system.checks import files as checking
from erp.system.checks.files import Report


class CannotBackUp(Refusal):
    """The control file is damaged, and nothing was backed up: {reason}."""


@dataclass(frozen=True, slots=True)
class Known:
    """A workspace as the control file names it; `seq` and `tip` are its newest event as last noted."""

    id: str
    name: str
    seq: int
    tip: str | None


def copy_all(work: Path, kind: Kind, made_at: str) -> Manifest:
    """Copy the control file and each workspace that it names into a folder, and describe the copies."""
    found = [_copy_control(work / CONTROL)]
    skipped, doubtful = [], []
    for known in _workspaces(work / CONTROL):
        try:
            entry, doubt = _copy_workspace(known, work)
        except _Unsound as reason:
            skipped.append(Skipped(known.id, known.name, str(reason)))
            continue
        found.append(entry)
        doubtful += [Skipped(known.id, known.name, doubt)] if doubt else []
    return Manifest(FORMAT, kind, __version__, made_at, found, skipped=skipped, doubtful=doubtful)


def _copy_control(copy: Path) -> FileEntry:
    try:
        snapshot.take(config.current().control_path, copy)
        report = _checked(checking.control_file(copy, nobody_writes=True))
    except (DatabaseError, sqlite3.Error, _Unsound) as problem:
        if says_full(problem):
            raise
        raise CannotBackUp(reason=str(problem).rstrip(".")) from problem
    return _entry(CONTROL, copy, report)


def _workspaces(copy: Path) -> list[Known]:
    query = "SELECT id, name, tip_seq, tip_hash FROM workspace WHERE state <> 'creating' ORDER BY id"
    with connections.looking(copy, nobody_writes=True) as connection:
        return [Known(*row) for row in connection.execute(query)]


def _copy_workspace(known: Known, work: Path) -> tuple[FileEntry, str | None]:
    """Copy and check a workspace's file; also say what it lacks of what it once had."""
    name = workspace_file(known.id)
    copy = work / name
    copy.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        snapshot.take(control.workspace_path(known.id), copy)
        report = _checked(checking.workspace_file(copy, nobody_writes=True))
    except (DatabaseError, sqlite3.Error, OSError) as problem:
        if isinstance(problem, OSError) or says_full(problem):
            raise
        raise _Unsound(f"Its file cannot be read: {problem}.") from problem
    return _entry(name, copy, report, known), _doubt(known, copy)


class _Unsound(Exception):
    """A copy did not pass."""


def _checked(report: Report) -> Report:
    if report.problems:
        raise _Unsound(" ".join(report.problems))
    return report


def _entry(name: str, copy: Path, report: Report, known: Known | None = None) -> FileEntry:
    size, digest = copy.stat().st_size, archive.sha256(copy)
    whose = (known.id, known.name) if known else (None, None)
    return FileEntry(name, size, digest, report.schema, report.seq, report.tip, *whose)


def _doubt(known: Known, copy: Path) -> str | None:
    """Changes that were noted and are not there any more: the file is copied, but does not stand for older copies."""
    if known.seq == 0:
        return None
    with connections.looking(copy, nobody_writes=True) as connection:
        found = connection.execute("SELECT hash FROM event WHERE seq = ?", (known.seq,)).fetchone()
    return None if found == (known.tip,) else f"Its file has lost changes: event {known.seq} is not the one noted."
