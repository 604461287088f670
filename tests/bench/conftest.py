"""What the benches share: a server with an office on it, hello beside it, and the table of figures at the end."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.offices import Books, Desk
from tests.bench.servers import Running, running_erp, running_hello

FIGURES = pytest.StashKey[list[str]]()


class Figures:
    """Collects what was measured for the table at the end, and checks it against the goals."""

    def __init__(self, config: pytest.Config) -> None:
        self._lines = config.stash.setdefault(FIGURES, [])

    def tell(self, goal: str, line: str) -> None:
        """Note a line."""
        self._lines.append(f"{goal:<6} {line}")

    def ratio(self, goal: str, measured: float, sign: str, limit: float, line: str) -> None:
        """Note a ratio beside its limit, and assert that it keeps it."""
        reached = measured <= limit if sign == "≤" else measured >= limit
        self.tell(goal, f"{measured:7.2f} {sign} {limit:<5g} {'reached' if reached else 'MISSED '}  {line}")
        assert reached, f"{goal}: {measured:.2f}, but the goal is {sign} {limit}"

    def within(self, goal: str, measured: float, limit: float, line: str) -> None:
        """Note milliseconds beside their limit, and assert that they keep it."""
        self.tell(goal, f"{measured:7.2f} ≤ {limit:<5g} {'reached' if measured <= limit else 'MISSED '}  ms, {line}")
        assert measured <= limit, f"{goal}: {measured:.2f} ms, but the goal is ≤ {limit} ms"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table."""
    lines = config.stash.get(FIGURES, [])
    if lines:
        terminalreporter.section(f"figures (load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")
        terminalreporter.write("".join(f"{line}\n" for line in lines))


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Figures:
    """Where measurements are collected."""
    return Figures(request.config)


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A user who is signed in at the server that most benches share."""
    with running_erp(tmp_path_factory.mktemp("shared") / "data") as server:
        yield Desk(server)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Running]:
    """A server just started on an empty data directory, to measure its memory and start."""
    with running_erp(tmp_path / "data") as server:
        yield server


@pytest.fixture(scope="session")
def hello(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A bare Falcon application on the same server."""
    with running_hello(tmp_path_factory.mktemp("hello") / "data") as server:
        yield server


@pytest.fixture(scope="session")
def young(desk: Desk) -> Books:
    """Books of 10,000 postings over five years."""
    return _seeded(desk, 10_000)


@pytest.fixture(scope="session")
def old(desk: Desk) -> Books:
    """Books of 1,000,000 postings over the same five years."""
    return _seeded(desk, 1_000_000)


@pytest.fixture(scope="session")
def busy(desk: Desk) -> Books:
    """An office with 10,000 tasks of 20 projects, and 100,000 time logs of ten people in three years."""
    books = desk.workspace("Busy")
    books.seed_work(projects=20, tasks=10_000, logs=100_000)
    return books


def _seeded(desk: Desk, postings: int) -> Books:
    books = desk.workspace(f"{postings} postings")
    books.seed(postings)
    return books
