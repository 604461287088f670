"""Restoring a whole backup: it is checked and staged, and the next start puts it in place."""

import json
import logging
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from erp.kernel import clock, config
from erp.kernel.errors import NotFound, Refusal
from erp.kernel.language import verbatim
from erp.mail import tries
from erp.migrations import CONTROL_SCHEMA, Connection, SchemaProblem
from erp.share_links import links
from erp.store import connections, engine, files
from erp.store.connections import STORAGE_ERRORS
from erp.store.records import new_id
from erp.system.backups import archive, backups
from erp.system.backups.apply import RECORD, STAGED
from erp.system.backups.archive import BadBackup
from erp.system.backups.exclusive import FOLDER, exclusively, work_folder
from erp.system.backups.manifest import CONTROL, Manifest
from erp.webhooks import webhooks

log = logging.getLogger("erp.restoring")


class Staged(msgspec.Struct, frozen=True):
    """A backup that the next start puts in place; `present_data_in` names the backup of the present data, if any."""

    manifest: Manifest
    present_data_in: str | None


def stage(path: Path) -> Staged:
    """Check and stage a backup, in place of an earlier staged one.

    It signs everyone out and voids every link, address and token, because withdrawn ones would become valid again. It
    switches off the webhooks, because they would repeat messages sent since the backup, and marks unsent mail as
    unsure, because it may have been sent since.

    Raises:
        BadBackup: it is damaged, not a backup of an installation, or one that only a newer program can read.
        BackupUnderWay: another backup or restore is under way.
        StorageFull: the disk has no room for it.
    """
    folder = config.current().data_dir / FOLDER
    with exclusively(), work_folder(folder) as work:
        ready = work / STAGED
        manifest = _unpack(path, ready)
        _begin_again(ready / CONTROL, manifest)
        _silence([ready / entry.name for entry in manifest.files if entry.workspace_id])
        staged = Staged(manifest, _back_up_present_data())
        _describe(ready, path.name, staged)
        _move_in(ready, folder / STAGED, work)
    log.info("the next start restores backup %s", path.name)
    return staged


def drop(name: str) -> None:
    """Cancel the restore of a staged backup.

    Raises:
        NotFound: that backup is not staged.
        BackupUnderWay: another backup or restore is under way.
    """
    folder = config.current().data_dir / FOLDER
    with exclusively(), work_folder(folder) as work:
        if staged_name(folder.parent) != name:
            raise NotFound(verbatim("The next start does not restore this backup."))
        files.replace(folder / STAGED, work / "dropped")
    log.info("the restore of backup %s at the next start was cancelled", name)


def staged_name(data_dir: Path) -> str | None:
    """The name of the backup that the next start puts in place, if there is one."""
    try:
        record = json.loads((data_dir / FOLDER / STAGED / "restore.json").read_text("utf-8"))
    except FileNotFoundError:
        return None
    return str(record["backup"])


def _unpack(path: Path, ready: Path) -> Manifest:
    manifest = archive.unpack(path, ready)
    if manifest.file(CONTROL) is None:
        raise BadBackup(
            verbatim(f"{path.name} holds one workspace, not an installation. Use `erp workspace import` for it.")
        )
    if problems := backups.problems(manifest, ready):
        raise BadBackup(verbatim(f"{path.name} cannot be used. {' '.join(problems[:3])}"))
    (ready / "workspaces").mkdir(mode=0o700, exist_ok=True)
    return manifest


def _begin_again(copy: Path, manifest: Manifest) -> None:
    """Give the staged control file the present names of workspace files, and let everyone sign in again.

    Raises:
        BadBackup: it cannot be brought up to date.
    """
    with closing(connections.connect(copy)) as connection:
        try:
            engine.bring_up_to_date(connection, CONTROL_SCHEMA)
        except SchemaProblem as problem:
            raise BadBackup(verbatim(f"Its control file cannot be brought up to date: {problem}.")) from problem
        connection.execute("BEGIN IMMEDIATE")
        _sign_everyone_out(connection)
        history = new_id()
        connection.execute("UPDATE change_count SET history = ?", (history,))
        for entry in manifest.files:
            if entry.workspace_id:
                connection.execute(_BEGIN_HISTORY, (history, entry.seq, entry.head_hash, entry.workspace_id))
        connection.execute("COMMIT")


_BEGIN_HISTORY = "UPDATE workspace SET history = ?, tip_seq = ?, tip_hash = ? WHERE id = ?"


def _sign_everyone_out(connection: Connection) -> None:
    """Delete sessions, tokens, links, secret addresses and kiosks, which may have been withdrawn since the backup."""
    for table in ("session", "password_reset", "calendar_address", "kiosk"):
        connection.execute(f"DELETE FROM {table}")
    connection.execute("UPDATE invite SET status = 'revoked' WHERE status = 'pending'")


def _silence(copies: Iterable[Path]) -> None:
    for copy in copies:
        with closing(connections.connect(copy)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            webhooks.switch_off_copies(connection)
            tries.doubt_copies(connection)
            links.switch_off_copies(connection)
            connection.execute("COMMIT")


def _back_up_present_data() -> str | None:
    """Back up the present data; if that fails, the next start still sets it aside as it is."""
    if not config.current().control_path.exists():
        return None
    try:
        return backups.make_in_lock("before-restore").name
    except (Refusal, *STORAGE_ERRORS, OSError) as problem:
        log.warning("the present data could not be backed up before the restore: %s", problem)
        return None


def _describe(ready: Path, name: str, staged: Staged) -> None:
    record = {
        "backup": name,
        "createdAt": staged.manifest.created_at,
        "stagedAt": clock.stamp(),
        "presentDataIn": staged.present_data_in,
    }
    (ready / "restore.json").write_text(json.dumps(record, indent=2), "utf-8")
    for file in (ready / RECORD, ready / CONTROL):
        files.sync(file)
    for folder in (ready / "workspaces", ready):
        files.sync_folder(folder)


def _move_in(ready: Path, target: Path, work: Path) -> None:
    with suppress(FileNotFoundError):
        files.replace(target, work / "dropped")
    files.replace(ready, target)
    files.sync_folder(target.parent)
