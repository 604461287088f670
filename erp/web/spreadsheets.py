"""Spreadsheets that people send: the first sheet of an Excel file as a table of text.

The library that reads the cells allocates all between the first and the last one, so a file of 1 kB with two cells far
apart would take all memory. Hence a file is unpacked within limits, and the places of its cells are read as a stream,
before the library sees it; and it sees what was looked at, whatever the sizes in the file's own directory say.
"""

import base64
import re
import zipfile
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO
from xml.parsers import expat

from erp.kernel.errors import Invalid
from erp.kernel.intake import packed, xml
from erp.kernel.intake.budget import UNPACKED, Budget, pieces
from erp.kernel.intake.tables import MOST_COLUMNS
from erp.kernel.language import Sentence, says

MOST_ROWS = 10_001
"""The most rows of a sheet, with its headings."""
MOST_FILLED = 50 * MOST_ROWS
"""The most cells with content."""

_UNREADABLE = (*packed.UNREAD, *xml.UNREAD, xml.HasDoctype)
_READ_PARTS = re.compile(r"\[Content_Types\]\.xml|(_rels|xl)/.*\.(xml|rels)")
_UNREAD_PARTS = ("xl/calcChain.xml", "xl/charts/", "xl/drawings/", "xl/media/", "xl/theme/")
_STRINGS = "xl/sharedStrings.xml"
_PLACE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_ERROR = re.compile(rb"""(<(?:\w+:)?c\s(?:[^<>]*\s)?t=["'])e(["'])""")
"""The type of a cell whose formula failed. The library leaves such cells out, so they are read as text: `#REF!`."""
_VALUES = ("v", "is", "f")
"""The elements in a cell that has something in it; others only have a format, which people leave in whole columns."""
_TEXT = ("t", "r")
"""The elements in the text of a cell."""


def read(text: str, field: str) -> list[list[str]]:
    """The cells of the first sheet, empty ones as empty text.

    Args:
        text: an .xlsx file in base64.
        field: what a refusal names.

    Raises:
        Invalid: it is no such file, or a huge one.
    """
    try:
        budget = Budget(field)
        parts = dict(packed.parts(base64.b64decode(text, validate=True), budget, _is_read))
        strings = _lengths(parts[_STRINGS], budget) if _STRINGS in parts else []
        for name, part in parts.items():
            if name != _STRINGS:
                _Cells(budget, strings).check(part)
    except _UNREADABLE:
        raise _unread(field) from None
    return [[_plain(cell) for cell in row] for row in _cells(_packed(parts), field)]


def _is_read(name: str) -> bool:
    return bool(_READ_PARTS.fullmatch(name)) and not name.startswith(_UNREAD_PARTS)


def _lengths(part: bytes, budget: Budget) -> list[int]:
    """The lengths of the texts that cells name by their number."""
    lengths: list[int] = []

    def begin(name: str, attributes: Mapping[str, str]) -> None:
        if name == "si":
            lengths.append(0)
            _check_count(budget, len(lengths), MOST_FILLED)

    def add(text: str) -> None:
        if lengths:
            lengths[-1] += len(text)

    _parse(part, budget, begin, add)
    return lengths


def _parse(
    part: bytes, budget: Budget, begin: Callable[[str, Mapping[str, str]], None], add: Callable[[str], None]
) -> None:
    """Read a part as a stream of its elements, by their names without a prefix, and their text."""
    depth = 0

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal depth
        depth += 1
        budget.check_depth(depth)
        begin(name.rpartition(":")[2], attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, add
    xml.feed(parser, pieces(part), budget)


class _Cells:
    """Refuses a sheet with cells outside the limits, or with huge texts; parts that are no sheets have no cells."""

    def __init__(self, budget: Budget, lengths: list[int]) -> None:
        self._budget, self._lengths = budget, lengths
        self._row = self._column = self._cells = self._filled = self._characters = 0
        self._kind = self._type = ""

    def check(self, part: bytes) -> None:
        _parse(part, self._budget, self._begin, self._text)

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        self._kind = name
        if self._kind == "row":
            self._row, self._column = int(attributes.get("r", self._row + 1)), 0
        elif self._kind == "c":
            place = attributes.get("r")
            self._row, self._column = _place(place) if place else (self._row, self._column + 1)
            self._type = attributes.get("t", "")
            self._cells += 1
            _check_count(self._budget, self._cells, MOST_ROWS * MOST_COLUMNS)
        elif self._kind in _VALUES:
            self._filled += 1
            _check_count(self._budget, self._filled, MOST_FILLED)
            if self._row > MOST_ROWS or self._column > MOST_COLUMNS:
                raise _too_long(
                    self._budget,
                    says("Must have at most {rows} rows and {columns} columns.", rows=MOST_ROWS, columns=MOST_COLUMNS),
                )
        elif self._kind not in _TEXT:
            self._budget.take_element({})

    def _text(self, text: str) -> None:
        """Count the text of a cell that names it by its number; other texts are in the part itself."""
        if self._kind == "v" and self._type == "s" and text.strip().isdecimal() and int(text) < len(self._lengths):
            self._characters += self._lengths[int(text)]
            if self._characters > UNPACKED:
                raise _too_long(self._budget, says("Must not have more than {most:,} characters.", most=UNPACKED))


def _check_count(budget: Budget, count: int, most: int) -> None:
    if count > most:
        raise _too_long(budget, says("Must have at most {most:,} cells.", most=most))


def _too_long(budget: Budget, message: Sentence) -> Invalid:
    return Invalid.one(budget.field, "too_long", message)


def _place(reference: str) -> tuple[int, int]:
    """The row and the column of a reference such as `AB12`, from 1."""
    match = _PLACE.fullmatch(reference)
    if match is None:
        raise ValueError(reference)
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - 64
    return int(match[2]), column


def _packed(parts: dict[str, bytes]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, _ERROR.sub(rb"\1str\2", part))
    return packed.getvalue()


def _cells(content: bytes, field: str) -> list[list[object]]:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        rows = CalamineWorkbook.from_filelike(BytesIO(content)).get_sheet_by_index(0).to_python()
    except (CalamineError, *_UNREADABLE):
        raise _unread(field) from None
    except BaseException as problem:
        if type(problem).__name__ != "PanicException":  # what the library raises where its own code fails
            raise
        raise _unread(field) from None
    return [[*row] for row in rows]


def _unread(field: str) -> Invalid:
    return Invalid.one(field, "not_xlsx", says("This is no Excel file (.xlsx) in base64."))


def _plain(cell: object) -> str:
    """A cell as a person would type it: numbers have the 15 digits that a spreadsheet keeps of them."""
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, float):
        return f"{Decimal(f'{cell:.15g}'):f}"
    return str(cell)
