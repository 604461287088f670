"""Shared with the local network: what the terminal shows, and what other computers can do."""

import http.client
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import urllib.parse
from contextlib import closing, contextmanager

import pytest

from erp.app import create_app
from erp.auth.setup import open_setup
from erp.kernel.config import Config
from erp.runtime.server import bind
from erp.web import hosts
from tests.conftest import PASSWORD
from tests.servers import running

OLGA = {"email": "olga@example.com", "password": PASSWORD, "name": "Olga"}
ADDRESSES = hosts.lan_addresses()
BLOCKS = {"▄", "▀", "█"}
"""What a code is drawn of."""
needs_network = pytest.mark.skipif(not ADDRESSES, reason="this computer is in no network")


class Shared:
    """A server that is shared with the network."""

    def __init__(self, config):
        self.port = config.port
        self.code = open_setup(config)

    def ask(self, address, verb, path, body=None, **headers):
        with closing(http.client.HTTPConnection(address, self.port, timeout=10)) as connection:
            content = json.dumps(body) if body is not None else None
            connection.request(verb, path, content, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def register(self, address, **more):
        return self.ask(address, "POST", "/api/v1/auth/register", {**OLGA, **more})


@contextmanager
def sharing(folder):
    sock = bind("0.0.0.0", 0)
    port = sock.getsockname()[1]
    config = Config(data_dir=folder, host="0.0.0.0", lan=True, registration="invite", port=port)
    app = create_app(config)
    with running(config, app, sock=sock):
        yield Shared(config)


@pytest.fixture
def shared(tmp_path):
    with sharing(tmp_path / "data") as server:
        yield server


@needs_network
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_of_this_computer_serves_the_pages(shared, address):
    assert shared.ask(address, "GET", "/api/health")[0] == 200
    status, page = shared.ask(address, "GET", "/")
    module = re.search(rb'src="([^"]+app\.js)"', page)
    assert status == 200
    assert module
    assert shared.ask(address, "GET", module[1].decode())[0] == 200


@needs_network
def test_a_foreign_name_that_leads_here_is_refused(shared):
    for host in ("evil.example", f"evil.example:{shared.port}", f"{ADDRESSES[0]}:1"):
        status, body = shared.ask(ADDRESSES[0], "GET", "/api/health", Host=host)
        assert (status, json.loads(body)["error"]["code"]) == (421, "host_rejected")


@needs_network
def test_from_another_computer_the_first_user_needs_the_code_and_the_next_an_invite(shared):
    status, body = shared.register(ADDRESSES[0])
    assert (status, json.loads(body)["error"]["code"]) == (403, "registration_closed")
    assert shared.register(ADDRESSES[0], setupCode="guessed")[0] == 403
    assert json.loads(shared.ask(ADDRESSES[0], "GET", "/api/v1/auth/register")[1])["data"] == {
        "mode": "setup",
        "isOpenToYou": False,
        "hasSession": False,
    }
    status, body = shared.register(ADDRESSES[0], setupCode=shared.code)
    assert (status, json.loads(body)["data"]["user"]["isInstanceAdmin"]) == (201, True)
    assert shared.register(ADDRESSES[0], email="sam@example.com")[0] == 403
    assert shared.register("127.0.0.1", email="sam@example.com")[0] == 403


def test_on_the_servers_own_computer_the_first_user_needs_no_code(shared):
    admission = json.loads(shared.ask("127.0.0.1", "GET", "/api/v1/auth/register")[1])["data"]
    assert admission == {"mode": "setup", "isOpenToYou": True, "hasSession": False}
    assert shared.register("127.0.0.1")[0] == 201


@needs_network
def test_a_host_header_of_localhost_does_not_make_a_peer_local(shared):
    status, _ = shared.ask(ADDRESSES[0], "POST", "/api/v1/auth/register", OLGA, Host=f"localhost:{shared.port}")
    assert status == 403


@pytest.mark.skipif(sys.platform == "win32", reason="no such terminal")
@needs_network
def test_the_terminal_shows_the_address_and_a_code_to_scan(tmp_path):
    lines = said_on_a_terminal(tmp_path, "--lan", "--no-mdns")
    address = lines[1].removeprefix("On the network: ")
    url = urllib.parse.urlsplit(address)
    assert (url.scheme, url.hostname) == ("http", ADDRESSES[0])
    assert "Anyone on this network could read what is sent: the connection is not encrypted (see --tls)" in lines
    assert sum(not BLOCKS.isdisjoint(line) for line in lines) >= 12
    assert lines[-1].startswith(f"To set up, open within 30 minutes: {address}/#setup=")


@pytest.mark.skipif(sys.platform == "win32", reason="no such terminal")
def test_behind_a_proxy_the_terminal_names_the_public_address(tmp_path):
    lines = said_on_a_terminal(tmp_path, "--public-url", "https://erp.example.com")
    assert lines[1] == "On the network: https://erp.example.com"
    assert not any("could read what is sent" in line for line in lines)
    assert lines[-1].startswith("To set up, open within 30 minutes: https://erp.example.com/#setup=")


@needs_network
def test_without_a_terminal_no_code_is_drawn(tmp_path):
    with program(tmp_path, "--lan", "--no-mdns", stdout=subprocess.PIPE) as process:
        lines = until_set_up(process.stdout)
    assert not any("phone" in line or not BLOCKS.isdisjoint(line) for line in lines)


def test_the_addresses_in_further_networks_are_printed(tmp_path, capsys, monkeypatch):
    from erp.runtime import server

    monkeypatch.setattr(hosts, "lan_addresses", lambda: ["192.168.1.5", "10.0.0.2", "10.0.0.3"])
    config = Config(data_dir=tmp_path, host="0.0.0.0", lan=True, no_browser=True)
    server._announce(config, "http://127.0.0.1:8420", None)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "On the network: http://192.168.1.5:8420"
    assert lines[5] == "Also at: http://10.0.0.2:8420, http://10.0.0.3:8420"
    monkeypatch.setattr(hosts, "lan_addresses", list)
    server._announce(config, "http://127.0.0.1:8420", None)
    assert capsys.readouterr().out.splitlines()[1] == "On the network: no network found"


@contextmanager
def program(folder, *flags, **popen):
    environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    command = [
        sys.executable,
        "-m",
        "erp",
        "serve",
        "--no-browser",
        "--port",
        "0",
        "--data-dir",
        folder / "data",
        *flags,
    ]
    with subprocess.Popen(command, env=environment, **popen) as process:
        try:
            yield process
        finally:
            process.terminate()


def until_set_up(stream):
    lines: list[str] = []
    while not lines or not lines[-1].startswith("To set up"):
        line = stream.readline().decode()
        assert line, lines
        lines.append(line.strip())
    return lines


def said_on_a_terminal(folder, *flags):
    import pty

    ours, theirs = pty.openpty()
    with program(folder, *flags, stdout=theirs), os.fdopen(ours, "rb") as screen:
        os.close(theirs)
        return until_set_up(screen)


class Neighbour:
    """Another computer, as the network sees it: a network namespace with a virtual cable to this one."""

    def __init__(self):
        self.name = f"erp{secrets.token_hex(3)}"
        self.here = f"10.213.{os.getpid() % 200}.1"

    def ip(self, *words):
        return subprocess.run(["ip", *words], capture_output=True, text=True, errors="replace", check=False)

    def curl(self, *words):
        asked = ["netns", "exec", self.name, "curl", "-sS", "-m", "10", "-w", "\n%{http_code}", *words]
        answer = self.ip(*asked)
        assert answer.returncode == 0, answer.stderr
        body, _, status = answer.stdout.rpartition("\n")
        return int(status), body


@pytest.fixture
def neighbour():
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("curl"):
        pytest.skip("a network namespace needs Linux, root, iproute2 and curl")
    other = Neighbour()
    added = other.ip("netns", "add", other.name)
    if added.returncode:
        pytest.skip(f"no network namespace can be created here: {added.stderr}")
    there = other.here[:-1] + "2"
    cable = [f"{other.name}a", f"{other.name}b"]
    steps = [
        ["link", "add", cable[0], "type", "veth", "peer", "name", cable[1], "netns", other.name],
        ["address", "add", f"{other.here}/30", "dev", cable[0]],
        ["link", "set", cable[0], "up"],
        ["-n", other.name, "address", "add", f"{there}/30", "dev", cable[1]],
        ["-n", other.name, "link", "set", cable[1], "up"],
    ]
    try:
        done = [other.ip(*step) for step in steps]
        if any(step.returncode for step in done):
            pytest.skip(f"no virtual cable can be created here: {[step.stderr for step in done]}")
        yield other
    finally:
        other.ip("netns", "delete", other.name)


def test_another_computer_sees_the_pages_and_needs_the_code_to_register(neighbour, tmp_path):
    with sharing(tmp_path / "data") as shared:
        base = f"http://{neighbour.here}:{shared.port}"
        assert neighbour.curl(f"{base}/api/health")[0] == 200
        status, page = neighbour.curl(f"{base}/")
        assert (status, "<!doctype html>" in page) == (200, True)
        for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', page):
            assert neighbour.curl(base + address)[0] == 200
        status, body = neighbour.curl("-H", "Host: evil.example", f"{base}/api/health")
        assert (status, json.loads(body)["error"]["code"]) == (421, "host_rejected")
        registered = ["-H", "Content-Type: application/json", f"{base}/api/v1/auth/register", "-d"]
        status, body = neighbour.curl(*registered, json.dumps(OLGA))
        assert (status, json.loads(body)["error"]["code"]) == (403, "registration_closed")
        status, body = neighbour.curl(*registered, json.dumps({**OLGA, "setupCode": shared.code}))
        assert status == 201, body


def test_another_computer_reaches_nothing_that_is_not_shared(neighbour, installation):
    with running(installation.config, installation.app) as server:
        port = urllib.parse.urlsplit(server.url).port
        answer = neighbour.ip("netns", "exec", neighbour.name, "curl", "-sS", "-m", "5", f"{neighbour.here}:{port}")
    assert answer.returncode == 7
