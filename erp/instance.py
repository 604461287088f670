"""One data directory, one server: prepares the folder, and holds its lock for as long as the server runs."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from peewee import DatabaseError, sqlite3  # type: ignore[attr-defined]

from erp import __version__, files
from erp.config import Config

LOW_SPACE = 200 * 1024 * 1024
NETWORK_FILE_SYSTEMS = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "davfs", "fuse.sshfs"} | {
    "fuse.glusterfs",
    "fuse.davfs2",
    "fuse.rclone",
    "fuse.s3fs",
}
SYNC_FOLDERS = {
    "onedrive": "OneDrive",
    "dropbox": "Dropbox",
    "icloud": "iCloud Drive",
    "com~apple~clouddocs": "iCloud Drive",
    "mobile documents": "iCloud Drive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
}


class CannotStart(Exception):
    """The data directory cannot be used; the message says why and what helps."""


class HeldByAnother(CannotStart):
    """Another server runs on the data directory."""

    def __init__(self, data_dir: Path, url: str | None) -> None:
        where = f"at {url}" if url else "and is still starting"
        super().__init__(
            f"Another erp server already runs on {data_dir} {where}. Use that one, stop it first, "
            "or name another folder with --data-dir."
        )
        self.url = url


@dataclass(frozen=True)
class Instance:
    """The hold on a data directory."""

    data_dir: Path

    @property
    def address_file(self) -> Path:
        """Where the server's address is published to others who start."""
        return self.data_dir / "instance.json"

    def publish(self, state: str, url: str | None = None) -> None:
        """Tell others who start on this data directory where the server is and what it is doing."""
        record = {"pid": os.getpid(), "url": url, "version": __version__, "state": state}
        new = self.address_file.with_suffix(".json.tmp")
        new.write_text(json.dumps(record), "utf-8")
        files.replace(new, self.address_file)


@contextmanager
def hold(config: Config) -> Iterator[Instance]:
    """Prepare the data directory and keep every other server off it until the block ends.

    Raises:
        HeldByAnother: a server runs on it already.
        CannotStart: it cannot be used.
    """
    with _locked(config.data_dir):
        instance = Instance(config.data_dir)
        instance.publish("starting")
        try:
            yield instance
        finally:
            instance.address_file.unlink(missing_ok=True)


def prepare(config: Config) -> None:
    """Create the data directory if need be, private to its owner, and refuse one that cannot be right.

    Raises:
        CannotStart: it cannot be written, or its control file is missing.
    """
    os.umask(0o077)
    _create(config.data_dir)
    if _is_missing(config.control_path) and any(config.workspaces_dir.glob("*.db")):
        raise CannotStart(
            f"{config.data_dir} holds workspaces, but {config.control_path.name} is missing or empty. Starting "
            "would look like an empty server. Put the file back, restore a backup with `erp restore`, or name another "
            "folder with --data-dir."
        )


@contextmanager
def needing_control_file(config: Config) -> Iterator[None]:
    """Say in plain words when the control file is what keeps the block from running.

    Raises:
        CannotStart: it is damaged, or cannot be opened.
    """
    try:
        yield
    except (DatabaseError, sqlite3.Error) as problem:
        raise CannotStart(
            f"{config.control_path} cannot be used ({problem}). If it is damaged, restore a backup with `erp restore`; "
            "or name another folder with --data-dir."
        ) from problem


def running_at(data_dir: Path) -> str | None:
    """Read the address that a server published for this data directory, if any."""
    try:
        record = json.loads((data_dir / "instance.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    url = record.get("url") if isinstance(record, dict) else None
    return url if isinstance(url, str) else None


def running_on(data_dir: Path) -> int | None:
    """Read the port of the address that a server published, if any."""
    url = running_at(data_dir)
    return urlsplit(url).port if url else None


def warnings(data_dir: Path) -> list[str]:
    """List, in sentences, what makes this data directory a risky place."""
    found = []
    if network := _network_file_system(data_dir):
        found.append(
            f"{data_dir} is on a network drive ({network}). Databases on network drives get damaged; use a local disk."
        )
    if sync := sync_folder(data_dir):
        found.append(
            f"{data_dir} is synchronised by {sync}, which can damage open databases. Use a folder outside of it and "
            "let it hold backups."
        )
    free = shutil.disk_usage(data_dir).free
    if free < LOW_SPACE:
        found.append(f"Only {free // 2**20} MB are free on the disk of {data_dir}. Make room before it is full.")
    return found


def sync_folder(path: Path) -> str | None:
    """Name the cloud service that synchronises the folder, judging by its path."""
    parts = [part.lower() for part in path.parts]
    return next((name for sign, name in SYNC_FOLDERS.items() if any(p.startswith(sign) for p in parts)), None)


def file_system(path: Path, mounts: str) -> str:
    """Find the type of the file system that holds the path, in the text of /proc/mounts."""
    best, kind = Path(), ""
    for line in mounts.splitlines():
        _, point, fs, *_ = line.split(" ")
        mount = Path(point.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\"))
        if path.is_relative_to(mount) and len(mount.parts) >= len(best.parts):
            best, kind = mount, fs
    return kind


def raise_descriptor_limit(wanted: int = 8192) -> None:
    """Let the process open as many files as it may need: connections to clients and to databases."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < target:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))


def _create(data_dir: Path) -> None:
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        (data_dir / "erp.lock").touch(mode=0o600)
        writable = os.access(data_dir, os.W_OK | os.X_OK)
    except OSError as problem:
        raise _unwritable(data_dir, problem.strerror or str(problem)) from problem
    if not writable:
        raise _unwritable(data_dir, "permission denied")


def _is_missing(path: Path) -> bool:
    return not path.exists() or path.stat().st_size == 0


def _unwritable(data_dir: Path, reason: str) -> CannotStart:
    return CannotStart(
        f"{data_dir} cannot be written ({reason.lower()}). Give this user the right to write there, "
        "or name another folder with --data-dir."
    )


def _network_file_system(data_dir: Path) -> str | None:
    if sys.platform == "win32":
        import ctypes

        remote = 4
        drive = data_dir.resolve().drive
        is_remote = drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(drive + "\\") == remote
        return "a Windows share" if is_remote else None
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return None
    kind = file_system(data_dir.resolve(), mounts.read_text("utf-8", "surrogateescape"))
    return kind if kind in NETWORK_FILE_SYSTEMS else None


@contextmanager
def _locked(data_dir: Path) -> Iterator[None]:
    """Hold erp.lock; the file itself stays for ever, so that two servers never lock two different files."""
    with (data_dir / "erp.lock").open("r+b") as file:
        try:
            _lock(file)
        except (BlockingIOError, PermissionError) as problem:
            raise HeldByAnother(data_dir, running_at(data_dir)) from problem
        except OSError as problem:
            raise CannotStart(
                f"{data_dir} cannot be locked ({problem.strerror}). Use a folder on a local disk."
            ) from problem
        yield


def _lock(file: IO[bytes]) -> None:
    """Take the lock or raise OSError; the system gives it back when the process ends, however it ends."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
