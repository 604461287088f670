"""Opening database files: which SQLite may be used, how a connection is set up, and how a file is only looked at."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import peewee
from peewee import sqlite3 as sqlite3  # type: ignore[attr-defined]  # the stubs lack it

StorageError = sqlite3.Error
"""What a connection itself raises; Peewee raises its own `DatabaseError`."""

SQLITE_VERSION: str = sqlite3.sqlite_version

LOCK_SECONDS = 5
"""How long a writer waits for the file before it is told that the server is busy."""

PRAGMAS = [
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = 1",
    "recursive_triggers = 1",  # without it INSERT OR REPLACE walks past the triggers that forbid deleting
    "trusted_schema = 0",
    f"busy_timeout = {LOCK_SECONDS * 1000}",
    "cache_size = -1000",
    "journal_size_limit = 4194304",
]
if sys.platform == "darwin":
    PRAGMAS += ["fullfsync = 1", "checkpoint_fullfsync = 1"]


class UnsafeSqlite(RuntimeError):
    """The SQLite library has a fault that can lose committed data."""


def check_sqlite_version(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> None:
    """Refuse a SQLite with the WAL-reset bug.

    Source: https://sqlite.org/wal.html#walresetbug, fixed in 3.51.3, back-ported to 3.50.7 and 3.44.6.
    """
    fixed = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    if not fixed:
        shown = ".".join(map(str, version))
        raise UnsafeSqlite(
            f"SQLite {shown} can lose committed data (fixed in 3.51.3); install pysqlite3 0.6.1 or newer."
        )


class WrongFile(peewee.OperationalError):
    """The file is not what its place says it is."""


DAMAGE = (
    "disk image is malformed",
    "malformed database schema",
    "not a database",
    "Could not decode to UTF-8",
    "file of this program",
    "is the file of workspace",
    "is empty",
)
"""What SQLite and we say of a file that is damaged, or not the one it should be; Peewee keeps nothing but the words."""


def tells_of_damage(problem: Exception) -> bool:
    """Whether a failure means that the file is not what was written, or not the one it should be."""
    return any(sign in str(problem) for sign in DAMAGE)


def words_of(problem: Exception) -> str:
    """What SQLite said, without the content of the row that it quotes."""
    return str(problem).partition(" with text ")[0]


@contextmanager
def noticing_damage(path: Path, tell: Callable[[Path, Exception], None]) -> Iterator[None]:
    """Tell of it when the block, which works on a file, comes upon damage in it; once, and as an error of Peewee's."""
    try:
        yield
    except (peewee.DatabaseError, sqlite3.Error) as found:
        problem: Any = found
        if isinstance(found, sqlite3.Error) or words_of(found) != str(found):  # Peewee lets the former through
            problem = getattr(peewee, type(found).__name__, peewee.DatabaseError)(words_of(found))
        if tells_of_damage(problem) and not hasattr(problem, "told_of"):  # an inner block may have worked on another
            problem.told_of = path
            tell(path, problem)
        if problem is found:
            raise
        raise problem from None


def connect(path: Path, mode: str = "rw") -> Any:
    """Open a connection with the house's pragmas; `rw` never creates a file, `rwc` does.

    Raises:
        WrongFile: the file is empty, which SQLite would take for a new one, and fill.
    """
    if mode == "rw" and path.exists() and path.stat().st_size == 0:
        raise WrongFile(f"{path} is empty")
    return _open(path, f"mode={mode}", PRAGMAS)


def connect_alone(path: Path) -> Any:
    """Open a file that nobody else has open, to change it as a whole; what it holds is not trusted."""
    return _open(path, "mode=rw", ["synchronous = FULL", "trusted_schema = 0", "secure_delete = 1"])


def _open(path: Path, mode: str, pragmas: Sequence[str]) -> Any:
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{mode}",
        uri=True,
        isolation_level=None,
        timeout=LOCK_SECONDS,
        check_same_thread=False,  # a thread uses its own alone, but the main thread closes them all at the end
        cached_statements=256,
    )
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").fetchone()
    except UnicodeDecodeError as problem:  # of what SQLite says of the schema
        connection.close()
        raise sqlite3.DatabaseError("malformed database schema") from problem
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def looking(path: Path, *, nobody_writes: bool = False) -> Iterator[Any]:
    """Open a connection that reads a file as it stands and leaves every byte of it, and of its log, as it is.

    Closing the last connection of a file that can be written would move its write-ahead log into it; one that
    cannot leaves the log alone, but would leave an empty one behind where there was none.

    Args:
        nobody_writes: the caller knows that no other process has the file open, nor opens it in the meantime.
    """
    log, index = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    has_log, had_index = log.exists() and log.stat().st_size > 0, index.exists()
    if not nobody_writes:
        modes = ["mode=ro"] if has_log else ["mode=rw"]
    elif has_log:
        modes = ["mode=ro&readonly_shm=1", "mode=ro"] if had_index else ["mode=ro"]
    else:
        modes = ["immutable=1"]
    try:
        with closing(_open_in_one_of(path, modes)) as connection:
            yield connection
    finally:
        if nobody_writes and not had_index:
            index.unlink(missing_ok=True)


READING = ["query_only = 1", "trusted_schema = 0", "cache_size = -20000", "schema_version"]  # the last one reads


def _open_in_one_of(path: Path, modes: Sequence[str]) -> Any:
    """Open a connection in the first of the modes in which the file can be read."""
    *others, last = modes
    for mode in others:
        with suppress(sqlite3.Error):
            return _open(path, mode, READING)
    return _open(path, last, READING)
