"""Spreadsheets that people send: the first sheet of an Excel file as a table of text."""

import base64
import binascii
import zipfile
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO

from erp.kernel.errors import Invalid
from erp.kernel.language import says

LARGEST = 25 << 20
"""The most bytes that a file may unpack to."""

_UNREADABLE = (binascii.Error, zipfile.BadZipFile, ValueError, NotImplementedError, OSError)


def read(text: str, field: str) -> list[list[str]]:
    """The cells of the first sheet, empty ones as empty text.

    Args:
        text: an .xlsx file in base64.
        field: what a refusal names.

    Raises:
        Invalid: it is no such file, or a huge one.
    """
    try:
        content = base64.b64decode(text, validate=True)
        with zipfile.ZipFile(BytesIO(content)) as archive:
            size = sum(member.file_size for member in archive.infolist())
    except _UNREADABLE:
        raise _unread(field) from None
    if size > LARGEST:
        raise Invalid.one(
            field, "too_large", says("Must not unpack to more than {mebibytes} MiB.", mebibytes=LARGEST >> 20)
        )
    return [[_plain(cell) for cell in row] for row in _cells(content, field)]


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
