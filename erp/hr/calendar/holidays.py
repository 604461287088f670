"""Holidays: the days on which the office is closed, entered by hand or imported from a country's calendar."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET
from peewee import SQL

from erp.hr.calendar.models import Holiday, HolidayImport
from erp.hr.calendar.work_days import Part
from erp.hr.sites import sites
from erp.hr.sites.models import Site
from erp.hr.sites.sites import Subdivision
from erp.kernel.errors import AlreadyExists, Invalid
from erp.kernel.language import ENGLISH, Listed, says, spoken, translated
from erp.store import changes, events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.paging import page, within
from erp.web.scalars import Country, Day, Id, Name
from erp.web.schema import Body, Page, RecordQuery, RecordView, Unset, View, show

Year = Annotated[int, msgspec.Meta(ge=1900, le=2199)]
SiteIds = Annotated[
    list[Id], msgspec.Meta(max_length=200, description="The ids or names of the sites where it is one; empty: at all.")
]

FreePart = Annotated[Part, msgspec.Meta(description="The free part: the whole day, or the half before or after noon.")]


class NewHoliday(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2026-12-24", "name": "Christmas Eve"}

    date: Day
    name: Name
    part: FreePart = "day"
    site_ids: SiteIds = []


class HolidayChange(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Office closed"}

    date: Day | Unset = UNSET
    name: Name | Unset = UNSET
    part: FreePart | Unset = UNSET
    site_ids: SiteIds | Unset = UNSET


class NewHolidayImport(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"year": 2026, "country": "DE", "subdivision": "BY"}

    year: Year
    site_id: Annotated[Id, msgspec.Meta(description="The site of these holidays; all sites by default.")] | None = None
    country: Annotated[Country | None, msgspec.Meta(description="The site's, else the workspace's by default.")] = None
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
    site_id: Annotated[Id, msgspec.Meta(description="The holidays at this site (id or name).")] | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "date"


class HolidayView(RecordView):
    """A day, or half of one, on which the office is closed."""

    created_by: str | None
    created_by_name: str | None
    date: str
    name: str
    part: Part
    site_ids: Annotated[list[str], msgspec.Meta(description="Empty: at all sites.")]
    site_names: Annotated[list[str | None], msgspec.Meta(description="In the order of `siteIds`.")]

    @classmethod
    def of(cls, holiday: Holiday) -> "HolidayView":
        return show(cls, holiday, date=holiday.date.isoformat(), site_names=site_names(holiday.site_ids))


def site_names(ids: Sequence[str]) -> list[str | None]:
    """The names of sites, in order."""
    named = WORKSPACE.memo("names of sites", lambda: {site.id: site.name for site in sites.all_sites()})
    return [named.get(id) for id in ids]


class HolidayImportWarning(View):
    """A remark about imported holidays."""

    code: Literal["regions_have_more"]
    message: str


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
    if query.site_id is not None:
        select = select.where(_at(sites.refer(query.site_id).id))
    select = within(select, query, Holiday.date)
    return page(select, query, HolidayView.of, sort=query.sort, sortable={"date": Holiday.date})


def add(new: NewHoliday) -> Holiday:
    """Add a holiday.

    Raises:
        AlreadyExists: the day is a holiday already at one of the sites.
        UnknownReference: there is no such site in this workspace.
    """
    site_ids = _sites(new.site_ids)
    _check_free(new.date, site_ids)
    holiday = Holiday.add(date=new.date, name=new.name, part=new.part, site_ids=site_ids)
    events.write("holiday.created", "holiday", holiday.id, _event_data(holiday))
    return holiday


def change(id: str, body: HolidayChange) -> Holiday:
    """Change a holiday.

    Raises:
        AlreadyExists: the new day is a holiday already at one of the sites.
        UnknownReference: there is no such site in this workspace.
    """
    holiday = Holiday.find_to_change(id)
    sent = body.changes()
    if "site_ids" in sent:
        sent["site_ids"] = _sites(sent["site_ids"])
    values = changes.differing(holiday, sent)
    if {"date", "site_ids"} & values.keys():
        _check_free(values.get("date", holiday.date), values.get("site_ids", holiday.site_ids), id)
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

    With `half_days`, the afternoons of 24 and 31 December as well. They are free at one site, or without one at all.
    """

    country: str
    subdivision: str | None = None
    language: str | None = None
    half_days: bool = False
    site_id: str | None = None


def add_public(body: NewHolidayImport) -> tuple[list[Holiday], list[Holiday]]:
    """Add the public holidays of a country for a year; a day that is a holiday already keeps its name.

    Returns:
        The holidays added, and those that existed before, both by date.

    Raises:
        Invalid: the country, subdivision or language is unknown.
        UnknownReference: there is no such site in this workspace.
    """
    return add_year(body.year, _source(body))


def _source(body: NewHolidayImport) -> PublicCalendar:
    site = None if body.site_id is None else sites.refer(body.site_id)
    usual = workspace_settings.current().country if site is None else sites.values(site)["country"]
    country, subdivision = body.country or usual, body.subdivision
    if country is None:
        raise Invalid.one("country", "required", says("Choose a country: the workspace has none."))
    if site is not None and subdivision is None and country == usual:
        subdivision = site.subdivision
    return PublicCalendar(country, subdivision, body.language, body.half_days, site.id if site else None)


def import_warnings(body: NewHolidayImport) -> list[HolidayImportWarning]:
    """The remark that regions of the country have further holidays, if the import names none of them."""
    import holidays

    source = _source(body)
    if source.subdivision is not None:
        return []
    usual = public_holidays(source.country, None, body.year).keys()
    more = [
        region
        for region in holidays.country_holidays(source.country).subdivisions
        if public_holidays(source.country, region, body.year).keys() - usual
    ]
    message = says(
        "These regions have further holidays: {regions}. Import them with a region.", regions=Listed.of(more)
    )
    return [HolidayImportWarning(code="regions_have_more", message=message)] if more else []


def add_year(year: int, source: PublicCalendar) -> tuple[list[Holiday], list[Holiday]]:
    """Add the holidays of a public calendar for a year, as `add_public` does.

    Raises:
        Invalid: the country, subdivision or language is unknown.
    """
    public = public_holidays(source.country, source.subdivision, year, source.language)
    afternoons = _afternoons(year, source) if source.half_days else {}
    names = afternoons | public
    present = list(Holiday.select().where(_in_year(year)))
    added, skipped = [], []
    for day in sorted(names):
        there = [holiday for holiday in present if holiday.date == day]
        site_ids = _without_holiday(there, source.site_id)
        if site_ids is None:
            skipped += [holiday for holiday in there if source.site_id is None or _is_at(holiday, source.site_id)]
        else:
            part = "day" if day in public else "afternoon"
            added.append(Holiday.add(date=day, name=names[day], part=part, site_ids=site_ids))
    HolidayImport.create(year=year, **msgspec.structs.asdict(source))
    event_data = {"year": year, "country": source.country, "subdivision": source.subdivision, "added": len(added)}
    event_data |= {"siteId": source.site_id} if source.site_id else {}
    events.write("holidays.imported", "holiday", f"{source.country}-{year}", event_data)
    return added, skipped


def _without_holiday(there: Sequence[Holiday], site_id: str | None) -> list[str] | None:
    """The sites where a day becomes a holiday, empty for all; None if it is one already wherever it should.

    Args:
        there: the holidays of the day.
        site_id: the site where it should be one; all sites by default.
    """
    if site_id is not None:
        return None if any(_is_at(holiday, site_id) for holiday in there) else [site_id]
    if not there:
        return []
    ids = [site.id for site in sites.all_sites()]
    return [id for id in ids if not any(_is_at(holiday, id) for holiday in there)] or None


def _is_at(holiday: Holiday, site_id: str) -> bool:
    return not holiday.site_ids or site_id in holiday.site_ids


def _afternoons(year: int, source: PublicCalendar) -> dict[date, str]:
    """The names of the free afternoons in December, in the language of the public holidays where it is known."""
    import holidays

    tag = source.language or holidays.country_holidays(source.country).default_language or ENGLISH
    language = spoken(tag.replace("_", "-")) or ENGLISH
    return {date(year, 12, day): translated(name, language) for day, name in _EVES.items()}


_EVES = {24: says("Christmas Eve"), 31: says("New Year's Eve")}


_OF_SITE = "(site_id = :site OR site_id IS NULL AND (:is_default OR country = CAST(:country AS TEXT)))"
"""SQL: an import was for a site: for it alone, or for all sites and of its country."""


def _of_site(site: Site) -> dict[str, Any]:
    return {"site": site.id, "is_default": site.is_default, "country": site.country}


def are_imported(year: int, site: Site) -> bool:
    """Whether the public holidays of a year were ever imported for a site."""
    values = {"year": year, **_of_site(site)}
    return bool(WORKSPACE.rows(f"SELECT 1 FROM holiday_import WHERE year = :year AND {_OF_SITE} LIMIT 1", values))


def has_any(year: int, site: Site) -> bool:
    """Whether a year has holidays at a site, imported or entered by hand."""
    return Holiday.select().where(_in_year(year), _at(site.id)).exists()


_LATEST = f"""
SELECT country, subdivision, max(language), max(half_days) FROM holiday_import
WHERE year = (SELECT max(year) FROM holiday_import WHERE {_OF_SITE}) AND {_OF_SITE}
GROUP BY country, subdivision ORDER BY country, subdivision
"""


def usual_calendars(site: Site) -> list[PublicCalendar]:
    """The calendars that were imported last for a site, else the one of its country, if known.

    Their holidays are free at this site; at all sites, if there is no other.
    """
    site_id = site.id if len(sites.all_sites()) > 1 else None
    imported = [
        PublicCalendar(country, subdivision, language, bool(half_days), site_id)
        for country, subdivision, language, half_days in WORKSPACE.rows(_LATEST, _of_site(site))
    ]
    country = sites.values(site)["country"]
    return imported or ([PublicCalendar(country, site.subdivision, site_id=site_id)] if country is not None else [])


def _at(site_id: str) -> Any:
    """That a holiday is one at a site."""
    return SQL("(site_ids = '[]' OR ? IN (SELECT value FROM json_each(site_ids)))", (site_id,))


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


def _sites(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(sites.refer(name, f"siteIds[{i}]").id for i, name in enumerate(names)))


_SAME_DAY = "SELECT site_ids FROM holiday WHERE date = ? AND id IS DISTINCT FROM CAST(? AS TEXT)"


def _check_free(day: date, site_ids: Sequence[str], id: str | None = None) -> None:
    others = [json.loads(text) for (text,) in WORKSPACE.rows(_SAME_DAY, (day.isoformat(), id))]
    if any(not site_ids or not other or set(site_ids) & set(other) for other in others):
        raise AlreadyExists(says("{day} is already a holiday.", day=day), field="date")


def _event_data(holiday: Holiday) -> dict[str, str]:
    return {"date": holiday.date.isoformat(), "name": holiday.name}
