"""Tables as text from others: rows of cells, read as a stream."""

import csv
from collections.abc import Iterable, Iterator
from typing import NoReturn

from erp.kernel.errors import Invalid
from erp.kernel.intake.budget import go_on
from erp.kernel.intake.text import LONGEST_LINE
from erp.kernel.language import says

LONGEST_ROW = LONGEST_LINE
"""The most characters of a row, which may have several lines."""
UNREAD = (csv.Error, ValueError)
"""Exceptions for text that is no table."""


def rows(lines: Iterable[str], field: str, delimiter: str, *, strict: bool = True) -> Iterator[list[str]]:
    """The rows of a table, of which one may take several lines.

    Raises:
        UNREAD: it is no table.
        Invalid: a row is too long.
    """
    length = 0

    def counted() -> Iterator[str]:
        nonlocal length
        for line in lines:
            length += len(line)
            if length > LONGEST_ROW:
                _refuse(field)
            yield line

    for row in csv.reader(counted(), delimiter=delimiter, strict=strict):
        go_on()
        length = 0
        yield row


def _refuse(field: str) -> NoReturn:
    message = says("Must not have rows of more than {most:,} characters.", most=LONGEST_ROW)
    raise Invalid.one(field, "too_long", message)
