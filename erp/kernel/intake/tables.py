"""Tables as text from others: rows of cells, read as a stream."""

import csv
from collections.abc import Iterable, Iterator

from erp.kernel.errors import Invalid
from erp.kernel.intake.budget import go_on
from erp.kernel.intake.text import LONGEST_LINE
from erp.kernel.language import Sentence, says

LONGEST_ROW = LONGEST_LINE
"""The most characters of a row, which may have several lines."""
MOST_COLUMNS = 200
"""The most cells of a row."""
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
                raise _too_long(field, says("Must not have rows of more than {most:,} characters.", most=LONGEST_ROW))
            yield line

    for row in csv.reader(counted(), delimiter=delimiter, strict=strict):
        go_on()
        length = 0
        if len(row) > MOST_COLUMNS:
            raise _too_long(field, says("Must have at most {most} columns.", most=MOST_COLUMNS))
        yield row


def _too_long(field: str, message: Sentence) -> Invalid:
    return Invalid.one(field, "too_long", message)
