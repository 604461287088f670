"""Putting a staged backup in the place of the present data, at a start, before anything is opened.

What was staged lies in `restore/staged`. It is done by renames alone, in an order that allows to go on wherever a
crash cut it off: a file of the backup leaves its place only after the present one, with its log, was set aside into
`replaced/<instant>`, where it stays for as long as nobody deletes it. No database meets the log of another.
"""

import logging
import shutil
from pathlib import Path

from erp import clock, files
from erp.system.one_at_a_time import FOLDER

STAGED = "staged"
RECORD = "restore.json"
"""Says what was staged, and when."""

PARTS = ("workspaces", "control.db")
ENDINGS = ("", "-wal", "-shm", "-journal")
"""What lies beside a database. The database goes first: without it, its log is not taken for another's."""

log = logging.getLogger("erp.restoring")


def apply_staged(data_dir: Path) -> bool:
    """Put the staged backup in place, if there is one; nobody else has the data open or opens it meanwhile."""
    folder = data_dir / FOLDER
    if (folder / STAGED).exists():
        instant = clock.stamp().replace(":", "-").replace(".", "-")
        files.replace(folder / STAGED, folder / f"applying-{instant}")
        files.sync_folder(folder)
    under_way = sorted(folder.glob("applying-*"))
    for staged in under_way:
        _apply(staged, data_dir, data_dir / "replaced" / staged.name.removeprefix("applying-"))
    return bool(under_way)


def _apply(staged: Path, data_dir: Path, aside: Path) -> None:
    aside.mkdir(mode=0o700, parents=True, exist_ok=True)
    files.sync_folder(aside.parent)
    for part in PARTS:
        if (staged / part).exists():  # else it is in its place already
            for ending in ENDINGS:
                _move(data_dir / f"{part}{ending}", aside)
            files.sync_folder(aside)
            _move(staged / part, data_dir)
            files.sync_folder(data_dir)
    if (staged / RECORD).exists():
        _move(staged / RECORD, aside)
    shutil.rmtree(staged)
    log.warning("a backup was put in place; the data before it is in %s", aside)


def _move(file: Path, folder: Path) -> None:
    if file.exists():
        files.replace(file, folder / file.name)
