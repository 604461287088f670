"""The built executable as people use it: started in a folder, used over HTTP, stopped."""

import json
import locale
import os
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests import documented
from tests.conftest import PASSWORD
from tests.servers import OWN_CONSOLE, interrupt

PATIENCE = 60
"""Seconds after which anything counts as hanging."""


def environment(temp: Path, **more: str) -> dict[str, str]:
    """A person's environment: without the tests' own variables, and with a known folder for temporary files."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("ERP_", "PYTHON", "_PYI"))}
    return {**usual, "TMPDIR": str(temp), "TEMP": str(temp), "TMP": str(temp), "HOME": str(temp), **more}


def run(executable: Path, *words: str, temp: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [executable, *words],
        env=environment(temp),
        capture_output=True,
        encoding=locale.getencoding(),
        errors="replace",
        timeout=PATIENCE,
        check=False,
        **options,
    )


def done(executable: Path, *words: str, temp: Path, **options: Any) -> str:
    """Run a command that succeeds; its output."""
    ended = run(executable, *words, temp=temp, **options)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


class Served:
    """The executable as a server, for the length of a block."""

    def __init__(
        self, executable: Path, data: Path | None, *flags: str, temp: Path, cwd: Path | None = None, **variables: str
    ) -> None:
        self.data, self.temp = data or executable.parent / "erp-data", temp
        elsewhere = ["--data-dir", str(data)] if data else []
        self.process = subprocess.Popen(
            [executable, *elsewhere, "--port", "0", "--no-browser", *flags],
            env=environment(temp, **variables),
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding=locale.getencoding(),
            errors="replace",
            creationflags=OWN_CONSOLE,
        )
        assert self.process.stdout
        first = self.process.stdout.readline()
        if "ready at" not in first:
            raise AssertionError(first + self.process.communicate(timeout=PATIENCE)[1])
        self.url = first.split()[-1]

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()

    def line(self, beginning: str) -> str:
        """The rest of the next printed line with that beginning."""
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith(beginning):
                return line.removeprefix(beginning).strip()
        raise AssertionError(f"no line begins with {beginning!r}")

    def stop(self) -> int:
        """Stop it, by Ctrl-C on Windows; its exit code."""
        interrupt(self.process)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode

    @property
    def worker(self) -> int:
        """The process that serves; the launcher has unpacked it and is waiting."""
        started = self.process.pid
        children = Path(f"/proc/{started}/task/{started}/children").read_text("ascii").split()
        return int(children[0]) if children else started

    @property
    def unpacked(self) -> Path:
        """The folder that this run has unpacked."""
        (folder,) = (path for path in self.temp.glob("_MEI*") if str(path) in self.maps())
        return folder

    def maps(self) -> str:
        """The libraries that the worker has loaded, as the system lists them."""
        return Path(f"/proc/{self.worker}/maps").read_text("utf-8")

    def ask(
        self, verb: str, path: str, body: Any = None, token: str = "", patience: int = PATIENCE
    ) -> tuple[int, bytes]:
        """Send a request; the status and content of the answer."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, content, headers, method=verb)
        try:
            with urllib.request.urlopen(request, timeout=patience) as answer:
                return self._checked(verb, path, answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return self._checked(verb, path, refused)

    def _checked(self, verb: str, path: str, answer: Any) -> tuple[int, bytes]:
        """The status and content of an answer, which is as it is documented."""
        status, content = answer.status, answer.read()
        documented.check(verb, path, status, answer.headers.items(), content)
        return status, content

    def ok(self, verb: str, path: str, body: Any = None, token: str = "", patience: int = PATIENCE) -> Any:
        """Send a request under /api/v1 that succeeds; its data."""
        status, content = self.ask(verb, f"/api/v1{path}", body, token, patience)
        assert status in (200, 201), f"{verb} {path}: {status} {content[:500]!r}"
        return json.loads(content)["data"]

    def register(self, name: str, **more: str) -> str:
        """Register a user; the token of their session."""
        body = {"email": f"{name.lower()}@example.com", "password": PASSWORD, "name": name, **more}
        return str(self.ok("POST", "/auth/register", body)["session"]["token"])

    def sign_in(self, name: str) -> str:
        """Sign in; the session's token."""
        body = {"email": f"{name.lower()}@example.com", "password": PASSWORD}
        return str(self.ok("POST", "/auth/sign-in/email", body)["session"]["token"])

    def make_workspace(self, name: str, token: str) -> str:
        """Create a workspace and select it; its id."""
        workspace = str(
            self.ok("POST", "/workspace", {"name": name, "country": "DE", "chartTemplate": "standard"}, token)["id"]
        )
        self.ok("POST", "/auth/select-workspace", {"workspaceId": workspace}, token)
        return workspace
