"""The findings of a check, as plain sentences, at most as many as a person would read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from erp.store.connections import STORAGE_ERRORS, message_of
from erp.store.router import WORKSPACE, Router

MOST = 20
"""Number of problems listed; the rest are only counted."""


class Rule(NamedTuple):
    """A query for the rows that break a rule, and the sentence about each of them."""

    sentence: str
    query: str


class Findings:
    """The problems of a file."""

    def __init__(self) -> None:
        self._listed: list[str] = []
        self._more = 0

    def add(self, *sentences: str) -> None:
        """Add problems, each once."""
        for sentence in sentences:
            if sentence in self._listed:
                continue
            if len(self._listed) < MOST:
                self._listed.append(sentence)
            else:
                self._more += 1

    def apply(self, rules: Sequence[Rule], router: Router = WORKSPACE) -> None:
        """Add every row of the open file that breaks one of the rules."""
        for rule in rules:
            for row in router.run(rule.query):
                self.add(rule.sentence.format(*row))

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Add a problem if the block reads something unreadable, and go on after the block."""
        try:
            yield
        except (*STORAGE_ERRORS, ValueError) as problem:  # ValueError: text that is no longer UTF-8
            self.add(f"It cannot be read: {message_of(problem)}.")

    def sentences(self) -> list[str]:
        """The first problems, and the number of the others."""
        return [*self._listed, f"And {self._more} more."] if self._more else list(self._listed)
