"""The executable under test: the one that TRY_EXECUTABLE names, or else a new build."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.executable.program import Served
from tests.paths import ROOT
from tests.servers import wait_for


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker("executable")


@pytest.fixture(scope="session")
def executable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The executable, built once for all parallel workers."""
    if named := os.environ.get("TRY_EXECUTABLE"):
        return Path(named).absolute()
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "built"
    try:
        folder.mkdir()
    except FileExistsError:
        wait_for(lambda: (folder / "done").exists(), 300)
    else:
        build = [sys.executable, str(ROOT / "packaging" / "build.py"), "--to", str(folder)]
        subprocess.run(build, check=True, timeout=300)
        (folder / "done").touch()
    return next(path for path in folder.iterdir() if path.suffix in ("", ".exe") and path.stat().st_size > 1e6)


@pytest.fixture
def temp() -> Iterator[Path]:
    """The folder for the program's temporary files: a short path, like a system's own."""
    with tempfile.TemporaryDirectory(prefix="erp-t-") as folder:
        yield Path(folder)


@pytest.fixture
def serve(executable: Path, tmp_path: Path, temp: Path) -> Iterator[Callable[..., Served]]:
    """Start a server on the test's own data, or on a given folder."""
    started: list[Served] = []

    def start(data: Path | None = None, *flags: str, **options: Any) -> Served:
        started.append(Served(executable, data or tmp_path / "data", *flags, temp=temp, **options))
        return started[-1]

    yield start
    for server in started:
        with server:
            pass
