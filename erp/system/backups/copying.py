"""Copying the installation's databases, and checking each copy before it counts as a backup."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from erp import __version__
from erp.kernel import config
from erp.kernel.errors import Refusal
from erp.store import connections, control, tips
from erp.store.connections import STORAGE_ERRORS
from erp.store.tips import Tip
from erp.system.backups import archive, chain_heads, snapshot
from erp.system.backups.exclusive import says_full
from erp.system.backups.manifest import CONTROL, FORMAT, FileEntry, Kind, Manifest, Skipped, workspace_file
from erp.system.checks import files as checking
from erp.system.checks.files import Report


class CannotBackUp(Refusal):
    """Nothing was backed up because the control file is damaged: {reason}."""


class Source(msgspec.Struct, frozen=True):
    """A workspace to copy, as the control file describes it; `noted_heads` are events noted outside of its file."""

    id: str
    name: str
    noted_heads: list[Tip]
    history: str | None


def copy_all(work: Path, kind: Kind, made_at: str) -> Manifest:
    """Copy the control file and each workspace that it lists, but for samples, into a folder, and describe them."""
    noted = tips.read()  # before the files, which get newer in the meantime
    entries = [_copy_control(work / CONTROL)]
    skipped, doubtful = [], []
    for source in _sources(work / CONTROL, noted):
        try:
            entry, doubt = _copy_workspace(source, work)
        except _Unsound as reason:
            skipped.append(Skipped(source.id, source.name, str(reason)))
            continue
        entries.append(entry)
        doubtful += [Skipped(source.id, source.name, doubt)] if doubt else []
    return Manifest(FORMAT, kind, __version__, made_at, entries, skipped=skipped, doubtful=doubtful)


def _copy_control(copy: Path) -> FileEntry:
    try:
        snapshot.take(config.current().control_path, copy)
        report = _checked(checking.control_file(copy, nobody_writes=True))
    except (*STORAGE_ERRORS, _Unsound) as problem:
        if says_full(problem):
            raise
        raise CannotBackUp(reason=str(problem).rstrip(".")) from problem
    return _entry(CONTROL, copy, report)


def _sources(copy: Path, noted: Mapping[str, Tip]) -> list[Source]:
    return [
        Source(id, row.name, [head for head in (noted.get(f"{id}.db"), row.noted_head) if head], row.history)
        for id, row in sorted(chain_heads.rows_of(copy, nobody_writes=True).items())
        if row.state != "creating" and not row.is_sample
    ]


def _copy_workspace(source: Source, work: Path) -> tuple[FileEntry, str | None]:
    """Copy and check a workspace's file; also return the reason if it is doubtful."""
    name = workspace_file(source.id)
    copy = work / name
    copy.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        snapshot.take(control.workspace_path(source.id), copy)
        report = _checked(checking.workspace_file(copy, nobody_writes=True))
    except (*STORAGE_ERRORS, OSError) as problem:
        if isinstance(problem, OSError) or says_full(problem):
            raise
        raise _Unsound(f"Its file cannot be read: {problem}.") from problem
    altered = f"Its data is not as its log says. {report.altered[0]}" if report.altered else None
    return _entry(name, copy, report, source), _doubt(source, copy) or altered


class _Unsound(Exception):
    """A copy has not passed its check."""


def _checked(report: Report) -> Report:
    if report.problems:
        raise _Unsound(" ".join(report.problems))
    return report


def _entry(name: str, copy: Path, report: Report, source: Source | None = None) -> FileEntry:
    return FileEntry(
        name=name,
        size=copy.stat().st_size,
        sha256=archive.sha256(copy),
        schema=report.schema,
        seq=report.seq,
        head_hash=report.head_hash,
        workspace_id=source.id if source else None,
        workspace_name=source.name if source else None,
        history=source.history if source else None,
    )


def _doubt(source: Source, copy: Path) -> str | None:
    """The reason why a copy does not replace older ones: it lacks a noted event."""
    with connections.looking(copy, nobody_writes=True) as connection:
        for seq, hash in source.noted_heads:
            row = connection.execute("SELECT hash FROM event WHERE seq = ?", (seq,)).fetchone()
            if row != (hash,):
                return f"Its file has lost changes: event {seq} is not as noted."
    return None
