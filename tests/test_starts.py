"""How the program starts in the places where offices put it: beside another server, in odd folders, on a full disk."""

import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from erp.kernel.config import Config
from erp.runtime import instance, server
from erp.store.connections import sqlite3
from erp.web import hosts
from tests.conftest import PASSWORD
from tests.servers import OWN_CONSOLE, interrupt, shut_down, wait_for
from tests.test_durability import ENTRY, Desk, port, serving

__all__ = ["port"]

STARTS = int(os.environ.get("TRY_STARTS", "8"))
START = [sys.executable, "-m", "erp", "serve", "--no-browser", "--port", "0"]
has_ipv6 = pytest.mark.skipif(not socket.has_ipv6, reason="this computer has no IPv6")


def start(folder: Path, *words: str, **options: Any) -> subprocess.Popen[str]:
    command = [*START, "--data-dir", str(folder), *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, creationflags=OWN_CONSOLE, **options
    )


def url_of(process: subprocess.Popen[str]) -> str:
    """The address that a server prints when it has started."""
    assert process.stdout
    said = process.stdout.readline().strip()
    assert said.startswith("erp is ready at "), (said, process.stderr and process.stderr.read())
    return said.removeprefix("erp is ready at ")


def end(process: subprocess.Popen[str]) -> str:
    """Stop a server; its stderr."""
    interrupt(process)
    _, stderr = process.communicate(timeout=20)
    assert process.returncode == 0, stderr
    return stderr


def test_of_many_starts_at_once_on_one_folder_one_serves_and_the_others_say_where(tmp_path: Path) -> None:
    """Reliability O1; TRY_STARTS=20."""
    processes = [start(tmp_path / "data") for _ in range(STARTS)]
    others = wait_for(lambda: [p for p in processes if p.poll() is not None][STARTS - 2 :], seconds=60)
    assert len(others) == 1
    (first,) = [process for process in processes if process.poll() is None]
    url = url_of(first)
    assert server.answers(url)
    end(first)
    for process in processes:
        if process is not first:
            stdout, stderr = process.communicate(timeout=5)
            assert (process.returncode, stdout, stderr) == (0, f"erp is already running at {url}\n", "")


class Tty:
    """A terminal, as far as the program asks."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def write(self, text: str) -> None:
        self.said.append(text)

    def flush(self) -> None:
        """Nothing is buffered."""

    def isatty(self) -> bool:
        return True


def test_a_second_launch_by_a_person_opens_the_browser_on_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(sys, "stdout", Tty())
    with start(tmp_path / "data") as first:
        url = url_of(first)
        assert server.serve(Config(data_dir=tmp_path / "data")) == 0
        wait_for(lambda: opened == [url])
        end(first)


ODD = "Büro Möller & Söhne, 100% 東京 #1"


def test_a_path_may_have_blanks_umlauts_and_other_alphabets(tmp_path: Path, port: int) -> None:
    folder = tmp_path / ODD / "erp data"
    desk = Desk(port)
    with serving(folder, port) as process:
        desk.sign_in()
        assert desk.call("POST", "/finance/journals", ENTRY)[0] == 201
        shut_down(process)
    with serving(folder, port):
        assert len(desk.call("GET", "/finance/journals")[1]["data"]) == 1
    assert (folder / "control.db").exists()
    assert not list(tmp_path.glob("*.db"))


def test_a_folder_that_a_cloud_service_synchronises_is_served_with_a_warning(tmp_path: Path) -> None:
    with start(tmp_path / "OneDrive - Büro" / "erp") as process:
        assert server.answers(url_of(process))
        assert "is synchronised by OneDrive, which can damage open databases" in end(process)


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[None]:
    """A disk of its own mounted on a folder, if this system allows it."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def only_readable(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be written, not even by root."""
    folder.mkdir()
    if os.geteuid() == 0:
        with mounted(folder, "ro"):
            yield
    else:
        folder.chmod(0o555)
        yield
        folder.chmod(0o755)


@pytest.mark.skipif(os.name != "posix", reason="Windows has other rights")
def test_a_read_only_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with only_readable(folder):
        with start(folder) as process:
            stdout, stderr = process.communicate(timeout=30)
        assert list(folder.iterdir()) == []
    assert (process.returncode, stdout) == (1, "")
    assert re.fullmatch(rf"erp: {folder} is not writable \([a-z -]+\)\. Give your user write permission.*\n", stderr)


def fill(path: Path) -> None:
    """Use up all free space of a disk."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)


def test_a_full_disk_refuses_changes_and_starts_and_loses_nothing(tmp_path: Path, port: int) -> None:
    """Reliability O2."""
    data, filler = tmp_path / "disk" / "data", tmp_path / "disk" / "filler"
    desk = Desk(port)
    with mounted(tmp_path / "disk", "size=12m"):
        with serving(data, port) as process:
            desk.sign_in()
            assert desk.call("POST", "/finance/journals", ENTRY)[0] == 201
            fill(filler)
            statuses = [desk.call("POST", "/finance/journals", ENTRY)[0] for _ in range(40)]
            assert 507 in statuses
            assert set(statuses) <= {201, 507}
            assert desk.call("GET", "/finance/reports/balance-sheet")[1]["data"]["isBalanced"] is True
            filler.unlink()
            assert desk.call("POST", "/finance/journals", ENTRY)[0] == 201
            fill(filler)
            process.kill()
        before = {path: path.stat().st_size for path in data.rglob("*")}
        with start(data) as process:
            stdout, stderr = process.communicate(timeout=30)
        assert (process.returncode, stdout) == (1, "")
        message = f"erp: The disk of {data} is full. No data has been lost. Free some space and start again"
        assert stderr.startswith(message)
        assert stderr.count("\n") == 1
        assert {path: path.stat().st_size for path in data.rglob("*")} == before
        filler.unlink()
        with serving(data, port) as process:
            assert len(desk.call("GET", "/finance/journals")[1]["data"]) == 2 + statuses.count(201)
            assert desk.call("GET", "/workspace/events/verify")[1]["data"]["isValid"] is True
            shut_down(process)


def test_a_folder_that_lost_its_control_file_is_not_set_up_again(tmp_path: Path, port: int) -> None:
    """Reliability D11."""
    desk = Desk(port)
    with serving(tmp_path, port) as process:
        desk.sign_in()
        shut_down(process)
    (tmp_path / "control.db").unlink()
    with start(tmp_path) as process:
        stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (1, "")
    assert stderr.startswith(f"erp: {tmp_path} holds workspaces, but control.db is missing or empty")
    assert stderr.count("\n") == 1
    assert not (tmp_path / "control.db").exists()


@has_ipv6
def test_the_server_can_listen_on_an_ipv6_address(tmp_path: Path) -> None:
    with start(tmp_path, "--host", "::1") as process:
        url = url_of(process)
        assert url.startswith("http://[::1]:")
        assert server.answers(url)
        end(process)


def registered(desk: Desk, number: int) -> int:
    """Register a user; the status."""
    user = {"email": f"user{number}@example.com", "password": PASSWORD, "name": f"User {number}"}
    return desk.call("POST", "/auth/register", user)[0]


@pytest.mark.parametrize("mode", ["open", "invite", "closed"])
def test_of_fifty_users_who_register_at_once_one_is_the_administrator(
    tmp_path: Path, port: int, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reliability A4. A full queue and too many tries are refused for now, and no user is created."""
    monkeypatch.setenv("ERP_REGISTRATION", mode)
    with serving(tmp_path, port), ThreadPoolExecutor(50) as crowd:
        statuses = list(crowd.map(lambda number: registered(Desk(port), number), range(50)))
        statuses.append(registered(Desk(port), 50))
    with closing(sqlite3.connect(tmp_path / "control.db")) as control:
        ((users, admins),) = control.execute("SELECT count(*), sum(is_instance_admin) FROM user")
    assert admins == 1
    assert users == statuses.count(201)
    if mode == "open":
        assert set(statuses) <= {201, 503}
        assert statuses[-1] == 201, "anyone may register"
    else:
        assert set(statuses) <= {201, 403, 429, 503}
        assert users == 1


@pytest.mark.skipif(not hosts.lan_addresses(), reason="this computer is in no network")
def test_the_first_user_needs_the_code_when_registering_from_the_network(tmp_path: Path) -> None:
    """Reliability A4, from an address that is not this computer's own."""
    with start(tmp_path, "--lan", "--no-mdns") as process:
        own_port = url_of(process).rpartition(":")[2]
        assert process.stdout
        link = next(line for line in process.stdout if "To set up" in line)
        code = link.partition("#setup=")[2].strip()
        remote = Desk(int(own_port), hosts.lan_addresses()[0])
        assert registered(remote, 1) == 403
        olga = {"email": "olga@example.com", "password": PASSWORD, "name": "Olga"}
        assert remote.call("POST", "/auth/register", {**olga, "setupCode": code + "x"})[0] == 403
        status, answer = remote.call("POST", "/auth/register", {**olga, "setupCode": code})
        assert (status, answer["data"]["user"]["isInstanceAdmin"]) == (201, True)
        end(process)


@pytest.mark.parametrize("begin", [b"", b"GET /api/he"], ids=["silent", "slow"])
def test_five_hundred_connections_that_ask_nothing_do_not_stop_the_service(
    tmp_path: Path, port: int, begin: bytes
) -> None:
    """From this computer, where others' connections come from too if a proxy serves the office."""
    instance.raise_descriptor_limit()
    with serving(tmp_path / "data", port), ExitStack() as idle:
        for _ in range(500):
            client = idle.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            with suppress(ConnectionError):
                client.sendall(begin)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        with closing(connection):
            connection.request("GET", "/api/health")
            assert connection.getresponse().status == 200
