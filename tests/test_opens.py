"""In a whole session nothing but SQLite opens a database file of ours (reliability D7).

Whoever opens and closes one drops the locks that SQLite holds on it. SQLite's own opens are known by O_NOFOLLOW.
"""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import wait_for
from tests.test_durability import ENTRY, Desk, port

__all__ = ["port"]

OPENED = re.compile(r'open(?:at)?\((?:AT_FDCWD, )?"([^"]+\.db(?:-wal|-shm|-journal)?)", ([A-Z_|]+)')


def may_trace() -> bool:
    if shutil.which("strace") is None:
        return False
    return (
        subprocess.run(
            ["strace", "--seccomp-bpf", "-f", "-o", "/dev/null", "true"], capture_output=True, check=False
        ).returncode
        == 0
    )


@pytest.mark.skipif(not may_trace(), reason="needs strace, and the right to use it")
def test_only_sqlite_opens_the_databases(tmp_path: Path, port: int) -> None:
    folder, trace = tmp_path / "data", tmp_path / "trace"
    server = [sys.executable, "-m", "erp", "--data-dir", str(folder), "--port", str(port), "--no-browser"]
    command = ["strace", "--seccomp-bpf", "-f", "-e", "trace=open,openat", "-o", str(trace), *server]
    desk = Desk(port)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert "is ready" in process.stdout.readline()
            work(desk)
            check = subprocess.run([*server[:3], "check", "--data-dir", str(folder)], capture_output=True, check=False)
            assert check.returncode == 0, check.stdout
        finally:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            for child in children:
                subprocess.run(["kill", f"-{signal.SIGTERM.value}", child], check=True)
        assert wait_for(lambda: process.poll() == 0, seconds=30)
    opens = [(path, flags) for path, flags in OPENED.findall(trace.read_text()) if is_live(Path(path), folder)]
    assert {Path(path).suffix for path, _ in opens} >= {".db", ".db-wal", ".db-shm"}
    assert [(path, flags) for path, flags in opens if "O_NOFOLLOW" not in flags] == []


def is_live(path: Path, folder: Path) -> bool:
    return path.parent in (folder, folder / "workspaces")


def work(desk: Desk) -> None:
    """A short day: an invoice, an entry, a backup, and a look at the installation."""
    desk.sign_in()
    line = {"description": "Consulting", "quantity": "1", "unitPrice": "100.00"}
    for path, body in (
        ("/finance/invoices", {"customer": {"name": "Initech"}, "lines": [line]}),
        ("/finance/journals", ENTRY),
        ("/system/backups", {}),
    ):
        status, answer = desk.call("POST", path, body)
        assert status == 201, answer
    _, answer = desk.call("GET", "/system/backups")
    for path in ("/finance/reports/balance-sheet", "/system/info"):
        assert desk.call("GET", path)[0] == 200
    name = answer["data"][0]["name"]
    assert desk.call("POST", f"/system/backups/{name}/verify", {})[0] == 200
