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
from erp.kernel.intake.amounts import decimal_sign, tidied
from erp.kernel.language import says

DELIMITERS = (";", ",", "\t")
SHOWN = 8
"""Number of rows shown."""
_LOOKED_AT = 200
_MONTHS = 12
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
_AMOUNT = re.compile(r"[-+]?\d[\d.,]*[-+]?", re.ASCII)

_WORDS: dict[str, tuple[str, ...]] = {
    "value_date": ("valuta", "wertstellung", "value", "date de valeur"),
    "date": ("buchungstag", "buchungsdatum", "booking date", "transaction date", "date", "datum"),
    "balance": ("saldo", "balance", "solde", "kontostand", "running bal", "guthaben"),
    "debit": ("soll", "debit", "débit", "belastung", "paid out", "money out", "withdrawal"),
    "credit": ("haben", "credit", "crédit", "gutschrift", "paid in", "money in", "deposit"),
    "amount": ("netto", "net", "betrag", "amount", "montant", "umsatz"),
    "currency": ("währung", "waehrung", "currency", "devise"),
    "iban": ("iban",),
    "end_to_end": ("end-to-end", "endtoend", "kundenreferenz", "customer reference"),
    "reference": ("transaction id", "transaktions", "bank reference", "bankreferenz"),
    "party": (
        *("empfänger", "empfaenger", "auftraggeber", "begünstigt", "beguenstigt", "zahlungspflichtig"),
        *("zahlungsbeteiligt", "partner name", "payee", "counterparty", "bénéficiaire", "name"),
    ),
    "text": (
        *("verwendungszweck", "buchungstext", "purpose", "details", "memo", "description", "libellé", "beschreibung"),
        "reference",
    ),
}
"""Parts of headings as banks write them (English, German, French); a column is of the first field that it fits."""
_WHOLE = (*_WORDS["currency"], "netto", "net")
"""Words that must be the whole heading: another currency column is not the account's."""
_NO_AMOUNT = ("steuer", "tax", "vat", "mwst", "tva", "fee", "gebühr", "gebuehr", "entgelt", "frais")
"""Parts of headings of amounts that are in the amount of a line already."""
_PAYER = ("zahlungspflichtig", "auftraggeber", "absender", "payer", "ordering party", "remitter", "donneur d'ordre")
_PAYEE = ("empfänger", "empfaenger", "begünstigt", "beguenstigt", "payee", "beneficiary", "bénéficiaire")
_NO_NAME = ("mail", "iban", "bic", "konto", "account", "referen", "adress", "address")


class Proposal(msgspec.Struct, frozen=True):
    """A mapping whose columns may lack the date and the amount, with the head of the table."""

    mapping: Columns
    headings: list[str]
    rows: list[list[str]]
    is_guess: bool = False


def propose(
    lines: Iterable[str], delimiter: str | None = None, skip_rows: int | None = None, *, is_month_first: bool = False
) -> Proposal:
    """The likely columns of a file.

    Args:
        lines: of the file, as `intake.text` has them.
        delimiter, skip_rows: the user's own choices.
        is_month_first: whether the month is first where the days of the file could be read in both ways.

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
    amounts = _cells(rows, headings, [columns[name] for name in _AMOUNTS])
    form, is_guess = _date_format(days, is_month_first=is_month_first)
    mapping = Columns(columns, delimiter, decimal_sign(amounts, "." if delimiter == "," else ","), form, skip_rows)
    return Proposal(mapping, [name for name in headings if name], rows[:SHOWN], is_guess)


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
        if is_wide and not any(_is_day(cell) or _is_amount(cell) for cell in row):
            return i
    return len(table)


def _columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, str | list[str] | None]:
    """The column of each field, each column once, where all its cells fit."""
    sides = _sides(headings)
    columns: dict[str, str | list[str] | None] = {"party": None, **sides}
    remaining = [heading for heading in headings if heading and heading not in sides.values()]
    for field in _WORDS:
        if field == "party" and sides["payer"]:
            continue
        fits = _FITS.get(field, bool)
        named = [heading for heading in _named(field, remaining) if all(map(fits, _cells(rows, headings, [heading])))]
        fullest = max(named, key=lambda heading: len(_cells(rows, headings, [heading])), default=None)
        chosen = named if field == "text" else [fullest]
        remaining = [heading for heading in remaining if heading not in chosen]
        columns[field] = named if field == "text" else fullest
    return columns | ({"debit": None, "credit": None} if columns["amount"] else {})


def _sides(headings: Sequence[str]) -> dict[str, str | None]:
    """The columns of the payer and of the payee, where there are both."""
    payers, payees = (
        [name for name in headings if _has(name, words) and not _has(name, (*others, *_NO_NAME))]
        for words, others in ((_PAYER, _PAYEE), (_PAYEE, _PAYER))
    )
    return {"payer": payers[0], "payee": payees[0]} if payers and payees else {"payer": None, "payee": None}


def _has(heading: str, words: Iterable[str]) -> bool:
    return any(word in heading.casefold() for word in words)


def _named(field: str, headings: Sequence[str]) -> list[str]:
    """The headings with a word of a field in them, by the order of the field's words."""
    is_amount = field in _AMOUNTS
    matching = [
        heading
        for word in _WORDS[field]
        for heading in headings
        if (heading.casefold() == word if word in _WHOLE else word in heading.casefold())
        and not (is_amount and _has(heading, _NO_AMOUNT))
    ]
    return list(dict.fromkeys(matching))


def _cells(rows: Sequence[Sequence[str]], headings: Sequence[str], names: Sequence[object]) -> list[str]:
    places = [headings.index(name) for name in names if isinstance(name, str)]
    return [row[index] for row in rows for index in places if row[index]]


def _is_day(cell: str) -> bool:
    return any(re.fullmatch(form, cell) for form in _DAYS)


def _is_amount(cell: str) -> bool:
    return _AMOUNT.fullmatch(tidied(cell)) is not None


_AMOUNTS = ("amount", "debit", "credit", "balance")
_FITS: dict[str, Callable[[str], object]] = {
    "date": _is_day,
    "value_date": _is_day,
    **dict.fromkeys(_AMOUNTS, _is_amount),
}


def _date_format(days: Sequence[str], *, is_month_first: bool) -> tuple[str, bool]:
    """The format of the days, and whether it is a guess: no number tells the day from the month."""
    for form, shown in _DAYS.items():
        if days and all(re.fullmatch(form, cell) for cell in days):
            if not shown.startswith(("DD/MM", "DD-MM")):
                return shown, False
            numbers = [[int(number) for number in re.findall(r"\d+", cell)] for cell in days]
            is_guess = all(first <= _MONTHS and second <= _MONTHS for first, second, _ in numbers)
            if is_month_first if is_guess else any(second > _MONTHS for _, second, _ in numbers):
                shown = f"MM{shown[2]}DD{shown[5:]}"
            return shown, is_guess
    return "DD.MM.YYYY", False
