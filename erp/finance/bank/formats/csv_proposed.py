"""A likely mapping of a bank's CSV: its columns, and its formats of days and amounts.

A person looks at the proposal before it counts, so a guess may be wrong, but not surprising.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import msgspec

from erp.finance.bank.formats.csv_mapped import Columns
from erp.finance.bank.formats.model import unreadable
from erp.kernel.errors import Invalid
from erp.kernel.intake import tables
from erp.kernel.language import says

DELIMITERS = (";", ",", "\t")
SHOWN = 8
"""Number of rows shown."""
_LOOKED_AT = 200
_TABLE = 3
"""Fewer cells than this do not make a row of a table."""

_DAYS = {
    r"\d{1,2}\.\d{1,2}\.\d{4}": "DD.MM.YYYY",
    r"\d{1,2}\.\d{1,2}\.\d{2}": "DD.MM.YY",
    r"\d{4}-\d{1,2}-\d{1,2}": "YYYY-MM-DD",
    r"\d{4}/\d{1,2}/\d{1,2}": "YYYY/MM/DD",
    r"\d{1,2}/\d{1,2}/\d{4}": "DD/MM/YYYY",
    r"\d{1,2}/\d{1,2}/\d{2}": "DD/MM/YY",
    r"\d{1,2}-\d{1,2}-\d{4}": "DD-MM-YYYY",
    r"\d{8}": "YYYYMMDD",
}
_AMOUNT = re.compile(r"[-+\u2212]?\s?\d[\d.,'\s]*[-+]?", re.ASCII)

_WORDS: dict[str, tuple[str, ...]] = {
    "value_date": ("valuta", "wertstellung", "value", "date de valeur"),
    "date": ("buchungstag", "buchungsdatum", "booking date", "transaction date", "date", "datum"),
    "debit": ("soll", "debit", "débit", "belastung", "paid out", "money out", "withdrawal"),
    "credit": ("haben", "credit", "crédit", "gutschrift", "paid in", "money in", "deposit"),
    "balance": ("saldo", "balance", "solde", "kontostand", "running bal"),
    "amount": ("betrag", "amount", "montant", "umsatz"),
    "currency": ("währung", "waehrung", "currency", "devise"),
    "iban": ("iban",),
    "end_to_end": ("end-to-end", "endtoend", "kundenreferenz", "customer reference"),
    "reference": ("transaction id", "transaktions", "bank reference", "bankreferenz"),
    "party": (
        *("empfänger", "empfaenger", "auftraggeber", "begünstigt", "beguenstigt", "zahlungspflichtig"),
        *("zahlungsbeteiligt", "partner name", "payee", "counterparty", "bénéficiaire", "name"),
    ),
    "text": ("verwendungszweck", "buchungstext", "purpose", "details", "memo", "description", "libellé", "reference"),
}
"""Parts of headings as banks write them (English, German, French); a column is of the first field that it fits."""
_WHOLE = ("currency",)
"""Fields whose headings must match as a whole: another currency column is not the account's."""


class Proposal(msgspec.Struct, frozen=True):
    """A mapping whose columns may lack the date and the amount, with the head of the table."""

    mapping: Columns
    headings: list[str]
    rows: list[list[str]]


def propose(lines: Iterable[str], delimiter: str | None = None, skip_rows: int | None = None) -> Proposal:
    """The likely columns of a file.

    Args:
        lines: of the file, as `intake.text` has them.
        delimiter, skip_rows: the user's own choices.

    Raises:
        NotAStatement: it is not a table.
    """
    head = _head(lines)
    delimiter = delimiter or max(DELIMITERS, key=lambda sign: _width(_table(head, sign)))
    table = _table(head, delimiter)
    skip_rows = _first_row(table) if skip_rows is None else skip_rows
    if skip_rows >= len(table):
        raise unreadable(says("The file has no table. Check that it is a CSV file."))
    headings, *rows = table[skip_rows:]
    rows = [row for row in rows if len(row) >= len(headings) and any(row)]
    columns = _columns(headings, rows)
    days = _cells(rows, headings, [columns["date"]])
    amounts = _cells(rows, headings, [columns[name] for name in ("amount", "debit", "credit", "balance")])
    mapping = Columns(columns, delimiter, _decimal_sign(amounts), _date_format(days), skip_rows)
    return Proposal(mapping, [name for name in headings if name], rows[:SHOWN])


def _head(lines: Iterable[str]) -> list[str]:
    """The first lines, as far as they are needed and not huge."""
    head: list[str] = []
    for line in islice(lines, _LOOKED_AT):
        if sum(map(len, head)) + len(line) > tables.LONGEST_ROW:
            break
        head.append(line)
    return head


def _table(head: Sequence[str], delimiter: str) -> list[list[str]]:
    """The first rows; the empty ones too, since the rows before the headings are counted."""
    try:
        return [[cell.strip() for cell in row] for row in tables.rows(head, "file", delimiter, strict=False)]
    except (*tables.UNREAD, Invalid):
        return []


def _width(table: Sequence[Sequence[str]]) -> int:
    """The usual number of cells in a row; 0 for an empty table."""
    widths = Counter(len(row) for row in table if len(row) >= _TABLE)
    return widths.most_common(1)[0][0] if widths else 0


def _first_row(table: Sequence[Sequence[str]]) -> int:
    """The row of the headings: the first as wide as the table, without days or amounts."""
    width = _width(table)
    for i, row in enumerate(table):
        is_wide = width and len(row) >= width - 1 and sum(map(bool, row)) >= _TABLE
        if is_wide and not any(_is_day(cell) or _AMOUNT.fullmatch(cell) for cell in row):
            return i
    return len(table)


def _columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, str | list[str] | None]:
    """The column of each field, each column once, where all its cells fit."""
    remaining = list(filter(None, headings))
    columns: dict[str, str | list[str] | None] = {}
    for field in _WORDS:
        fits = _FITS.get(field, bool)
        named = [heading for heading in _named(field, remaining) if all(map(fits, _cells(rows, headings, [heading])))]
        fullest = max(named, key=lambda heading: len(_cells(rows, headings, [heading])), default=None)
        chosen = named if field == "text" else [fullest]
        remaining = [heading for heading in remaining if heading not in chosen]
        columns[field] = named if field == "text" else fullest
    return columns | ({"debit": None, "credit": None} if columns["amount"] else {})


def _named(field: str, headings: Sequence[str]) -> list[str]:
    """The headings with a word of a field in them, by the order of the field's words."""
    is_whole = field in _WHOLE
    matching = [
        heading
        for word in _WORDS[field]
        for heading in headings
        if (heading.casefold() == word if is_whole else word in heading.casefold())
    ]
    return list(dict.fromkeys(matching))


def _cells(rows: Sequence[Sequence[str]], headings: Sequence[str], names: Sequence[object]) -> list[str]:
    places = [headings.index(name) for name in names if isinstance(name, str)]
    return [row[index] for row in rows for index in places if row[index]]


def _is_day(cell: str) -> bool:
    return any(re.fullmatch(form, cell) for form in _DAYS)


_FITS: dict[str, Callable[[str], object]] = {
    "date": _is_day,
    "value_date": _is_day,
    **dict.fromkeys(("amount", "debit", "credit", "balance"), _AMOUNT.fullmatch),
}


def _date_format(days: Sequence[str]) -> str:
    """The format of the days; if the first number could be either, it is the day."""
    for form, shown in _DAYS.items():
        if days and all(re.fullmatch(form, cell) for cell in days):
            numbers = [[int(number) for number in re.findall(r"\d+", cell)] for cell in days]
            is_month_first = shown.startswith("DD/MM") and any(number[1] > 12 for number in numbers)
            return shown.replace("DD/MM", "MM/DD") if is_month_first else shown
    return "DD.MM.YYYY"


def _decimal_sign(amounts: Sequence[str]) -> str:
    """The last mark of an amount, unless three digits follow it everywhere."""
    marks = Counter(mark for cell in amounts for mark in re.findall(r"([.,])\d{1,2}[-+]?$", cell))
    return marks.most_common(1)[0][0] if marks else ","
