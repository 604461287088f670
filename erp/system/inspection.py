"""Checking every file in a data directory, with or without a server running on it; nothing is changed."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from erp.kernel import config
from erp.kernel.config import Config
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.store import files, tips
from erp.store.connections import STORAGE_ERRORS
from erp.system.backups import archive, backups, chain_heads, damage
from erp.system.backups.archive import BadBackup
from erp.system.backups.chain_heads import WorkspaceRow
from erp.system.backups.noted import Notes
from erp.system.checks import files as checking
from erp.system.checks.chain import NotedHead
from erp.system.checks.files import Report

Rows = Mapping[str, WorkspaceRow]

ID_LENGTH = 36
"""A workspace's id in the name of its file."""


class CheckedFile(msgspec.Struct, frozen=True):
    """A checked file; `facts` describe it, `notes` add remarks that are no problems."""

    name: str
    facts: str = ""
    problems: list[str] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)


def check_all(settings: Config, *, unpack_backups: bool = False) -> Iterator[CheckedFile]:
    """Check every file of the data directory, which the caller has configured.

    Args:
        unpack_backups: check the content of the backups as well, not only that they are as they were written.
    """
    with _without_server(settings.data_dir) as nobody_writes:
        notes = Notes(tips.read(), backups.find_all())
        yield _control_file(settings.control_path, notes, nobody_writes=nobody_writes)
        rows = _workspace_rows(settings.control_path, nobody_writes=nobody_writes)
        present = {path.stem for path in settings.workspaces_dir.glob("*.db")}
        for id in sorted(present | (rows or {}).keys()):
            yield _workspace(settings.workspaces_dir / f"{id}.db", rows, notes, nobody_writes=nobody_writes)
        yield from _quarantine(rows or {}, nobody_writes=nobody_writes)
    yield from _backups(unpack=unpack_backups)


@contextmanager
def _without_server(data_dir: Path) -> Iterator[bool]:
    """Keep every server off the data for the block; false if one is running on it already."""
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


def _control_file(path: Path, notes: Notes, *, nobody_writes: bool) -> CheckedFile:
    heads: list[NotedHead] = []
    with suppress(*STORAGE_ERRORS):  # the check of the file itself reports them
        history = chain_heads.history_of(path, nobody_writes=nobody_writes) if path.exists() else ""
        heads = notes.of_control_file(history)
    report = checking.control_file(path, nobody_writes=nobody_writes, noted_heads=heads)
    return CheckedFile(path.name, _schema(report, CONTROL_SCHEMA.version), report.problems)


def _workspace_rows(path: Path, *, nobody_writes: bool) -> Rows | None:
    """The workspaces by id; None if the control file cannot be read."""
    if not path.exists():
        return None
    try:
        return chain_heads.rows_of(path, nobody_writes=nobody_writes)
    except STORAGE_ERRORS:  # the check of the file itself has reported it
        return None


def _workspace(path: Path, rows: Rows | None, notes: Notes, *, nobody_writes: bool) -> CheckedFile:
    id = path.stem
    row = rows.get(id) if rows else None
    label = f"{row.name} (workspaces/{path.name})" if row else f"workspaces/{path.name}"
    if row and row.state == "creating" and not path.exists():
        return CheckedFile(label, "being created")
    heads = notes.of_workspace(id, row) if row else []
    report = checking.workspace_file(path, nobody_writes=nobody_writes, noted_heads=heads)
    problems = report.findings
    if row and row.is_sample and not problems and checking.has_webhook(path, nobody_writes=nobody_writes):
        problems.append("It is sample data, out of which nothing may be sent, but it has a webhook.")
    if rows is not None and row is None:
        problems.append("The control file lists no such workspace.")
    if row and row.fault:
        problems.append(f"The server does not open it. {row.fault}")
    remarks = [] if problems or row is None else [_vouched(heads)]
    if problems and report.is_of_release:
        problems.append(damage.remedy(id))
    return CheckedFile(label, _facts(report), problems, [*remarks, *_set_aside(id)])


def _vouched(heads: Sequence[NotedHead]) -> str:
    """The last event up to which someone other than the file itself can vouch for it.

    What `tips.db` notes is of use after a crash only: a power cut may take it.
    """
    lasting = [head for head in heads if head.by != tips.NAME]
    if not lasting:
        return "Nothing outside of the file vouches for it yet: make a backup."
    by_seq: dict[int, list[str]] = {}
    for head in lasting:
        by_seq.setdefault(head.seq, []).append(head.by)
    spans = (f"through event {seq:,} by {' and '.join(names)}" for seq, names in by_seq.items())
    return f"Vouched for {', and '.join(spans)}."


def _set_aside(workspace_id: str) -> list[str]:
    """The former files of a workspace, which a restore has set aside."""
    folder = config.current().data_dir / "quarantine"
    return [f"A former file of it is quarantine/{path.name}." for path in sorted(folder.glob(f"*-{workspace_id}.db"))]


def _quarantine(rows: Rows, *, nobody_writes: bool) -> Iterator[CheckedFile]:
    """The files that belonged to no workspace of the control file when a server started."""
    for path in sorted((config.current().data_dir / "quarantine").glob("*.db")):
        if path.stem[-ID_LENGTH:] in rows:
            continue
        report = checking.workspace_file(path, nobody_writes=nobody_writes)
        reason = (
            "The control file lists no such workspace, so a start has moved its file here. If it is needed, restore a "
            "backup that contains it. Otherwise move it elsewhere."
        )
        yield CheckedFile(f"quarantine/{path.name}", _facts(report), [reason, *report.problems])


def _facts(report: Report) -> str:
    schema = _schema(report, WORKSPACE_SCHEMA.version)
    return f"{schema}, {report.seq} event{'s' * (report.seq != 1)}" if schema else ""


def _schema(report: Report, steps: int) -> str:
    if 0 < report.schema < steps and report.is_of_release:
        return f"schema {report.schema} of {steps}: the next start brings it up to date"
    return f"schema {report.schema}" if report.schema else ""


def _backups(*, unpack: bool) -> Iterator[CheckedFile]:
    for backup in backups.find_all():
        manifest = backup.manifest
        count = len(manifest.files)
        facts = f"{manifest.kind}, {count} file{'s' * (count != 1)}"
        notes = [f"{skipped.workspace_name} is not in it: {skipped.reason}" for skipped in manifest.skipped]
        problems = _content_problems(backup.path) if unpack else _file_problems(backup.path)
        yield CheckedFile(f"backups/{backup.name}", facts, problems, notes)
    for path, problem in backups.unreadable():
        yield CheckedFile(f"backups/{path.name}", problems=[problem])


def _file_problems(path: Path) -> list[str]:
    """The problems of a file, compared with its state when it was written."""
    try:
        archive.check(path)
    except BadBackup as problem:
        return [problem.message]
    return []


def _content_problems(path: Path) -> list[str]:
    """The problems of the files in a backup; they are unpacked outside of the data directory."""
    with tempfile.TemporaryDirectory(prefix="erp-check-") as folder:
        try:
            return backups.problems(archive.unpack(path, Path(folder)), Path(folder))
        except BadBackup as problem:
            return [problem.message]
