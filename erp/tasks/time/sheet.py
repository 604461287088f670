"""A spreadsheet of time: its headings, rows and cells."""

import re
from collections.abc import Callable
from decimal import Decimal
from itertools import zip_longest
from typing import Any

import msgspec

from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import says
from erp.kernel.money import round_to
from erp.tasks.time.spans import LONGEST, EnteredTime
from erp.web.scalars import Day, Unfit
from erp.web.transport import cells as readings
from erp.web.transport import times
from erp.web.transport.sheets import Table

COLUMNS = ("task", "date", "minutes", "hours", "start", "end", "note", "billable", "user")
MOST = 5_000
"""The most rows that are imported at once."""


class Row(msgspec.Struct, frozen=True):
    """A row under its headings; `number` counts as a spreadsheet does, with the headings as row 1."""

    number: int
    cells: dict[str, str]


def rows(table: Table, field: str) -> list[Row]:
    """The rows that are not empty.

    Args:
        field: the field of the file, which refusals name.

    Raises:
        Invalid: it is no spreadsheet of time.
    """
    headings, *lines = [[cell.strip() for cell in line] for line in table] or [[]]
    headings = [heading.lower() for heading in headings]
    _check_headings(headings, field)
    return _under(headings, lines, field)


_NO_HEADING = says("There is no heading {heading!r}. Use {columns}.")


def _check_headings(headings: list[str], field: str) -> None:
    named = [heading for heading in headings if heading]
    unknown = [heading for heading in named if heading not in COLUMNS]
    if unknown:
        message = _NO_HEADING.fill(heading=unknown[0][:40], columns=", ".join(COLUMNS))
        raise Invalid.one(field, "unknown_column", message)
    if len(set(named)) < len(named):
        raise Invalid.one(field, "column_twice", says("A heading appears twice."))
    if "task" not in named:
        raise Invalid.one(field, "no_task", says("The first row holds the headings. One of them must be task."))


def _under(headings: list[str], lines: Table, field: str) -> list[Row]:
    under = [(i, dict(zip(headings, line, strict=False))) for i, line in enumerate(lines, 2) if any(line)]
    read = readings.reader([cells for _, cells in under], {"date": Day}, is_text=field == "csv")
    filled = [Row(i, read(cells)) for i, cells in under]
    if not 1 <= len(filled) <= MOST:
        raise Invalid.one(
            field,
            "row_count",
            says("There must be 1 to {most:,} rows; there are {count:,}.", most=MOST, count=len(filled)),
        )
    beside = [i for i, line in enumerate(lines, 2) if _cells_beside(headings, line)]
    if beside:
        message = says("Some cells have no heading above them.")
        raise Invalid([Complaint(f"rows[{i}]", "too_many_cells", message) for i in beside])
    return filled


def _cells_beside(headings: list[str], line: list[str]) -> bool:
    """Whether a column without a heading has content: nothing that is sent is ignored silently."""
    return any(cell and not heading for heading, cell in zip_longest(headings, line))


def time(row: Row, zone: str, complaints: Complaints) -> EnteredTime:
    """The working time of a row, in that time zone."""
    day = _read(row, "date", Day.read, complaints)
    minutes = _read(row, "minutes", _minutes, complaints)
    hours = _read(row, "hours", _hours, complaints)
    if minutes is not None and hours is not None:
        complaints.add("hours", "either_or", says("Enter minutes or hours, not both."))
    start = _read(row, "start", lambda text: times.instant(text, day, zone), complaints)
    end = _read(row, "end", lambda text: times.end(text, start, day, zone), complaints)
    return EnteredTime(day, hours if minutes is None else minutes, start, end)


def billable(row: Row, complaints: Complaints) -> bool | None:
    """Whether a row is billable; None where the cell is empty."""
    answer: bool | None = _read(row, "billable", _yes_or_no, complaints)
    return answer


def _read(row: Row, column: str, read: Callable[[str], Any], complaints: Complaints) -> Any:
    """The value of a cell; None when it is empty, or, with a complaint, when it cannot be read."""
    text = row.cells.get(column)
    if not text:
        return None
    try:
        return read(text)
    except Unfit as unfit:
        complaints.add(column, unfit.code, unfit.message)
        return None


def _minutes(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= LONGEST:
        raise Unfit("out_of_range", says("Must be a whole number from 1 to {most}.", most=LONGEST))
    return int(text)


def _hours(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}([.,][0-9]{1,6})?", text):
        raise Unfit("not_a_number", says("Must be a decimal such as 1.5."))
    minutes = int(round_to(Decimal(text.replace(",", ".")) * 60, 0))
    if not 1 <= minutes <= LONGEST:
        raise Unfit("out_of_range", says("Must be more than 0 and at most 24."))
    return minutes


def _yes_or_no(text: str) -> bool:
    answer = readings.yes_or_no(text)
    if answer is None:
        raise Unfit("not_one_of", says("Must be yes or no."))
    return answer
