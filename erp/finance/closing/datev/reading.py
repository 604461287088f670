"""The bookings of a file in DATEV's format (EXTF, category 21), as another program has written it; pure."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from erp.finance.closing.datev.sheet import OURS, PLACES
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, Refusal
from erp.kernel.intake import tables
from erp.kernel.intake.text import lines
from erp.kernel.language import says

_CATEGORY = "21"
_OLDEST = 510
"""The first version of the header with today's places."""
_LENGTH = 14
"""A row has at least this many columns: up to the text."""
MOST = 10_000
"""The most entries of a file, as of every other import."""
_AMOUNT = re.compile(r"\d{1,13}(,\d{1,2})?", re.ASCII)


class NotADatevFile(Refusal):
    """The file is not a DATEV batch. Ask for an export in DATEV's own format (EXTF)."""

    status = 422


class ReadBooking(NamedTuple):
    """A row: an amount that the first account gets as a debit or, below zero, as a credit, and the contra account."""

    amount: Decimal
    account: str
    contra: str
    key: str
    day: date
    number: str
    text: str
    cost_centres: tuple[str, str]


class ReadFile(NamedTuple):
    """The advisor and client of a file, and its bookings by their places (`rows[3]` is the first)."""

    advisor: str
    client: str
    is_ours: bool
    bookings: dict[str, ReadBooking]


def read(data: bytes, currency: str, complaints: Complaints) -> ReadFile:
    """The bookings of a file; complaints about a row are added.

    Raises:
        NotADatevFile: it is not a file of bookings.
        Invalid: it is too long.
    """
    try:
        table = tables.rows(lines(data), "file", ";")
        header, _ = next(table), next(table)
        year_start = date.fromisoformat(header[12])
        is_known = header[0] in ("EXTF", "DTVF") and int(header[1]) >= _OLDEST and header[2] == _CATEGORY
    except (*tables.UNREAD, IndexError, StopIteration):
        raise NotADatevFile(field="file") from None
    if not is_known:
        raise NotADatevFile(field="file")
    try:
        bookings = dict(_bookings(table, year_start, currency, complaints))
    except tables.UNREAD:
        raise NotADatevFile(field="file") from None
    return ReadFile(header[10], header[11], header[7] == OURS, bookings)


def _bookings(
    table: Iterator[list[str]], year_start: date, currency: str, complaints: Complaints
) -> Iterator[tuple[str, ReadBooking]]:
    for row_number, cells in enumerate(table, 3):
        if row_number > MOST + 2:
            raise Invalid.one("file", "too_long", says("Must have at most {most:,} entries.", most=MOST))
        if any(cells):
            booking = _booking(f"rows[{row_number}]", cells, year_start, currency, complaints)
            if booking is not None:
                yield f"rows[{row_number}]", booking


def _booking(
    path: str, cells: Sequence[str], year_start: date, currency: str, complaints: Complaints
) -> ReadBooking | None:
    def cell(name: str) -> str:
        index = PLACES[name]
        return cells[index].strip() if index < len(cells) else ""

    complaints_before = len(complaints.items)
    if len(cells) < _LENGTH:
        complaints.add(path, "cut_off", says("The row is cut off."))
        return None
    amount, side = cell("Umsatz (ohne Soll/Haben-Kz)"), cell("Soll/Haben-Kennzeichen")
    if not _AMOUNT.fullmatch(amount) or side not in ("S", "H"):
        complaints.add(f"{path}.Umsatz", "wrong_amount", says("{text} is not an amount with S or H.", text=amount[:40]))
    day = _day(cell("Belegdatum"), year_start)
    if day is None:
        message = says("{text} is not a day of the fiscal year.", text=cell("Belegdatum")[:40])
        complaints.add(f"{path}.Belegdatum", "wrong_day", message)
    if cell("WKZ Umsatz") not in ("", currency):
        message = says("Only entries in {currency} can be imported.", currency=currency)
        complaints.add(f"{path}.WKZ Umsatz", "wrong_currency", message)
    if len(complaints.items) > complaints_before or day is None:
        return None
    is_debit = (side == "S") is not (cell("Generalumkehr (GU)") in ("1", "G"))
    return ReadBooking(
        amount=Decimal(amount.replace(",", ".")) * (1 if is_debit else -1),
        account=cell("Konto"),
        contra=cell("Gegenkonto (ohne BU-Schlüssel)"),
        key=cell("BU-Schlüssel").lstrip("0"),
        day=day,
        number=cell("Belegfeld 1"),
        text=cell("Buchungstext"),
        cost_centres=(cell("KOST1 - Kostenstelle"), cell("KOST2 - Kostenstelle")),
    )


def _day(text: str, year_start: date) -> date | None:
    """A day as DDMM in the fiscal year that begins on a day."""
    if not re.fullmatch(r"\d{3,4}", text, re.ASCII):
        return None
    day, month = divmod(int(text), 100)
    years = (year_start.year, year_start.year + 1)
    days = [candidate for year in years if (candidate := _date(year, month, day)) is not None]
    return next((candidate for candidate in days if year_start <= candidate < year_start.replace(year=years[1])), None)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
