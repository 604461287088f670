"""Sharing with the local network, switched on the page while the server runs."""

import json
import shlex
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import PIPE, Popen
from typing import Any

import pytest

from erp.system import sharing
from erp.web import hosts
from tests.conftest import PASSWORD

ADDRESSES = hosts.lan_addresses()
needs_network = pytest.mark.skipif(not ADDRESSES, reason="this computer is in no network")


class Office:
    """A running program, and its administrator."""

    def __init__(self, process: Any) -> None:
        self._process = process
        self._headers = {"Content-Type": "application/json"}
        self.url = self.ready()
        who = {"email": "olga@example.com", "password": PASSWORD}
        self.call("POST", "/auth/register", {**who, "name": "Olga"})
        token = self.call("POST", "/auth/login", who)[1]["session"]["token"]
        self._headers["Authorization"] = f"Bearer {token}"

    def ready(self) -> str:
        """Read what the window shows up to the next address."""
        return next(str(line.split()[-1]) for line in self._process.stdout if "is ready at" in line)

    def call(self, verb: str, path: str, body: Any = None, url: str | None = None) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{url or self.url}/api/v1{path}", data, self._headers, method=verb)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.load(answer)["data"]
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, json.load(refusal)["error"]


@contextmanager
def office(folder: Any, *words: str) -> Iterator[Office]:
    command = [sys.executable, "-m", "erp", "serve", "--no-browser", "--port", "0", "--data-dir", str(folder), *words]
    with Popen(command, stdout=PIPE, text=True) as process:
        try:
            yield Office(process)
        finally:
            process.terminate()


@needs_network
def test_a_running_server_is_shared_and_kept_to_itself_again(tmp_path):
    with office(tmp_path / "data") as here:
        port = here.url.rpartition(":")[2]
        outside = f"http://{ADDRESSES[0]}:{port}"
        with pytest.raises(urllib.error.URLError):
            here.call("GET", "/auth/session", url=outside)
        assert here.call("GET", "/system/sharing")[1]["isShared"] is False

        status, answer = here.call("PATCH", "/system/sharing", {"isShared": True})
        assert (status, answer["isShared"]) == (200, True)
        assert here.ready() == f"http://127.0.0.1:{port}"
        status, now = here.call("GET", "/system/sharing", url=outside)
        assert (status, now["isShared"], now["canBeSwitched"]) == (200, True, True)
        assert outside in now["addresses"]["network"]
        assert here.call("GET", "/system/info", url=outside)[1]["registration"] == "invite"
        assert tomllib.loads((tmp_path / "data" / "erp.toml").read_text("utf-8")) == {"lan": True}

        assert here.call("PATCH", "/system/sharing", {"isShared": False}, url=outside)[0] == 200
        here.ready()
        with pytest.raises(urllib.error.URLError):
            here.call("GET", "/auth/session", url=outside)
        assert here.call("GET", "/system/sharing")[1]["isShared"] is False


def test_what_the_start_decides_the_page_cannot_switch_but_says_how_to_start(tmp_path):
    with office(tmp_path / "data", "--host", "127.0.0.1") as here:
        state = here.call("GET", "/system/sharing")[1]
        assert state["canBeSwitched"] is False
        words = shlex.split(state["command"], posix=sys.platform != "win32")
        assert words == [sys.executable, "-m", "erp", "serve", "--data-dir", str(tmp_path / "data"), "--lan"]
        status, error = here.call("PATCH", "/system/sharing", {"isShared": True})
        assert (status, error["code"]) == (409, "not_switchable")
        assert state["command"] in error["message"]
        assert not (tmp_path / "data" / "erp.toml").exists()


def test_only_the_instance_admin_switches(acme):
    acme.colleague("admin").refused("PATCH", "/system/sharing", {"isShared": True}, status=403, code="forbidden")
    acme.refused("PATCH", "/system/sharing", {"isShared": True}, status=409, code="not_switchable")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "lan = true\n"),
        ("threads = 2", "threads = 2\nlan = true\n"),
        ("# ours\n lan=false # not yet\nport = 9000\n", "# ours\nlan = true\nport = 9000\n"),
    ],
)
def test_every_other_line_of_the_settings_stays(tmp_path, before, after):
    path = tmp_path / "erp.toml"
    path.write_text(before, "utf-8")
    sharing.write(path, is_shared=True)
    assert path.read_text("utf-8") == after


def test_a_setting_in_a_form_of_its_own_is_left_alone(tmp_path):
    path = tmp_path / "erp.toml"
    path.write_text('"lan" = false\n', "utf-8")
    with pytest.raises(ValueError, match=r"overwrite|toml"):
        sharing.write(path, is_shared=True)
    assert path.read_text("utf-8") == '"lan" = false\n'
