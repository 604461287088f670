"""Restoring a whole backup: it is checked, and laid ready for the next start to put in place."""

import json
import logging
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from peewee import DatabaseError, sqlite3  # type: ignore[attr-defined]

from erp.kernel import clock, config
from erp.kernel.errors import NotFound, Refusal
from erp.store import connections, files
from erp.system.backups import archive, backups
from erp.system.backups.apply import RECORD, STAGED
from erp.system.backups.archive import BadBackup
from erp.system.backups.exclusive import FOLDER, exclusively, work_folder
from erp.system.backups.manifest import CONTROL, Manifest

log = logging.getLogger("erp.restoring")


@dataclass(frozen=True, slots=True)
class Staged:
    """A backup that the next start puts in place; `kept` is the backup of the present data, if one could be made."""

    manifest: Manifest
    kept: str | None


def stage(path: Path) -> Staged:
    """Check a backup and lay it ready; one that was laid ready before is dropped.

    Nobody is signed in any more when it is in place, and every link, address and token is void: those that were taken
    back since would come to life again.

    Raises:
        BadBackup: it is damaged, no backup of an installation, or one that only a newer program can read.
        BackupUnderWay: somebody else makes or restores one.
        StorageFull: the disk has no room for it.
    """
    folder = config.current().data_dir / FOLDER
    with exclusively(), work_folder(folder) as work:
        ready = work / STAGED
        manifest = _unpack(path, ready)
        _sign_everybody_out(ready / CONTROL)
        kept = _keep_present()
        _describe(ready, path.name, manifest, kept)
        _lay_ready(ready, folder / STAGED, work)
    log.info("backup %s is put in place at the next start", path.name)
    return Staged(manifest, kept)


def drop(name: str) -> None:
    """Let the next start leave the data as it is.

    Raises:
        NotFound: no backup of that name was to be put in place.
        BackupUnderWay: somebody makes or restores one.
    """
    folder = config.current().data_dir / FOLDER
    with exclusively(), work_folder(folder) as work:
        if staged_name(folder.parent) != name:
            raise NotFound("The next start does not restore this backup.")
        files.replace(folder / STAGED, work / "dropped")
    log.info("backup %s is not put in place at the next start after all", name)


def staged_name(data_dir: Path) -> str | None:
    """The name of the backup that the next start puts in place, if there is one."""
    try:
        told = json.loads((data_dir / FOLDER / STAGED / "restore.json").read_text("utf-8"))
    except FileNotFoundError:
        return None
    return str(told["backup"])


def _unpack(path: Path, ready: Path) -> Manifest:
    manifest = archive.unpack(path, ready)
    if manifest.file(CONTROL) is None:
        raise BadBackup(f"{path.name} is one workspace, no whole installation; `erp workspace import` takes it.")
    if found := backups.problems(manifest, ready):
        raise BadBackup(f"{path.name} is damaged. {' '.join(found[:3])}")
    (ready / "workspaces").mkdir(mode=0o700, exist_ok=True)
    return manifest


def _sign_everybody_out(copy: Path) -> None:
    """Named tokens, links and secret addresses go, too: they may have been taken back since."""
    with closing(connections.connect(copy)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for table in ("session", "password_reset", "calendar_address"):
            connection.execute(f"DELETE FROM {table}")
        connection.execute("UPDATE invite SET status = 'revoked' WHERE status = 'pending'")
        connection.execute("COMMIT")


def _keep_present() -> str | None:
    """Back up the present data. Where that cannot be done it is still set aside as it is."""
    if not config.current().control_path.exists():
        return None
    try:
        return backups.make_here("before-restore").name
    except (Refusal, DatabaseError, sqlite3.Error, OSError) as problem:
        log.warning("the present data could not be backed up before the restore: %s", problem)
        return None


def _describe(ready: Path, name: str, manifest: Manifest, kept: str | None) -> None:
    told = {"backup": name, "createdAt": manifest.created_at, "stagedAt": clock.stamp(), "presentDataIn": kept}
    (ready / "restore.json").write_text(json.dumps(told, indent=2), "utf-8")
    for file in (ready / RECORD, ready / CONTROL):
        files.sync(file)
    for changed in (ready / "workspaces", ready):
        files.sync_folder(changed)


def _lay_ready(ready: Path, place: Path, work: Path) -> None:
    with suppress(FileNotFoundError):
        files.replace(place, work / "dropped")
    files.replace(ready, place)
    files.sync_folder(place.parent)
