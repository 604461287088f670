"""The file of the search's index: lost, spoiled, foreign, in the way, or out of date, it changes no answer."""

import shutil
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from erp.desk import search as searching
from erp.store import connections, disk, engine, events, router, sql
from erp.store.router import INDEX, WORKSPACE
from erp.store.search import narrowing, words
from erp.system import upkeep
from tests.conftest import Office
from tests.desk.indexed import (
    Compared,
    compared,
    index_file,
    is_asked,
    small_offices_have_an_index,
    state,
    without_index,
    workspace_file,
)
from tests.desk.test_search import office, search, titles
from tests.finance.contacts.contacts import customer
from tests.system.backups.backups import backup, file_of
from tests.system.transfer.exports import export

__all__ = ["compared", "office", "small_offices_have_an_index"]


def test_an_older_file_that_is_put_back_has_its_own_answers(office: Office, compared: Compared, tmp_path: Path) -> None:
    router.close_all()
    older = shutil.copy(workspace_file(office), tmp_path)
    customer(office, "Globex")
    assert titles(office, "globex") == ["Globex"]
    after = state(office)
    router.close_all()
    shutil.copy(older, workspace_file(office))
    assert titles(office, "globex") == []
    customer(office, "Initech")
    assert titles(office, "initech") == ["Initech"]
    assert compared["contact"] == 1
    now = state(office)
    assert after is not None
    assert now is not None
    assert now.seq == after.seq
    assert now.hash != after.hash
    for number in range(3):
        customer(office, f"Umbrella {number}")
    assert len(titles(office, "umbrella")) == 3


def test_a_workspace_that_is_restored_has_its_own_answers(office: Office, compared: Compared) -> None:
    name = backup(office)["name"]
    customer(office, "Globex")
    assert titles(office, "globex") == ["Globex"]
    office.ok("POST", f"/system/backups/{name}/restore", {"workspaceId": office.workspace_id})
    assert titles(office, "globex") == []
    customer(office, "Initech")
    assert titles(office, "initech") == ["Initech"]
    assert compared["contact"] == 1


def _overwritten(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xa5" * (len(content) - 100))


def _cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:8192])


def _of_another_program(path: Path) -> None:
    path.unlink()
    with closing(connections.sqlite3.connect(str(path))) as other:
        other.execute("CREATE TABLE photo (x)")
        other.commit()


def _of_another_version(path: Path) -> None:
    with closing(connections.sqlite3.connect(str(path))) as other:
        other.execute("ALTER TABLE state DROP COLUMN unread")
        other.commit()


def _without_words(path: Path) -> None:
    with closing(connections.sqlite3.connect(str(path))) as other:
        other.execute("DROP TABLE word")
        other.commit()


@pytest.mark.parametrize(
    "spoil",
    [
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_text("no database"),
        lambda path: shutil.rmtree(path.parent),
        _overwritten,
        _cut_off,
        _of_another_program,
        _of_another_version,
        _without_words,
    ],
)
def test_an_index_that_is_lost_or_spoiled_is_made_again(
    office: Office, compared: Compared, spoil: Callable[[Path], Any]
) -> None:
    assert is_asked(office, compared)
    router.close_all()
    spoil(index_file(office))
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert titles(office, "muller", "payment") == ["PAY-2026-00001"]
    assert is_asked(office, compared)
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert compared["project"] == 1


def test_an_index_that_is_deleted_while_the_server_runs_is_made_again(office: Office, compared: Compared) -> None:
    assert is_asked(office, compared)
    for path in office.installation.config.search_dir.iterdir():
        path.unlink()
    customer(office, "Globex")
    assert titles(office, "globex") == ["Globex"]
    assert compared["contact"] == 1
    assert index_file(office).exists()


def test_the_index_of_another_workspace_is_not_believed(office: Office, stranger: Office, compared: Compared) -> None:
    customer(stranger, "Globex")
    assert titles(stranger, "globex") == ["Globex"]
    assert is_asked(office, compared)
    router.close_all()
    shutil.copy(index_file(stranger), index_file(office))
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert titles(office, "globex") == []
    assert titles(stranger, "globex") == ["Globex"]


def test_another_version_of_the_program_makes_another_index(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_asked(office, compared)
    with monkeypatch.context() as patch:
        patch.setattr(sql, "fold", lambda text: "")
        patch.setattr(words, "VERSION", 0)
        narrowing._form.cache_clear()
        search(office, "lodz")
    narrowing._form.cache_clear()
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert compared["project"] == 1


def test_without_a_place_for_the_index_all_is_found(office: Office, compared: Compared) -> None:
    office.installation.config.search_dir.write_text("a file where the folder would be")
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert set(compared.values()) == {None}


def test_the_last_room_of_a_disk_is_left_to_the_books(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(disk, "free_space", lambda folder: disk.LOW_SPACE - 1)
        assert titles(office, "lodz") == ["Brücke in Łódź"]
        assert set(compared.values()) == {None}
        assert not index_file(office).exists()
    assert is_asked(office, compared)


def test_without_full_text_search_in_the_engine_all_is_found(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "_TABLES", ("CREATE VIRTUAL TABLE word USING fts9 (text)",))
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert set(compared.values()) == {None}
    assert not index_file(office).exists()


def test_an_index_that_cannot_be_written_is_not_asked(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_asked(office, compared)
    customer(office, "Globex")

    def refuse(*_: Any) -> None:
        INDEX.run("PRAGMA query_only = 1")
        INDEX.run("DELETE FROM state")

    with monkeypatch.context() as patch:
        patch.setattr(words, "note", refuse)
        assert titles(office, "globex") == ["Globex"]
        assert set(compared.values()) == {None}
    router.close_all()
    assert is_asked(office, compared)
    assert titles(office, "globex") == ["Globex"]


def test_a_small_office_has_no_index(office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert not office.installation.config.search_dir.exists()


def test_people_who_write_and_search_at_once_find_what_they_wrote(office: Office) -> None:
    missed: list[Any] = []

    def work(name: str) -> None:
        for number in range(12):
            try:
                customer(office, f"{name} {number} Ltd")
                if titles(office, f"{name} {number} ltd") != [f"{name} {number} Ltd"]:
                    missed.append((name, number))
            except BaseException as problem:  # noqa: BLE001 - the test reports it
                missed.append(problem)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("Alder", "Birch", "Cedar", "Dogwood")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missed == []
    assert len(titles(office, "ltd", "contact")) == 8
    assert search(office, "alder 11") == without_index(office, "alder 11")


def test_who_reads_an_older_state_neither_asks_the_index_nor_makes_it_again(office: Office, compared: Compared) -> None:
    assert is_asked(office, compared)
    with office.books():
        events.tip()  # from here on, this reader sees what is there now

        def trade() -> None:
            customer(office, "Globex")
            assert titles(office, "globex") == ["Globex"]

        thread = threading.Thread(target=trade)
        thread.start()
        thread.join()
        newer = state(office)
        assert searching.search("globex") == []
        assert set(compared.values()) == {None}
        assert [hit.title for hit in searching.search("lodz")] == ["Brücke in Łódź"]
        assert state(office) == newer
    assert titles(office, "globex") == ["Globex"]
    assert compared["contact"] == 1


def test_an_index_is_in_no_backup_and_no_export(office: Office, compared: Compared, tmp_path: Path) -> None:
    assert is_asked(office, compared)
    files = {
        zipfile.ZipFile(file_of(office, backup(office)["name"])),
        zipfile.ZipFile(export(office, tmp_path / "x.zip")),
    }
    for archive in files:
        names = archive.namelist()
        assert f"{office.workspace_id}.db" in {Path(name).name for name in names}
        assert not [name for name in names if "search" in name]
    with office.books():
        assert not [part for part in engine.parts(WORKSPACE) if part.partition(" ")[2].startswith("word")]


def test_a_start_removes_the_index_of_a_workspace_that_is_gone(
    office: Office, stranger: Office, compared: Compared
) -> None:
    assert is_asked(office, compared)
    assert is_asked(stranger, compared)
    router.close_all()
    settings = office.installation.config
    (settings.search_dir / "gone.db").write_text("an index")
    (settings.search_dir / "gone.new").write_text("half an index")
    upkeep.prepare(settings)
    assert {path.stem for path in settings.search_dir.iterdir()} == {office.workspace_id, stranger.workspace_id}


def test_after_a_crash_every_index_is_made_again(office: Office, compared: Compared) -> None:
    assert is_asked(office, compared)
    router.close_all()
    upkeep.prepare(office.installation.config, after_crash=True)
    assert list(office.installation.config.search_dir.iterdir()) == []
    assert is_asked(office, compared)
