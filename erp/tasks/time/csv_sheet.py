"""A spreadsheet of time as text: its headings, rows and cells."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from io import StringIO
from itertools import zip_longest
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.intake import tables
from erp.kernel.language import says
from erp.kernel.money import round_to
from erp.tasks.time.spans import LONGEST, EnteredTime
from erp.web.scalars import Day, Moment, Unfit

COLUMNS = ("task", "date", "minutes", "hours", "start", "end", "note", "billable", "user")
MOST = 5_000
"""The most rows that are imported at once."""

_YES_OR_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_TIME_OF_DAY = re.compile("[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?")


class Row(msgspec.Struct, frozen=True):
    """A row under its headings; `number` counts as a spreadsheet does, with the headings as row 1."""

    number: int
    cells: dict[str, str]


def rows(text: str) -> list[Row]:
    """The rows that are not empty.

    Raises:
        Invalid: it is no spreadsheet of time.
    """
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    reader = tables.rows(StringIO(text, newline=""), "csv", ";" if ";" in first else ",")
    try:
        headings, *lines = [[cell.strip() for cell in line] for line in reader]
    except tables.UNREAD:
        raise Invalid.one(
            "csv", "not_csv", says("The file is not a table with values separated by commas or semicolons.")
        ) from None
    headings = [heading.lower() for heading in headings]
    _check_headings(headings)
    return _under(headings, lines)


_NO_HEADING = says("There is no heading {heading!r}. Use {columns}.")


def _check_headings(headings: list[str]) -> None:
    named = [heading for heading in headings if heading]
    unknown = [heading for heading in named if heading not in COLUMNS]
    if unknown:
        message = _NO_HEADING.fill(heading=unknown[0][:40], columns=", ".join(COLUMNS))
        raise Invalid.one("csv", "unknown_column", message)
    if len(set(named)) < len(named):
        raise Invalid.one("csv", "column_twice", says("A heading appears twice."))
    if "task" not in named:
        raise Invalid.one("csv", "no_task", says("The first row holds the headings. One of them must be task."))


def _under(headings: list[str], lines: list[list[str]]) -> list[Row]:
    filled = [Row(i, dict(zip(headings, line, strict=False))) for i, line in enumerate(lines, 2) if any(line)]
    if not 1 <= len(filled) <= MOST:
        raise Invalid.one(
            "csv",
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
    start = _read(row, "start", lambda text: _instant(text, day, zone), complaints)
    end = _read(row, "end", lambda text: _end(text, start, day, zone), complaints)
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
    if text.lower() not in _YES_OR_NO:
        raise Unfit("not_one_of", says("Must be yes or no."))
    return _YES_OR_NO[text.lower()]


def _end(text: str, start: datetime | None, day: date | None, zone: str) -> datetime:
    end = _instant(text, day, zone)
    if start is not None and day is not None and end <= start and _TIME_OF_DAY.fullmatch(text):
        return _instant(text, day + timedelta(days=1), zone)
    return end


def _instant(text: str, day: date | None, zone: str) -> datetime:
    """An instant; a time of day that occurs twice, as the clocks go back, is the earlier one."""
    if not _TIME_OF_DAY.fullmatch(text):
        return Moment.read(text)
    if day is None:
        raise Unfit("no_date", says("A time of day needs a date."))
    try:
        local = datetime.fromisoformat(f"{day}T{text.zfill(5 if text.count(':') == 1 else 8)}")
    except ValueError:
        raise Unfit("not_an_instant", says("There is no such time of day.")) from None
    return _placed(local.replace(tzinfo=ZoneInfo(zone)))


def _placed(local: datetime) -> datetime:
    instant = Moment.read(local.isoformat(timespec="seconds"))
    if instant.astimezone(local.tzinfo).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise Unfit("not_an_instant", says("This time does not exist: the clocks went forward over it."))
    return instant
