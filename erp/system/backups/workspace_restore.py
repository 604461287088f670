"""Restoring one workspace from a backup while the others work.

A sound file gets the content of the backup through SQLite's own backup interface, in one transaction under its write
lock: readers see either all of the old content or all of the new. A damaged or missing file, or one with another page
size, is set aside once it is closed everywhere. A crash in between is ended by the next start.
"""

import logging
from contextlib import closing
from pathlib import Path

from erp.kernel import clock, config
from erp.kernel.errors import Busy, NotFound
from erp.kernel.language import verbatim
from erp.mail import tries as mail_tries
from erp.migrations import WORKSPACE_SCHEMA, SchemaProblem
from erp.share_links import links
from erp.store import connections, control, engine, events, files, tips
from erp.store.control import Workspace
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.system.backups import archive, backups, chain_heads
from erp.system.backups.apply import ENDINGS
from erp.system.backups.archive import BadBackup
from erp.system.backups.exclusive import FOLDER, exclusively, work_folder
from erp.system.backups.manifest import FileEntry
from erp.system.checks import files as checking
from erp.webhooks import webhooks

READY = ".restored"
"""The suffix of a file that is about to get the place of a workspace's present one."""

log = logging.getLogger("erp.restoring")


def restore(path: Path, workspace_id: str) -> str:
    """Restore a workspace from a backup; its members and its name stay as they are.

    Returns:
        The name of the backup of the present data, which is made first.

    Raises:
        NotFound: the backup or the installation has no such workspace.
        BadBackup: the backup is damaged.
        BackupUnderWay: another backup or restore is under way.
        Busy: the file was in use for too long. Nothing was changed.
    """
    _find(workspace_id)
    entry = archive.read_manifest(path).workspace(workspace_id)
    if entry is None:
        raise NotFound(verbatim("This backup does not contain that workspace."))
    with exclusively(), work_folder(config.current().data_dir / FOLDER) as work:
        copy = work / entry.name
        archive.extract(path, entry.name, copy)
        _refuse_damaged(path, backups.problems_of(entry, work))
        _complete(copy, path.name, entry)
        report = _checked(copy, path)
        present_data_in = backups.make_in_lock("before-restore").name
        _put_in_place(copy, workspace_id, report)
    log.warning("restored workspace %s from backup %s", workspace_id, path.name)
    return present_data_in


def _find(workspace_id: str) -> Workspace:
    with control.read():
        return Workspace.find(workspace_id)


def _complete(copy: Path, name: str, entry: FileEntry) -> None:
    """Bring the copy up to date, switch off what reaches out of it, and record its source in its log."""
    with closing(connections.connect(copy)) as connection:
        try:
            engine.bring_up_to_date(connection, WORKSPACE_SCHEMA)
        except SchemaProblem as problem:
            raise BadBackup(verbatim(f"{name} cannot be brought up to date: {problem}.")) from problem
        connection.execute("BEGIN IMMEDIATE")
        webhooks.switch_off_copies(connection)  # they would repeat messages
        mail_tries.doubt_copies(connection)
        links.switch_off_copies(connection)  # they may have been revoked since the backup
        data = {"backup": name, "seq": entry.seq}
        events.write_into(connection, "workspace.restored", "workspace", copy.stem, data)
        connection.execute("COMMIT")


def _checked(copy: Path, path: Path) -> checking.Report:
    report = checking.workspace_file(copy, nobody_writes=True)
    _refuse_damaged(path, report.problems)
    return report


def _refuse_damaged(path: Path, problems: list[str]) -> None:
    if problems:
        raise BadBackup(verbatim(f"{path.name} cannot be used. {' '.join(problems[:3])}"))


def _put_in_place(copy: Path, workspace_id: str, report: checking.Report) -> None:
    live, before = control.workspace_path(workspace_id), _find(workspace_id)
    is_sound = before.fault is None and not checking.workspace_file(live, thorough=False).problems
    can_overwrite = is_sound and engine.page_size(live) == engine.page_size(copy)  # pages cannot be resized
    with chain_heads.LOCK:
        # The chain head of the present file, and the backups of it, would make the restored log look cut off.
        _update(workspace_id, tip_seq=0, tip_hash=None, history=new_id())
        try:
            if can_overwrite:
                _overwrite(live, copy)
            else:
                _update(workspace_id, fault="It is being restored from a backup.")
                _exchange(live, copy)
        except Busy:  # the present file is as it was
            live.with_suffix(READY).unlink(missing_ok=True)
            _update(
                workspace_id,
                tip_seq=before.tip_seq,
                tip_hash=before.tip_hash,
                history=before.history,
                fault=before.fault,
            )
            raise
        _update(workspace_id, tip_seq=report.seq, tip_hash=report.head_hash, fault=None)


def _update(workspace_id: str, **values: object) -> None:
    with control.write():
        Workspace.update(**values).where(Workspace.id == workspace_id).execute()


def _overwrite(live: Path, copy: Path) -> None:
    with WORKSPACE.holding(live):
        tips.here().forget(live.name)
        engine.overwrite(live, copy)


def _exchange(live: Path, copy: Path) -> None:
    ready = live.with_suffix(READY)
    files.put_in_place(copy, ready)
    with WORKSPACE.closed(live):
        tips.here().forget(live.name)
        _switch(ready, live)


def _switch(ready: Path, live: Path) -> None:
    """Set a file aside, with its log, and give its name to the one that is ready beside it."""
    aside = config.current().data_dir / "quarantine"
    stamp = clock.stamp().replace(":", "-").replace(".", "-")
    aside.mkdir(mode=0o700, exist_ok=True)
    for ending in ENDINGS:
        old = live.with_name(live.name + ending)
        if old.exists():
            files.replace(old, aside / f"{stamp}-{old.name}")
    files.sync_folder(aside)
    files.put_in_place(ready, live)
    log.warning("the previous file of workspace %s is in %s", live.stem, aside)


def finish_interrupted() -> None:
    """End the restores that a crash interrupted: before the present file was set aside it stays, afterwards it goes."""
    for ready in config.current().workspaces_dir.glob(f"*{READY}"):
        live = ready.with_suffix(".db")
        if live.exists():
            ready.unlink()
        else:
            _switch(ready, live)
