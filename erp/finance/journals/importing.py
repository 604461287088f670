"""Journal entries from a spreadsheet: each row is a line, and rows of the same `entry` make one."""

import re
from collections.abc import Mapping
from itertools import groupby
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from erp.finance.journals import journals
from erp.finance.journals.bodies import NewJournalEntry, NewJournalLine
from erp.kernel.complaints import said_of
from erp.kernel.errors import Complaint, Refusal
from erp.web.scalars import Day, Line, Name
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, ReadRows, SheetImport


class JournalRow(NewJournalLine, kw_only=True):
    """A line, with the fields of its entry."""

    entry: Annotated[Name, Meta(description="Entry number, the same in all its rows.")]
    date: Day
    text: Annotated[Name, Meta(description="The entry's description; the line's is `description`.")]
    reference: Line | None = None


def load(body: SheetImport, read: ReadRows[JournalRow]) -> ImportedView:
    """Post an entry for each run of rows with the same `entry`, or none.

    Raises:
        Invalid: with a complaint for everything that is wrong, by row; the headings are row 1.
    """
    rows, complaints = read
    entries = [dict(group) for _, group in groupby(rows.items(), key=lambda item: item[1].entry)]
    with sheets.all_or_none(complaints, dry_run=body.dry_run):
        for entry in entries if not complaints else ():
            try:
                journals.post(journals.read(_entry(entry)))
            except Refusal as refusal:
                complaints += _by_row(refusal, [*entry])
    return ImportedView(rows=len(rows), dry_run=body.dry_run)


_LINE = tuple(field.name for field in msgspec.structs.fields(NewJournalLine))


def _entry(rows: Mapping[str, JournalRow]) -> NewJournalEntry:
    """The entry of some rows; the first has its date, text and reference."""
    first = next(iter(rows.values()))
    lines = [NewJournalLine(**{name: getattr(row, name) for name in _LINE}) for row in rows.values()]
    return NewJournalEntry(date=first.date, description=first.text, reference=first.reference, lines=lines)


def _by_row(refusal: Refusal, paths: list[str]) -> list[Complaint]:
    """The complaints about an entry, at the rows of its lines, else at the first."""
    return [replace(complaint, field=_place(complaint.field, paths)) for complaint in said_of(refusal, paths[0])]


def _place(field: str, paths: list[str]) -> str:
    """A field of an entry as a field of one of its rows."""
    line = re.match(r"lines\[(\d+)\]", field)
    if line is not None:
        return paths[int(line[1])] + field[line.end() :]
    return paths[0] if field in ("lines", paths[0]) else f"{paths[0]}.{field}"
