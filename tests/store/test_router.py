"""The router over the workspaces' files."""

import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from peewee import DatabaseError, IntegerField, InterfaceError, OperationalError, TextField

from erp.kernel.errors import Busy
from erp.store import connections, records
from erp.store import router as db
from erp.store.records import WorkspaceRecord
from erp.store.router import Router

ROUTER = Router("workspace", db.WORKSPACE_ID, pool_size=4)


class Note(WorkspaceRecord):
    """A row that says whose it is."""

    is_recorded = False

    created_by = TextField(null=True)
    owner = TextField()
    number = IntegerField()

    class Meta:
        database = ROUTER


def make_file(folder: Path, name: str) -> Path:
    path = folder / f"{name}.db"
    with closing(connections.connect(path, "rwc")) as connection:
        connection.execute(f"PRAGMA application_id = {db.WORKSPACE_ID}")
        connection.execute("CREATE TABLE workspace_meta (id TEXT)")
        connection.execute("INSERT INTO workspace_meta VALUES (?)", (name,))
        connection.execute(
            "CREATE TABLE note (id TEXT PRIMARY KEY, version INTEGER, created_at TEXT, updated_at TEXT,"
            " created_by TEXT, owner TEXT, number INTEGER) STRICT"
        )
    return path


@pytest.fixture
def files(tmp_path: Path) -> Iterator[list[Path]]:
    yield [make_file(tmp_path, f"tenant{i}") for i in range(20)]
    ROUTER.close_connections()


def add(owner: str, number: int = 0) -> Note:
    return Note.create(owner=owner, number=number, created_by=None)


def test_nothing_is_reached_outside_a_scope(files: list[Path]) -> None:
    with pytest.raises(InterfaceError):
        Note.select().count()


def test_a_query_made_in_a_scope_and_run_outside_raises(files: list[Path]) -> None:
    with ROUTER.scope(files[0], write=False):
        query = Note.select()
    with pytest.raises(InterfaceError):
        list(query)


def test_scopes_of_one_kind_do_not_nest(files: list[Path]) -> None:
    with (
        ROUTER.scope(files[0], write=False),
        pytest.raises(InterfaceError),
        ROUTER.scope(files[1], write=False),
    ):
        pass


def test_a_read_scope_cannot_write(files: list[Path]) -> None:
    with ROUTER.scope(files[0], write=False), pytest.raises(OperationalError, match="readonly"):
        add("tenant0")


def test_the_next_scope_may_write_after_a_read(files: list[Path]) -> None:
    with ROUTER.scope(files[0], write=False):
        assert Note.select().count() == 0
    with ROUTER.scope(files[0], write=True):
        add("tenant0")


def test_a_failure_leaves_nothing_behind(files: list[Path]) -> None:
    def fail() -> None:
        with ROUTER.scope(files[0], write=True):
            add("tenant0")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with ROUTER.scope(files[0], write=False):
        assert Note.select().count() == 0


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_only_tried_is_undone_and_what_came_before_stays(files: list[Path], fails: bool) -> None:
    with ROUTER.scope(files[0], write=True):
        add("before", 1)
        assert ROUTER.memo("count", lambda: Note.select().count()) == 1
        with suppress(ValueError), ROUTER.undone():
            add("tried", 2)
            ROUTER.forget("count")
            assert ROUTER.memo("count", lambda: Note.select().count()) == 2
            if fails:
                raise ValueError
        assert ROUTER.memo("count", lambda: Note.select().count()) == 1
        add("after", 3)
    with ROUTER.scope(files[0], write=False):
        assert [note.owner for note in Note.select().order_by(Note.number)] == ["before", "after"]


def test_a_row_of_one_workspace_saved_in_another_changes_nothing(files: list[Path]) -> None:
    with ROUTER.scope(files[0], write=True):
        mine = add("tenant0", 1)
    with ROUTER.scope(files[1], write=True):
        theirs = add("tenant1", 1)
        mine.change(number=2)
    with ROUTER.scope(files[1], write=False):
        assert Note.get_by_id(theirs.id).number == 1
        assert Note.select().count() == 1


def test_a_missing_file_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(OperationalError), ROUTER.scope(tmp_path / "gone.db", write=True):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_wrong_place_is_refused(files: list[Path]) -> None:
    files[0].rename(files[0].with_name("other.db"))
    with (
        pytest.raises(OperationalError, match="is the file of workspace tenant0"),
        ROUTER.scope(files[0].with_name("other.db"), write=False),
    ):
        pass


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "alien.db", "rwc")) as connection:
        connection.execute("CREATE TABLE thing (id TEXT)")
    with (
        pytest.raises(OperationalError, match="not a workspace file"),
        ROUTER.scope(tmp_path / "alien.db", write=False),
    ):
        pass


def test_a_writer_that_waits_too_long_is_refused(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db, "LOCK_SECONDS", 0.01)
    refusals: list[Exception] = []

    def second() -> None:
        try:
            with ROUTER.scope(files[0], write=True):
                pass
        except Exception as refusal:  # noqa: BLE001
            refusals.append(refusal)

    with ROUTER.scope(files[0], write=True):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert [type(refusal).__name__ for refusal in refusals] == ["Busy"]


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 45, 0), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 0), False),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 53, 4), True),
        ((4, 0, 0), True),
    ],
)
def test_a_sqlite_that_can_lose_data_is_refused(version: tuple[int, int, int], safe: bool) -> None:
    if safe:
        connections.check_sqlite_version(version)
    else:
        with pytest.raises(connections.UnsafeSqlite):
            connections.check_sqlite_version(version)


def test_ids_grow_even_within_a_millisecond() -> None:
    ids = [records.new_id() for _ in range(5000)]
    assert ids == sorted(set(ids))
    assert all(len(each) == 36 and each[14] == "7" and each[19] in "89ab" for each in ids)


def test_sixteen_threads_and_twenty_workspaces_never_mix(files: list[Path], tight_switching: None) -> None:
    """Reliability T1: rows land in their own file, reads see their own rows, nothing is lost."""
    failures: list[Any] = []
    written: list[str] = []

    def work(seed: int) -> None:
        choose = Random(seed)
        for number in range(60):
            path = choose.choice(files)
            try:
                with ROUTER.scope(path, write=True):
                    written.append(add(path.stem, number).id)
                with ROUTER.scope(path, write=False):
                    owners = {row.owner for row in Note.select(Note.owner)}
                if owners != {path.stem}:
                    failures.append((path.stem, owners))
            except Exception as failure:  # noqa: BLE001
                failures.append(failure)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    found: list[str] = []
    for path in files:
        with ROUTER.scope(path, write=False):
            found += [row.id for row in Note.select().where(Note.owner == path.stem)]
    assert sorted(found) == sorted(written)
    assert len(written) == 16 * 60


@pytest.fixture
def tight_switching() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


def test_any_file_can_be_inspected_whatever_its_id(files: list[Path]) -> None:
    with ROUTER.scope(files[0], write=True):
        add("tenant0", 7)
    ROUTER.close_connections()
    moved = files[0].rename(files[0].with_name("other.db"))
    before = moved.read_bytes()
    for nobody_writes in (False, True):
        with ROUTER.inspect(moved, nobody_writes=nobody_writes):
            assert [note.number for note in Note.select()] == [7]
            with pytest.raises(OperationalError, match="readonly"):
                add("other")
    assert moved.read_bytes() == before
    assert {path.suffix for path in moved.parent.iterdir()} == {".db"}


def test_what_was_only_looked_into_keeps_its_write_ahead_log(files: list[Path]) -> None:
    with ROUTER.scope(files[0], write=True):
        add("tenant0")
    log = files[0].with_name("tenant0.db-wal")
    content, logged = files[0].read_bytes(), log.read_bytes()
    with connections.looking(files[0]):
        ROUTER.close_connections()
    assert (files[0].read_bytes(), log.read_bytes()) == (content, logged)
    with ROUTER.inspect(files[0], nobody_writes=True):
        assert Note.select().count() == 1
    assert (files[0].read_bytes(), log.read_bytes()) == (content, logged)


def idle_connections(file: Path) -> list[Any]:
    return [connection for path, connection in ROUTER._idle if path == str(file)]


def is_closed(connection: Any) -> bool:
    try:
        connection.execute("SELECT 1")
    except connections.sqlite3.ProgrammingError:
        return True
    return False


def read_in_threads(file: Path, count: int) -> None:
    """Read a file in so many threads at the same time."""
    inside = threading.Barrier(count, timeout=5)

    def visit() -> None:
        with ROUTER.scope(file, write=False):
            Note.select().count()
            inside.wait()

    threads = [threading.Thread(target=visit) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_a_connection_serves_one_thread_after_the_other(files: list[Path]) -> None:
    read_in_threads(files[0], 1)
    first = idle_connections(files[0])
    read_in_threads(files[0], 1)
    assert idle_connections(files[0]) == first
    assert len(first) == 1


def test_the_connection_that_has_not_been_used_for_longest_is_closed(files: list[Path]) -> None:
    read_in_threads(files[0], 2)
    read_in_threads(files[1], 2)
    oldest = idle_connections(files[0])
    read_in_threads(files[0], 1)
    read_in_threads(files[2], 1)
    (kept,) = idle_connections(files[0])
    assert [connection for connection in oldest if is_closed(connection)] == [c for c in oldest if c is not kept]
    assert (len(idle_connections(files[1])), len(idle_connections(files[2]))) == (2, 1)


def test_a_released_file_is_closed_except_where_it_is_in_use(files: list[Path]) -> None:
    read_in_threads(files[0], 3)
    idle = idle_connections(files[0])
    with ROUTER.scope(files[0], write=False):
        used = ROUTER.connection()
        ROUTER.release(files[0])
        assert idle_connections(files[0]) == []
        assert [connection for connection in idle if not is_closed(connection)] == [used]
    assert len(idle) == 3
    with ROUTER.scope(files[0], write=True):
        add("tenant0")


@pytest.mark.parametrize("is_evicted", [False, True])
def test_a_file_is_in_use_until_its_last_connection_is_closed(
    files: list[Path], monkeypatch: pytest.MonkeyPatch, is_evicted: bool
) -> None:
    """Closing the last one deletes the log beside the name, which is another file's once that one has the name."""
    monkeypatch.setattr(db, "LOCK_SECONDS", 0.05)
    begun, may_end = threading.Event(), threading.Event()

    class Slow:
        def close(self) -> None:
            begun.set()
            may_end.wait(5)

    ROUTER._idle.insert(0, (str(files[0]), Slow()))

    def read_others() -> None:
        for path in files[1 : ROUTER.pool_size + 1]:
            read_in_threads(path, 1)

    thread = threading.Thread(target=read_others if is_evicted else lambda: ROUTER.release(files[0]))
    thread.start()
    assert begun.wait(5)
    with pytest.raises(Busy), ROUTER.closed(files[0]):
        pass
    may_end.set()
    thread.join()
    with ROUTER.closed(files[0]):
        pass


def test_a_row_that_cannot_be_read_is_reported_once_and_as_peewees_error(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[Path] = []
    monkeypatch.setattr(ROUTER, "on_damage", lambda path, error: reported.append(path))
    with ROUTER.scope(files[0], write=True):
        ROUTER.run("INSERT INTO note VALUES ('1', 1, '', '', NULL, CAST(x'ff' AS TEXT), 1)")
    with pytest.raises(OperationalError, match="UTF-8"), ROUTER.scope(files[0], write=False):
        ROUTER.rows("SELECT owner FROM note")
    assert reported == [files[0]]


def test_damage_in_one_file_is_not_reported_for_another(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    other = Router("workspace", db.WORKSPACE_ID, pool_size=2)
    reported: list[Path] = []
    for router in (ROUTER, other):
        monkeypatch.setattr(router, "on_damage", lambda path, error: reported.append(path))
    files[1].write_bytes(b"no database " * 1000)
    with pytest.raises(DatabaseError), ROUTER.scope(files[0], write=False), other.scope(files[1], write=False):
        pass
    assert reported == [files[1]]
