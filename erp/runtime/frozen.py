"""The one-file executable unpacks itself into a temporary folder: this room repairs that folder and removes old ones.

Cleaners of temporary files delete such folders while the program is running. Files that the program needs later, such
as typefaces, time zones and the names of holidays, are then unpacked again from the executable, which stays open for
that: a copy would take memory, and the open file is the same program even if it has been replaced.
"""

import logging
import mmap
import os
import shutil
import struct
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

log = logging.getLogger("erp.frozen")

MARK = "LICENSE"
"""The one unpacked file that is never read: cleaners delete first the files that have not been read for the longest
time.
"""
OURS = Path("erp", "web", "assets", "docs.html")
OLD_SECONDS = 24 * 3600

END_MAGIC = bytes.fromhex("4d45490c0b0a0b0e")
END = struct.Struct("!8sIIII64s")
ENTRY = struct.Struct("!IIIIBc")

WsgiApp = Callable[..., Any]


def unpacked_folder() -> Path | None:
    """The folder that the one-file executable has unpacked for this run; None for any other kind of start."""
    folder = Path(getattr(sys, "_MEIPASS", ""))
    return folder if folder.name.startswith("_MEI") else None


def environment_of_others() -> dict[str, str]:
    """Our environment for other programs, without the library path that the executable's launcher has set."""
    environment = dict(os.environ)
    if getattr(sys, "frozen", False) and sys.platform == "linux":
        environment["LD_LIBRARY_PATH"] = environment.get("LD_LIBRARY_PATH_ORIG", "")
    return environment


def kept_whole(app: WsgiApp) -> WsgiApp:
    """Wrap the application so that each request repairs the unpacked folder first, if there is one."""
    folder = unpacked_folder()
    if folder is None:
        return app
    unpacked = Unpacked(folder, Path(sys.executable))
    remove_stale(folder)

    def mend_then_answer(environ: Any, start_response: Any) -> Any:
        unpacked.mend()
        return app(environ, start_response)

    return mend_then_answer


class Unpacked:
    """The folder of this run."""

    def __init__(self, folder: Path, executable: Path) -> None:
        self._folder, self._mark = folder, folder / MARK
        self._executable = _opened(executable)
        self._release = hold(folder)
        self._mending = threading.Lock()

    def mend(self) -> None:
        """Unpack missing files. Without any, this costs one look at one file."""
        if self._mark.exists():
            return
        with self._mending:
            if not self._mark.exists():
                self._unpack()

    def _unpack(self) -> None:
        log.warning("a cleaner of temporary files has emptied %s; unpacking it again", self._folder)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if not belongs_to_us(self._folder):
            raise PermissionError(f"{self._folder} has been removed, and another user has created one of that name.")
        mark = b""
        for name, content in packed_files(self._executable):
            path = self._folder / name
            if name == MARK:
                mark = content
            elif not path.exists():
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                path.write_bytes(content)
        self._release()
        self._release = hold(self._folder)
        self._mark.write_bytes(mark)  # last: other threads take it as proof that the rest is there


def packed_files(executable: int) -> Iterator[tuple[str, bytes]]:
    """Read the files that the executable unpacks, by name; their archive is at its end."""
    with mmap.mmap(executable, 0, access=mmap.ACCESS_READ) as whole:
        end = whole.rfind(END_MAGIC)
        _, size, toc, toc_size, _, _ = END.unpack_from(whole, end)
        start = end + END.size - size
        position = start + toc
        while position < start + toc + toc_size:
            entry_size, offset, packed_size, _, is_packed, kind = ENTRY.unpack_from(whole, position)
            name = whole[position + ENTRY.size : position + entry_size].rstrip(b"\0").decode()
            position += entry_size
            if kind in b"bx":  # libraries and data; the rest, the modules, are read from the executable itself
                content = whole[start + offset : start + offset + packed_size]
                yield name, zlib.decompress(content) if is_packed else content


def remove_stale(own: Path) -> None:
    """Remove folders of ours that are older than a day and no longer in use: their launcher was killed."""
    for folder in own.parent.glob("_MEI*"):
        if folder != own and is_stale(folder) and is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)


def is_stale(folder: Path) -> bool:
    """Whether the folder is one of ours, and old."""
    try:
        is_old = folder.stat().st_mtime < time.time() - OLD_SECONDS
    except OSError:
        return False
    return is_old and not folder.is_symlink() and belongs_to_us(folder) and (folder / OURS).is_file()


def _opened(path: Path) -> int:
    """Open a file for as long as the program runs; a file object would warn of never being closed."""
    return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))


if sys.platform == "win32":

    def belongs_to_us(folder: Path) -> bool:
        """Each user has a temporary folder of their own there."""
        return True

    def hold(folder: Path) -> Callable[[], None]:
        """Use the folder until the returned function is called: Windows cannot remove a file that is open."""
        return partial(os.close, _opened(folder / OURS))

    def is_abandoned(folder: Path) -> bool:
        """Whether no running program holds the folder."""
        try:
            (folder / OURS).unlink()
        except OSError:
            return False
        return True

else:
    import fcntl

    def belongs_to_us(folder: Path) -> bool:
        """Whether this user owns the folder and no one else can write to it."""
        status = folder.lstat()  # a link could be turned elsewhere later
        return status.st_uid == os.getuid() and not status.st_mode & 0o022

    def hold(folder: Path) -> Callable[[], None]:
        """Use the folder until the returned function is called; systemd's own cleaner respects this lock."""
        descriptor = _opened(folder)
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return partial(os.close, descriptor)

    def is_abandoned(folder: Path) -> bool:
        """Whether no running program holds the folder."""
        descriptor = _opened(folder)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(descriptor)
        return True
