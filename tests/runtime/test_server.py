import os
import socket
import stat
import subprocess
import sys
import threading
import urllib.parse
from contextlib import ExitStack

import pytest

from erp.kernel.config import Config
from erp.runtime import instance, server
from erp.runtime.server import Server, bind
from tests.servers import OWN_CONSOLE, answer, connection, get, office, running, shut_down, wait_for


@pytest.fixture
def config(tmp_path):
    return Config(data_dir=tmp_path, no_browser=True)


def test_a_stopping_server_answers_running_requests_and_accepts_no_new_ones(config):
    asked, may_answer = threading.Event(), threading.Event()

    def slow_office(environ, start_response):
        asked.set()
        may_answer.wait(5)
        return office(environ, start_response)

    sock = bind("127.0.0.1", 0)
    office_server = Server(slow_office, config, sock)
    thread = threading.Thread(target=office_server.run)
    thread.start()
    with connection(office_server) as busy, connection(office_server) as idle:
        busy.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbook")
        assert asked.wait(5)
        office_server.stop()
        assert idle.recv(1) == b""
        with pytest.raises(ConnectionRefusedError):
            get(office_server)
        may_answer.set()
        assert answer(busy)[2] == b"book"
    thread.join(5)
    assert not thread.is_alive()
    sock.close()


def test_a_request_is_answered_beside_others_that_take_long(config):
    may_answer = threading.Event()

    def office_with_reports(environ, start_response):
        if environ["PATH_INFO"] == "/report":
            may_answer.wait(30)
        return office(environ, start_response)

    with running(config, office_with_reports) as office_server, ExitStack() as open_lines:
        clients = [open_lines.enter_context(connection(office_server)) for _ in range(config.threads - 1)]
        for client in clients:
            client.sendall(b"GET /report HTTP/1.1\r\nHost: a\r\n\r\n")
        for _ in range(3):
            assert get(office_server)[2] == b"/hello"
        may_answer.set()
        assert [answer(client)[2] for client in clients] == [b"/report"] * len(clients)


def test_a_stopping_server_answers_what_was_sent_before_the_thread_had_finished_with_the_last_answer(config):
    stopped = threading.Event()

    class Body(list[bytes]):
        def close(self):
            stopped.wait(5)

    def office_with_a_long_end(environ, start_response):
        return Body(office(environ, start_response))

    with running(config, office_with_a_long_end) as office_server, connection(office_server) as client:
        client.sendall(b"GET /first HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer(client)[2] == b"/first"
        sent = b"book" * 5_000
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(sent) + sent)
        office_server.stop()
        wait_for(lambda: is_refused(office_server))
        stopped.set()
        assert answer(client)[2] == sent
        assert client.recv(1) == b""


def is_refused(office_server):
    try:
        with connection(office_server):
            return False
    except (ConnectionRefusedError, ConnectionResetError):  # reset: made just before the listening socket was closed
        return True


def test_a_stopping_server_answers_on_every_connection_that_was_made_before(config):
    may_loop = threading.Event()

    class Busy(Server):
        def _turn(self, timeout):
            may_loop.wait(5)
            super()._turn(timeout)

    with running(config, build=Busy) as office_server, ExitStack() as open_connections:
        clients = [open_connections.enter_context(connection(office_server)) for _ in range(20)]
        for number, client in enumerate(clients):
            client.sendall(f"GET /{number} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        office_server.stop()
        may_loop.set()
        assert [answer(client)[2] for client in clients] == [f"/{number}".encode() for number in range(20)]


SLOW_SERVER = """
import sys, threading
from pathlib import Path
from erp.kernel.config import Config
from erp.runtime.server import Server, bind, say
from erp.runtime.stopping import stopped_from_outside

asked, stopping = threading.Event(), threading.Event()

def app(environ, start_response):
    say("asked")
    stopping.wait(5)
    start_response("200 OK", [("Content-Length", "4")])
    return [b"done"]

def stop():
    server.stop()
    stopping.set()

server = Server(app, Config(data_dir=Path(sys.argv[1])), bind("127.0.0.1", 0))
with stopped_from_outside(stop):
    say(server.url)
    server.run()
say("ended")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_running_request_is_answered_when_the_system_ends_the_program(tmp_path, name):
    import signal

    command = [sys.executable, "-c", SLOW_SERVER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = urllib.parse.urlsplit(process.stdout.readline().strip())
        with socket.create_connection((address.hostname, address.port), timeout=5) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert process.stdout.readline() == "asked\n"
            process.send_signal(getattr(signal, name))
            assert answer(client)[2] == b"done"
        assert process.stdout.read() == "ended\n"
        assert process.wait(5) == 0


def test_the_program_says_where_it_is_and_ends_cleanly(tmp_path):
    command = [sys.executable, "-m", "erp", "--port", "0", "--data-dir", str(tmp_path / "data")]
    pipe = subprocess.PIPE
    environ = {**os.environ, "ERP_HOME": "/opt/another-erp"}
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, env=environ, creationflags=OWN_CONSOLE
    ) as process:
        assert process.stdout
        assert process.stderr
        said = [process.stdout.readline().strip() for _ in range(6)]
        url = said[0].removeprefix("erp is ready at ")
        assert server.answers(url)
        assert instance.running_at(tmp_path / "data") == url
        shut_down(process)
        logged = process.stderr.read()
    assert "the environment sets ERP_HOME, which is no setting of this program and is ignored" in logged
    assert said[1:5] == [
        "On the network: not shared (switch it on under Settings, Network, or start with --lan)",
        f"Data folder: {tmp_path / 'data'}",
        f"Documentation: {url}/docs",
        "To stop: press Ctrl-C or close this window",
    ]
    assert said[5].startswith(f"To set up, open within 30 minutes: {url}/#setup=")
    left = sorted(path.name for path in (tmp_path / "data").iterdir() if path.is_file())
    assert left == ["control.db", "erp.lock"]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_a_folder_that_was_made_beforehand_becomes_private_and_the_log_says_so(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o755)
    logged = []
    for _ in range(2):
        command = [sys.executable, "-m", "erp", "--port", "0", "--data-dir", str(data), "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout
            assert process.stderr
            assert process.stdout.readline().startswith("erp is ready at")
            shut_down(process)
            logged.append(process.stderr.read())
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
    said = f"other users of this computer could read {data}: they no longer can"
    assert [said in lines for lines in logged] == [True, False]


def test_the_next_free_port_is_used_and_announced(config, capsys):
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with server.bind_configured(Config(data_dir=config.data_dir, port=port)) as sock:
            next_port = sock.getsockname()[1]
    assert port < next_port <= port + 20
    assert capsys.readouterr().out == f"Port {port} is in use; using {next_port}.\n"


def test_an_explicit_port_that_is_in_use_is_refused(config):
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        explicit = Config(data_dir=config.data_dir, port=port, port_is_explicit=True)
        with pytest.raises(instance.CannotStart, match=rf"^Port {port} .*\(another program uses it\).*--port"):
            server.bind_configured(explicit)


def test_an_address_of_another_computer_is_refused(config):
    with pytest.raises(instance.CannotStart, match=r"no address 192\.0\.2\.77\. .*--host"):
        server.bind_configured(Config(data_dir=config.data_dir, host="192.0.2.77", port=0))


def healthy(environ, start_response):
    body = b'{"success": true, "data": {"status": "ok"}}' if environ["PATH_INFO"] == "/api/health" else b"{}"
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def test_a_second_start_points_to_the_running_server(config, capsys):
    instance.prepare(config)
    with instance.hold(config) as held, running(config, healthy) as office_server:
        held.publish("ready", office_server.url)
        assert server.serve(config) == 0
    assert capsys.readouterr().out == f"erp is already running at {office_server.url}\n"


def test_a_second_start_on_another_port_is_refused(config):
    instance.prepare(config)
    with instance.hold(config) as held, running(config, healthy) as office_server:
        held.publish("ready", office_server.url)
        with pytest.raises(instance.HeldByAnother, match=office_server.url):
            server.serve(Config(data_dir=config.data_dir, port=1, port_is_explicit=True))


def test_another_program_is_not_taken_for_ours(config):
    with running(config) as office_server:
        assert not server.answers(office_server.url)
    assert not server.answers(office_server.url)
