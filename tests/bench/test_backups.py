"""Backups of a large workspace while people write to it: reliability C6."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.bench.figures import Figures
from tests.bench.offices import JOURNAL, Books, Desk
from tests.bench.servers import Running

POSTINGS = 330_000
"""A workspace of a little over 100 MB."""

WRITERS, PAUSE = 4, 0.04
"""A hundred writes per second, however long each takes."""


class Writers:
    """People who post journal entries at an even pace; `waits` are the milliseconds of each."""

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
            except Exception as problem:  # noqa: BLE001 - the test asserts at its end that there are none
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
    """Send a long-running request; seconds and answer."""
    began = time.perf_counter()
    answer = desk.call("POST", f"/system/backups{path}", {} if body is None else body)
    return time.perf_counter() - began, answer


@pytest.fixture(scope="module")
def large(desk: Desk) -> Books:
    """A workspace of 100 MB."""
    books = desk.workspace("Large")
    books.seed(POSTINGS)
    return books


@pytest.mark.bench("C6")
def test_people_can_write_while_a_hundred_megabytes_are_backed_up(figures: Figures, desk: Desk, large: Books):
    quiet, busy = Writers(large), Writers(large)
    with quiet.at_work():
        time.sleep(2)
    with busy.at_work():
        seconds, backup = timed(desk, "")
    size = next(workspace["size"] for workspace in backup["workspaces"] if workspace["id"] == large.id)
    assert size > 100_000_000
    assert quiet.failures == busy.failures == []
    line = (
        f"the longest of {len(busy.waits)} writes during a backup of {size >> 20} MB ({max(quiet.waits):.0f} without)"
    )
    figures.within("C6", max(busy.waits), 500, line)
    checked, verdict = timed(desk, f"/{backup['name']}/verify")
    assert verdict["isGood"], verdict
    figures.tell("C6", f"s for the backup ({backup['size'] >> 20} MB as a zip)", seconds)
    figures.tell("C6", "s to verify it", checked)


@pytest.mark.bench("C6")
def test_others_can_write_while_a_hundred_megabytes_are_restored(figures: Figures, desk: Desk, large: Books):
    other = Writers(desk.workspace("Small"))
    _, backup = timed(desk, "")
    with other.at_work():
        seconds, restored = timed(desk, f"/{backup['name']}/restore", {"workspaceId": large.id})
    assert restored["isDone"]
    assert other.failures == []
    figures.within("C6", max(other.waits), 500, f"the longest of {len(other.waits)} writes of others during a restore")
    figures.tell("C6", "s to restore a workspace, including a backup of everything before it", seconds)


@pytest.mark.bench("C6")
def test_a_download_needs_no_memory(figures: Figures, fresh: Running):
    """A backup is sent from the disk; the file here is only large, not a real backup."""
    desk = Desk(fresh)
    folder = Path(fresh.folder) / "backups"
    folder.mkdir(exist_ok=True)
    with (folder / "large.zip").open("wb") as file:
        file.truncate(200 << 20)
    before = fresh.memory()
    received = desk.fetched("/system/backups/large.zip")
    assert received == 200 << 20
    figures.ratio("C6", fresh.peak_memory() - before, "≤", 30, "MiB more at most while 200 MiB were downloaded")
