"""Servers in their own processes: the program as an office starts it, and hello beside it."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

SOURCE = (sys.executable, "-m", "erp")
"""How the program is called from its source."""


def _as_usual() -> dict[str, str]:
    """The environment of an office, in which Python keeps what it has compiled for the next start."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Running:
    """A server process: its address, its memory, and its time to start."""

    def __init__(self, command: Sequence[str], folder: Path, page: str) -> None:
        self.folder = folder
        began = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_as_usual())
        self.url = self._url()
        self.port = urlsplit(self.url).port or 0
        with urllib.request.urlopen(f"{self.url}{page}") as answer:
            assert answer.status == 200
        self.seconds_to_start = time.perf_counter() - began

    def _url(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if " is ready at " in line:
                return line.split()[-1]
        raise AssertionError(f"the server ended with {self.process.wait()}")

    def stop(self) -> None:
        """End it and wait until it has ended."""
        self.process.terminate()
        self.process.communicate(timeout=30)

    def memory(self) -> float:
        """MiB that it uses now."""
        return self._status("VmRSS")

    def peak_memory(self) -> float:
        """MiB that it has used at most."""
        return self._status("VmHWM")

    def _status(self, name: str) -> float:
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            pytest.skip("memory is only measured on Linux")
        (line,) = (line for line in status.read_text().splitlines() if line.startswith(f"{name}:"))
        return int(line.split()[1]) / 1024


@contextmanager
def running_erp(folder: Path, program: Sequence[str] = SOURCE) -> Iterator[Running]:
    """Run the program on a data directory."""
    words = ("serve", "--data-dir", str(folder), "--port", "0", "--no-browser")
    server = Running((*program, *words), folder, "/api/health")
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def running_hello(folder: Path) -> Iterator[Running]:
    """Run a bare Falcon application on the program's own server."""
    folder.mkdir()
    server = Running((sys.executable, "-m", "tests.bench.hello", str(folder)), folder, "/hello")
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate(timeout=30)
