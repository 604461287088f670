"""The temporary folder of the one-file executable: repaired while it is running, removed when it is left behind."""

import os
import shutil
import struct
import sys
import threading
import time
import zlib
from pathlib import Path

import pytest

from erp.runtime import frozen, stopping
from erp.runtime.frozen import MARK, OURS, Unpacked

FILES = {MARK: b"MIT", OURS.as_posix(): b"<!doctype html>", "tzdata/zoneinfo/Europe/Berlin": b"TZif" * 100}
YESTERDAY = time.time() - frozen.OLD_SECONDS - 60


def executable_of(folder: Path, files: dict[str, bytes]) -> Path:
    """A program with an archive of files at its end, as the packer writes it."""
    body, toc = b"", b""
    for name, content in files.items():
        packed = zlib.compress(content)
        label = name.encode() + b"\0" * (16 - len(name) % 16)
        toc += struct.pack("!IIIIBc", 18 + len(label), len(body), len(packed), len(content), 1, b"x") + label
        body += packed
    label = b"PYZ.pyz".ljust(16, b"\0")
    toc += struct.pack("!IIIIBc", 18 + len(label), 0, 4, 4, 0, b"z") + label
    size = len(body) + len(toc) + 88
    end = struct.pack("!8sIIII64s", frozen.END_MAGIC, size, len(body), len(toc), 311, b"libpython")
    path = folder / "erp"
    path.write_bytes(b"\x7fELF and a launcher" + frozen.END_MAGIC + body + toc + end + b"a signature")
    return path


def unpack(folder: Path) -> Path:
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    folder.chmod(0o700)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that a run has unpacked."""
    return unpack(tmp_path / "_MEI1")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def clear(folder: Path) -> None:
    """Delete everything, as a cleaner does; Windows keeps what is open."""
    shutil.rmtree(folder, ignore_errors=sys.platform == "win32")
    assert not (folder / MARK).exists()


def test_what_a_cleaner_deleted_is_unpacked_again_for_the_next_request(tmp_path, folder):
    unpacked = Unpacked(folder, executable_of(tmp_path, FILES))
    clear(folder)
    unpacked.mend()
    assert contents(folder) == FILES
    assert sys.platform == "win32" or not folder.stat().st_mode & 0o077


def test_what_a_cleaner_did_not_delete_stays_as_it_is(tmp_path, folder):
    unpacked = Unpacked(folder, executable_of(tmp_path, FILES))
    (folder / OURS).write_bytes(b"in use")
    (folder / MARK).unlink()
    unpacked.mend()
    assert contents(folder) == {**FILES, OURS.as_posix(): b"in use"}


@pytest.mark.skipif(sys.platform == "win32", reason="a program that is running keeps its name there")
def test_a_program_that_is_replaced_while_running_still_unpacks_its_own_files(tmp_path, folder):
    program = executable_of(tmp_path, FILES)
    unpacked = Unpacked(folder, program)
    program.rename(tmp_path / "old")
    executable_of(tmp_path, {MARK: b"of another version"})
    clear(folder)
    unpacked.mend()
    assert contents(folder) == FILES


@pytest.mark.skipif(sys.platform == "win32", reason="each user has a temporary folder of their own there")
def test_a_folder_that_another_user_created_in_its_place_is_not_used(tmp_path, folder):
    unpacked = Unpacked(folder, executable_of(tmp_path, FILES))
    clear(folder)
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(PermissionError, match="another user"):
        unpacked.mend()
    assert not contents(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="each user has a temporary folder of their own there")
def test_a_link_in_its_place_is_not_used_even_if_it_leads_to_a_folder_of_ours(tmp_path, folder):
    unpacked = Unpacked(folder, executable_of(tmp_path, FILES))
    clear(folder)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.symlink_to(elsewhere)
    with pytest.raises(PermissionError, match="another user"):
        unpacked.mend()
    assert not any(elsewhere.iterdir())


def test_only_the_one_file_executable_has_such_a_folder(tmp_path, folder, monkeypatch):
    def app(environ, start_response):
        return [b"answer"]

    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "erp" / "_internal"), raising=False)
    assert frozen.kept_whole(app) is app
    monkeypatch.setattr(sys, "_MEIPASS", str(folder))
    monkeypatch.setattr(sys, "executable", str(executable_of(tmp_path, FILES)))
    looked_after = frozen.kept_whole(app)
    clear(folder)
    assert looked_after({}, None) == [b"answer"]
    assert contents(folder) == FILES


@pytest.mark.parametrize("is_old", [True, False])
@pytest.mark.parametrize("is_ours", [True, False])
@pytest.mark.parametrize("is_used", [True, False])
def test_a_folder_is_removed_if_it_is_ours_and_old_and_not_in_use(tmp_path, folder, is_old, is_ours, is_used):
    if sys.platform == "win32" and is_used and not is_ours:
        pytest.skip("a file that is open keeps its name there")
    other = tmp_path / "_MEI2"
    unpack(other)
    release = frozen.hold(other) if is_used else lambda: None
    if not is_ours:
        (other / OURS).rename(other / "of another program")
    if is_old:
        os.utime(other, (YESTERDAY, YESTERDAY))
    frozen.remove_stale(folder)
    assert other.exists() is not (is_old and is_ours and not is_used)
    assert folder.exists()
    release()


def test_the_folder_of_this_run_is_never_removed(folder):
    os.utime(folder, (YESTERDAY, YESTERDAY))
    frozen.remove_stale(folder)
    assert contents(folder) == FILES


@pytest.mark.parametrize(("folder_name", "follows"), [("_MEI1", True), ("_internal", False), ("", False)])
def test_only_the_one_file_executable_ends_with_its_launcher(monkeypatch, folder_name, follows):
    """Any other start comes from a shell or a service, whose end does not matter."""
    followed = threading.Event()
    monkeypatch.setattr(stopping, "_follow_launcher", lambda stop: followed.set())
    monkeypatch.setattr(sys, "frozen", bool(folder_name), raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", f"/tmp/{folder_name}", raising=False)
    with stopping.stopped_from_outside(lambda: None):
        assert followed.wait(5 if follows else 0) is follows
