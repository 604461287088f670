"""What the benches share: a server with an office on it, hello beside it, and the table of figures at the end."""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.bench.figures import FIGURES, Figure, Figures
from tests.bench.offices import Books, Desk
from tests.bench.servers import Running, running_erp, running_hello


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a bench that has missed a goal, and note why one could not measure."""
    report = yield
    noted = item.config.stash.setdefault(FIGURES, [])
    missed = [str(figure) for figure in noted if figure.bench == item.name and figure.verdict == "MISSED"]
    if call.excinfo is not None:
        goals = [goal for mark in item.iter_markers("bench") for goal in mark.args]
        noted += [Figure(goal, item.name, f"not measured: {call.excinfo.exconly().splitlines()[0]}") for goal in goals]
    elif call.when == "call" and missed:
        report.outcome, report.longrepr = "failed", "\n".join(missed)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table."""
    if figures := config.stash.get(FIGURES, []):
        terminalreporter.section("figures")
        terminalreporter.write("".join(f"{figure}\n" for figure in figures))


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Figures:
    """Where a bench notes what it measures."""
    return Figures(request.node.name, request.config.stash.setdefault(FIGURES, []))


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
