"""What the benches have measured, beside their goals: as a table, as JSON, and next to the figures of another run."""

import os
import platform
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.paths import ROOT


@dataclass(frozen=True)
class Figure:
    """A line of the table: a value beside its limit, a value that has none, or only a sentence."""

    goal: str
    bench: str
    sentence: str
    measured: float | None = None
    sign: str = ""
    limit: float | None = None

    @property
    def verdict(self) -> str:
        """Whether the goal is reached."""
        if self.measured is None or self.limit is None:
            return ""
        is_reached = self.measured <= self.limit if self.sign == "≤" else self.measured >= self.limit
        return "reached" if is_reached else "MISSED"

    def __str__(self) -> str:
        return f"{self.goal:<6} {_value(self)} {_verdict(self)}  {self.sentence}"


FIGURES = pytest.StashKey[list[Figure]]()
"""All figures of a run of pytest, in its config."""


class Figures:
    """Where a bench notes what it measures; one that misses a goal measures the rest, and fails at its end."""

    def __init__(self, bench: str, figures: list[Figure]) -> None:
        self._bench, self._figures = bench, figures

    def tell(self, goal: str, sentence: str, measured: float | None = None) -> None:
        """Note a sentence, and the value of which it speaks."""
        self._figures.append(Figure(goal, self._bench, sentence, measured))

    def ratio(self, goal: str, measured: float, sign: str, limit: float, sentence: str) -> None:
        """Note a value beside its limit, in the unit with which the sentence begins."""
        self._figures.append(Figure(goal, self._bench, sentence, measured, sign, limit))

    def within(self, goal: str, measured: float, limit: float, sentence: str) -> None:
        """Note milliseconds beside their limit."""
        self.ratio(goal, measured, "≤", limit, f"ms, {sentence}")


def machine() -> dict[str, Any]:
    """What the figures depend on: Python, the computer, how busy it is now, and the commit that is measured."""
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    return {"python": platform.python_version(), "cores": os.cpu_count(), "loadAverage": load, "commit": _commit()}


def described(run: dict[str, Any]) -> str:
    """A run in one line."""
    load = f"load average {run['loadAverage']} at the start"
    return f"Python {run['python']}, {run['cores']} cores, {load}, commit {run['commit'] or 'unknown'}"


def side_by_side(before: Sequence[Figure], after: Sequence[Figure]) -> Iterator[str]:
    """Every figure of both runs, with the one before on the left."""
    old, new = _by_place(before), _by_place(after)
    for place in [*new, *(place for place in old if place not in new)]:
        was, now = old.get(place), new.get(place)
        shown = now or old[place]
        yield f"{shown.goal:<6} {_value(was)} → {_value(now)} {_verdict(now)}  {shown.sentence}"


def _by_place(figures: Sequence[Figure]) -> dict[tuple[str, int], Figure]:
    """Each figure by its bench, and by its place among those of that bench: its sentence is another in each run."""
    places: Counter[str] = Counter()
    by_place = {}
    for figure in figures:
        if figure.measured is not None:
            by_place[figure.bench, places[figure.bench]] = figure
            places[figure.bench] += 1
    return by_place


def _value(figure: Figure | None) -> str:
    return f"{'':7}" if figure is None or figure.measured is None else f"{figure.measured:7.2f}"


def _verdict(figure: Figure | None) -> str:
    if figure is None or figure.limit is None:
        return f"{'':15}"
    return f"{figure.sign} {figure.limit:<5g} {figure.verdict:<7}"


def _commit() -> str | None:
    """The commit of the source, `-dirty` when files differ from it; None without git."""
    words = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
