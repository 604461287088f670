"""Holidays: the days on which the office is closed, entered by hand or imported from a country's calendar."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.hr.calendar.models import Holiday, HolidayImport
from erp.hr.calendar.work_days import Part
from erp.kernel.errors import AlreadyExists, Invalid
from erp.kernel.language import ENGLISH, Listed, says, spoken, translated
from erp.store import changes, events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.paging import page, within
from erp.web.scalars import Country, Day, Name
from erp.web.schema import Body, Page, RecordQuery, RecordView, Unset, View, show

Year = Annotated[int, msgspec.Meta(ge=1900, le=2199)]
Subdivision = Annotated[
    str, msgspec.Meta(min_length=1, max_length=64, description="A state, province or region.", examples=["BY"])
]


FreePart = Annotated[Part, msgspec.Meta(description="The free part: the whole day, or the half before or after noon.")]


class NewHoliday(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2026-12-24", "name": "Christmas Eve"}

    date: Day
    name: Name
    part: FreePart = "day"


class HolidayChange(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Office closed"}

    date: Day | Unset = UNSET
    name: Name | Unset = UNSET
    part: FreePart | Unset = UNSET


class NewHolidayImport(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"year": 2026, "country": "DE", "subdivision": "BY"}

    year: Year
    country: Annotated[Country | None, msgspec.Meta(description="The workspace's by default.")] = None
    subdivision: Subdivision | None = None
    language: (
        Annotated[str, msgspec.Meta(max_length=16, description="Of the names; the country's main one by default.")]
        | None
    ) = None
    half_days: Annotated[
        bool, msgspec.Meta(description="Also add the afternoons of 24 and 31 December, unless they are holidays.")
    ] = False


class HolidayFilter(RecordQuery):
    """Filter for holidays."""

    year: Year | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "date"


class HolidayView(RecordView):
    """A day, or half of one, on which the office is closed."""

    created_by: str | None
    created_by_name: str | None
    date: str
    name: str
    part: Part

    @classmethod
    def of(cls, holiday: Holiday) -> "HolidayView":
        return show(cls, holiday, date=holiday.date.isoformat())


class ImportedHolidaysView(View):
    """The holidays that an import added, and those that existed and keep their names."""

    added: list[HolidayView]
    skipped: list[HolidayView]

    @classmethod
    def of(cls, added: Sequence[Holiday], skipped: Sequence[Holiday]) -> "ImportedHolidaysView":
        return cls(
            added=[HolidayView.of(holiday) for holiday in added],
            skipped=[HolidayView.of(holiday) for holiday in skipped],
        )


def search(query: HolidayFilter) -> Page[HolidayView]:
    """The holidays a filter matches, by date."""
    select = Holiday.select()
    if query.year is not None:
        select = select.where(_in_year(query.year))
    select = within(select, query, Holiday.date)
    return page(select, query, HolidayView.of, sort=query.sort, sortable={"date": Holiday.date})


def add(new: NewHoliday) -> Holiday:
    """Add a holiday.

    Raises:
        AlreadyExists: the day is a holiday already.
    """
    _check_free(new.date)
    holiday = Holiday.add(date=new.date, name=new.name, part=new.part)
    events.write("holiday.created", "holiday", holiday.id, _event_data(holiday))
    return holiday


def change(id: str, body: HolidayChange) -> Holiday:
    """Change a holiday.

    Raises:
        AlreadyExists: the new day is a holiday already.
    """
    holiday = Holiday.find_to_change(id)
    values = changes.differing(holiday, body.changes())
    if "date" in values:
        _check_free(values["date"])
    if values:
        changed = changes.before_and_after(holiday, values)
        holiday.change(**values)
        events.write("holiday.updated", "holiday", id, {"name": holiday.name, "changes": changed})
    return holiday


def remove(id: str) -> Holiday:
    """Delete a holiday and return the deleted record."""
    holiday = Holiday.find_to_change(id)
    holiday.delete_instance()
    events.write("holiday.deleted", "holiday", id, _event_data(holiday))
    return holiday


class PublicCalendar(msgspec.Struct, frozen=True):
    """The public holidays of a country or one of its subdivisions, named in a language.

    With `half_days`, the afternoons of 24 and 31 December as well.
    """

    country: str
    subdivision: str | None = None
    language: str | None = None
    half_days: bool = False


def add_public(body: NewHolidayImport) -> tuple[list[Holiday], list[Holiday]]:
    """Add the public holidays of a country for a year; a day that is a holiday already keeps its name.

    Returns:
        The holidays added, and those that existed before, both by date.

    Raises:
        Invalid: the country, subdivision or language is unknown.
    """
    country = body.country or workspace_settings.current().country
    if country is None:
        raise Invalid.one("country", "required", says("Choose a country: the workspace has none."))
    return add_year(body.year, PublicCalendar(country, body.subdivision, body.language, body.half_days))


def add_year(year: int, source: PublicCalendar) -> tuple[list[Holiday], list[Holiday]]:
    """Add the holidays of a public calendar for a year, as `add_public` does.

    Raises:
        Invalid: the country, subdivision or language is unknown.
    """
    public = public_holidays(source.country, source.subdivision, year, source.language)
    afternoons = _afternoons(year, source) if source.half_days else {}
    names = afternoons | public
    present = {holiday.date: holiday for holiday in Holiday.select().where(_in_year(year))}
    added = [
        Holiday.add(date=day, name=names[day], part="day" if day in public else "afternoon")
        for day in sorted(names)
        if day not in present
    ]
    HolidayImport.create(year=year, **msgspec.structs.asdict(source))
    event_data = {"year": year, "country": source.country, "subdivision": source.subdivision, "added": len(added)}
    events.write("holidays.imported", "holiday", f"{source.country}-{year}", event_data)
    return added, [present[day] for day in sorted(names) if day in present]


def _afternoons(year: int, source: PublicCalendar) -> dict[date, str]:
    """The names of the free afternoons in December, in the language of the public holidays where it is known."""
    import holidays

    tag = source.language or holidays.country_holidays(source.country).default_language or ENGLISH
    language = spoken(tag.replace("_", "-")) or ENGLISH
    return {date(year, 12, day): translated(name, language) for day, name in _EVES.items()}


_EVES = {24: says("Christmas Eve"), 31: says("New Year's Eve")}


def are_imported(year: int) -> bool:
    """Whether the public holidays of a year were ever imported."""
    return bool(WORKSPACE.rows("SELECT 1 FROM holiday_import WHERE year = ? LIMIT 1", (year,)))


def has_any(year: int) -> bool:
    """Whether a year has holidays, imported or entered by hand."""
    return Holiday.select().where(_in_year(year)).exists()


_LATEST = """
SELECT country, subdivision, max(language), max(half_days) FROM holiday_import
WHERE year = (SELECT max(year) FROM holiday_import) GROUP BY country, subdivision ORDER BY country, subdivision
"""


def usual_calendars() -> list[PublicCalendar]:
    """The calendars that the office imported last, else the one of the workspace's country, if known."""
    imported = [
        PublicCalendar(country, subdivision, language, bool(half_days))
        for country, subdivision, language, half_days in WORKSPACE.rows(_LATEST)
    ]
    country = workspace_settings.current().country
    return imported or ([PublicCalendar(country)] if country is not None else [])


def _in_year(year: int) -> Any:
    return Holiday.date.between(f"{year}-01-01", f"{year}-12-31")


def public_holidays(country: str, subdivision: str | None, year: int, language: str | None = None) -> dict[date, str]:
    """The names of a country's public holidays in a year, by day.

    Args:
        language: of the names; the country's main one by default.

    Raises:
        Invalid: the country, subdivision or language is unknown.
    """
    import holidays  # here, because an office imports once a year and the library takes 11 MB

    if country not in holidays.list_supported_countries(include_aliases=False):
        raise Invalid.one(
            "country", "unknown_country", says("No public holidays are known for this country. Enter them manually.")
        )
    calendar = holidays.country_holidays(country)
    _check_known("subdivision", subdivision, [*calendar.subdivisions, *calendar.subdivisions_aliases])
    _check_known("language", language, calendar.supported_languages)
    # without a language the library takes the one of the server's environment
    names = holidays.country_holidays(
        country, subdiv=subdivision, years=year, language=language or calendar.default_language
    )
    return {day: name[:200] for day, name in names.items() if day.year == year}


def _check_known(field: str, value: str | None, values: Sequence[str]) -> None:
    if value is not None and value not in values:
        message = (
            says("Must be one of: {known}.", known=Listed.of(values))
            if values
            else says("This country has no values for {field}.", field=field)
        )
        raise Invalid.one(field, f"unknown_{field}", message)


def _check_free(day: date) -> None:
    if WORKSPACE.rows("SELECT 1 FROM holiday WHERE date = ?", (day.isoformat(),)):
        raise AlreadyExists(says("{day} is already a holiday.", day=day), field="date")


def _event_data(holiday: Holiday) -> dict[str, str]:
    return {"date": holiday.date.isoformat(), "name": holiday.name}
