"""Holidays: the days on which the office does not work, entered by hand or taken from a country's calendar."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET

from erp.hr.calendar.models import Holiday
from erp.kernel.errors import AlreadyExists, Invalid
from erp.store import changes, events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Country, Day, Name
from erp.web.schema import Body, Unset

Year = Annotated[int, msgspec.Meta(ge=1900, le=2199)]
Subdivision = Annotated[
    str, msgspec.Meta(min_length=1, max_length=64, description="A state, province or region.", examples=["BY"])
]


class NewHoliday(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2026-12-24", "name": "Christmas Eve"}

    date: Day
    name: Name


class HolidayChange(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Office closed"}

    date: Day | Unset = UNSET
    name: Name | Unset = UNSET


class HolidayImport(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"year": 2026, "country": "DE", "subdivision": "BY"}

    year: Year
    country: Annotated[Country | None, msgspec.Meta(description="The workspace's when absent.")] = None
    subdivision: Subdivision | None = None
    language: (
        Annotated[str, msgspec.Meta(max_length=16, description="Of the names; the country's first when absent.")] | None
    ) = None


def add(new: NewHoliday) -> Holiday:
    """Add a holiday.

    Raises:
        AlreadyExists: the day is one already.
    """
    _check_free(new.date)
    made = Holiday.add(date=new.date, name=new.name)
    events.write("holiday.created", "holiday", made.id, _facts(made))
    return made


def change(id: str, wanted: HolidayChange) -> Holiday:
    """Change a holiday; leave that is approved keeps the days that it took.

    Raises:
        AlreadyExists: it is moved to a day that is one already.
    """
    holiday = Holiday.find_to_change(id)
    values = changes.differing(holiday, wanted.changes())
    if "date" in values:
        _check_free(values["date"])
    if values:
        told = changes.before_and_after(holiday, values)
        holiday.change(**values)
        events.write("holiday.updated", "holiday", id, {"name": holiday.name, "changes": told})
    return holiday


def remove(id: str) -> None:
    """Make a holiday a usual day."""
    holiday = Holiday.find_to_change(id)
    holiday.delete_instance()
    events.write("holiday.deleted", "holiday", id, _facts(holiday))


def take_over(wanted: HolidayImport) -> tuple[list[Holiday], list[Holiday]]:
    """Add the public holidays of a country's year; a day that is a holiday already keeps its name.

    Returns:
        Those that were added, and those that were there before, by day.

    Raises:
        Invalid: no such country, subdivision or language is known.
    """
    country = wanted.country or workspace_settings.current().country
    if country is None:
        raise Invalid.one("country", "required", "The workspace has no country: name one.")
    public = public_holidays(country, wanted.subdivision, wanted.year, wanted.language)
    between = (f"{wanted.year}-01-01", f"{wanted.year}-12-31")
    present = {each.date: each for each in Holiday.select().where(Holiday.date.between(*between))}
    added = [Holiday.add(date=day, name=name) for day, name in sorted(public.items()) if day not in present]
    facts = {"year": wanted.year, "country": country, "subdivision": wanted.subdivision, "added": len(added)}
    events.write("holidays.imported", "holiday", f"{country}-{wanted.year}", facts)
    return added, [present[day] for day in sorted(public) if day in present]


def public_holidays(country: str, subdivision: str | None, year: int, language: str | None = None) -> dict[date, str]:
    """The public holidays of a country's year by day, in a language that is known of it or its first one.

    Raises:
        Invalid: no such country, subdivision or language is known.
    """
    import holidays  # here, for an office imports once a year, and the library takes 11 MB

    if country not in holidays.list_supported_countries(include_aliases=False):
        raise Invalid.one("country", "unknown_country", "The public holidays of this country are not known.")
    known = holidays.country_holidays(country)
    _check_known("subdivision", subdivision, [*known.subdivisions, *known.subdivisions_aliases])
    _check_known("language", language, known.supported_languages)
    # without a language the library takes that of the server's environment
    found = holidays.country_holidays(
        country, subdiv=subdivision, years=year, language=language or known.default_language
    )
    return {day: name[:200] for day, name in found.items() if day.year == year}


def _check_known(field: str, value: str | None, known: Sequence[str]) -> None:
    if value is not None and value not in known:
        said = f"Must be one of: {', '.join(known)}." if known else f"This country has no {field} to choose."
        raise Invalid.one(field, f"unknown_{field}", said)


def _check_free(day: date) -> None:
    if WORKSPACE.rows("SELECT 1 FROM holiday WHERE date = ?", (day.isoformat(),)):
        raise AlreadyExists(f"{day} is a holiday already.", field="date")


def _facts(holiday: Holiday) -> dict[str, str]:
    return {"date": holiday.date.isoformat(), "name": holiday.name}
