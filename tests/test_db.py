"""The router over the workspaces' files."""

import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from peewee import IntegerField, InterfaceError, OperationalError, TextField

from erp import db
from erp.db import Router, WorkspaceModel

ROUTER = Router("workspace", db.WORKSPACE_ID, pool_size=4)


class Note(WorkspaceModel):
    """A row that says whose it is."""

    created_by = TextField(null=True)
    owner = TextField()
    number = IntegerField()

    class Meta:
        database = ROUTER


def make_file(folder: Path, name: str) -> Path:
    path = folder / f"{name}.db"
    with closing(db.connect(path, "rwc")) as connection:
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
    with closing(db.connect(tmp_path / "alien.db", "rwc")) as connection:
        connection.execute("CREATE TABLE thing (id TEXT)")
    with (
        pytest.raises(OperationalError, match="not a workspace file"),
        ROUTER.scope(tmp_path / "alien.db", write=False),
    ):
        pass


def test_a_writer_that_waits_too_long_is_told_so(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
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
        db.check_sqlite_version(version)
    else:
        with pytest.raises(db.UnsafeSqlite):
            db.check_sqlite_version(version)


def test_ids_grow_even_within_a_millisecond() -> None:
    ids = [db.new_id() for _ in range(5000)]
    assert ids == sorted(set(ids))
    assert all(len(each) == 36 and each[14] == "7" and each[19] in "89ab" for each in ids)


def test_sixteen_threads_and_twenty_workspaces_never_mix(files: list[Path], tight_switching: None) -> None:
    """Reliability T1: rows land in their own file, reads see their own rows, nothing is lost."""
    faults: list[Any] = []
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
                    faults.append((path.stem, owners))
            except Exception as fault:  # noqa: BLE001
                faults.append(fault)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
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
