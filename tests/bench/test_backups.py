"""Backups of a large workspace while people write into it: reliability C6."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.bench.conftest import Figures
from tests.bench.offices import JOURNAL, Books, Desk
from tests.bench.servers import Running

pytestmark = pytest.mark.bench

POSTINGS = 330_000
"""A workspace of a little over 100 MB."""

WRITERS, PAUSE = 4, 0.04
"""A hundred writes a second, whatever each takes."""


class Writers:
    """People who post journal entries at an even pace; the milliseconds that each took."""

    def __init__(self, books: Books) -> None:
        self.waits: list[float] = []
        self.failures: list[Exception] = []
        self._books, self._over = books, threading.Event()

    def write(self) -> None:
        """Post until the end."""
        due = time.perf_counter()
        while not self._over.is_set():
            began = time.perf_counter()
            try:
                self._books.desk.call("POST", "/finance/journals", JOURNAL, self._books.id)
            except Exception as problem:  # noqa: BLE001 - told at the end
                self.failures.append(problem)
            self.waits.append((time.perf_counter() - began) * 1000)
            due += PAUSE
            self._over.wait(max(0.0, due - time.perf_counter()))

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Write during the block."""
        threads = [threading.Thread(target=self.write) for _ in range(WRITERS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()


def timed(desk: Desk, path: str, body: Any = None) -> tuple[float, Any]:
    """Ask for something that takes long: seconds, and the answer."""
    began = time.perf_counter()
    told = desk.call("POST", f"/system/backups{path}", {} if body is None else body)
    return time.perf_counter() - began, told


@pytest.fixture(scope="module")
def large(desk: Desk) -> Books:
    """A workspace of 100 MB."""
    books = desk.workspace("Large")
    books.seed(POSTINGS)
    return books


def test_people_write_on_while_a_hundred_megabytes_are_backed_up(figures: Figures, desk: Desk, large: Books):
    quiet, busy = Writers(large), Writers(large)
    with quiet.at_work():
        time.sleep(2)
    with busy.at_work():
        seconds, made = timed(desk, "")
    size = next(each["size"] for each in made["workspaces"] if each["id"] == large.id)
    assert size > 100_000_000
    assert quiet.failures == busy.failures == []
    line = (
        f"the longest of {len(busy.waits)} writes during a backup of {size >> 20} MB ({max(quiet.waits):.0f} without)"
    )
    figures.within("C6", max(busy.waits), 500, line)
    checked, verdict = timed(desk, f"/{made['name']}/verify")
    assert verdict["isGood"], verdict
    figures.tell("C6", f"backup {seconds:.1f} s ({made['size'] >> 20} MB as a zip), verified in {checked:.1f} s")


def test_the_others_write_on_while_a_hundred_megabytes_are_put_back(figures: Figures, desk: Desk, large: Books):
    other = Writers(desk.workspace("Small"))
    _, made = timed(desk, "")
    with other.at_work():
        seconds, told = timed(desk, f"/{made['name']}/restore", {"workspaceId": large.id})
    assert told["isDone"]
    assert other.failures == []
    figures.within("C6", max(other.waits), 500, f"the longest of {len(other.waits)} writes of others during a restore")
    figures.tell("C6", f"workspace put back in {seconds:.1f} s, a backup of everything before it included")


def test_a_download_costs_no_memory(figures: Figures, fresh: Running):
    """A backup is sent from the disk; the file here is made to be large, not to be good."""
    desk = Desk(fresh)
    folder = Path(fresh.folder) / "backups"
    folder.mkdir(exist_ok=True)
    with (folder / "large.zip").open("wb") as file:
        file.truncate(200 << 20)
    before = fresh.memory()
    received = desk.fetched("/system/backups/large.zip")
    assert received == 200 << 20
    figures.tell("C6", f"{fresh.peak_memory() - before:.1f} MiB more at most while 200 MiB were downloaded")
    assert fresh.peak_memory() - before < 30
