"""Cells as spreadsheets of other languages write them: `31.12.2026`, `1.120,50`, `yes`.

A day with dots has the day first everywhere; with slashes, all days of a file together show the order.
A decimal comma is one where most amounts of the file show it. Without a sign of it, a point is a decimal point.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from erp.kernel.errors import Invalid
from erp.kernel.intake import amounts, day_order
from erp.web.scalars import Day, Number

Cells = Mapping[str, str]
Read = Callable[[str], str]

_YES = {"yes", "ja", "true", "wahr", "1"}
_NO = {"no", "nein", "false", "falsch", "0"}
_DOTTED = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}", re.ASCII)
_SLASHED = re.compile(r"\d{1,2}/\d{1,2}/\d{4}", re.ASCII)
_WITH_COMMA = re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+),\d+", re.ASCII)
_THOUSANDS = re.compile(r"-?\d{1,3}(\.\d{3})+", re.ASCII)
_ENGLISH = re.compile(r"-?\d{1,3}(,\d{3})+\.\d+", re.ASCII)


def reader(rows: Sequence[Cells], types: Mapping[str, Any], *, is_text: bool) -> Callable[[Cells], dict[str, str]]:
    """A reader of the cells of a table, by the types of their columns.

    Args:
        is_text: whether the table is text; the numbers of a workbook have a decimal point in every language.
    """
    of_type: dict[type, Read] = {
        Number: _amounts(_cells(rows, types, Number), is_text=is_text),
        Day: _days(_cells(rows, types, Day)),
        bool: _answer,
    }
    reads = {name: read for name, hint in types.items() for kind, read in of_type.items() if _is(hint, kind)}
    return lambda cells: {name: reads[name](text) if name in reads else text for name, text in cells.items()}


def yes_or_no(text: str) -> bool | None:
    """The answer in a cell; None where it is neither."""
    word = text.lower()
    return word in _YES if word in _YES | _NO else None


def _answer(text: str) -> str:
    answer = yes_or_no(text)
    return text if answer is None else str(answer).lower()


def _is(hint: Any, kind: type) -> bool:
    return isinstance(hint, type) and issubclass(hint, kind)


def _cells(rows: Iterable[Cells], types: Mapping[str, Any], kind: type) -> Iterator[str]:
    names = [name for name, hint in types.items() if _is(hint, kind)]
    return (cells[name] for cells in rows for name in names if name in cells)


def _amounts(texts: Iterator[str], *, is_text: bool) -> Read:
    cells = list(texts)
    is_clear = is_text or not any(map(_THOUSANDS.fullmatch, cells))  # a workbook has both texts and numbers
    has_comma = is_clear and amounts.decimal_sign(cells, ".") == ","

    def read(text: str) -> str:
        if has_comma and (_WITH_COMMA.fullmatch(text) or _THOUSANDS.fullmatch(text)):
            return amounts.plain(text, ",")
        return amounts.plain(text, ".") if _ENGLISH.fullmatch(text) else text

    return read


def _days(texts: Iterator[str]) -> Read:
    by_dots = day_order.reader([], "day_first", "")
    try:
        by_slashes: Read = day_order.reader([text for text in texts if _SLASHED.fullmatch(text)], None, "")
    except Invalid:  # in two ways, so that each is refused with its row
        by_slashes = str

    def read(text: str) -> str:
        if _DOTTED.fullmatch(text):
            return by_dots(text)
        return by_slashes(text) if _SLASHED.fullmatch(text) else text

    return read
