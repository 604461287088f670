"""Files that nobody has open as a database: putting a finished one in its place, and keeping others off."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

TRIES = 10
PAUSE = 0.05
"""Seconds between tries; a virus scanner on Windows may hold a new file for a moment."""


def replace(new: Path, final: Path) -> None:
    """Give a file the name of another, whose place it takes, in one step.

    Raises:
        PermissionError: it may not be done, or, on Windows, somebody has had the file open for half a second.
    """
    for _ in range(TRIES - 1):
        try:
            new.replace(final)
        except PermissionError:
            if sys.platform != "win32":
                raise
            time.sleep(PAUSE)
        else:
            return
    new.replace(final)


def put_in_place(new: Path, final: Path) -> None:
    """Give a finished file its name, so that a power cut does not take it back."""
    sync(new)
    replace(new, final)
    sync_folder(final.parent)


def sync(path: Path) -> None:
    """Have the system write a file to the disk."""
    _sync(path, os.O_RDWR)


def sync_folder(path: Path) -> None:
    """Have the system write to the disk what files a folder holds, where it can be asked for that."""
    if os.name == "posix":
        _sync(path, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def create(path: Path) -> IO[bytes]:
    """Open a new file to write, which only its owner may read."""
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o600), "wb")


class Held(Exception):
    """Somebody else holds the lock."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file for the block, against other threads and other processes; the file itself stays for ever.

    Raises:
        Held: somebody else holds it.
        OSError: the folder cannot be written, or its file system knows no locks.
    """
    path.touch(mode=0o600)
    with path.open("r+b") as file:
        try:
            lock(file)
        except (BlockingIOError, PermissionError) as problem:
            raise Held from problem
        yield


def lock(file: IO[bytes]) -> None:
    """Take the lock of an open file or raise OSError; the system gives it back when the file is closed."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
