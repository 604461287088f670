"""Connections to database files: the safe versions of SQLite, opening, creating and only reading a file, and errors."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote

import peewee
from peewee import sqlite3 as sqlite3  # type: ignore[attr-defined]  # the stubs lack it

from erp.kernel.errors import Refusal
from erp.store.sql import fold

SQLITE_VERSION: str = sqlite3.sqlite_version

LOCK_SECONDS = 5
"""The time that a writer waits for the file before it is refused with `Busy`."""

SQLITE_MODULE: str = sqlite3.__name__

STORAGE_ERRORS: tuple[type[Exception], type[Exception]] = (peewee.DatabaseError, sqlite3.Error)
"""Errors of reading or writing a database file: through a router, and over a connection of one's own."""

TROUBLE = (Refusal, *STORAGE_ERRORS, OSError)
"""Errors after which work in the background is tried again later: a file in use or damaged, a full disk."""

IN_MEMORY = ":memory:"
"""A database without a file, for `plain`."""

PRAGMAS = [
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = 1",
    "recursive_triggers = 1",  # without it INSERT OR REPLACE bypasses the triggers that forbid deleting
    "trusted_schema = 0",
    f"busy_timeout = {LOCK_SECONDS * 1000}",
    "cache_size = -1000",
    "journal_size_limit = 4194304",
]
FULL_FSYNC = ["fullfsync = 1", "checkpoint_fullfsync = 1"] if sys.platform == "darwin" else []
PRAGMAS += FULL_FSYNC


class UnsafeSqlite(RuntimeError):
    """The SQLite library has a bug that can lose committed data."""


def check_sqlite_version(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> None:
    """Refuse a SQLite with the WAL-reset bug.

    Source: https://sqlite.org/wal.html#walresetbug, fixed in 3.51.3, back-ported to 3.50.7 and 3.44.6.
    """
    fixed = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    if not fixed:
        shown = ".".join(map(str, version))
        raise UnsafeSqlite(
            f"SQLite {shown} can lose committed data (fixed in 3.51.3). Install pysqlite3 0.6.1 or newer."
        )


# Of every parameter that is no plain text or number, the driver asks how to adapt it; to be told is a fifth of the
# cost of finding out that nothing is needed, and a document has a hundred columns that are None.
sqlite3.register_adapter(type(None), {None: None}.get)
sqlite3.register_adapter(bool, int)


class WrongFile(peewee.OperationalError):
    """The file at this path is another file than expected."""


DAMAGE = (
    "disk image is malformed",
    "malformed database schema",
    "not a database",
    "Could not decode to UTF-8",
    "file of this program",
    "is the file of workspace",
    "is empty",
)
"""Messages of SQLite and ours about a file that is damaged or not the right one; Peewee keeps only the message."""


def means_damage(error: Exception) -> bool:
    """Whether an error means that the file is damaged, or not the right one."""
    return any(sign in str(error) for sign in DAMAGE)


def message_of(error: Exception) -> str:
    """SQLite's message without the quoted content of a row."""
    return str(error).partition(" with text ")[0]


def raise_as_peewee(raised: Exception, path: Path, report: Callable[[Path, Exception], None]) -> NoReturn:
    """Raise an error over a file again as one of Peewee's; damage of the file is reported first, once."""
    error: Any = raised
    if isinstance(raised, sqlite3.Error) or message_of(raised) != str(raised):  # Peewee lets the former through
        error = getattr(peewee, type(raised).__name__, peewee.DatabaseError)(message_of(raised))
    if means_damage(error) and not hasattr(error, "damaged_file"):  # an inner block may have worked on another
        error.damaged_file = path
        report(path, error)
    if error is raised:
        raise error
    raise error from None


HURRIED: set[Path] = set()
"""Folders of files that no one misses after a power cut, so that no commit waits for the disk."""


def connect(path: Path, mode: str = "rw") -> Any:
    """Open a connection with the house's pragmas; `rw` never creates a file, `rwc` does.

    Raises:
        WrongFile: the file is empty, which SQLite would take for a new one and fill.
    """
    if mode == "rw" and path.exists() and path.stat().st_size == 0:
        raise WrongFile(f"{path} is empty")
    hurried = [] if HURRIED.isdisjoint(path.parents) else ["synchronous = OFF"]
    return _open(path, f"mode={mode}", [*PRAGMAS, *hurried])


def connect_to_watch(path: Path) -> Any:
    """Open a connection that is asked for nothing but `PRAGMA data_version`, and so never reads the schema.

    Closed last, it moves the write-ahead log into the file.
    """
    return _open(path, "mode=rw", ["query_only = 1", *FULL_FSYNC])


def connect_unsynced(path: Path) -> Any:
    """Open or create a file of which a power cut may take the newest changes; it has no write-ahead log."""
    connection = _open(path, "mode=rwc", ["journal_mode = PERSIST", "synchronous = OFF", "trusted_schema = 0"])
    if sys.platform == "darwin":
        connection.execute("PRAGMA fullfsync = 1")
    return connection


@contextmanager
def plain(path: Path | str) -> Iterator[Any]:
    """Open or create a file that no other connection uses, or `IN_MEMORY`: without pragmas, in autocommit mode."""
    with closing(sqlite3.connect(str(path), isolation_level=None)) as connection:
        yield connection


def connect_alone(path: Path) -> Any:
    """Open a file that no other connection uses, to change it as a whole; its content is not trusted."""
    return _open(path, "mode=rw", ["synchronous = FULL", "trusted_schema = 0", "secure_delete = 1"])


def _folded(text: str | None) -> str | None:
    """The text in the form that `sql.holds` compares."""
    return None if text is None else fold(text)


def _open(path: Path, mode: str, pragmas: Sequence[str]) -> Any:
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{mode}",
        uri=True,
        isolation_level=None,
        timeout=LOCK_SECONDS,
        check_same_thread=False,  # one thread uses it after the other
        cached_statements=256,
    )
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").fetchone()
        connection.create_function("folded", 1, _folded, deterministic=True)
    except UnicodeDecodeError as error:  # of what SQLite says about the schema
        connection.close()
        raise sqlite3.DatabaseError("malformed database schema") from error
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def looking(path: Path, *, nobody_writes: bool = False) -> Iterator[Any]:
    """Open a connection that only reads a file, and leaves every byte of it and of its write-ahead log as it is.

    Closing the last connection that can write would move the log into the file. One that cannot write leaves the
    log alone, but would leave an empty one behind where there was none.

    Args:
        nobody_writes: the caller knows that no other process has the file open, or will open it in the meantime.
    """
    log, index = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    has_log, had_index = log.exists() and log.stat().st_size > 0, index.exists()
    if not nobody_writes:
        modes = ["mode=ro"] if has_log else ["mode=rw"]
    elif has_log:
        modes = ["mode=ro&readonly_shm=1", "mode=ro"] if had_index and _has_changes(log) else ["mode=ro"]
    else:
        modes = ["immutable=1"]
    try:
        with closing(_open_in_one_of(path, modes)) as connection:
            yield connection
    finally:
        if nobody_writes and not had_index and index.exists():  # where nothing can be written, it does not
            index.unlink()


_LOG_HEADER = 32
_LOG_BEGINS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""Source: https://sqlite.org/fileformat2.html#the_write_ahead_log"""


def _has_changes(log: Path) -> bool:
    """Whether a write-ahead log may hold a change; for one that cannot, SQLite waits 10 seconds for its writer."""
    with log.open("rb") as file:
        head = file.read(_LOG_HEADER + 1)
    return len(head) > _LOG_HEADER and head.startswith(_LOG_BEGINS)


READING = ["query_only = 1", "trusted_schema = 0", "cache_size = -20000", "schema_version"]  # the last one reads


def _open_in_one_of(path: Path, modes: Sequence[str]) -> Any:
    """Open a connection in the first of the modes in which the file can be read."""
    *others, last = modes
    for mode in others:
        with suppress(sqlite3.Error):
            return _open(path, mode, READING)
    return _open(path, last, READING)


class Transaction:
    """A block that is one transaction of a connection; a class, because it is entered in every request."""

    __slots__ = ("_connection", "_write")

    def __init__(self, connection: Any, write: bool) -> None:
        self._connection, self._write = connection, write

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE" if self._write else "BEGIN")

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:  # on a full disk, SQLite rolls back by itself
                self._connection.execute("ROLLBACK")
