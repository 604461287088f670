"""Putting a finished file in its place, and locks."""

import errno
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from erp.store import files


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new"
    path.write_text("new")
    (tmp_path / "old").write_text("old")
    return path


def held_for(monkeypatch: pytest.MonkeyPatch, tries: int, platform: str) -> list[PermissionError]:
    """Let a scanner hold the file for some tries."""
    held, replace = [PermissionError()] * tries, Path.replace

    def stubborn(self: Path, target: Path) -> Path:
        if held:
            raise held.pop()
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", stubborn)
    monkeypatch.setattr(files, "PAUSE", 0)
    monkeypatch.setattr(files, "sys", SimpleNamespace(platform=platform))
    return held


def test_a_file_takes_the_place_of_another(new: Path) -> None:
    files.replace(new, new.with_name("old"))
    assert new.with_name("old").read_text() == "new"
    assert not new.exists()


def test_a_file_that_a_scanner_holds_on_windows_is_tried_again(new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = held_for(monkeypatch, files.TRIES - 1, "win32")
    files.replace(new, new.with_name("old"))
    assert (new.with_name("old").read_text(), held) == ("new", [])


def test_one_that_is_held_for_too_long_stays_where_it_was(new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = held_for(monkeypatch, files.TRIES, "win32")
    with pytest.raises(PermissionError):
        files.replace(new, new.with_name("old"))
    assert (new.with_name("old").read_text(), held) == ("old", [])


def test_on_other_systems_a_forbidden_change_fails_at_once(new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = held_for(monkeypatch, 2, "linux")
    with pytest.raises(PermissionError):
        files.replace(new, new.with_name("old"))
    assert len(held) == 1


@pytest.mark.parametrize(("number", "refusal"), [(0, files.Held), (errno.EACCES, files.Held), (errno.ENOLCK, OSError)])
def test_a_lock_on_windows_is_held_by_another_with_a_reason_and_without(
    new: Path, monkeypatch: pytest.MonkeyPatch, number: int, refusal: type[Exception]
) -> None:
    def refuse(*_: int) -> None:
        raise OSError(number, "refused")

    library = ModuleType("msvcrt")
    vars(library).update(locking=refuse, LK_NBLCK=2)
    monkeypatch.setitem(sys.modules, "msvcrt", library)
    monkeypatch.setattr(files, "sys", SimpleNamespace(platform="win32"))
    with pytest.raises(refusal), files.locked(new):
        pass


def test_a_lock_that_is_held_is_free_again_after_the_block(new: Path) -> None:
    with files.locked(new), pytest.raises(files.Held), files.locked(new):
        pass
    with files.locked(new):
        pass
