"""The notes of the newest change of each file, which survive the death of the process."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from erp.kernel import config
from erp.store import connections, tips
from erp.store.tips import Tips


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Tips]:
    with config.use(config.Config(data_dir=tmp_path)):
        yield tips.here()
        tips.close_all()


def noted() -> dict[str, tips.Tip]:
    return {name: tip for name, tip in tips.read().items() if name != "tips.db"}


def test_the_newest_change_of_each_file_is_kept_and_an_older_one_replaces_none(notes: Tips) -> None:
    assert noted() == {}
    notes.note("a.db", (7, "seven"))
    notes.note("b.db", (1, "one"))
    notes.note("a.db", (9, "nine"))
    tips.close_all()
    tips.here().note("a.db", (8, "eight"))
    assert noted() == {"a.db": (9, "nine"), "b.db": (1, "one")}


def test_what_is_forgotten_can_be_noted_lower(notes: Tips) -> None:
    notes.note("a.db", (9, "nine"))
    notes.forget("a.db")
    assert noted() == {}
    notes.note("a.db", (3, "three"))
    assert noted() == {"a.db": (3, "three")}


def test_a_note_is_there_after_its_process_was_killed_and_needs_no_write_ahead_log(tmp_path: Path) -> None:
    script = (
        "import os, pathlib, sys; from erp.store.tips import Tips\n"
        "notes = Tips(pathlib.Path(sys.argv[1]) / 'tips.db')\n"
        "for seq in range(1, 51): notes.note(f'{seq % 5}.db', (seq, 'x'))\n"
        "os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False).returncode == 9
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tips.db", "tips.db-journal"]
    with config.use(config.Config(data_dir=tmp_path)):
        assert noted() == {f"{seq % 5}.db": (seq, "x") for seq in range(46, 51)}


def test_two_processes_note_side_by_side(notes: Tips, tmp_path: Path) -> None:
    notes.note("a.db", (1, "here"))
    other = Tips(tmp_path / "tips.db")
    other.note("a.db", (2, "there"))
    other.note("b.db", (1, "there"))
    other.close()
    notes.note("a.db", (3, "here"))
    assert noted() == {"a.db": (3, "here"), "b.db": (1, "there")}


def test_syncing_keeps_every_note(notes: Tips) -> None:
    for seq in range(1, 4):
        notes.note("a.db", (seq, "x"))
        notes.sync()
        notes.sync()
    assert noted() == {"a.db": (3, "x")}


def test_damaged_notes_are_said_to_be_so_and_begun_again(notes: Tips, caplog: pytest.LogCaptureFixture) -> None:
    notes.note("a.db", (1, "x"))
    notes.close()
    (config.current().data_dir / "tips.db").write_bytes(b"no database " * 1000)
    assert noted() == {}
    assert "tips.db cannot be read, so a loss of the newest changes may not be found" in caplog.text
    notes.note("a.db", (2, "x"))
    notes.note("a.db", (3, "x"))
    assert noted() == {"a.db": (3, "x")}


def test_notes_that_cannot_be_written_stop_no_work_and_are_said_once(
    notes: Tips, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> object:
        raise connections.sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(tips, "connect_unsynced", full)
        notes.note("a.db", (1, "x"))
        notes.note("a.db", (2, "x"))
    assert caplog.text.count("tips.db cannot be written") == 1
    notes.note("a.db", (2, "x"))
    assert noted() == {"a.db": (2, "x")}


def test_a_copy_is_told_from_the_notes_themselves(notes: Tips, tmp_path: Path) -> None:
    notes.note("a.db", (1, "x"))
    notes.close()
    assert not tips.are_copied(tips.read())
    shutil.copytree(tmp_path, tmp_path / "copy")
    with config.use(config.Config(data_dir=tmp_path / "copy")):
        assert tips.are_copied(tips.read())
        tips.here().note("a.db", (2, "x"))
        assert not tips.are_copied(tips.read()), "it is a folder of its own from now on"
