"""How long it takes until the program is ready: P14."""

import os
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.bench.figures import Figures
from tests.bench.offices import Desk
from tests.bench.servers import SOURCE, running_erp

STARTS = 7


def _seconds(folder: Path, program: Sequence[str]) -> float:
    with running_erp(folder, program) as server:
        return server.seconds_to_start


def _starts(folder: Path, program: Sequence[str]) -> Iterator[tuple[float, str]]:
    """The median of starts on a folder that an office has used and on new ones, in turns; the first only warms up."""
    used = folder / "used"
    with running_erp(used, program) as server:
        Desk(server).workspace("Office").issue(20)
    turns = [(_seconds(used, program), _seconds(folder / f"new{turn}", program)) for turn in range(STARTS)]
    for what, seconds in zip(("an existing data folder", "a new one"), zip(*turns, strict=True), strict=True):
        yield statistics.median(seconds), f"s until ready on {what}, {min(seconds):.2f} at best of {STARTS}"


@pytest.mark.bench("P14")
def test_the_program_is_ready_at_once(figures: Figures, tmp_path: Path):
    for seconds, line in _starts(tmp_path, SOURCE):
        figures.ratio("P14", seconds, "≤", 0.45, line)


@pytest.mark.bench("P14")
def test_the_executable_is_ready_at_once(figures: Figures, tmp_path: Path):
    if not (executable := os.environ.get("TRY_EXECUTABLE")):
        pytest.skip("TRY_EXECUTABLE names no executable")
    for seconds, line in _starts(tmp_path, (executable,)):
        figures.ratio("P14", seconds, "≤", 0.7, line)
