"""How long it takes until the program is ready: P14."""

import os
import statistics
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bench.figures import Figures
from tests.bench.offices import Desk
from tests.bench.servers import SOURCE, running_erp

STARTS = 7


def _seconds(folder: Path, program: Sequence[str]) -> float:
    with running_erp(folder, program) as server:
        return server.seconds_to_start


def _measure(figures: Figures, folder: Path, program: Sequence[str], limit: float) -> None:
    """Start on a folder that an office has used, and on new ones, in turns; the first start only warms up."""
    used = folder / "used"
    with running_erp(used, program) as server:
        Desk(server).workspace("Office").issue(20)
    turns = [(_seconds(used, program), _seconds(folder / f"new{turn}", program)) for turn in range(STARTS)]
    for what, seconds in zip(("an existing data folder", "a new one"), zip(*turns, strict=True), strict=True):
        line = f"s until ready on {what}, {min(seconds):.2f} at best of {STARTS}"
        figures.ratio("P14", statistics.median(seconds), "≤", limit, line)


@pytest.mark.bench("P14")
def test_the_program_is_ready_at_once(figures: Figures, tmp_path: Path):
    _measure(figures, tmp_path, SOURCE, 0.45)


@pytest.mark.bench("P14")
def test_the_executable_is_ready_at_once(figures: Figures, tmp_path: Path):
    if not (executable := os.environ.get("ERP_EXECUTABLE")):
        pytest.skip("ERP_EXECUTABLE names no executable")
    _measure(figures, tmp_path, (executable,), 0.7)
