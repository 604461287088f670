"""The executable to try: the one that ERP_EXECUTABLE names, else it is built first."""

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
from tests.serving import wait_for


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker("executable")


@pytest.fixture(scope="session")
def executable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The executable, built once for all who test at the same time."""
    if named := os.environ.get("ERP_EXECUTABLE"):
        return Path(named).absolute()
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "built"
    try:
        place.mkdir()
    except FileExistsError:
        wait_for(lambda: (place / "done").exists(), 300)
    else:
        build = [sys.executable, str(ROOT / "packaging" / "build.py"), "--to", str(place)]
        subprocess.run(build, check=True, timeout=300)
        (place / "done").touch()
    return next(path for path in place.iterdir() if path.suffix in ("", ".exe") and path.stat().st_size > 1e6)


@pytest.fixture
def temp() -> Iterator[Path]:
    """Where the program's temporary files go: a short path, as a system's own is."""
    with tempfile.TemporaryDirectory(prefix="erp-t-") as folder:
        yield Path(folder)


@pytest.fixture
def serve(executable: Path, tmp_path: Path, temp: Path) -> Iterator[Callable[..., Served]]:
    """Start a server on the test's own data, or on the folder named."""
    started: list[Served] = []

    def start(data: Path | None = None, *flags: str, **options: Any) -> Served:
        started.append(Served(executable, data or tmp_path / "data", *flags, temp=temp, **options))
        return started[-1]

    yield start
    for each in started:
        with each:
            pass
