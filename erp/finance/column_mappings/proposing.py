"""The likely columns of a table of another program, by its headings."""

import re
from collections.abc import Callable, Sequence

import msgspec

from erp.finance.column_mappings.models import DecimalSign, TargetName
from erp.finance.column_mappings.targets import SIGNED, TARGETS, Target
from erp.kernel.intake import amounts
from erp.kernel.intake.day_order import DateOrder
from erp.web.transport import sheets
from erp.web.transport.sheets import Sheet, Table

SHOWN = 5
"""Number of rows shown."""


class Proposal(msgspec.Struct, frozen=True):
    """The head of a table with its likely columns: headings by fields."""

    target: TargetName
    headings: list[str]
    rows: list[list[str]]
    columns: dict[str, str]
    decimal_sign: DecimalSign
    defaults: dict[str, str] = {}
    date_order: DateOrder | None = None


def reader(name: TargetName) -> Callable[[Sheet], Proposal]:
    """A reader of the table in a request, for use before any lock is taken."""
    return lambda body: _propose(name, sheets.table(body)[0])


def _propose(name: TargetName, table: Table) -> Proposal:
    headings = trimmed(table[0]) if table else []
    rows = [[cell.strip() for cell in row[: len(headings)]] for row in table[1:]]
    columns = _columns(TARGETS[name], headings)
    places = [headings.index(columns[field]) for field in TARGETS[name].amounts if field in columns]
    cells = [row[place] for row in rows for place in places if place < len(row)]
    shown = [row for row in rows if any(row)][:SHOWN]
    return Proposal(name, headings, shown, columns, amounts.decimal_sign(cells, "."))


def trimmed(headings: Sequence[str]) -> list[str]:
    """Headings without blanks, and without the empty last columns that spreadsheets often leave."""
    names = [name.strip() for name in headings]
    while names and not names[-1]:
        names.pop()
    return names


def _columns(target: Target, headings: Sequence[str]) -> dict[str, str]:
    columns: dict[str, str] = {}
    remaining = [name for name in headings if name]
    for field, words in target.words.items():
        found = next((name for word in words for name in remaining if f" {word} " in _spaced(name)), None)
        if found is not None:
            columns[field] = found
            remaining.remove(found)
    if SIGNED in columns:
        columns = {field: name for field, name in columns.items() if field not in ("debit", "credit")}
    return columns


def _spaced(heading: str) -> str:
    """The words of a heading in small letters, a blank around each."""
    apart = re.sub(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])", " ", heading)
    return " ".join(["", *re.findall(r"\w+", apart.lower()), ""])
