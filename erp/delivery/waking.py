"""The bell that wakes a sender when a workspace was written for which it may have work.

A write of any other workspace costs one look at a set.
"""

import threading
from pathlib import Path


class Bell:
    """`watched` are the files of workspaces that have had work, `written` the changed ones among them."""

    def __init__(self) -> None:
        self.watched: set[Path] = set()
        self.written: set[Path] = set()
        self._rung = threading.Event()

    def on_written(self, path: Path) -> None:
        """Ring if it is a watched file; called after each write of the process."""
        if path in self.watched:
            self.written.add(path)
            self._rung.set()

    def ring(self) -> None:
        """Wake the sender, whatever was written."""
        self._rung.set()

    def wait(self, seconds: float) -> None:
        """Wait until it is rung, or for so long."""
        self._rung.wait(seconds)
        self._rung.clear()

    def take(self) -> set[Path]:
        """The files that were written since this was asked last."""
        paths = set[Path]()
        while self.written:
            paths.add(self.written.pop())
        return paths
