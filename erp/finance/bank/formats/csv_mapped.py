"""Statements as CSV, by the mapping of an account."""

import csv
from collections.abc import Iterator, Mapping
from decimal import Decimal
from io import StringIO
from typing import Any

import msgspec

from erp.finance.bank.formats import model
from erp.finance.bank.formats.model import MappingNeeded, ReadLine, ReadStatement, unreadable
from erp.kernel import ibans
from erp.kernel.language import Listed, says

_FORMS = (("YYYY", "%Y"), ("YY", "%y"), ("MM", "%m"), ("DD", "%d"), ("M", "%m"), ("D", "%d"))
Row = Mapping[str, str]


class Columns(msgspec.Struct, frozen=True):
    """The columns by the headings of the file, and its formats of numbers and days."""

    columns: dict[str, Any]
    delimiter: str = ";"
    decimal_sign: str = ","
    date_format: str = "DD.MM.YYYY"
    skip_rows: int = 0


def read(text: str, mapping: Columns) -> ReadStatement:
    """The statement of a file; its balances come from the first and the last row, if there is a column of them.

    Raises:
        MappingNeeded: a column is missing.
        NotAStatement: an amount or a day cannot be read.
    """
    rows = [*_rows(text, mapping)]
    lines = [_line(row, mapping) for row in rows]
    currencies = {_cell(row, mapping, "currency") for row in rows} - {""}
    if len(currencies) > 1:
        raise unreadable(
            says("The lines are in several currencies: {currencies}.", currencies=Listed.of([*currencies]))
        )
    opening, closing = _balances(rows, lines, mapping)
    if lines and lines[0].day > lines[-1].day:
        lines.reverse()
    days = [line.day for line in lines]
    return ReadStatement(
        lines=lines,
        currency=currencies.pop() if currencies else None,
        opening=opening,
        closing=closing,
        first=min(days, default=None),
        last=max(days, default=None),
    )


def _rows(text: str, mapping: Columns) -> Iterator[Row]:
    try:
        table = [
            *csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=mapping.delimiter, strict=True)
        ]
    except (csv.Error, ValueError):
        raise unreadable(says("The CSV file cannot be read. Check that it is complete.")) from None
    table = [[cell.strip() for cell in row] for row in table[mapping.skip_rows :] if any(map(str.strip, row))]
    headings = table[0] if table else []
    missing = sorted(_wanted(mapping) - set(headings))
    if missing:
        message = says("The file has no column {columns}. Change the mapping.", columns=Listed.of(missing))
        raise MappingNeeded(message, field="file")
    for i, row in enumerate(table[1:], mapping.skip_rows + 2):
        if len(row) < len(headings):
            raise unreadable(says("Row {row} is cut off.", row=i))
        yield dict(zip(headings, row, strict=False))


def _wanted(mapping: Columns) -> set[str]:
    values = mapping.columns.values()
    return {name for value in values for name in (value if isinstance(value, list) else [value]) if name}


def _line(row: Row, mapping: Columns) -> ReadLine:
    form = _form(mapping.date_format)
    value_day = _cell(row, mapping, "value_date")
    texts = [row[name] for name in mapping.columns.get("text") or ()]
    return ReadLine(
        day=model.day(_cell(row, mapping, "date"), form),
        value_day=model.day(value_day, form) if value_day else None,
        amount=_amount(row, mapping),
        text=" ".join(" ".join(texts).split()),
        party=_cell(row, mapping, "party") or None,
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
    plain = "".join(text.split()).replace("\u2212", "-").replace("'", "")
    plain = plain.replace("." if mapping.decimal_sign == "," else ",", "").replace(mapping.decimal_sign, ".")
    if plain.endswith(("-", "+")):
        plain = plain[-1] + plain[:-1]
    return model.number(plain)


def _balances(rows: list[Row], lines: list[ReadLine], mapping: Columns) -> tuple[Decimal | None, Decimal | None]:
    if not mapping.columns.get("balance") or not rows:
        return None, None
    balances = [_number(_cell(row, mapping, "balance"), mapping) for row in rows]
    first, last = (-1, 0) if lines[0].day > lines[-1].day else (0, -1)
    return balances[first] - lines[first].amount, balances[last]


def _cell(row: Row, mapping: Columns, name: str) -> str:
    return row.get(mapping.columns.get(name) or "", "")
