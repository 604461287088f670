"""One router over the files of a kind: the scope that a thread has opened decides which file a query reaches.

Models are bound once, to `CONTROL` or to `WORKSPACE`; a query outside of a scope raises. A scope is one
transaction: a consistent snapshot to read, or BEGIN IMMEDIATE under the file's own lock to write. Measured: with
models bound per request, rows of one workspace landed in another's file; with this router, none in 9,382 transactions.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from peewee import (  # type: ignore[attr-defined]  # the stubs lack the last
    InterfaceError,
    SqliteDatabase,
    __exception_wrapper__,
)

from erp.kernel.errors import Busy
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.store import tips
from erp.store.connections import (
    LOCK_SECONDS,
    STORAGE_ERRORS,
    Transaction,
    WrongFile,
    connect,
    connect_to_watch,
    looking,
    raise_as_peewee,
    sqlite3,
)
from erp.store.watching import Watchers

CONTROL_ID = CONTROL_SCHEMA.application_id
WORKSPACE_ID = WORKSPACE_SCHEMA.application_id
INDEX_ID = 0x45525003
"""`PRAGMA application_id` of the three kinds of file."""

NEWEST_EVENT = "SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1"
NEWEST_CHANGE = "SELECT number, history FROM change_count"
"""SQL for the tip (`erp.store.tips`) of a workspace's file, and of the control file."""

T = TypeVar("T")


class _Here(threading.local):
    """The open file of a thread, at most one of a kind."""

    def __init__(self) -> None:
        self.connection: Any = None
        self.is_writing = False
        self.memo: dict[str, Any] = {}


class Router(SqliteDatabase):
    """A Peewee database over many files of a kind.

    A connection stays open when its scope is closed, for the next thread that wants it: to open and close one for
    each request costs 22 times as much. Beyond `pool_size` the one that has not been used for longest is closed.
    """

    def __init__(self, kind: str, application_id: int, pool_size: int, tip_query: str = "") -> None:
        self._guard = threading.Lock()
        self._here = _Here()
        super().__init__(kind, autoconnect=False)
        self.application_id_expected = application_id
        self.pool_size = pool_size
        self.tip_query = tip_query
        self._locks: dict[str, threading.Lock] = {}
        self.written: set[Path] = set()
        """The files that have been written since the program started."""
        self.on_written: Callable[[Path], None] = lambda path: None
        """Called with a file that has been written, once the scope is closed; it must be quick, and never fail."""
        self.on_damage: Callable[[Path, Exception], None] = lambda path, error: None
        """Called with a file in which a scope found damage, once the scope is closed."""
        self._at_work: Counter[str] = Counter()
        self._shut: set[str] = set()
        self._left = threading.Condition(self._guard)
        self._watchers = Watchers()
        self._idle: list[tuple[str, Any]] = []
        """The connections that no thread uses, each with its path, the one used last at the end."""

    @contextmanager
    def scope(self, path: Path, *, write: bool) -> Iterator[None]:
        """Open the file at `path` for the block, as one transaction.

        Raises:
            Busy: another writer has held the file for `LOCK_SECONDS`.
            InterfaceError: the thread already has a scope of this kind open.
        """
        self._check_no_scope_is_open()
        try:
            connection = self._take(path, write)
            try:
                with Transaction(connection, write):
                    yield
                    tip = self.tip() if write else None
                if tip is not None:
                    tips.here().note(path.name, tip)
            finally:
                self._put_back(path, write, connection)
        except STORAGE_ERRORS as error:
            raise_as_peewee(error, path, self.on_damage)
        if write:
            self.written.add(path)
            self.on_written(path)

    def tip(self) -> tips.Tip | None:
        """The newest change of the open file, if it has any."""
        return next(iter(self.rows(self.tip_query)), None) if self.tip_query else None

    def look_up(self, path: Path, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of one query, outside of a scope: it needs no transaction to see one state of the file."""
        self._check_no_scope_is_open()
        try:
            connection = self._take(path, write=False)
            try:
                return self.rows(sql, parameters)
            finally:
                self._put_back(path, False, connection)
        except STORAGE_ERRORS as error:
            raise_as_peewee(error, path, self.on_damage)

    def state(self, path: Path) -> str:
        """A text that differs as soon as any program has changed the file; call it before the file is read.

        Raises:
            Busy: no one may use the file now.
            STORAGE_ERRORS: it cannot be read.
        """
        name = str(path)
        self._enter(name)
        try:
            return self._watchers.state(name, lambda: connect_to_watch(path))
        finally:
            self._leave(name)

    def _check_no_scope_is_open(self) -> None:
        if self._here.connection is not None:
            raise InterfaceError(f"a {self.database} scope is open already")

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Undo the block's writes to the open file, to preview their effect; earlier writes stay.

        The block's notes for events and its memos are dropped.
        """
        connection = self.connection()
        connection.execute("SAVEPOINT undone")
        try:
            yield
        finally:
            self._here.memo = {}
            if connection.in_transaction:  # on a full disk, SQLite rolls back by itself
                connection.execute("ROLLBACK TO undone")
                connection.execute("RELEASE undone")

    @contextmanager
    def attempted(self) -> Iterator[None]:
        """Keep the block's writes to the open file only if it does not raise; earlier writes stay in any case."""
        connection = self.connection()
        connection.execute("SAVEPOINT attempted")
        try:
            yield
        except BaseException:
            self._here.memo = {}
            if connection.in_transaction:  # on a full disk, SQLite rolls back by itself
                connection.execute("ROLLBACK TO attempted")
                connection.execute("RELEASE attempted")
            raise
        connection.execute("RELEASE attempted")

    def _take(self, path: Path, write: bool) -> Any:
        """Let every query of this thread reach a file, until `_put_back`."""
        here, name = self._here, str(path)
        if write:
            self._acquire(name)
        try:
            self._enter(name)
            try:
                here.connection, here.memo, here.is_writing = self._pooled(name, write), {}, write
            except BaseException:
                self._leave(name)
                raise
        except BaseException:
            if write:
                self._locks[name].release()
            raise
        return here.connection

    def _put_back(self, path: Path, write: bool, connection: Any) -> None:
        here, name = self._here, str(path)
        here.connection, here.is_writing = None, False
        self._keep(name, connection)
        self._leave(name)
        if write:
            self._locks[name].release()

    def _enter(self, path: str) -> None:
        with self._guard:
            if path in self._shut:
                raise Busy
            self._at_work[path] += 1

    def _leave(self, path: str) -> None:
        with self._guard:
            self._at_work[path] -= 1
            if path in self._shut:
                self._left.notify_all()

    @contextmanager
    def holding(self, path: Path) -> Iterator[None]:
        """Keep every other writer in this process off a file for the block, without opening it.

        Raises:
            Busy: another writer has held the file for `LOCK_SECONDS`.
        """
        with self._write_lock(str(path)):
            yield

    @contextmanager
    def closed(self, path: Path) -> Iterator[None]:
        """Keep every thread of this process off a file for the block, with no connection to it open.

        Only then may it be renamed: when SQLite closes the last connection to a file, it deletes the log beside the
        name that it opened, even if the file has another name by now.

        Raises:
            Busy: the file has been in use for `LOCK_SECONDS`.
        """
        name = str(path)
        with self._write_lock(name):
            try:
                with self._guard:
                    self._shut.add(name)
                    if not self._left.wait_for(lambda: not self._at_work[name], LOCK_SECONDS):
                        raise Busy
                self.release(path)
                yield
            finally:
                with self._guard:
                    self._shut.discard(name)

    @contextmanager
    def inspect(self, path: Path, *, nobody_writes: bool = False) -> Iterator[None]:
        """Open any file for the block to read it, over a connection of its own.

        Args:
            nobody_writes: as for `looking`.
        """
        self._check_no_scope_is_open()
        with looking(path, nobody_writes=nobody_writes) as connection, Transaction(connection, write=False):
            self._here.connection, self._here.memo = connection, {}
            try:
                yield
            finally:
                self._here.connection = None

    @contextmanager
    def _write_lock(self, path: str) -> Iterator[None]:
        self._acquire(path)
        try:
            yield
        finally:
            self._locks[path].release()

    def _acquire(self, path: str) -> None:
        with self._guard:
            lock = self._locks.setdefault(path, threading.Lock())
        if not lock.acquire(timeout=LOCK_SECONDS):
            raise Busy

    def is_closed(self) -> bool:
        """Whether the thread has no scope open."""
        return self._here.connection is None

    def is_writing(self) -> bool:
        """Whether the thread has a scope open that writes."""
        return self._here.is_writing

    def connection(self) -> Any:
        """The connection of the open scope.

        Raises:
            InterfaceError: the thread has no scope open.
        """
        if self._here.connection is None:
            raise InterfaceError(f"no {self.database} file is in scope")
        return self._here.connection

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        """Run one statement, also for Peewee's queries; errors are Peewee's."""
        connection = self._here.connection
        if connection is None:
            connection = self.connection()
        try:
            return connection.execute(sql, params or ())
        except sqlite3.Error:
            with __exception_wrapper__:
                raise

    def memo(self, key: str, load: Callable[[], T]) -> T:
        """Read something once in a scope."""
        memo = self._here.memo
        if key not in memo:
            memo[key] = load()
        value: T = memo[key]
        return value

    def forget(self, key: str) -> None:
        """Drop what `memo` has read, after changing it."""
        self._here.memo.pop(key, None)

    def rows(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of one fixed query: for the hot paths, where model objects cost too much."""
        rows: list[tuple[Any, ...]] = self.execute_sql(sql, parameters).fetchall()
        return rows

    def run(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Any:
        return self.execute_sql(sql, parameters)

    def run_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        self.connection().executemany(sql, rows)

    def _pooled(self, path: str, write: bool) -> Any:
        """A connection to a file that may read, or write as well.

        Readers and writers share them: what one has read stays in its cache, unless another connection writes.
        """
        connection = self._idle_one(path) or self._open(path)
        connection.execute("PRAGMA query_only = 0" if write else "PRAGMA query_only = 1")
        return connection

    def _idle_one(self, path: str) -> Any:
        with self._guard:
            for index in reversed(range(len(self._idle))):  # what was used last has read most of the file already
                if self._idle[index][0] == path:
                    return self._idle.pop(index)[1]
        return None

    def _keep(self, path: str, connection: Any) -> None:
        with self._guard:
            self._idle.append((path, connection))
            oldest = self._taken_out(self._idle[:1]) if len(self._idle) > self.pool_size else ()
        if oldest:
            self._close(oldest)

    def _open(self, path: str) -> Any:
        connection = connect(Path(path))
        try:
            self.check_identity(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection

    def check_identity(self, connection: Any, path: str) -> None:
        """Refuse a file of another kind, or of another workspace than its name says, with `WrongFile`."""
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        if application_id != self.application_id_expected:
            raise WrongFile(f"{path} is not a {self.database} file of this program")
        if self.application_id_expected == WORKSPACE_ID:
            (owner,) = connection.execute("SELECT id FROM workspace_meta").fetchone()
            if owner != Path(path).stem:
                raise WrongFile(f"{path} is the file of workspace {owner}")

    def release(self, path: Path) -> None:
        """Close all connections to a file, except those in use."""
        self.let_go(lambda opened: opened == str(path))

    def close_connections(self) -> None:
        """Close all connections, when no request is being handled.

        Closing a file's last connection moves its write-ahead log into the file and removes it.
        """
        self.let_go(lambda opened: True)

    def let_go(self, is_meant: Callable[[str], bool]) -> None:
        """Close the connections to some files, except those in use."""
        with self._guard:
            meant = self._taken_out([opened for opened in self._idle if is_meant(opened[0])])
        self._close(meant)
        self._watchers.let_go(is_meant)

    def _taken_out(self, meant: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """Take idle connections out to be closed; until then their files count as in use, so no one renames them."""
        self._idle = [opened for opened in self._idle if opened not in meant]
        for path, _ in meant:
            self._at_work[path] += 1
        return meant

    def _close(self, taken_out: Sequence[tuple[str, Any]]) -> None:
        for path, connection in taken_out:
            try:
                connection.close()
            finally:
                self._leave(path)


CONTROL = Router("control", CONTROL_ID, pool_size=8, tip_query=NEWEST_CHANGE)
WORKSPACE = Router("workspace", WORKSPACE_ID, pool_size=32, tip_query=NEWEST_EVENT)
INDEX = Router("index", INDEX_ID, pool_size=8)


def close_all() -> None:
    """Close every file, as the last thing that a server does."""
    for router in (WORKSPACE, CONTROL, INDEX):
        router.close_connections()
    tips.close_all()
