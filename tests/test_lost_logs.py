"""What a killed server leaves in write-ahead logs, and what is made of it when one of them is lost."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.servers import OWN_CONSOLE, interrupt, shut_down
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


def test_a_server_killed_in_its_first_session_that_loses_the_log_of_its_users_does_not_start_as_a_new_one(
    tmp_path: Path, port: int
) -> None:
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        kill(process)
    (tmp_path / "control.db-wal").unlink()
    command = [sys.executable, "-m", "erp", "serve", "--data-dir", str(tmp_path), "--port", str(port), "--no-browser"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(f"erp: {tmp_path} holds workspaces, but control.db lists no users")
    assert ended.stderr.count("\n") == 1
    assert len(list((tmp_path / "workspaces").glob("*.db"))) == 1
