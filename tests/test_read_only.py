"""A data folder on a disk that can only be read: a start is refused in words, and the data can still be examined."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import shut_down
from tests.test_disk_full import SIZE, small_disk
from tests.test_durability import ENTRY, Desk, everything, port, serving

__all__ = ["port", "small_disk"]


def erp(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "erp", *words], capture_output=True, text=True, timeout=60, check=False
    )


def mount(disk: Path, mode: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{mode},size={SIZE}m", str(disk)], check=True)


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_a_folder_that_can_only_be_read_is_refused_in_a_sentence_and_can_be_checked(
    small_disk: Path, tmp_path: Path, port: int, how: str
) -> None:
    folder = small_disk / "data"
    desk = Desk(port)
    with serving(folder, port) as process:
        desk.sign_in()
        backup = desk.call("POST", "/system/backups", {})[1]["data"]["name"]
        assert desk.call("POST", "/finance/journals", ENTRY)[0] == 201
        if how == "stopped":
            shut_down(process)
        process.kill()
        process.wait()
    mount(small_disk, "ro")
    place = ["--data-dir", str(folder)]
    for words in (["serve", "--no-browser"], ["user", "list"], ["restore", backup], ["backup", "--to", str(tmp_path)]):
        refused = erp(*words, *place)
        assert (refused.returncode, refused.stdout) == (1, ""), words
        assert "read-only file system" in refused.stderr
        assert refused.stderr.count("\n") == 1
    checked = erp("check", *place)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "All 3 files are sound." in checked.stdout
    mount(small_disk, "rw")
    with serving(folder, port):
        assert len(everything(desk, "/finance/journals")) == 1
        assert desk.call("POST", "/finance/journals", ENTRY)[0] == 201
