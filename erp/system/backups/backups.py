"""Backups of the installation: making, finding, verifying and rotating.

The control file is copied first, then each workspace that it lists. Every copy is opened and checked before it goes
into the zip. A backup needs no server and disturbs none. It also copies files of an older schema, before they are
brought up to date.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path

import msgspec
from peewee import DatabaseError

from erp.kernel import clock, config
from erp.kernel.errors import NotFound, Refusal
from erp.kernel.language import says
from erp.store import control, router
from erp.system.backups import archive, chain_heads, copying, rotation, snapshot
from erp.system.backups.archive import BadBackup
from erp.system.backups.exclusive import exclusively, work_folder
from erp.system.backups.manifest import CONTROL, FileEntry, Kind, Manifest
from erp.system.backups.rotation import Candidate
from erp.system.checks import files as checking

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.zip")
"""The names of backups in the backups folder; people may put their own files there."""

ANY_HISTORY = "any"

log = logging.getLogger("erp.backups")


class Backup(msgspec.Struct, frozen=True):
    """One backup file."""

    path: Path
    size: int
    manifest: Manifest

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name


def make(kind: Kind, folder: Path | None = None) -> Backup:
    """Make a verified backup of the installation; its files may be of an older schema.

    Args:
        folder: where to write it; by default the backups folder.

    Raises:
        BackupUnderWay: another backup or restore is under way.
        CannotBackUp: the control file is damaged. A damaged workspace is left out and listed in the manifest.
        StorageFull: the disk has no room for it.
    """
    with exclusively():
        return make_in_lock(kind, folder)


def make_in_lock(kind: Kind, folder: Path | None = None) -> Backup:
    """Make a backup as `make` does, within `exclusively`."""
    home = config.current().backups_dir
    folder = folder or home
    folder.mkdir(parents=True, exist_ok=True)
    _ensure_room(home, folder)
    instant = _free_instant(folder)
    path = folder / f"{_stem(instant)}-{kind}.zip"
    with work_folder(home) as work:
        manifest = copying.copy_all(work, kind, clock.stamp(instant))
        archive.write(path, manifest, work)
    for left_out in manifest.skipped:
        log.error("workspace %s is not in backup %s: %s", left_out.workspace_id, path.name, left_out.reason)
    if kind != "before-migration":
        _note(manifest, is_elsewhere=not folder.resolve().is_relative_to(config.current().data_dir.resolve()))
    backup = Backup(path, path.stat().st_size, manifest)
    log.info("made backup %s: %d files, %d bytes", backup.name, len(manifest.files), backup.size)
    return backup


def find_all() -> list[Backup]:
    """Every readable backup in the backups folder, the newest first."""
    readable = [backup for backup in map(_read, _paths()) if isinstance(backup, Backup)]
    return sorted(readable, key=lambda backup: backup.manifest.created_at, reverse=True)


def unreadable() -> list[tuple[Path, str]]:
    """The unreadable files in the backups folder, with the problem of each."""
    return [(path, problem) for path in _paths() if isinstance(problem := _read(path), str)]


def find(name: str) -> Path:
    """The path of the backup with that name.

    Raises:
        NotFound: there is none.
    """
    path = config.current().backups_dir / name
    if not NAME.fullmatch(name) or not path.is_file():
        raise NotFound(says("There is no such backup."))
    return path


def verify(path: Path) -> list[str]:
    """Unpack a backup and check everything in it; the problems are sentences."""
    with exclusively(), work_folder(config.current().backups_dir) as work:
        try:
            manifest = archive.unpack(path, work)
        except BadBackup as problem:
            return [problem.message]
        return problems(manifest, work)


def problems(manifest: Manifest, folder: Path) -> list[str]:
    """The problems of files unpacked from a backup."""
    return [problem for entry in manifest.files for problem in problems_of(entry, folder)]


def problems_of(entry: FileEntry, folder: Path) -> list[str]:
    """The problems of one of them."""
    check = checking.control_file if entry.name == CONTROL else checking.workspace_file
    report = check(folder / entry.name, nobody_writes=True)
    name = entry.workspace_name or entry.name
    sentences = [f"{name}: {problem}" for problem in report.problems]
    actual, stated = (report.schema, report.seq, report.head_hash), (entry.schema, entry.seq, entry.head_hash)
    if not sentences and actual != stated:
        sentences.append(f"{name}: It is not the file that the manifest describes.")
    return sentences


def rotate() -> None:
    """Delete the backups that newer ones make superfluous; see `rotation`."""
    with exclusively():
        present = {backup.name: backup for backup in find_all()}
        candidates = [_candidate(backup) for backup in present.values()]
        keep = config.current().backup_keep
        for candidate in rotation.superfluous(candidates, keep, lambda one: is_good(present[one.name].path)):
            _delete(present[candidate.name].path)


def is_good(path: Path) -> bool:
    """Whether a backup has not changed since it was written and checked.

    The result is cached for the day, unless the file changes.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return False
    return _is_good(path, status.st_size, status.st_mtime_ns, clock.now().date())


@lru_cache(maxsize=1000)
def _is_good(path: Path, size: int, changed: int, day: date) -> bool:
    try:
        archive.check(path)
    except (BadBackup, OSError) as problem:
        log.warning("backup %s is not usable: %s", path.name, problem)
        return False
    return True


def latest_good(workspace_id: str | None = None, history: str | None = ANY_HISTORY) -> Backup | None:
    """The newest unchanged backup; for a workspace, the newest that contains it in full.

    Args:
        history: only backups of this history of the workspace.
    """
    candidates = (
        candidate for candidate in find_all() if workspace_id is None or _contains(candidate, workspace_id, history)
    )
    return next((backup for backup in candidates if is_good(backup.path)), None)


def _contains(backup: Backup, workspace_id: str, history: str | None) -> bool:
    entry = backup.manifest.trusted_workspace(workspace_id)
    return entry is not None and history in (ANY_HISTORY, entry.history)


def _ensure_room(home: Path, folder: Path) -> None:
    """The copies are made in the backups folder; the zip, at most half their size, is written to `folder`."""
    settings = config.current()
    data = [settings.control_path, *settings.workspaces_dir.glob("*.db*")]
    size = sum(path.stat().st_size for path in data if path.exists())
    is_same_disk = home.stat().st_dev == folder.stat().st_dev
    snapshot.ensure_room(home, size + size // 2 if is_same_disk else size)
    snapshot.ensure_room(folder, size // 2)


def _free_instant(folder: Path) -> datetime:
    """Now, or the first millisecond after it without a backup."""
    instant = clock.now()
    while any(folder.glob(f"{_stem(instant)}-*")):
        instant += timedelta(milliseconds=1)
    return instant


def _stem(instant: datetime) -> str:
    """The beginning of a file name; it sorts by the instant and is allowed on every system."""
    return "erp-" + clock.stamp(instant).replace(":", "-").replace(".", "-")


def _note(manifest: Manifest, *, is_elsewhere: bool) -> None:
    """Note the newest event of each workspace in the control file, so that a log that is cut off is detected.

    Args:
        is_elsewhere: whether the backup is outside the data directory.
    """
    trusted = manifest.trusted()
    with _noting():
        if is_elsewhere:
            note_copy(manifest.created_at)
        for entry in manifest.files:
            if entry.workspace_id and entry.workspace_id in trusted:
                chain_heads.note(entry.workspace_id, entry.seq, entry.head_hash)


def note_copy(made_at: str) -> None:
    """Note that there is a verified backup of an instant outside the data directory, unless there is a newer one."""
    router.CONTROL.run(_COPIED, (made_at, made_at))


_COPIED = "UPDATE installation SET copied_at = ? WHERE copied_at IS NULL OR copied_at < ?"


@contextmanager
def _noting() -> Iterator[None]:
    """Write to the control file; where it fails, the backup stands all the same."""
    try:
        with control.note():
            yield
    except (Refusal, DatabaseError) as problem:
        log.warning("the backup could not be noted in the control file: %s", problem)


def note_download(path: Path) -> None:
    """Note that a backup was downloaded, which is a copy in another place."""
    if isinstance(backup := _read(path), Backup):
        with _noting():
            note_copy(backup.manifest.created_at)


def _paths() -> list[Path]:
    folder = config.current().backups_dir
    return sorted((path for path in folder.glob("*.zip") if NAME.fullmatch(path.name)), reverse=True)


def _read(path: Path) -> Backup | str | None:
    """The backup in a file, or its problem; None for an exported workspace or a file that is gone."""
    try:
        manifest = archive.read_manifest(path)
        return None if manifest.kind == "workspace" else Backup(path, path.stat().st_size, manifest)
    except FileNotFoundError:  # deleted after it was listed
        return None
    except (BadBackup, OSError) as problem:
        return str(problem)


def _candidate(backup: Backup) -> Candidate:
    made_on = clock.parse(backup.manifest.created_at).astimezone().date()
    return Candidate(backup.name, backup.manifest.kind, made_on, workspaces=backup.manifest.trusted())


def _delete(path: Path) -> None:
    try:
        path.unlink()
    except PermissionError as problem:  # on Windows, while it is downloaded
        log.warning("backup %s could not be deleted: %s", path.name, problem)
    else:
        log.info("deleted backup %s, which newer ones replace", path.name)
