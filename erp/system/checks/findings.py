"""What a check has found, in plain sentences, no more of them than somebody would read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from peewee import DatabaseError

from erp.store.connections import message_of, sqlite3
from erp.store.router import WORKSPACE, Router

MOST = 20
"""How many problems are told; of the others only how many there are."""


class Rule(NamedTuple):
    """A sentence about each row that a query finds, which are those that break the rule."""

    sentence: str
    query: str


class Findings:
    """The problems of a file."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._more = 0

    def add(self, *sentences: str) -> None:
        """Note problems."""
        for sentence in sentences:
            if sentence in self._found:
                continue
            if len(self._found) < MOST:
                self._found.append(sentence)
            else:
                self._more += 1

    def apply(self, rules: Sequence[Rule], router: Router = WORKSPACE) -> None:
        """Note whatever breaks the rules in the file that is open."""
        for rule in rules:
            for row in router.run(rule.query):
                self.add(rule.sentence.format(*row))

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Note it when the block comes upon something that SQLite cannot read, and go on after it."""
        try:
            yield
        except (DatabaseError, sqlite3.Error, ValueError) as problem:  # ValueError: text that is none any more
            self.add(f"It cannot be read: {message_of(problem)}.")

    def told(self) -> list[str]:
        """The first problems, and how many more there are."""
        return [*self._found, f"And {self._more} more."] if self._more else list(self._found)
