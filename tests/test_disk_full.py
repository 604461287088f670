"""A disk that fills up while the office works (reliability O2): nothing half, reading goes on, room is all it needs."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from peewee import DatabaseError

from erp.store import control, events, router
from erp.store.router import CONTROL
from erp.system.checks import files as checking
from tests.conftest import PASSWORD, Installation
from tests.servers import interrupt, shut_down
from tests.test_durability import ENTRY, Desk, everything, port, serving

__all__ = ["port"]

SIZE = 24


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, of a few megabytes, all of them in memory."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}m", "tmpfs", str(place)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can be mounted by root on Linux alone")
    yield place
    router.close_all()
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(ballast: Path, leaving: int = 0) -> None:
    """Take all the room there is, but for some bytes."""
    with ballast.open("ab", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096) == 4096:
                pass
        except OSError:
            file.truncate(max(0, file.tell() - leaving))


def post_until_full(desk: Desk) -> list[str]:
    numbers: list[str] = []
    while True:
        status, answer = desk.call("POST", "/finance/journals", ENTRY)
        if status != 201:
            assert (status, answer["error"]["code"]) == (507, "storage_full"), answer
            return numbers
        numbers.append(answer["data"]["number"])


def test_a_full_disk_stops_writing_alone_and_room_is_all_it_needs(small_disk: Path, port: int) -> None:
    folder, ballast = small_disk / "data", small_disk / "ballast"
    desk = Desk(port)
    with serving(folder, port) as process:
        desk.sign_in()
        numbers = [desk.call("POST", "/finance/journals", ENTRY)[1]["data"]["number"]]
        fill(ballast, leaving=256 * 1024)
        numbers += post_until_full(desk)
        assert desk.call("POST", "/finance/journals", ENTRY)[0] == 507
        assert [each["number"] for each in everything(desk, "/finance/journals")] == numbers[::-1]
        assert desk.call("GET", "/finance/reports/balance-sheet")[1]["data"]["isBalanced"] is True
        ballast.unlink()
        numbers += [desk.call("POST", "/finance/journals", ENTRY)[1]["data"]["number"] for _ in range(20)]
        assert [each["number"] for each in everything(desk, "/finance/journals")] == numbers[::-1]
        assert desk.call("GET", "/workspace/events/verify")[1]["data"]["isValid"] is True
        shut_down(process)
    (books,) = (folder / "workspaces").glob("*.db")
    assert checking.workspace_file(books, nobody_writes=True).problems == []


def test_on_a_full_disk_signing_in_is_refused_in_words_and_the_wrong_password_as_ever(
    small_disk: Path, port: int
) -> None:
    desk, who = Desk(port), {"email": "olga@example.com", "password": PASSWORD}
    with serving(small_disk / "data", port) as process:
        desk.sign_in()
        fill(small_disk / "ballast")
        post_until_full(desk)
        for path in ("/auth/login", "/auth/sign-in/email"):
            while (tried := Desk(port).call("POST", path, who))[0] == 200:
                pass
            assert tried[0] == 507
            assert tried[1]["error"]["message"] == "The disk is full. Nothing was changed."
        assert Desk(port).call("POST", "/auth/login", {**who, "password": "something else 7"})[0] == 401
        (small_disk / "ballast").unlink()
        assert Desk(port).call("POST", "/auth/login", who)[0] == 200
        shut_down(process)


def test_on_a_full_disk_reading_needs_no_note_of_a_session_and_no_event_that_waits(
    small_disk: Path, clock_at: Callable[[str], None]
) -> None:
    """Both would be written by the next request, whatever it asks for."""
    clock_at("2026-03-02T08:00:00Z")
    office = Installation(small_disk / "data").office("Olga")
    office.ok("POST", "/finance/journals", ENTRY)
    with office.acting(), control.write():
        events.write_later(office.workspace_id, "member.updated", "member", "1")
    clock_at("2026-03-02T10:00:00Z")
    fill(small_disk / "ballast")
    with office.acting(), pytest.raises(DatabaseError, match="full"), control.write():
        CONTROL.run("UPDATE session SET user_agent = ?", ("x" * 2_000_000,))
    assert len(office.ok("GET", "/finance/journals")) == 1
    office.refused("POST", "/finance/journals", ENTRY, status=507, code="storage_full")
    (small_disk / "ballast").unlink()
    office.ok("POST", "/finance/journals", ENTRY)
    log = office.ok("GET", "/workspace/events")
    assert [event["type"] for event in log][:2] == ["journal_entry.posted", "member.updated"]
    assert office.ok("GET", "/auth/session")["session"]["lastUsedAt"] == "2026-03-02T10:00:00.000Z"


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_a_start_on_a_full_disk_is_refused_in_words_and_harms_nothing(small_disk: Path, port: int, how: str) -> None:
    folder, ballast = small_disk / "data", small_disk / "ballast"
    desk = Desk(port)
    with serving(folder, port) as process:
        desk.sign_in()
        assert desk.call("POST", "/finance/journals", ENTRY)[0] == 201
        fill(ballast)
        assert desk.call("GET", "/finance/journals")[0] == 200
        interrupt(process) if how == "stopped" else process.kill()
        process.wait(15)
    fill(ballast)
    before = {path.name: path.read_bytes() for path in folder.rglob("*.db*") if path.suffix != ".db-shm"}
    command = [sys.executable, "-m", "erp", "--data-dir", str(folder), "--port", str(port), "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1
    assert f"The disk of {folder} is full." in done.stderr
    assert "Traceback" not in done.stderr
    assert {path.name: path.read_bytes() for path in folder.rglob("*.db*") if path.suffix != ".db-shm"} == before
    ballast.unlink()
    with serving(folder, port):
        assert len(everything(desk, "/finance/journals")) == 1
        assert desk.call("POST", "/finance/journals", ENTRY)[0] == 201
