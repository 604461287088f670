"""The server of a developer: it starts again when a file of the program has changed."""

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SECONDS = 0.5
"""Between two looks at the files."""
STOPPING = 15.0
"""Seconds in which a server ends by itself, or is ended."""
_UNWATCHED = {"__pycache__"}

State = dict[Path, int]
"""The files of the program, each with the time of its last change, in ns."""


def serve(words: Sequence[str], folder: Path) -> int:
    """Run the server in a process of its own, and start it again after each change of a file in a folder.

    A server that does not start, for instance because of a typing error, is tried again after the next change. It
    stores no bytecode: Python would take the old one for a file of the same size that changed within a second.

    Args:
        words: the command line after `erp`, without `--dev`.

    Returns:
        The exit code.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the server is stopped, too
    command, seen = [sys.executable, "-B", "-m", "erp", *words], _state(folder)
    server = subprocess.Popen(command)
    try:
        while True:
            code = _ended(server, SECONDS)
            if code == 0:
                return code
            if (now := _state(folder)) != seen:
                seen = now
                _stop(server)
                server = subprocess.Popen([*command, *(() if "--no-browser" in words else ("--no-browser",))])
    except KeyboardInterrupt:
        return _stop(server)


def _state(folder: Path) -> State:
    """The files with their times of change; one that vanishes meanwhile is left out."""
    state: State = {}
    for path in folder.rglob("*"):
        try:
            if path.is_file() and not _UNWATCHED & {*path.parts}:
                state[path] = path.stat().st_mtime_ns
        except FileNotFoundError:
            continue
    return state


def _ended(server: "subprocess.Popen[bytes]", seconds: float) -> int | None:
    """The exit code of the server, if it ends within some seconds."""
    try:
        return server.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


def _stop(server: "subprocess.Popen[bytes]") -> int:
    """Stop the server; its exit code."""
    server.terminate()
    code = _ended(server, STOPPING)
    if code is None:
        server.kill()
        code = server.wait()
    return code
