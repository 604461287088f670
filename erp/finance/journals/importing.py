"""Journal entries from a spreadsheet: each row is a line, and rows of the same `entry` make one."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.journals import gnucash, journals
from erp.finance.journals.bodies import NewJournalEntry, NewJournalLine
from erp.finance.journals.journals import JournalCommand
from erp.kernel.complaints import said_of
from erp.kernel.errors import Complaint, Refusal, UnknownReference
from erp.kernel.intake.day_order import DateOrder
from erp.kernel.language import says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Line, Name
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, OnDuplicate, ReadRows, SheetImport

Key = tuple[str, str, tuple[tuple[Any, ...], ...]]
"""An entry by its day, its text and its lines."""


class JournalRow(NewJournalLine, kw_only=True):
    """A line, with the fields of its entry."""

    entry: Annotated[Name, Meta(description="Entry number, the same in all its rows.")]
    date: Day
    text: Annotated[Name, Meta(description="The entry's description; the line's is `description`.")]
    reference: Line | None = None


class JournalImport(SheetImport):
    """A table of entries, our own or as another program exports it."""

    on_duplicate: OnDuplicate = "skip"

    source: Annotated[Literal["gnucash"], Meta(description="The program that has exported the file.")] | None = None
    accounts: Annotated[
        dict[str, AccountIdOrCode],
        Meta(max_length=1000, description="With `source`: by full account name there, the account here."),
    ] = {}
    date_order: (
        Annotated[DateOrder, Meta(description="For dates such as 01/02/2026, if no date of the file shows it.")] | None
    ) = None


class ImportedEntriesView(ImportedView):
    """The number of rows, and of the ones that were left out."""

    known: Annotated[int, Meta(description="Rows of entries that are posted already, which are left out.")]


class Read(NamedTuple):
    """The rows that were read, and of an export, the account and the currency of each by its path."""

    rows: ReadRows[JournalRow]
    accounts: Mapping[str, str]
    currencies: Mapping[str, str]


def read(body: JournalImport) -> Read:
    """Read the table of a request, before any lock is taken.

    Raises:
        Invalid: it is no such table.
    """
    if body.source is None:
        return Read(sheets.read(body, JournalRow), {}, {})
    table, field = sheets.table(body)
    export = gnucash.read(table, body.date_order, field)
    rows = sheets.read_table(export.table, field, JournalRow)
    return Read(rows, _by_path(export.accounts), _by_path(export.currencies))


def _by_path(values: Mapping[int, str]) -> dict[str, str]:
    return {f"rows[{number}]": value for number, value in values.items()}


def load(body: JournalImport, read: Read) -> ImportedEntriesView:
    """Post an entry for each run of rows with the same `entry`, or none; only new ones, unless others are wanted.

    Raises:
        Invalid: with a complaint for everything that is wrong, by row; the headings are row 1.
    """
    complaints = [*read.rows.complaints]
    rows = read.rows.rows if body.source is None else _new_rows(body, read, complaints)
    entries = [dict(group) for _, group in groupby(rows.items(), key=lambda item: item[1].entry)]
    posted = _posted(rows.values()) if body.source is None and body.on_duplicate == "skip" else Counter()
    added = 0
    with sheets.all_or_none(complaints, dry_run=body.dry_run):
        for entry in entries if not complaints else ():
            try:
                command = journals.read(_entry(entry))
                if posted[_key(command)] > 0:
                    posted[_key(command)] -= 1
                else:
                    journals.post(command)
                    added += len(entry)
            except Refusal as refusal:
                complaints += _by_row(refusal, [*entry])
    count = len(read.rows.rows)
    return ImportedEntriesView(rows=count, known=count - added, dry_run=body.dry_run)


def _posted(rows: Iterable[JournalRow]) -> Counter[Key]:
    """Entries posted by hand on the days of the rows, with their number; reversed ones are left out."""
    days = sql.array({row.date.isoformat() for row in rows})
    lines = groupby(WORKSPACE.rows(_BY_HAND, (days,)), key=lambda line: line[:3])
    return Counter((day, text, (*sorted(line[3:] for line in of_entry),)) for (_, day, text), of_entry in lines)


def _key(new: JournalCommand) -> Key:
    return new.date.isoformat(), new.description, (*sorted((leg.account_id, leg.amount) for leg in new.legs),)


def _new_rows(body: JournalImport, read: Read, complaints: list[Complaint]) -> dict[str, JournalRow]:
    """The rows of an export that have not been imported before, with our accounts."""
    references = sql.array({row.reference for row in read.rows.rows.values()})
    known = {reference for (reference,) in WORKSPACE.rows(_POSTED, (references,))}
    accounts, base = _accounts() | body.accounts, workspace_settings.current().base_currency
    rows = {}
    for path, row in read.rows.rows.items():
        if row.reference in known:
            continue
        name = read.accounts[path]
        account = accounts.get(name) or accounts.get(name.rpartition(":")[2])
        if account is None:
            message = says(
                "No account is called {name}. Add one with that name, or send its account in accounts.", name=name
            )
            complaints.append(Complaint(f"{path}.accountId", UnknownReference.code, message))
        elif read.currencies[path] not in ("", base):
            message = says("The books are in {base}. Enter transactions in other currencies by hand.", base=base)
            complaints.append(Complaint(path, "other_currency", message))
        else:
            rows[path] = replace(row, account_id=account)
    return rows


def _accounts() -> dict[str, str]:
    """The ids of accounts by their codes, names, and codes with names; a name that two have names neither."""
    accounts: dict[str, str] = {}
    for id, code, name in WORKSPACE.rows(_ACCOUNTS):
        accounts |= {name: "" if name in accounts else id, code: id, f"{code} {name}": id}
    return {name: id for name, id in accounts.items() if id}


_POSTED = "SELECT reference FROM journal_entry WHERE reference IN (SELECT value FROM json_each(?))"
_BY_HAND = """
SELECT entry.id, entry.date, entry.description, posting.account_id, posting.amount
FROM journal_entry AS entry JOIN posting ON posting.entry_id = entry.id
WHERE entry.kind = 'manual' AND entry.date IN (SELECT value FROM json_each(?))
AND NOT EXISTS (SELECT 1 FROM journal_entry AS undone WHERE undone.reverses_id = entry.id) ORDER BY entry.id
"""
_ACCOUNTS = "SELECT id, code, name FROM account WHERE is_group = false AND archived_at IS NULL ORDER BY code"
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
