"""Holidays of years with leave: imported when they are first needed."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import date

from erp.hr.calendar import holidays
from erp.hr.leave import recounting
from erp.hr.leave.views import LeaveWarning
from erp.hr.sites import sites
from erp.hr.sites.models import Site
from erp.kernel.errors import Invalid
from erp.kernel.language import Listed, says
from erp.store import workspace_settings


def import_missing(employee_id: str, start: date, end: date) -> list[LeaveWarning]:
    """Import the public holidays of the years from `start` to `end` that were never imported; past years stay.

    The calendars are the ones that were imported last for the employee's site, else the one of its country. Other leave
    of those days is counted again.
    """
    site = sites.of_employee(employee_id)
    this_year = workspace_settings.today().year
    years = range(max(start.year, this_year), end.year + 1)
    return [warning for year in years if not holidays.are_imported(year, site) for warning in _import(year, site)]


def _import(year: int, site: Site) -> Iterator[LeaveWarning]:
    added: dict[date, str] = {}
    for source in holidays.usual_calendars(site):
        with suppress(Invalid):  # the library does not know the country
            added |= {holiday.date: source.country for holiday in holidays.add_year(year, source)[0]}
    if added:
        recounting.recount(added)
        message = says(
            "The public holidays of {countries} for {year} were imported, because this leave needs them.",
            countries=Listed.of(list(dict.fromkeys(added.values()))),
            year=year,
        )
        yield LeaveWarning(code="holidays_imported", message=message)
    elif not holidays.has_any(year, site):
        message = says("No public holidays for {year} yet. Import them, or enter them manually.", year=year)
        yield LeaveWarning(code="no_holidays", message=message)
