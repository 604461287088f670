"""The scenario as it is written: entries with their lines, and the people of the company."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

SCENARIO = Path(__file__).with_name("scenario.toml")
_HEADER = re.compile(r"\[\[([\w.]+)\]\]")

Fields = dict[str, Any]


class Entry(msgspec.Struct, frozen=True):
    """An entry, with the line of its heading."""

    kind: str
    fields: Fields
    line: int


class Person(msgspec.Struct, frozen=True):
    """Someone who can sign in, as long as they do not leave."""

    name: str
    email: str
    role: str
    job_title: str
    leaves: bool

    @property
    def first(self) -> str:
        """The name by which entries call them."""
        return self.name.split()[0]


class Scenario:
    """A scenario: its entries in the order of the text, and its tables as they are."""

    def __init__(self, text: str) -> None:
        self.tables: Fields = tomllib.loads(text)
        lines: defaultdict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(text.splitlines(), 1):
            if header := _HEADER.match(line):
                lines[header[1]].append(number)
        self._lines = {kind: iter(numbers) for kind, numbers in lines.items()}
        self.entries = sorted(self._entries(self.tables, ""), key=lambda entry: entry.line)

    def _entries(self, tables: Fields, above: str) -> Iterator[Entry]:
        """The entries of a table, each with those under it in place of their tables."""
        for kind in [kind for kind in tables if above + kind in self._lines]:
            for fields in tables[kind]:
                line = next(self._lines[above + kind])
                under = sorted(self._entries(fields, f"{above}{kind}."), key=lambda entry: entry.line)
                plain = {name: value for name, value in fields.items() if f"{above}{kind}.{name}" not in self._lines}
                yield Entry(kind, plain | {"under": under} if under else plain, line)

    @property
    def password(self) -> str:
        """The password of everyone."""
        return str(self.tables["password"])

    @property
    def time_zone(self) -> str:
        """Where the office is."""
        return str(self.tables["timeZone"])

    @property
    def people(self) -> list[Person]:
        """Everyone, in the order in which they are hired or invited."""
        return [_person(entry.fields) for entry in self.entries if entry.kind == "person"]


def _person(fields: Fields) -> Person:
    return Person(fields["name"], fields["email"], fields["role"], fields["jobTitle"], "leaves" in fields)


def read() -> Scenario:
    """The scenario of `erp demo`."""
    return Scenario(SCENARIO.read_text("utf-8"))
