"""Run the benches, keep their figures, and compare them with those of another run."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.bench.figures import FIGURES, Figure, described, machine, side_by_side

STDOUT = "-"


class Chosen:
    """As a plugin of pytest, leaves out the benches of other goals, and keeps the figures."""

    def __init__(self, goals: Sequence[str]) -> None:
        self._goals = set(goals)
        self.figures: list[Figure] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[FIGURES] = self.figures

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        goals = {item: {goal for mark in item.iter_markers("bench") for goal in mark.args} for item in items}
        known = set().union(*goals.values())
        if unknown := self._goals - known:
            raise pytest.UsageError(f"no bench measures {', '.join(sorted(unknown))}, only {', '.join(sorted(known))}")
        if self._goals:
            config.hook.pytest_deselected(items=[item for item in items if not goals[item] & self._goals])
            items[:] = [item for item in items if goals[item] & self._goals]


def main() -> int:
    """Do what the command line asks for; 1 when a goal is missed or could not be measured."""
    options = _parser().parse_args()
    with redirect_stdout(sys.stderr) if options.json == STDOUT else nullcontext():
        status, runs = 0, [json.loads(Path(path).read_text("utf-8")) for path in options.compare]
        if len(runs) < 2:
            status, run = _measured(options.only)
            runs.append(run)
        if len(runs) > 1:
            _compare(runs[0], runs[1])
    kept = json.dumps(runs[-1], indent=2, ensure_ascii=False)
    if options.json == STDOUT:
        _say(kept)
    elif options.json:
        Path(options.json).write_text(f"{kept}\n", "utf-8")
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="GOAL", default=[], help="measure these goals, such as P5 P22")
    parser.add_argument(
        "--json", nargs="?", const=STDOUT, metavar="FILE", help="keep the figures as JSON; without FILE, on stdout"
    )
    parser.add_argument(
        "--compare",
        nargs="+",
        metavar="FILE",
        default=[],
        help="print the figures kept in FILE beside those of this run, or of a second FILE, when nothing is run",
    )
    return parser


def _measured(goals: Sequence[str]) -> tuple[int, dict[str, Any]]:
    """Run the benches through pytest: its exit status, and the run as it is kept."""
    run = machine()
    _say(described(run))
    chosen = Chosen(goals)
    words = ["-m", "bench", "-n", "0", "-v", "--no-header", "--tb=short", str(Path(__file__).parent)]
    status = pytest.main(words, plugins=[chosen])
    return int(status), run | {"figures": [asdict(figure) | {"verdict": figure.verdict} for figure in chosen.figures]}


def _compare(before: dict[str, Any], after: dict[str, Any]) -> None:
    _say("", f"before: {described(before)}", f"after:  {described(after)}")
    _say(*side_by_side(_figures(before), _figures(after)))


def _figures(run: dict[str, Any]) -> list[Figure]:
    return [Figure(**{name: figure[name] for name in Figure.__dataclass_fields__}) for figure in run["figures"]]


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    sys.exit(main())
