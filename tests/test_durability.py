"""What was acknowledged is there, once, after the server was killed in the middle of posting (reliability D1)."""

import calendar
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from erp.store import connections
from erp.store.records import new_id
from tests import documented
from tests.conftest import IS_THOROUGH, PASSWORD
from tests.servers import OWN_CONSOLE, shut_down, wait_for

ROUNDS = int(os.environ.get("TRY_KILLS", "4" if IS_THOROUGH else "2"))
CLIENTS = 4
ENTRY = {
    "date": "2026-01-31",
    "description": "Rent",
    "lines": [{"accountId": "6100", "debit": "100.00"}, {"accountId": "1010", "credit": "100.00"}],
}


class Desk:
    """A client that posts with keys, and posts again whatever was not acknowledged."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.host, self.port = host, port
        self.headers = {"Content-Type": "application/json"}

    def call(self, verb: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=10)
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(verb, f"/api/v1{path}", sent, {**self.headers, **headers})
            answer = connection.getresponse()
            content = answer.read()
            documented.check(verb, f"/api/v1{path}", answer.status, answer.getheaders(), content)
            return answer.status, json.loads(content)
        finally:
            connection.close()

    def sign_in(self) -> None:
        who = {"email": "olga@example.com", "password": PASSWORD}
        self.call("POST", "/auth/register", {**who, "name": "Olga"})
        _, answer = self.call("POST", "/auth/login", who)
        self.headers["Authorization"] = f"Bearer {answer['data']['session']['token']}"
        _, answer = self.call("POST", "/workspace", {"name": "Acme"})
        self.call("POST", "/auth/select-workspace", {"workspaceId": answer["data"]["id"]})


@contextmanager
def serving(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "erp", "serve", "--data-dir", str(folder), "--port", str(port), "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, creationflags=OWN_CONSOLE
    ) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if "is ready" in line:
                break
        assert process.poll() is None, "".join(said)
        try:
            yield process
        finally:
            process.kill()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.mark.thorough
def test_a_server_that_is_killed_while_posting_loses_nothing_and_doubles_nothing(tmp_path: Path, port: int) -> None:
    desk = Desk(port)
    with serving(tmp_path, port):
        desk.sign_in()
    acknowledged: dict[str, str] = {}
    pending: set[str] = set()
    for _ in range(ROUNDS):
        with serving(tmp_path, desk.port) as process:
            post_until_killed(desk, process, pending, acknowledged)
        desk.port = free_port()  # connections of the killed server can hold the old one on Windows
    with serving(tmp_path, desk.port) as process:
        for key in sorted(pending):
            status, answer = desk.call("POST", "/finance/journals", ENTRY, **{"Idempotency-Key": key})
            assert status == 201
            acknowledged[key] = answer["data"]["number"]
        entries = everything(desk, "/finance/journals")
        _, verdict = desk.call("GET", "/workspace/events/verify")
        _, sheet = desk.call("GET", "/finance/reports/balance-sheet")
        shut_down(process)
    assert len(acknowledged) >= ROUNDS
    assert sorted(entry["number"] for entry in entries) == sorted(acknowledged.values())
    assert len(set(acknowledged.values())) == len(acknowledged)
    assert verdict["data"]["isValid"] is True
    assert sheet["data"]["isBalanced"] is True
    for file in [tmp_path / "control.db", *(tmp_path / "workspaces").iterdir()]:
        connection = connections.connect(file)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
    assert not list(tmp_path.rglob("*-wal")), "a clean stop leaves no log behind"


def post_until_killed(
    desk: Desk, process: subprocess.Popen[str], pending: set[str], acknowledged: dict[str, str]
) -> None:
    """Let several clients post, kill the server among them, and keep what was acknowledged and what was not."""
    before = len(acknowledged)

    def work() -> None:
        while process.poll() is None:
            key = new_id()
            pending.add(key)
            try:
                status, answer = desk.call("POST", "/finance/journals", ENTRY, **{"Idempotency-Key": key})
            except (OSError, http.client.HTTPException, ValueError):
                return
            assert status == 201, answer
            acknowledged[key] = answer["data"]["number"]
            pending.discard(key)

    threads = [threading.Thread(target=work) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    wait_for(lambda: len(acknowledged) >= before + 20, seconds=30)
    process.kill()
    process.wait()
    for thread in threads:
        thread.join()


def everything(desk: Desk, path: str) -> list[Any]:
    """All items of a list."""
    items: list[Any] = []
    cursor = ""
    while True:
        _, answer = desk.call("GET", f"{path}?limit=200{cursor}")
        items += answer["data"]
        if answer["page"]["nextCursor"] is None:
            return items
        cursor = f"&cursor={answer['page']['nextCursor']}"


HIRED = {"hireDate": "2020-01-01", "compensation": {"payType": "salary", "amount": "3100.00", "frequency": "monthly"}}


@pytest.mark.thorough
def test_a_payroll_that_is_cut_off_is_there_as_a_whole_or_not_at_all(tmp_path: Path, port: int) -> None:
    """Reliability D2."""
    desk = Desk(port)
    with serving(tmp_path, port):
        desk.sign_in()
        for name in ("Ann", "Ben", "Cho"):
            assert desk.call("POST", "/hr/employees", {"name": name, **HIRED})[0] == 201
    months = iter([(year, month) for year in range(2021, 2026) for month in range(1, 13)] * 10)
    for _ in range(ROUNDS):
        with serving(tmp_path, desk.port) as process:
            pay_until_killed(desk, process, months)
        desk.port = free_port()  # connections of the killed server can hold the old one on Windows
    with serving(tmp_path, desk.port):
        runs = [
            desk.call("GET", f"/hr/payroll/runs/{run['id']}")[1]["data"] for run in everything(desk, "/hr/payroll/runs")
        ]
        entries = everything(desk, "/finance/journals")
        _, verdict = desk.call("GET", "/workspace/events/verify")
        _, sheet = desk.call("GET", "/finance/reports/balance-sheet")
    assert runs
    assert all([slip["net"] for slip in run["payslips"]] == ["3100.00"] * 3 for run in runs)
    posted = {"draft": (0,), "approved": (1,), "paid": (2,), "reversed": (4,)}
    for run in runs:
        assert len([entry for entry in entries if entry["source"]["id"] == run["id"]]) in posted[run["status"]], run
    assert verdict["data"]["isValid"] is True
    assert sheet["data"]["isBalanced"] is True


def pay_until_killed(desk: Desk, process: subprocess.Popen[str], months: Iterator[tuple[int, int]]) -> None:
    """Let a client run payroll, month by month, through all its states, and kill the server in the midst of it."""
    done: list[str] = []

    def work() -> None:
        with suppress(OSError, http.client.HTTPException, ValueError):
            while process.poll() is None:
                year, month = next(months)
                last = calendar.monthrange(year, month)[1]
                period = {"periodStart": f"{year}-{month:02}-01", "periodEnd": f"{year}-{month:02}-{last}"}
                back = {"reason": "Once more", "moneyReturnedOn": period["periodEnd"]}
                steps: list[tuple[str, dict[str, str]]] = [("approve", {}), ("pay", {}), ("reverse", back)]
                status, answer = desk.call("POST", "/hr/payroll/run", period)
                assert status in (201, 422), answer  # 422: a draft that the kill left holds the days of that month
                for step, body in steps if status == 201 else []:
                    status, answer = desk.call("POST", f"/hr/payroll/runs/{answer['data']['id']}/{step}", body)
                    assert status == 200, answer
                    done.append(step)

    thread = threading.Thread(target=work)
    thread.start()
    wait_for(lambda: len(done) >= 7, seconds=30)
    process.kill()
    process.wait()
    thread.join()
