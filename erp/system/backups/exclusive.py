"""One backup or restore at a time on a data directory, and its working folder."""

import errno
import logging
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from erp.kernel import config
from erp.kernel.errors import Refusal, StorageFull
from erp.store import files
from erp.store.connections import STORAGE_ERRORS

log = logging.getLogger("erp.backups")

FOLDER = "restore"
"""The folder of the data directory in which a backup is unpacked for a restore."""

WORK = ".work-"
"""The prefix of folders that are removed after their work, or by the next work if they were left behind."""


class BackupUnderWay(Refusal):
    """Another backup or restore is under way. Try again when it has finished."""


@contextmanager
def exclusively() -> Iterator[None]:
    """Keep every other backup or restore out during the block, in this process or another.

    Raises:
        BackupUnderWay: another backup or restore is under way.
        StorageFull: the disk became full in the block.
    """
    settings = config.current()
    settings.backups_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as stack, _saying_when_full():
        try:
            stack.enter_context(files.locked(settings.backups_dir / ".lock"))
        except files.Held:
            raise BackupUnderWay from None
        for folder in (settings.backups_dir, settings.data_dir / FOLDER):
            _tidy(folder)
        yield


def tidy() -> None:
    """Remove the remains of an interrupted backup or restore, unless one is at work or that is not possible."""
    settings = config.current()
    if any(_remains(settings.backups_dir)) or any(_remains(settings.data_dir / FOLDER)):
        with suppress(Refusal, OSError), exclusively():
            log.info("removed the remains of an interrupted backup")


@contextmanager
def work_folder(parent: Path) -> Iterator[Path]:
    """A private folder for copies of databases; always removed when the block ends."""
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=WORK, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _tidy(folder: Path) -> None:
    """Remove what an interrupted backup has left; the lock proves that none is at work."""
    for leftover in _remains(folder):
        if leftover.is_dir():
            shutil.rmtree(leftover, ignore_errors=True)
        else:
            leftover.unlink(missing_ok=True)


def _remains(folder: Path) -> Iterator[Path]:
    yield from folder.glob(f"{WORK}*")
    yield from folder.glob("*.zip.part")


@contextmanager
def _saying_when_full() -> Iterator[None]:
    try:
        yield
    except (OSError, *STORAGE_ERRORS) as problem:
        if getattr(problem, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or says_full(problem):
            raise StorageFull from problem
        raise


def says_full(problem: Exception) -> bool:
    """Whether an error of the database means that the disk is full."""
    return "is full" in str(problem)
