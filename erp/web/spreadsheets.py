"""Spreadsheets that people send: the first sheet of an Excel file as a table of text.

The library that reads the cells allocates all between the first and the last one, so a file of 1 kB with two cells far
apart would take all memory. Hence a file is unpacked within limits, and the places of its cells are read as a stream,
before the library sees it; and it sees what was looked at, whatever the sizes in the file's own directory say.
"""

import base64
import binascii
import re
import zipfile
import zlib
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO
from xml.parsers import expat

from erp.kernel.errors import Invalid
from erp.kernel.language import says

LARGEST = 25 << 20
"""The most bytes that a file may unpack to."""
MOST_ROWS = 10_001
"""The most rows of a sheet, with its headings."""
MOST_COLUMNS = 200
MOST_PARTS = 1_000
"""The most files in an Excel file; a workbook of 100 sheets has about 210."""

_UNREADABLE = (
    *(binascii.Error, ValueError),
    *(zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError),  # RuntimeError: it needs a password
    expat.ExpatError,
)
_READ_PARTS = re.compile(r"\[Content_Types\]\.xml|(_rels|xl)/.*\.(xml|rels)")
_UNREAD_PARTS = ("xl/calcChain.xml", "xl/charts/", "xl/drawings/", "xl/media/", "xl/theme/")
_PLACE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_VALUES = ("v", "is", "f")
"""The elements in a cell that has something in it; others only have a format, which people leave in whole columns."""


def read(text: str, field: str) -> list[list[str]]:
    """The cells of the first sheet, empty ones as empty text.

    Args:
        text: an .xlsx file in base64.
        field: what a refusal names.

    Raises:
        Invalid: it is no such file, or a huge one.
    """
    try:
        parts = _parts(base64.b64decode(text, validate=True), field)
        for part in parts.values():
            _check_places(part, field)
    except _UNREADABLE:
        raise _unread(field) from None
    return [[_plain(cell) for cell in row] for row in _cells(_packed(parts), field)]


def _parts(content: bytes, field: str) -> dict[str, bytes]:
    """The files within an Excel file that hold cells and their texts, unpacked."""
    parts: dict[str, bytes] = {}
    with zipfile.ZipFile(BytesIO(content)) as archive:
        members = archive.infolist()
        size = sum(member.file_size for member in members)
        if size > LARGEST or len(members) > MOST_PARTS:
            message = says("Must not unpack to more than {mebibytes} MiB.", mebibytes=LARGEST >> 20)
            raise Invalid.one(field, "too_large", message)
        for member in members:
            if _READ_PARTS.fullmatch(member.filename) and not member.filename.startswith(_UNREAD_PARTS):
                parts[member.filename] = archive.read(member)
    return parts


def _check_places(part: bytes, field: str) -> None:
    """Refuse a sheet with a cell outside the limits; other parts have no cells."""
    row, column = 0, 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column
        kind = name.rpartition(":")[2]
        if kind == "row":
            row, column = int(attributes.get("r", row + 1)), 0
        elif kind == "c":
            row, column = _place(attributes["r"]) if "r" in attributes else (row, column + 1)
        elif kind in _VALUES and (row > MOST_ROWS or column > MOST_COLUMNS):
            message = says("Must have at most {rows} rows and {columns} columns.", rows=MOST_ROWS, columns=MOST_COLUMNS)
            raise Invalid.one(field, "too_long", message)

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.Parse(part, True)


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
            archive.writestr(name, part)
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
