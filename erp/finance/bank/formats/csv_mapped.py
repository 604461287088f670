"""Statements as CSV, by the mapping of an account."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from erp.finance.bank.formats import model
from erp.finance.bank.formats.model import Lines, MappingNeeded, ReadLine, ReadStatement, unreadable
from erp.kernel import ibans
from erp.kernel.intake import tables
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


def read(text: Iterable[str], mapping: Columns, counted: Lines) -> ReadStatement:
    """The statement of a file; its balances come from the first and the last row, if there is a column of them.

    Args:
        text: its lines.

    Raises:
        MappingNeeded: a column is missing.
        NotAStatement: an amount or a day cannot be read.
        Invalid: it is too long.
    """
    lines: list[ReadLine] = []
    balances: list[Decimal] = []
    currencies: set[str] = set()
    for row in _rows(text, mapping):
        counted.add_line()
        lines.append(_line(row, mapping))
        currencies |= {_cell(row, mapping, "currency")} - {""}
        if mapping.columns.get("balance"):
            balances.append(_number(_cell(row, mapping, "balance"), mapping))
    if len(currencies) > 1:
        raise unreadable(
            says("The lines are in several currencies: {currencies}.", currencies=Listed.of([*currencies]))
        )
    if lines and lines[0].day > lines[-1].day:
        lines.reverse()
        balances.reverse()
    days = [line.day for line in lines]
    return ReadStatement(
        lines=lines,
        currency=currencies.pop() if currencies else None,
        opening=balances[0] - lines[0].amount if balances else None,
        closing=balances[-1] if balances else None,
        first=min(days, default=None),
        last=max(days, default=None),
    )


def _rows(text: Iterable[str], mapping: Columns) -> Iterator[Row]:
    """The rows with anything in them, by the headings."""
    headings: list[str] | None = None
    try:
        for i, cells in enumerate(tables.rows(text, "file", mapping.delimiter), 1):
            row = [cell.strip() for cell in cells]
            if i <= mapping.skip_rows or not any(row):
                continue
            if headings is None:
                headings = row
                _check_headings(headings, mapping)
            elif len(row) < len(headings):
                raise unreadable(says("Row {row} is cut off.", row=i))
            else:
                yield dict(zip(headings, row, strict=False))
    except tables.UNREAD:
        raise unreadable(says("The CSV file cannot be read. Check that it is complete.")) from None
    if headings is None:
        _check_headings([], mapping)


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


def _cell(row: Row, mapping: Columns, name: str) -> str:
    return row.get(mapping.columns.get(name) or "", "")
