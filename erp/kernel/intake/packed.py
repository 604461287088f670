"""The packed content of a file from others: the parts of a zip file, and deflated streams."""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import IO

from erp.kernel.errors import Invalid
from erp.kernel.intake.budget import PIECE, Budget
from erp.kernel.language import says

MOST_PARTS = 1_000
"""The most files in a zip file; a workbook of 100 sheets has about 210."""
UNREAD = (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, EOFError, OSError)
"""Exceptions for what is no zip file; RuntimeError is for one that needs a password."""

_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The others unpack a piece to any size at once."""


def parts(content: bytes, budget: Budget, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """The wanted files in a zip file, unpacked, by their names and in their order.

    Raises:
        UNREAD: it is no zip file.
        Invalid: the budget does not suffice, or there are too many.
    """
    if content.count(_ENTRY) > MOST_PARTS:
        raise Invalid.one(budget.field, "too_large", says("Must have at most {most:,} files in it.", most=MOST_PARTS))
    with zipfile.ZipFile(BytesIO(content)) as archive:
        for member in sorted(archive.infolist(), key=lambda member: member.filename):
            if is_wanted(member.filename):
                if member.compress_type not in _METHODS:
                    raise NotImplementedError(member.compress_type)
                with archive.open(member) as file:
                    yield member.filename, b"".join(_counted(_pieces(file), budget))


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


def inflated(content: bytes, start: int, budget: Budget) -> Iterator[bytes]:
    """The pieces that a deflated stream in a file unpacks to; what follows its end is left alone.

    Raises:
        zlib.error: it is no such stream.
        Invalid: the budget does not suffice.
    """
    yield from _counted(_inflated(content, start), budget)


def _inflated(content: bytes, start: int) -> Iterator[bytes]:
    unpacking = zlib.decompressobj()
    for place in range(start, len(content), PIECE):
        packed = content[place : place + PIECE]
        while packed and not unpacking.eof:
            yield unpacking.decompress(packed, PIECE)
            packed = unpacking.unconsumed_tail
        if unpacking.eof:
            return


def _counted(unpacked: Iterator[bytes], budget: Budget) -> Iterator[bytes]:
    for piece in unpacked:
        budget.take_bytes(len(piece))
        yield piece
