"""The official rates, by the office's country, as files beside this one.

Amounts are in the major unit of the table's currency. Of each place and vehicle the last one that is valid counts.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from importlib.resources import files

import msgspec

COUNTRIES = ("AT", "CH", "DE", "GB")


class PerDiem(msgspec.Struct, frozen=True, rename="camel"):
    """The rates of a full and of a partial day in a country, or in a region of it."""

    country: str
    valid_from: date
    full: str
    partial: str
    region: str | None = None


class Mileage(msgspec.Struct, frozen=True, rename="camel"):
    """The rate of a kilometre or a mile."""

    vehicle: str
    valid_from: date
    rate: str


class Table(msgspec.Struct, frozen=True, rename="camel"):
    """The rates of a country, and where they are published."""

    currency: str
    sources: Sequence[str]
    mileage: Sequence[Mileage] = ()
    per_diems: Sequence[PerDiem] = ()
    covers: Mapping[str, Sequence[str]] = {}
    """By country, the territories and countries abroad that have its per diems."""
    others: str | None = None
    """The country whose per diems all have that are not named; None where they have none."""

    def of_place(self, country: str, day: date) -> Sequence[PerDiem]:
        """The per diems for a country that are valid on a day or were before: its own, or of the country it follows."""
        known = [row for row in self.per_diems if row.valid_from <= day]
        over = next((whose for whose, covered in self.covers.items() if country in covered), self.others)
        return next(filter(None, ([row for row in known if row.country == each] for each in (country, over))), [])

    def regions(self) -> Iterator[tuple[str, str]]:
        """Countries with the regions whose per diem differs from the country's on any day."""
        places: dict[tuple[str, str | None], list[PerDiem]] = defaultdict(list)
        for row in self.per_diems:
            places[row.country, row.region].append(row)
        for (country, region), own in list(places.items()):
            whole = places[country, None]
            days = {row.valid_from for row in (*own, *whole)}
            if region is not None and any(_amounts(own, day) not in (None, _amounts(whole, day)) for day in days):
                yield country, region

    def spelled(self, country: str, region: str) -> str | None:
        """A region of a country as the table spells it; None if it names none."""
        named = (row.region for row in self.per_diems if row.country == country and row.region is not None)
        return next((name for name in named if name.casefold() == region.casefold()), None)


def _amounts(rows: Sequence[PerDiem], day: date) -> tuple[str, str] | None:
    """The amounts of a place on a day."""
    known = [(row.full, row.partial) for row in rows if row.valid_from <= day]
    return known[-1] if known else None


_DECODER = msgspec.json.Decoder(Table)


@cache
def of(country: str) -> Table | None:
    """The table of a country; None where there is none."""
    if country not in COUNTRIES:
        return None
    content = files("erp.hr.expenses.rates").joinpath(f"{country.lower()}.json").read_bytes()
    return _DECODER.decode(content)
