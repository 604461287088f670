"""Replacing the present data by a staged backup at a start, before anything is opened.

The staged backup is in `restore/staged`. Renames alone put it in place, in an order that a start can resume after a
crash at any point: a file of the backup is moved only after the present one, with its log, has been set aside into
`replaced/<instant>`, where it stays until a person deletes it. No database meets the log of another.
"""

import shutil
from pathlib import Path

from erp.kernel import clock, config
from erp.kernel.config import Config
from erp.store import files, tips
from erp.system.backups.exclusive import FOLDER, exclusively

STAGED, APPLYING = "staged", "applying-"
RECORD = "restore.json"
"""The name of the file that names the staged backup and its time."""

PARTS = ("workspaces", "control.db")
ENDINGS = ("", "-wal", "-shm", "-journal")
"""A database and the files beside it. The database is moved first, so that no other takes its log for its own."""


def apply_staged(data_dir: Path) -> Path | None:
    """Put the staged backup in place, if there is one; the caller keeps every server off the data.

    Returns:
        The folder with the previous data, if a backup was put in place.

    Raises:
        BackupUnderWay: another program is backing the data up.
    """
    folder = data_dir / FOLDER
    if not (folder / STAGED).exists() and not is_under_way(data_dir):
        return None
    aside = None
    with config.use(Config(data_dir=data_dir)), exclusively():
        if (folder / STAGED).exists():
            instant = clock.stamp().replace(":", "-").replace(".", "-")
            files.replace(folder / STAGED, folder / f"{APPLYING}{instant}")
            files.sync_folder(folder)
        for staged in sorted(folder.glob(f"{APPLYING}*")):
            aside = data_dir / "replaced" / staged.name.removeprefix(APPLYING)
            _apply(staged, data_dir, aside)
    return aside


def is_under_way(data_dir: Path) -> bool:
    """Whether a backup is being put in place, so that the data must not be opened."""
    return any((data_dir / FOLDER).glob(f"{APPLYING}*"))


def _apply(staged: Path, data_dir: Path, aside: Path) -> None:
    aside.mkdir(mode=0o700, parents=True, exist_ok=True)
    files.sync_folder(aside.parent)
    for ending in tips.ENDINGS:  # first, so that no note of the previous data speaks against the backup
        _move(data_dir / f"{tips.NAME}{ending}", aside)
    for part in PARTS:
        if (staged / part).exists():  # otherwise it is in place already
            for ending in ENDINGS:
                _move(data_dir / f"{part}{ending}", aside)
            files.sync_folder(aside)
            _move(staged / part, data_dir)
            files.sync_folder(data_dir)
    if (staged / RECORD).exists():
        _move(staged / RECORD, aside)
    shutil.rmtree(staged)


def _move(file: Path, folder: Path) -> None:
    if file.exists():
        files.replace(file, folder / file.name)
