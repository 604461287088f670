"""Statements as SWIFT MT940, with the fields of `:86:` as banks in Germany and Austria write them."""

import re
from calendar import isleap
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from decimal import Decimal

from erp.finance.bank.formats import model
from erp.finance.bank.formats.model import MOST_LINES, Lines, ReadLine, ReadStatement, unreadable
from erp.kernel import ibans
from erp.kernel.language import says

LONGEST_FIELD = 10_000
"""The most characters of a field; `:86:` has about 400."""
MOST_FIELDS = 3 * MOST_LINES
"""The most fields of a statement, of which a transaction has two."""

_FIELD = re.compile(r":(\d{2}[A-Z]?):")
_BALANCE = re.compile(r"([CD])(\d{6})([A-Z]{3})([\d,]+)", re.ASCII)
_LINE = re.compile(r"(\d{6})(\d{4})?(R?[CD])([A-Z])?([\d,]+)(?:[A-Z][A-Z0-9]{3}([^\n]*))?", re.ASCII)
_SUBFIELD = re.compile(r"\?(\d{2})")
_MARK = re.compile(r"(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)\+")
_TEXTS = (*(f"{code}" for code in range(20, 30)), *(f"{code}" for code in range(60, 64)))

Fields = list[tuple[str, str]]


def read(lines: Iterable[str], counted: Lines) -> list[ReadStatement]:
    """The statements of a file.

    Raises:
        NotAStatement: it is cut off, or something else than MT940.
        Invalid: it is too long.
    """
    statements: list[ReadStatement] = []
    fields: Fields = []
    for name, value in _fields(lines):
        if name == "20" and fields:
            statements.append(_statement(fields))
            fields = []
        if name == "20":
            counted.add_statement()
        elif name == "61":
            counted.add_line()
        elif len(fields) > MOST_FIELDS:
            raise unreadable(says("A statement of the file has too many fields."))
        fields.append((name, value))
    return [*statements, _statement(fields)]


def _fields(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The fields from the first `:20:` on; a line with a dash alone ends a statement."""
    name, value, has_ended = "", "", False
    for line in lines:
        start = line.find(":20:") if not name else 0
        mark = _FIELD.match(line, start) if start >= 0 else None
        if mark is not None:
            if name:
                yield name, value.strip("\n")
            name, value, has_ended = mark[1], line[mark.end() :], False
        elif name:
            has_ended = has_ended or line.rstrip("\n") == "-" or line.startswith("-}")
            value += "" if has_ended else line
        if len(value) > LONGEST_FIELD:
            raise unreadable(says("The field {name} is too long.", name=f":{name}:"))
    if name:
        yield name, value.strip("\n")


def _statement(fields: Fields) -> ReadStatement:
    values = dict(reversed(fields))
    opening, first, currency = _balance(values.get("60F") or values.get("60M"))
    closing, last, _ = _balance(values.get("62F") or values.get("62M"))
    if opening is None or closing is None:
        raise unreadable(says("The file is cut off: a statement lacks its opening or closing balance."))
    return ReadStatement(
        lines=[*_lines(fields)],
        account=values.get("25", "").partition("\n")[0].strip() or None,
        currency=currency,
        number=values.get("28C", "").strip() or None,
        opening=opening,
        closing=closing,
        first=first,
        last=last,
    )


def _balance(text: str | None) -> tuple[Decimal | None, date | None, str | None]:
    if text is None:
        return None, None, None
    match = _BALANCE.match(text.strip())
    if match is None:
        raise unreadable(says("A balance of the file cannot be read."))
    return _amount(match[4], match[1]), model.day(match[2], "%y%m%d"), match[3]


def _amount(text: str, mark: str) -> Decimal:
    """The signed amount: `RC` reverses a credit, and `RD` a debit."""
    return model.number(text.replace(",", ".", 1)) * (1 if mark in ("C", "RD") else -1)


def _lines(fields: Fields) -> Iterator[ReadLine]:
    for i, (name, value) in enumerate(fields):
        if name == "61":
            following = fields[i + 1] if i + 1 < len(fields) else ("", "")
            yield _line(value, following[1] if following[0] == "86" else "")


def _line(value: str, info: str) -> ReadLine:
    match = _LINE.match(value)
    if match is None:
        raise unreadable(says("A transaction (:61:) of the file cannot be read."))
    value_day = model.day(match[1], "%y%m%d")
    own, _, bank = (match[6] or "").partition("//")
    parts = _parts(info)
    marked = _marked(parts["text"])
    return ReadLine(
        day=_booked(value_day, match[2]),
        value_day=value_day,
        amount=_amount(match[5], match[3]),
        text=" ".join(marked.get("SVWZ", parts["text"]).split()) or parts["kind"],
        party=parts["party"] or None,
        iban=ibans.found(parts["iban"]) or ibans.found(marked.get("IBAN")),
        reference=model.known(bank.partition("\n")[0]),
        end_to_end=model.known(marked.get("EREF")) or model.known(own),
    )


def _booked(value_day: date, text: str | None) -> date:
    """The day of booking, which has no year: the nearest to the value date."""
    if text is None:
        return value_day
    days = []
    for year in (value_day.year - 1, value_day.year, value_day.year + 1):
        if text == "0229" and not isleap(year):
            continue
        days.append(model.day(f"{year}{text}", "%Y%m%d"))
    return min(days, key=lambda booked: abs(booked - value_day) or timedelta(0))


def _parts(info: str) -> dict[str, str]:
    """The parts of `:86:`; without its subfields, all of it is text."""
    pieces = _SUBFIELD.split(info.replace("\n", ""))
    if len(pieces) == 1:
        return {"text": info.replace("\n", " "), "kind": "", "party": "", "iban": ""}
    values: dict[str, str] = {}
    for code, text in zip(pieces[1::2], pieces[2::2], strict=True):
        values[code] = values.get(code, "") + text
    return {
        "text": "".join(values.get(code, "") for code in _TEXTS),
        "kind": values.get("00", ""),
        "party": (values.get("32", "") + values.get("33", "")).strip(),
        "iban": values.get("31", ""),
    }


def _marked(text: str) -> dict[str, str]:
    """The parts of a text by their marks, such as `EREF+`."""
    pieces = _MARK.split(text)
    return dict(zip(pieces[1::2], (piece.strip() for piece in pieces[2::2]), strict=True))
