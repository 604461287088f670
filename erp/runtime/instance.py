"""One data directory, one server: prepares the folder, and holds its lock while the server is running."""

import errno
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from erp import __version__
from erp.kernel.config import Config, use
from erp.store import disk, files
from erp.store.connections import STORAGE_ERRORS
from erp.store.tips import LostChanges


class CannotStart(Exception):
    """The data directory cannot be used; the message has the reason and the remedy."""


class HeldByAnother(CannotStart):
    """Another server is running on the data directory."""

    def __init__(self, data_dir: Path, url: str | None) -> None:
        where = f"at {url}" if url else "(it is still starting)"
        super().__init__(
            f"Another erp server is already running on {data_dir} {where}. Use that one, stop it, or name another "
            "folder with --data-dir."
        )
        self.url = url


class NoData(CannotStart):
    """The folder is not a data directory, or an empty one."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(f"{data_dir} holds no data. Name the right folder with --data-dir.")


class DiskFull(CannotStart):
    """There is no room to work in."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(
            f"The disk of {data_dir} is full. No data has been lost. Free some space and start again, or name another "
            "folder with --data-dir."
        )


class Instance(msgspec.Struct):
    """The hold on a data directory.

    `needs_check`: the last holder crashed, so the files are checked before they are served. It outlives a start that
    fails before the check is done. `set_aside` is the place of the previous data, if a backup was restored at this
    start.
    """

    data_dir: Path
    needs_check: bool = False
    set_aside: Path | None = None

    @property
    def address_file(self) -> Path:
        """The file with the server's address, for a second start."""
        return self.data_dir / "instance.json"

    def publish(self, state: str, url: str | None = None) -> None:
        """Publish the address and state of the server, for a second start on this data directory."""
        record = {"pid": os.getpid(), "url": url, "version": __version__, "state": state}
        new = self.address_file.with_suffix(".json.tmp")
        new.write_text(json.dumps(record), "utf-8")
        files.replace(new, self.address_file)

    def checked(self) -> None:
        """Note that the files have been checked, and damaged ones set aside."""
        self.needs_check = False


@contextmanager
def hold(config: Config) -> Iterator[Instance]:
    """Keep every other server off the data directory until the block ends.

    A staged restore is applied first.

    Raises:
        HeldByAnother: a server is already running on it.
        CannotStart: it cannot be used.
    """
    from erp.system.backups import apply

    with _locked(config.data_dir), _saying_when_full(config.data_dir):
        instance = Instance(config.data_dir)
        instance.needs_check = instance.address_file.exists()
        if disk.free_space(config.data_dir) < disk.NO_SPACE:
            raise DiskFull(config.data_dir)
        instance.publish("starting")
        try:
            instance.set_aside = apply.apply_staged(config.data_dir)
            _refuse_lost_control_file(config)
            yield instance
        finally:
            if not instance.needs_check:
                instance.address_file.unlink(missing_ok=True)


def prepare(config: Config) -> None:
    """Create the data directory if it does not exist, private to its owner.

    Raises:
        CannotStart: it cannot be written.
    """
    os.umask(0o077)
    _create(config.data_dir)


def make_private(data_dir: Path) -> bool:
    """Take away the rights that others have to a folder made beforehand; whether they had any.

    Raises:
        OSError: the folder belongs to another user of the computer.
    """
    mode = stat.S_IMODE(data_dir.stat().st_mode)
    if os.name != "posix" or not mode & 0o077:
        return False
    data_dir.chmod(mode & 0o700)
    return True


def _refuse_lost_control_file(config: Config) -> None:
    if not any(config.workspaces_dir.glob("*.db")):
        return
    if _is_missing(config.control_path):
        state, remedy = "is missing or empty", "Put the file back"
    elif not _has_users(config.control_path):
        state, remedy = "lists no users", "Put the file back, together with the -wal file that was beside it"
    else:
        return
    raise CannotStart(
        f"{config.data_dir} holds workspaces, but {config.control_path.name} {state}, so the server would look new. "
        f"{remedy}, restore a backup with `erp restore{_last_good_backup(config)}`, or name another folder with "
        "--data-dir."
    )


def _has_users(control_path: Path) -> bool:
    """Whether the control file lists users; also true if it is damaged, which is reported when it is opened."""
    from erp.store import engine
    from erp.store.control import User
    from erp.store.router import CONTROL

    try:
        with CONTROL.inspect(control_path, nobody_writes=True):
            return "table user" in engine.parts(CONTROL) and bool(User.select().exists())
    except STORAGE_ERRORS:
        return True


@contextmanager
def needing_control_file(config: Config) -> Iterator[None]:
    """Turn database errors of the block into a message about the control file.

    Raises:
        CannotStart: it is damaged, or cannot be opened.
    """
    try:
        yield
    except LostChanges as problem:
        raise CannotStart(
            f"{config.control_path} cannot be used: {str(problem)[:1].lower()}{str(problem)[1:]} Put the newer file "
            "back, together with the -wal file that was beside it, or restore a backup with "
            f"`erp restore{_last_good_backup(config)}`. To go on without these changes, make a backup with "
            "`erp backup` and restore that one."
        ) from problem
    except STORAGE_ERRORS as problem:
        if "is full" in str(problem) or disk.free_space(config.data_dir) < disk.NO_SPACE:  # else an I/O error
            raise DiskFull(config.data_dir) from problem
        reason = str(problem).rstrip(".")
        raise CannotStart(
            f"{config.control_path} cannot be used ({reason}). If it is damaged, restore a backup with "
            f"`erp restore{_last_good_backup(config)}`. Otherwise name another folder with --data-dir."
        ) from problem


def _last_good_backup(config: Config) -> str:
    from erp.system.backups import backups

    with use(config):
        backup = backups.latest_good()
    return f" {backup.name}" if backup else ""


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


def raise_descriptor_limit(most: int = 8192) -> None:
    """Raise the limit of open files: each connection to a client or a database needs one."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = most if hard == resource.RLIM_INFINITY else min(hard, most)
    if soft != resource.RLIM_INFINITY and soft < target:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))


def _create(data_dir: Path) -> None:
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        (data_dir / "erp.lock").touch(mode=0o600)
        writable = os.access(data_dir, os.W_OK | os.X_OK)
    except (FileExistsError, NotADirectoryError) as problem:
        raise CannotStart(
            f"{data_dir} cannot be created, because a file is in its place. Name another folder with --data-dir."
        ) from problem
    except OSError as problem:
        raise _unwritable(data_dir, problem.strerror or str(problem)) from problem
    if not writable:
        raise _unwritable(data_dir, "permission denied")


@contextmanager
def _saying_when_full(data_dir: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(data_dir) from problem
        raise


def _is_missing(path: Path) -> bool:
    return not path.exists() or path.stat().st_size == 0


def _unwritable(data_dir: Path, reason: str) -> CannotStart:
    return CannotStart(
        f"{data_dir} is not writable ({reason.lower()}). Give your user write permission, or name another folder with "
        "--data-dir."
    )


@contextmanager
def _locked(data_dir: Path) -> Iterator[None]:
    """Hold erp.lock; the file is never deleted, so that two servers never lock two different files."""
    with (data_dir / "erp.lock").open("r+b") as file:
        try:
            files.lock(file)
        except (BlockingIOError, PermissionError) as problem:
            raise HeldByAnother(data_dir, running_at(data_dir)) from problem
        except OSError as problem:
            raise CannotStart(
                f"{data_dir} cannot be locked ({problem.strerror}). Use a folder on a local disk."
            ) from problem
        yield
