"""What a killed server leaves in write-ahead logs, and what is made of it when one of them is lost."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from tests.conftest import PASSWORD
from tests.servers import OWN_CONSOLE, interrupt, shut_down, wait_for
from tests.test_durability import Desk, port, serving

__all__ = ["port"]

SOLD = {
    "customer": {"name": "Initech"},
    "lines": [{"description": "Consulting", "quantity": "1", "unitPrice": "100.00"}],
}


def sell(desk: Desk, count: int, **headers: str) -> list[str]:
    """Issue invoices; their numbers."""
    numbers = []
    for _ in range(count):
        status, made = desk.call("POST", "/finance/invoices", SOLD, **headers)
        assert status == 201, made
        numbers.append(made["data"]["number"])
    return numbers


def invoices(desk: Desk, **headers: str) -> tuple[int, Any]:
    status, answer = desk.call("GET", "/finance/invoices?limit=200", **headers)
    return status, len(answer["data"]) if status == 200 else answer["error"]["code"]


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()


@contextmanager
def logging_server(folder: Path, port: int) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A server that has started, and what it has logged by the time it stopped."""
    command = [sys.executable, "-m", "erp", "serve", "--data-dir", str(folder), "--port", str(port), "--no-browser"]
    logged: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, creationflags=OWN_CONSOLE
    ) as process:
        assert process.stdout
        assert "is ready" in process.stdout.readline()
        try:
            yield process, logged
            interrupt(process)
            logged.append(process.communicate(timeout=20)[1])
        finally:
            process.kill()


def test_a_workspace_that_lost_acknowledged_invoices_is_not_served_until_it_is_restored(
    tmp_path: Path, port: int
) -> None:
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        sell(desk, 5)
        shut_down(process)
    with serving(tmp_path, port) as process:
        sell(desk, 10)
        good = desk.call("POST", "/system/backups", {})[1]["data"]["name"]
        kill(process)
    (log,) = (tmp_path / "workspaces").glob("*.db-wal")
    log.unlink()
    with logging_server(tmp_path, port) as (_, logged):
        assert invoices(desk) == (503, "unavailable")
        assert desk.call("POST", "/finance/invoices", SOLD)[0] == 503
        info = desk.call("GET", "/system/info")[1]["data"]
        (workspace,) = info["workspaces"]
        assert workspace["status"] == "unavailable"
        assert any(workspace["fault"] in warning and good in warning for warning in info["warnings"])
        body = {"workspaceId": workspace["id"]}
        assert desk.call("POST", f"/system/backups/{good}/restore", body)[0] == 200
        assert invoices(desk) == (200, 15)
    assert "Workspace Acme is unavailable. Its file cannot be used: its log ends with event" in logged[0]
    assert f"`erp restore {good} --workspace {workspace['id']}`" in logged[0]
    with serving(tmp_path, port) as process:
        (number,) = sell(desk, 1)
        assert number.endswith("-00016")
        shut_down(process)


def test_after_a_stop_the_files_are_whole_even_those_that_no_one_opened_since_a_kill(tmp_path: Path, port: int) -> None:
    folder, copied = tmp_path / "data", tmp_path / "copied"
    desk = Desk(port)
    with serving(folder, port) as process:
        desk.sign_in()
        branch = desk.call("POST", "/workspace", {"name": "Branch"})[1]["data"]["id"]
        sell(desk, 2)
        sell(desk, 3, **{"x-workspace-id": branch})
        kill(process)
    assert len(list((folder / "workspaces").glob("*.db-wal"))) == 2
    with serving(folder, port) as process:
        shut_down(process)
    assert list(folder.rglob("*-wal")) == []
    for file in folder.rglob("*.db"):
        place = copied / file.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
    with serving(copied, port) as process:
        assert invoices(desk) == (200, 2)
        assert invoices(desk, **{"x-workspace-id": branch}) == (200, 3)
        shut_down(process)


def remove_logs(folder: Path) -> None:
    """As a cleaner does, or a copy of the databases alone."""
    for log in folder.rglob("*.db-wal"):
        log.unlink()


def refused_start(folder: Path, port: int) -> str:
    """The sentences with which a start is refused."""
    command = [sys.executable, "-m", "erp", "serve", "--data-dir", str(folder), "--port", str(port), "--no-browser"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.count("\n") == 1
    return ended.stderr


def test_after_a_kill_that_takes_every_log_no_workspace_that_lost_an_acknowledged_invoice_is_served(
    tmp_path: Path, port: int
) -> None:
    """Whatever the backup or the control file had noted by then: the last answer counts."""
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        branch = desk.call("POST", "/workspace", {"name": "Branch"})[1]["data"]["id"]
        idle = desk.call("POST", "/workspace", {"name": "Idle"})[1]["data"]["id"]
        for place in ({}, {"x-workspace-id": branch}, {"x-workspace-id": idle}):
            sell(desk, 2, **place)
        shut_down(process)
    with serving(tmp_path, port) as process:
        sell(desk, 4)
        good = desk.call("POST", "/system/backups", {})[1]["data"]["name"]
        sell(desk, 1)
        sell(desk, 1, **{"x-workspace-id": branch})
        kill(process)
    remove_logs(tmp_path)
    with logging_server(tmp_path, port) as (_, logged):
        assert invoices(desk) == (503, "unavailable")
        assert desk.call("POST", "/finance/invoices", SOLD)[0] == 503
        assert invoices(desk, **{"x-workspace-id": branch}) == (503, "unavailable")
        assert invoices(desk, **{"x-workspace-id": idle}) == (200, 2)
        warnings = desk.call("GET", "/system/info")[1]["data"]["warnings"]
        assert (
            len([line for line in warnings if good in line and "the newest changes were cut off" in line.lower()]) == 2
        )
    assert logged[0].count(" is unavailable. Its file cannot be used: its log ends with event") == 2
    for notes in tmp_path.glob("tips.db*"):
        notes.unlink()
    with serving(tmp_path, port) as process:  # the control file has noted it
        assert invoices(desk) == (503, "unavailable")
        assert invoices(desk, **{"x-workspace-id": branch}) == (503, "unavailable")
        shut_down(process)


def test_without_the_notes_the_newest_backup_tells_what_a_killed_server_lost(tmp_path: Path, port: int) -> None:
    """As a copy of the databases and backups alone."""
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        sell(desk, 2)
        shut_down(process)
    with serving(tmp_path, port) as process:
        sell(desk, 2)
        desk.call("POST", "/system/backups", {})
        sell(desk, 2)
        kill(process)
    remove_logs(tmp_path)
    for notes in tmp_path.glob("tips.db*"):
        notes.unlink()
    for _ in range(2):  # after a stop as after a kill
        with logging_server(tmp_path, port) as (_, logged):
            assert invoices(desk) == (503, "unavailable")
        assert "Its file cannot be used: its log ends with event" in logged[0]


def test_of_many_workspaces_that_are_written_at_once_each_is_whole_or_is_not_served(tmp_path: Path, port: int) -> None:
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        made = [desk.call("POST", "/workspace", {"name": f"Branch {n}"})[1]["data"]["id"] for n in range(5)]
        shut_down(process)
    with serving(tmp_path, port) as process:
        acknowledged = sold_until_killed(desk, process, made)
    assert min(acknowledged.values()) > 0
    remove_logs(tmp_path)
    with serving(tmp_path, port):
        seen = {id: invoices(desk, **{"x-workspace-id": id}) for id in made}
    for id, (status, count) in seen.items():
        assert (status, count) == (503, "unavailable") or count >= acknowledged[id], (seen, acknowledged)
    assert (503, "unavailable") in seen.values()


def sold_until_killed(desk: Desk, process: subprocess.Popen[str], workspaces: list[str]) -> dict[str, int]:
    """Let a client work in each workspace until the server is killed; how many invoices were acknowledged there."""
    acknowledged = dict.fromkeys(workspaces, 0)

    def work(id: str) -> None:
        with suppress(OSError, HTTPException, ValueError):
            while process.poll() is None:
                sell(desk, 1, **{"x-workspace-id": id})
                acknowledged[id] += 1

    threads = [threading.Thread(target=work, args=(id,)) for id in workspaces]
    for thread in threads:
        thread.start()
    wait_for(lambda: min(acknowledged.values()) >= 3, seconds=30)
    kill(process)
    for thread in threads:
        thread.join()
    return acknowledged


def test_a_copy_of_the_databases_without_their_logs_is_found_to_lack_what_was_acknowledged(
    tmp_path: Path, port: int
) -> None:
    folder, copied = tmp_path / "data", tmp_path / "copied"
    desk = Desk(port)
    with serving(folder, port) as process:
        desk.sign_in()
        shut_down(process)
    with serving(folder, port) as process:
        sell(desk, 3)
        kill(process)
    for file in folder.rglob("*.db"):
        place = copied / file.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
    with serving(copied, port):
        assert invoices(desk) == (503, "unavailable")


def test_what_remains_can_be_kept_knowingly_and_then_no_number_is_given_twice(tmp_path: Path, port: int) -> None:
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        sell(desk, 2)
        shut_down(process)
    with serving(tmp_path, port) as process:
        sell(desk, 3)
        kill(process)
    remove_logs(tmp_path)
    with serving(tmp_path, port) as process:
        (workspace,) = desk.call("GET", "/system/info")[1]["data"]["workspaces"]
        rest = desk.call("POST", "/system/backups", {})[1]["data"]["name"]
        body = {"workspaceId": workspace["id"]}
        assert desk.call("POST", f"/system/backups/{rest}/restore", body)[0] == 200
        sell(desk, 1)
        kill(process)
    with serving(tmp_path, port) as process:
        assert invoices(desk) == (200, 3)
        shut_down(process)


def test_a_control_file_that_lost_a_user_stops_the_start_with_every_way_out(tmp_path: Path, port: int) -> None:
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        sell(desk, 2)
        good = desk.call("POST", "/system/backups", {})[1]["data"]["name"]
        shut_down(process)
    who = {"email": "ann@example.com", "password": PASSWORD}
    ann = {**who, "name": "Ann"}
    with serving(tmp_path, port) as process:
        assert desk.call("POST", "/auth/register", ann)[0] == 201
        kill(process)
    before = {path.name: path.read_bytes() for path in tmp_path.rglob("*.db")}
    (tmp_path / "control.db-wal").unlink()
    for _ in range(2):
        said = refused_start(tmp_path, port)
        assert f"{tmp_path / 'control.db'} cannot be used: it has " in said
        assert (
            "were there before. The newest changes were cut off, or the file was replaced by an older one. Put" in said
        )
        assert f"`erp restore {good}`" in said
        assert "To go on without these changes, make a backup with `erp backup` and restore that one." in said
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("*.db")} == before
    erp = [sys.executable, "-m", "erp"]
    made = subprocess.run(
        [*erp, "backup", "--data-dir", str(tmp_path)], capture_output=True, text=True, timeout=60, check=True
    )
    rest = made.stdout.split(" (")[0]
    subprocess.run([*erp, "restore", rest, "--data-dir", str(tmp_path)], timeout=60, check=True, capture_output=True)
    with serving(tmp_path, port) as process:
        assert desk.call("POST", "/auth/login", who)[0] == 401, "she is not in what remained"
        desk.sign_in()
        assert desk.call("POST", "/auth/register", ann)[0] == 201
        kill(process)
    with serving(tmp_path, port) as process:
        assert desk.call("POST", "/auth/login", who)[0] == 200
        shut_down(process)


def test_a_server_killed_in_its_first_session_that_loses_the_log_of_its_users_does_not_start_as_a_new_one(
    tmp_path: Path, port: int
) -> None:
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        kill(process)
    (tmp_path / "control.db-wal").unlink()
    said = refused_start(tmp_path, port)
    assert said.startswith(f"erp: {tmp_path} holds workspaces, but control.db lists no users")
    assert len(list((tmp_path / "workspaces").glob("*.db"))) == 1
