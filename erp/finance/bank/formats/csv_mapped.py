"""Statements as CSV, by the mapping of an account."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import Any

import msgspec

from erp.finance.bank.formats import model
from erp.finance.bank.formats.model import Lines, MappingNeeded, ReadLine, ReadStatement, Reason, unreadable
from erp.kernel import ibans
from erp.kernel.intake import amounts, tables
from erp.kernel.language import Listed, says

_FORMS = (("YYYY", "%Y"), ("YY", "%y"), ("MM", "%m"), ("DD", "%d"), ("M", "%m"), ("D", "%d"))
_BALANCE = re.compile(
    r"(?:(?:neuer|aktueller|closing|ending|final|current)\s+)?(?:kontostand|saldo|endsaldo|schlusssaldo|balance|solde)\b"
    r"(?!\s+(?:brought|carried))"
)
"""The first word of a row below the lines that has the closing balance."""
_PENDING = {"pending", "ausstehend", "vorgemerkt", "umsatz vorgemerkt", "en attente"}
Row = Mapping[str, str]


class Columns(msgspec.Struct, frozen=True):
    """The columns by the headings of the file, and its formats of numbers and days."""

    columns: dict[str, Any]
    delimiter: str = ";"
    decimal_sign: str = ","
    date_format: str = "DD.MM.YYYY"
    skip_rows: int = 0


def read(text: Iterable[str], mapping: Columns, currency: str | None, counted: Lines) -> ReadStatement:
    """The statement of a file.

    Its balances come from the first and the last row, if there is a column of them, or from a row of its own.

    Args:
        text: its lines.
        currency: of the account; rows in others are left out.

    Raises:
        MappingNeeded: a column is missing.
        NotAStatement: an amount or a day cannot be read.
        Invalid: it is too long.
    """
    lines: list[ReadLine] = []
    balances: list[Decimal] = []
    closing: Decimal | None = None
    left_out: Counter[Reason] = Counter()
    others: list[Row] = []
    for row in _rows(text, mapping):
        counted.add_line()
        if _is_balance(row, mapping):
            closing = _last_number(row, mapping)
        elif (reason := _reason(row, mapping, currency)) is not None:
            left_out[reason] += 1
            others.append(row)
        else:
            lines.append(_line(row, mapping))
            if mapping.columns.get("balance"):
                balances.append(_number(_cell(row, mapping, "balance"), mapping))
    if not lines and others:
        return _refused(others[0], mapping, left_out)
    if lines and lines[0].day > lines[-1].day:
        lines.reverse()
        balances.reverse()
    days = [line.day for line in lines]
    return ReadStatement(
        lines=lines,
        opening=balances[0] - lines[0].amount if balances else None,
        closing=balances[-1] if balances and closing is None else closing,
        first=min(days, default=None),
        last=max(days, default=None),
        left_out=left_out,
    )


def _refused(row: Row, mapping: Columns, left_out: Mapping[Reason, int]) -> ReadStatement:
    """A file of which nothing is left, with the currency and the day of its first row, by which it is refused.

    Raises:
        NotAStatement: the row has no day.
    """
    currency = _cell(row, mapping, "currency").upper() if "other_currency" in left_out else None
    day = model.day(_cell(row, mapping, "date"), _form(mapping.date_format))
    return ReadStatement(lines=[], currency=currency, first=day, last=day, left_out=left_out)


def _reason(row: Row, mapping: Columns, currency: str | None) -> Reason | None:
    """Why a row is left out, if it is."""
    words = {mapping.columns.get("party"), *(mapping.columns.get("text") or ())}
    if any(cell.casefold() in _PENDING for name, cell in row.items() if name not in words):
        return "pending"
    if not _has_digit(_cell(row, mapping, "date")):
        return "no_day"
    if (_cell(row, mapping, "currency").upper() or currency) != currency:
        return "other_currency"
    return None if _amount(row, mapping) else "zero"


def _is_balance(row: Row, mapping: Columns) -> bool:
    """Whether a row has the closing balance, and is no line."""
    first = next((cell for cell in row.values() if cell), "")
    return not _has_digit(_cell(row, mapping, "date")) and _BALANCE.match(first.casefold()) is not None


def _last_number(row: Row, mapping: Columns) -> Decimal | None:
    for cell in reversed([*row.values()]):
        if _has_digit(cell):
            return _number(cell, mapping)
    return None


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _rows(text: Iterable[str], mapping: Columns) -> Iterator[Row]:
    """The rows with anything in them, by the headings; of a row below the lines, the last cells may be missing."""
    headings: list[str] | None = None
    try:
        for i, cells in enumerate(tables.rows(text, "file", mapping.delimiter), 1):
            row = [cell.strip() for cell in cells]
            if i <= mapping.skip_rows or not any(row):
                continue
            if headings is None:
                headings = row
                _check_headings(headings, mapping)
            elif len(row) < len(headings) and not _is_below(row, headings, mapping):
                raise unreadable(says("Row {row} is cut off.", row=i))
            else:
                yield dict(zip_longest(headings, row[: len(headings)], fillvalue=""))
    except tables.UNREAD:
        raise unreadable(says("The CSV file cannot be read. Check that it is complete.")) from None
    if headings is None:
        _check_headings([], mapping)


def _is_below(row: Sequence[str], headings: Sequence[str], mapping: Columns) -> bool:
    """Whether a short row is no line: it has a word in place of the day."""
    place = headings.index(mapping.columns["date"])
    return not _has_digit(row[place] if place < len(row) else row[0])


def _check_headings(headings: Sequence[str], mapping: Columns) -> None:
    missing = sorted(_wanted(mapping) - set(headings))
    if missing:
        message = says("The file has no column {columns}. Change the mapping.", columns=Listed.of(missing))
        raise MappingNeeded(message, field="file")


def _wanted(mapping: Columns) -> set[str]:
    values = mapping.columns.values()
    return {name for value in values for name in (value if isinstance(value, list) else [value]) if name}


def _line(row: Row, mapping: Columns) -> ReadLine:
    form = _form(mapping.date_format)
    value_day = _cell(row, mapping, "value_date")
    texts = [row[name] for name in mapping.columns.get("text") or ()]
    amount = _amount(row, mapping)
    other = "payer" if amount > 0 else "payee"
    return ReadLine(
        day=model.day(_cell(row, mapping, "date"), form),
        value_day=model.day(value_day, form) if value_day else None,
        amount=amount,
        text=" ".join(" ".join(texts).split()),
        party=_cell(row, mapping, "party") or _cell(row, mapping, other) or None,
        iban=ibans.found(_cell(row, mapping, "iban")),
        reference=model.known(_cell(row, mapping, "reference")),
        end_to_end=model.known(_cell(row, mapping, "end_to_end")),
    )


def _form(text: str) -> str:
    """The form of a day for `strptime`."""
    for ours, theirs in _FORMS:
        if theirs not in text:
            text = text.replace(ours, theirs)
    return text


def _amount(row: Row, mapping: Columns) -> Decimal:
    """The amount, below zero for money out; in a column of debits, the sign may be missing."""
    if mapping.columns.get("amount"):
        return _number(_cell(row, mapping, "amount"), mapping)
    out, into = (_cell(row, mapping, name) for name in ("debit", "credit"))
    return _number(into or "0", mapping) - abs(_number(out or "0", mapping))


def _number(text: str, mapping: Columns) -> Decimal:
    """A number with a sign before or after it, and with or without marks between thousands."""
    return model.number(amounts.plain(text, mapping.decimal_sign))


def _cell(row: Row, mapping: Columns, name: str) -> str:
    return row.get(mapping.columns.get(name) or "", "")
