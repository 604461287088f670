"""Many starts on one folder, ending the program from outside, and its temporary folder."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from erp.runtime import frozen
from tests.executable.program import PATIENCE, Served, environment
from tests.executable.test_office import pay_staff
from tests.servers import answer, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the system's own table of processes")
STARTS = int(os.environ.get("TRY_EXECUTABLE_STARTS", "20"))


def test_twenty_at_once_on_one_folder_are_one_server_and_the_others_say_where(executable, tmp_path, temp):
    log = tmp_path / "output"
    log.mkdir()
    command = [executable, "--data-dir", tmp_path / "data", "--no-browser"]
    started = []
    for number in range(STARTS):
        with (log / str(number)).open("w") as output:
            started.append(subprocess.Popen(command, env=environment(temp), stdout=output, stderr=subprocess.STDOUT))
    wait_for(lambda: sum(process.poll() is None for process in started) <= 1, PATIENCE)
    (serving,) = (number for number, process in enumerate(started) if process.poll() is None)
    url = (log / str(serving)).read_text().partition("erp is ready at ")[2].split()[0]
    others = [number for number in range(STARTS) if number != serving]
    try:
        assert [started[number].returncode for number in others] == [0] * (STARTS - 1)
        assert {(log / str(number)).read_text() for number in others} == {f"erp is already running at {url}\n"}
    finally:
        started[serving].terminate()
        assert started[serving].wait(PATIENCE) == 0


def test_running_requests_are_answered_when_the_system_stops_it(serve):
    server = serve()
    token = server.register("Olga")
    server.make_workspace("Acme", token)
    answers: list[int] = []
    under_way = threading.Event()

    def work() -> None:
        while True:
            try:
                answers.append(server.ask("GET", "/api/v1/finance/reports/balance-sheet", None, token)[0])
            except OSError:
                return
            under_way.set()

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    with connected(server) as asking:
        ask_on(asking, server, "GET /api/health", token)
        answered(asking)
        assert under_way.wait(PATIENCE)
        ask_on(asking, server, "POST /api/v1/hr/holidays/import", token)  # loads a library first, which takes time
        server.process.terminate()
        assert answered(asking) == 200
    assert server.process.wait(11) == 0
    for worker in workers:
        worker.join(PATIENCE)
    assert set(answers) == {200}
    assert not list(server.data.rglob("*-wal"))
    assert not (server.data / "instance.json").exists()


def connected(server: Served) -> socket.socket:
    host, port = server.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def ask_on(client: socket.socket, server: Served, what: str, token: str) -> None:
    """Send a request, without waiting for the answer."""
    body = b'{"year": 2026}' if what.startswith("POST") else b""
    head = f"{what} HTTP/1.1\r\nHost: {server.url.removeprefix('http://')}\r\nAuthorization: Bearer {token}\r\n"
    client.sendall(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)


def answered(client: socket.socket) -> int:
    """Read an answer; its status."""
    return int(answer(client)[0])


def test_the_server_ends_with_a_killed_launcher_and_leaves_no_lock(serve):
    server = serve()
    token = server.register("Olga")
    workspace = server.make_workspace("Acme", token)
    worker = server.worker
    os.kill(server.process.pid, signal.SIGKILL)
    wait_for(lambda: not Path(f"/proc/{worker}").exists(), 3)
    again = serve()
    assert again.ok("GET", "/workspace", None, token)[0]["id"] == workspace


def test_everything_still_works_after_a_cleaner_has_deleted_the_temporary_folder(serve):
    server = serve()
    token = server.register("Olga")
    server.make_workspace("Acme", token)
    shutil.rmtree(server.unpacked)
    pay_staff(server, token)
    for path in ("/", "/docs/tour", "/api/docs", "/api/docs/swagger_bundle.js", "/api/openapi.json", "/api/health"):
        assert server.ask("GET", path)[0] == 200, path
    assert server.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "GR"}, token)["added"]
    assert server.stop() == 0
    assert not list(server.temp.glob("_MEI*"))


def test_time_zones_still_work_after_that_on_a_system_without_any(serve):
    server = serve(PYTHONTZPATH="")
    token = server.register("Olga")
    shutil.rmtree(server.unpacked)
    workspace = server.make_workspace("Acme", token)
    changed = server.ok("PATCH", f"/workspace/{workspace}", {"timeZone": "Pacific/Auckland"}, token)
    assert changed["timeZone"] == "Pacific/Auckland"
    assert server.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "NZ"}, token)["added"]


def test_only_the_folder_of_a_killed_launcher_is_removed_a_day_later(serve):
    server = serve()
    yesterday = time.time() - frozen.OLD_SECONDS - 60
    left, foreign, used = (server.temp / f"_MEI{name}" for name in ("left", "foreign", "used"))
    for folder in (left, used):
        (folder / frozen.OURS).parent.mkdir(parents=True)
        (folder / frozen.OURS).touch()
    foreign.mkdir()
    for folder in (left, foreign, used, server.unpacked):
        os.utime(folder, (yesterday, yesterday))
    release = frozen.hold(used)
    serve(server.data.parent / "other")
    release()
    assert not left.exists()
    assert foreign.exists()
    assert used.exists()
    assert server.unpacked.exists()
