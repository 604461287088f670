"""The reference rates of the European Central Bank: reading its files, and turning them into rates of the books.

A file gives units of each currency for 1 euro. The rate of a currency is the value of 1 unit in the base currency:
units of the base currency ÷ units of that currency, rounded once to twelve decimals, half away from zero. For a base
currency other than the euro, the euro has a rate as well.
"""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO, StringIO, TextIOWrapper
from itertools import islice

from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Invalid
from erp.kernel.intake import packed, tables, xml
from erp.kernel.intake.budget import Budget
from erp.kernel.language import Sentence, says
from erp.kernel.money import RATE_SCALE

EURO = "EUR"
MOST_DAYS = 20_000
"""The most days of a file: the ECB's own begins in 1999."""
HIGHEST = 10**6 * RATE_SCALE
"""Rates beyond it do not fit a document."""

Units = Mapping[str, str]
"""Units for 1 euro by currency, unconverted: a history is long, and few of its days are needed."""

_UNITS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
_UNITS_SCALE = 10**9
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NO_RATE = ("", "N/A", "-")


def read(file: str) -> dict[date, Units]:
    """The days of a file.

    Raises:
        Invalid: it is not one of these files, or it has no days.
    """
    text = file.removeprefix("\ufeff").strip()
    if text.startswith("<"):
        pairs = _of_xml(text)
    elif text[:4].lower() == "date":
        pairs = _of_csv(StringIO(text, newline=""))
    else:
        pairs = _of_csv(_unzipped(text))
    days = dict(islice(pairs, MOST_DAYS + 1))
    if not days:
        raise _unread(says("There is no rate in the file."))
    if len(days) > MOST_DAYS:
        raise _unread(says("Must have at most {most:,} days.", most=MOST_DAYS))
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
    try:
        root = xml.root_of(text, Budget())
    except xml.HasDoctype:
        raise _unread(says("The XML has a document type. The files of the ECB have none.")) from None
    except xml.UNREAD as problem:
        raise _unread(says("The XML cannot be read: {problem}.", problem=problem)) from None
    for element in root.iterfind(".//{*}Cube[@time]"):
        day = _day(element.attrib["time"])
        units = {cube.attrib["currency"]: cube.get("rate", "") for cube in element.iterfind("{*}Cube[@currency]")}
        if units:
            yield day, units


def _of_csv(lines: Iterable[str]) -> Iterator[tuple[date, Units]]:
    """The days of a table with a row for each day and a column for each currency; empty cells have no rate."""
    headings: list[str] | None = None
    try:
        for row in tables.rows(lines, "file", ","):
            cells = [cell.strip() for cell in row]
            if headings is None:
                headings = cells
                if headings[:1] != ["Date"]:
                    raise _unread(says("The first column must be called Date."))
                continue
            units = dict(zip(headings, cells, strict=False))
            day = units.pop("Date", "")
            units = {currency: cell for currency, cell in units.items() if currency and cell not in _NO_RATE}
            if day and units:
                yield _day(day), units
    except tables.UNREAD:
        raise _unread(says("The CSV cannot be read.")) from None


def _unzipped(text: str) -> TextIOWrapper:
    """The CSV file in a zip file."""
    try:
        content = base64.b64decode(text, validate=True)
        ((_, data),) = packed.parts(content, Budget(), lambda name: name.lower().endswith(".csv"))
        return TextIOWrapper(BytesIO(data), "utf-8-sig", newline="")
    except packed.UNREAD:
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
