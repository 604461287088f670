"""The reference rates of the European Central Bank: reading its files, and turning them into rates of the books.

A file gives units of each currency for 1 euro. The rate of a currency is the value of 1 unit in the base currency:
units of the base currency ÷ units of that currency, rounded once to twelve decimals, half away from zero. For a base
currency other than the euro, the euro has a rate as well.
"""

import base64
import csv
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO, StringIO
from xml.parsers import expat

from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Invalid
from erp.kernel.language import Sentence, says
from erp.kernel.money import RATE_SCALE

EURO = "EUR"
LARGEST = 25 << 20
"""The most bytes that a zip file may unpack to."""
HIGHEST = 10**6 * RATE_SCALE
"""Rates beyond it do not fit a document."""

Units = Mapping[str, str]
"""Units for 1 euro by currency, unconverted: a history is long, and few of its days are needed."""

_UNITS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
_UNITS_SCALE = 10**9
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NO_RATE = ("", "N/A", "-")
_UNREADABLE = (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, EOFError, OSError)
"""Exceptions of the standard library for text that is not base64 or not a zip file."""


class _Refused(Exception):
    """The file has a document type, which could hide anything behind a name."""


def read(file: str) -> dict[date, Units]:
    """The days of a file.

    Raises:
        Invalid: it is not one of these files, or it has no days.
    """
    text = file.removeprefix("\ufeff").strip()
    if text.startswith("<"):
        days = dict(_of_xml(text))
    elif text[:4].lower() == "date":
        days = dict(_of_csv(text))
    else:
        days = dict(_of_csv(_unzipped(text)))
    if not days:
        raise _unread(says("There is no rate in the file."))
    return days


def in_base(units: Units, base: str) -> dict[str, int]:
    """The rates of a day times `RATE_SCALE`, of currencies in use; none if the day lacks the base currency.

    Raises:
        Invalid: a value is not a number above 0.
    """
    scaled = {EURO: _UNITS_SCALE} | {currency: _scaled(text) for currency, text in units.items()}
    if base not in scaled:
        return {}
    own = scaled.pop(base) * RATE_SCALE
    rates = {currency: money.divide(own, value) for currency, value in scaled.items() if currency in DIGITS}
    return {currency: rate for currency, rate in rates.items() if 0 < rate < HIGHEST}


def _of_xml(text: str) -> Iterator[tuple[date, Units]]:
    """The days of nested elements: a Cube with its `time` holds a Cube for each `currency` with its `rate`."""
    days: dict[date, dict[str, str]] = {}
    last: list[date] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] != "Cube":
            return
        if "time" in attributes:
            last[:] = [_day(attributes["time"])]
        elif "currency" in attributes and last:
            days.setdefault(last[0], {})[attributes["currency"]] = attributes.get("rate", "")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(text, True)
    except expat.ExpatError as problem:
        raise _unread(says("The XML cannot be read: {problem}.", problem=problem)) from None
    except _Refused:
        raise _unread(says("The XML has a document type. The files of the ECB have none.")) from None
    yield from days.items()


def _refuse_doctype(*names: object) -> None:
    raise _Refused


def _of_csv(text: str) -> Iterator[tuple[date, Units]]:
    """The days of a table with a row for each day and a column for each currency; empty cells have no rate."""
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(StringIO(text, newline=""), strict=True)]
    except (csv.Error, ValueError):
        raise _unread(says("The CSV cannot be read.")) from None
    headings = rows[0] if rows else []
    if headings[:1] != ["Date"]:
        raise _unread(says("The first column must be called Date."))
    for row in rows[1:]:
        cells = dict(zip(headings, row, strict=False))
        day = cells.pop("Date", "")
        units = {currency: cell for currency, cell in cells.items() if currency and cell not in _NO_RATE}
        if day and units:
            yield _day(day), units


def _unzipped(text: str) -> str:
    """The CSV file in a zip file."""
    try:
        with zipfile.ZipFile(BytesIO(base64.b64decode(text, validate=True))) as archive:
            (member,) = (entry for entry in archive.infolist() if entry.filename.lower().endswith(".csv"))
            with archive.open(member) as content:
                data = content.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise _unread(says("The file in the zip file is larger than {mebibytes} MiB.", mebibytes=LARGEST >> 20))
        return data.decode("utf-8-sig")
    except _UNREADABLE:
        raise _unread(
            says("Send the text of an XML or CSV file of the ECB, or its zip file with one CSV in base64.")
        ) from None


def _day(text: str) -> date:
    """A day as `2026-01-22` or, in the daily CSV file, `22 January 2026`."""
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
        return datetime.strptime(text, "%d %B %Y").date()  # noqa: DTZ007 - a day has no time zone
    except ValueError:
        raise _unread(says("{text!r} is not a day.", text=text[:40])) from None


def _scaled(text: str) -> int:
    """A number of units, times `_UNITS_SCALE`."""
    scaled = money.scaled(Decimal(text), _UNITS_SCALE) if _UNITS.fullmatch(text) else 0
    if not scaled:
        raise _unread(says("{text!r} is not a rate.", text=text[:40]))
    return scaled


def _unread(message: Sentence) -> Invalid:
    return Invalid.one("file", "not_a_rate_file", message)
