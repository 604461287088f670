"""Putting one workspace back as a backup holds it, while the others work.

A sound file gets the backup's content by SQLite's own backup interface, as one transaction under its write lock: who
reads meanwhile sees all of the old or all of the new. A damaged or missing one, and one whose pages are of another
size, is set aside, when nobody has it open.
"""

import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from erp.kernel import clock, config
from erp.kernel.errors import Busy, NotFound
from erp.migrations import SchemaProblem, migrate
from erp.migrations import workspace as schema
from erp.store import connections, control, events, files
from erp.store.control import Workspace
from erp.store.router import WORKSPACE
from erp.system.backups import archive, backups
from erp.system.backups.apply import ENDINGS
from erp.system.backups.archive import BadBackup
from erp.system.backups.exclusive import FOLDER, exclusively, work_folder
from erp.system.backups.manifest import FileEntry
from erp.system.checks import files as checking

TRIES = 3
"""How often a program beside the server may keep the file for `LOCK_SECONDS` before the restore gives up."""

log = logging.getLogger("erp.restoring")


def restore(path: Path, workspace_id: str) -> str:
    """Put a workspace back as the backup holds it; its members and its name stay as they are.

    Returns:
        The name of the backup of the present data, which was made first.

    Raises:
        NotFound: the backup or the installation has no such workspace.
        BadBackup: the backup is damaged.
        BackupUnderWay: somebody else makes or restores one.
        Busy: the file is in use for too long; nothing was changed.
    """
    _find(workspace_id)
    entry = archive.read_manifest(path).workspace(workspace_id)
    if entry is None:
        raise NotFound("This backup holds no copy of that workspace.")
    with exclusively(), work_folder(config.current().data_dir / FOLDER) as work:
        copy = work / entry.name
        archive.extract(path, entry.name, copy)
        _refuse(path, backups.problems_of(entry, work))
        _finish(copy, path.name, entry)
        report = _checked(copy, path)
        kept = backups.make_here("before-restore").name
        _put_in_place(copy, workspace_id, report)
    log.warning("workspace %s was put back as backup %s holds it", workspace_id, path.name)
    return kept


def _find(workspace_id: str) -> Workspace:
    with control.read():
        return Workspace.find(workspace_id)


def _finish(copy: Path, name: str, entry: FileEntry) -> None:
    """Bring the copy up to date, and let its log tell where it comes from."""
    with closing(connections.connect(copy)) as connection:
        try:
            migrate(connection, schema.STEPS)
        except SchemaProblem as problem:
            raise BadBackup(f"{name} cannot be brought up to date: {problem}.") from problem
        connection.execute("BEGIN IMMEDIATE")
        told = {"backup": name, "seq": entry.seq}
        events.write_into(connection, "workspace.restored", "workspace", copy.stem, told)
        connection.execute("COMMIT")


def _checked(copy: Path, path: Path) -> checking.Report:
    report = checking.workspace_file(copy, nobody_writes=True)
    _refuse(path, report.problems)
    return report


def _refuse(path: Path, problems: list[str]) -> None:
    if problems:
        raise BadBackup(f"{path.name} is damaged. {' '.join(problems[:3])}")


def _put_in_place(copy: Path, workspace_id: str, report: checking.Report) -> None:
    live = control.workspace_path(workspace_id)
    is_sound = _find(workspace_id).fault is None and not checking.workspace_file(live, thorough=False).problems
    can_overwrite = is_sound and _page_size(live) == _page_size(copy)  # SQLite's interface does not resize pages
    _note(workspace_id, tip_seq=0, tip_hash=None)  # until it is known again: the old one would make it look cut off
    if can_overwrite:
        _overwrite(live, copy)
    else:
        _note(workspace_id, fault="It is being restored from a backup.")
        _exchange(live, copy)
    _note(workspace_id, tip_seq=report.seq, tip_hash=report.tip, fault=None)


def _page_size(file: Path) -> int:
    with connections.looking(file) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int(size)


def _note(workspace_id: str, **values: object) -> None:
    with control.write():
        Workspace.update(**values).where(Workspace.id == workspace_id).execute()


def _overwrite(live: Path, copy: Path) -> None:
    with (
        WORKSPACE.holding(live),
        closing(connections.connect(live)) as target,
        connections.looking(copy, nobody_writes=True) as source,
    ):
        source.backup(target, progress=_giving_up())


def _giving_up() -> Callable[[int, int, int], None]:
    """SQLite's interface would wait for ever for another program that writes."""
    failures = 0

    def watch(status: int, remaining: int, total: int) -> None:
        nonlocal failures
        failures += status == connections.sqlite3.SQLITE_BUSY
        if failures == TRIES:
            raise Busy

    return watch


def _exchange(live: Path, copy: Path) -> None:
    aside = config.current().data_dir / "quarantine"
    stamp = clock.stamp().replace(":", "-").replace(".", "-")
    aside.mkdir(mode=0o700, exist_ok=True)
    with WORKSPACE.closed(live):
        for ending in ENDINGS:
            old = live.with_name(live.name + ending)
            if old.exists():
                files.replace(old, aside / f"{stamp}-{old.name}")
        files.put_in_place(copy, live)
    log.warning("the file that workspace %s had before is in %s", live.stem, aside)
