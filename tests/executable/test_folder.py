"""The program in a folder with its data beside it, as on a USB stick, and, on Windows, what only Windows has."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.executable.program import Served, done, run
from tests.executable.test_office import trade

windows = pytest.mark.skipif(sys.platform != "win32", reason="only Windows has this")


@pytest.fixture
def stick(executable: Path, tmp_path: Path) -> Path:
    """The program in a folder of its own, with a folder for its data beside it."""
    folder = tmp_path / "Büro"
    (folder / "erp-data").mkdir(parents=True)
    return Path(shutil.copy(executable, folder / f"erp{executable.suffix}"))


@pytest.fixture
def served(stick: Path, temp: Path) -> Iterator[Served]:
    with Served(stick, None, temp=temp) as server:
        yield server


def test_the_data_beside_it_is_served_once_backed_up_and_restored(stick, served, temp):
    code = served.line("To set up, open within 30 minutes: ").partition("#setup=")[2]
    token = served.register("Olga", setupCode=code)
    served.make_workspace("Olga & Söhne", token)
    trade(served, token, "119.00")
    before = served.ok("GET", "/finance/invoices", None, token)

    again = run(stick, "--no-browser", temp=temp)
    assert (again.returncode, again.stdout.strip()) == (0, f"erp is already running at {served.url}")
    done(stick, "backup", temp=temp)
    assert served.stop() == 0
    assert not list(served.data.rglob("*-wal"))
    assert not (served.data / "instance.json").exists()

    (backup,) = (served.data / "backups").glob("*-manual.zip")
    kept = Path(shutil.copy(backup, stick.parent))
    shutil.rmtree(served.data)
    served.data.mkdir()
    done(stick, "restore", str(kept), temp=temp)
    done(stick, "check", temp=temp)
    with Served(stick, None, temp=temp) as restored:
        token = restored.sign_in("Olga")
        (workspace,) = restored.ok("GET", "/workspace", None, token)
        restored.ok("POST", "/auth/select-workspace", {"workspaceId": workspace["id"]}, token)
        assert restored.ok("GET", "/finance/invoices", None, token) == before


@windows
@pytest.mark.skipif(not os.environ.get("TRY_TASK_SCHEDULER"), reason="it would replace this user's own service")
def test_task_scheduler_takes_it_and_gives_it_back(stick, temp):
    data = stick.parent / "erp-data"
    assert "The service is installed." in done(stick, "service", "install", "--port", "8427", temp=temp)
    try:
        status = done(stick, "service", "status", temp=temp)
        assert "The service is installed" in status
        assert f"Data folder: {data}" in status
    finally:
        removed = done(stick, "service", "remove", temp=temp)
    assert "have been removed" in removed
    assert "The service is not installed." in done(stick, "service", "status", temp=temp)
