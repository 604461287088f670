"""Files that are not open as a database: moving a finished file to its place, and lock files."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

TRIES = 10
PAUSE = 0.05
"""Seconds between tries; on Windows, a virus scanner may hold a new file for a moment."""


def replace(new: Path, final: Path) -> None:
    """Give a file the name of another, which it replaces, in one step.

    Raises:
        PermissionError: it is not allowed, or, on Windows, another program has had the file open for half a second.
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
    """Give a finished file its name, in a way that survives a power cut."""
    sync(new)
    replace(new, final)
    sync_folder(final.parent)


def sync(path: Path) -> None:
    """Make the system write a file to the disk."""
    _sync(path, os.O_RDWR)


def sync_folder(path: Path) -> None:
    """Make the system write the list of a folder's files to the disk; on POSIX only."""
    if os.name == "posix":
        _sync(path, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def create(path: Path) -> IO[bytes]:
    """Open a new file for writing, which only its owner can read."""
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o600), "wb")


class Held(Exception):
    """Another thread or process holds the lock."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file for the block, against other threads and other processes; the file itself stays.

    Raises:
        Held: another thread or process holds it.
        OSError: the folder cannot be written, or its file system has no locks.
    """
    path.touch(mode=0o600)
    with path.open("r+b") as file:
        try:
            lock(file)
        except (BlockingIOError, PermissionError) as error:
            raise Held from error
        yield


def lock(file: IO[bytes]) -> None:
    """Take the lock of an open file, or raise OSError; the system releases it when the file is closed."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as problem:
            if problem.errno == 0:  # Wine gives no reason; no other failure lacks one
                raise BlockingIOError(errno.EAGAIN, "locked by another", file.name) from problem
            raise
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
