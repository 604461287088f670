"""What the parts of the demonstration share: who is signed in, what exists, and what happens when."""

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from heapq import heappop, heappush
from itertools import count

import msgspec

from erp.demo.days import Days
from erp.web.client import Client

Entry = tuple[date, int, Callable[[], object]]
"""A day, a number that keeps the order within a day, and what happens."""


class Agenda:
    """What happens on which day, in that order; on the same day in the order in which it was planned."""

    def __init__(self, today: date) -> None:
        self._today = today
        self._numbers = count()
        self._pending: list[Entry] = []

    def at(self, day: date, act: Callable[..., object], *arguments: object) -> None:
        """Plan an act for a day; acts after today are dropped."""
        if day <= self._today:
            entry: Entry = (day, next(self._numbers), partial(act, *arguments))
            heappush(self._pending, entry)

    def play(self) -> None:
        """Run all acts in order; an act may plan more."""
        while self._pending:
            _, _, act = heappop(self._pending)
            act()


class Office(msgspec.Struct):
    """The company while it is being created: people by first name, everything else by its name in the plan."""

    days: Days
    agenda: Agenda
    staff: dict[str, Client] = msgspec.field(default_factory=dict)
    users: dict[str, str] = msgspec.field(default_factory=dict)
    employees: dict[str, str] = msgspec.field(default_factory=dict)
    contacts: dict[str, str] = msgspec.field(default_factory=dict)
    projects: dict[str, str] = msgspec.field(default_factory=dict)
    tasks: dict[tuple[str, str], dict[str, str]] = msgspec.field(default_factory=dict)
    leave: dict[tuple[str, date], str] = msgspec.field(default_factory=dict)
    bill_numbers: Iterator[int] = msgspec.field(default_factory=partial(count, 2001))
    workspace_id: str = ""

    def as_(self, name: str) -> Client:
        """The client of a signed-in person."""
        return self.staff[name]
