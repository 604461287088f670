"""One backup or restore at a time on a data directory, and what it needs while it works."""

import errno
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from peewee import DatabaseError, sqlite3  # type: ignore[attr-defined]

from erp.kernel import config
from erp.kernel.errors import Refusal, StorageFull
from erp.store import files

FOLDER = "restore"
"""Where, in the data directory, a backup is unpacked to be restored."""

WORK = ".work-"
"""How the names of folders begin that are removed when their work is done, or was cut off."""


class BackupUnderWay(Refusal):
    """Another backup or restore is under way; try again when it has ended."""


@contextmanager
def exclusively() -> Iterator[None]:
    """Let nobody else make or restore a backup during the block, in this process or another.

    Raises:
        BackupUnderWay: somebody does already.
        StorageFull: the disk fills in the block.
    """
    settings = config.current()
    settings.backups_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as held, _saying_when_full():
        try:
            held.enter_context(files.locked(settings.backups_dir / ".lock"))
        except files.Held:
            raise BackupUnderWay from None
        for folder in (settings.backups_dir, settings.data_dir / FOLDER):
            _tidy(folder)
        yield


@contextmanager
def work_folder(parent: Path) -> Iterator[Path]:
    """A private folder for copies of databases, which is removed whatever happens."""
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=WORK, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _tidy(folder: Path) -> None:
    """Remove what a backup left behind that was cut off; whoever holds the lock knows that none is at work."""
    for left in folder.glob(f"{WORK}*"):
        shutil.rmtree(left, ignore_errors=True)
    for left in folder.glob("*.zip.part"):
        left.unlink(missing_ok=True)


@contextmanager
def _saying_when_full() -> Iterator[None]:
    try:
        yield
    except (OSError, DatabaseError, sqlite3.Error) as problem:
        if getattr(problem, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or says_full(problem):
            raise StorageFull from problem
        raise


def says_full(problem: Exception) -> bool:
    """Whether an error of SQLite means that the disk is full."""
    return "is full" in str(problem)
