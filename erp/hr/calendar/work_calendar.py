"""Work calendars read from the file: employment, schedules and holidays."""

import json
from collections import defaultdict
from collections.abc import Collection
from datetime import date

from erp.hr.calendar.models import WEEKDAYS
from erp.hr.calendar.work_days import USUAL_MINUTES, Holiday, Hours, Week, WeekHours, WorkCalendar
from erp.hr.sites import sites
from erp.hr.sites.models import Site
from erp.store import sql
from erp.store.router import WORKSPACE

EMPLOYED = """id IN (
    SELECT employee_id FROM employment WHERE starts_on <= :end AND (ends_on IS NULL OR ends_on >= :start))"""
"""SQL: an employee is employed on at least one day from `:start` to `:end`."""


AT_SITE = """(holiday.site_ids = '[]' OR employee.site_id IN (SELECT value FROM json_each(holiday.site_ids)))"""
"""SQL: a holiday is one at the site of an employee."""


def usual_week(site: Site) -> Week:
    """The usual minutes of a week at a site: none on its weekend."""
    weekend = sites.values(site)["weekend"]
    return tuple(0 if name in weekend else USUAL_MINUTES for name in WEEKDAYS)


def of(employee_ids: Collection[str], start: date, end: date) -> dict[str, WorkCalendar]:
    """The work calendars of employees, with the holidays from `start` to `end`; five queries for any number."""
    site_of, holidays = sites.of(employee_ids), _holidays(start, end)
    usual = {site.id: usual_week(site) for site in sites.all_sites()}
    schedules, employments = _schedules(employee_ids), _employments(employee_ids)
    return {
        id: WorkCalendar(
            usual[site],
            [(day, week) for day, week, _ in schedules[id]],
            employments.get(id, ()),
            holidays.get(site, {}),
            {day: hours for day, _, hours in schedules[id] if hours},
        )
        for id, site in site_of.items()
    }


_HOLIDAYS = """
SELECT site.id, date, holiday.name, nullif(part, 'day') FROM holiday
JOIN site ON site_ids = '[]' OR site.id IN (SELECT value FROM json_each(site_ids))
WHERE date BETWEEN ? AND ?
"""


def _holidays(start: date, end: date) -> dict[str, dict[date, Holiday]]:
    """The holidays from `start` to `end`, by site and day."""
    holidays: dict[str, dict[date, Holiday]] = defaultdict(dict)
    for site, day, name, half in WORKSPACE.rows(_HOLIDAYS, (start.isoformat(), end.isoformat())):
        holidays[site][date.fromisoformat(day)] = Holiday(name, half)
    return holidays


def _schedules(employee_ids: Collection[str]) -> dict[str, list[tuple[date, Week, WeekHours]]]:
    schedules: dict[str, list[tuple[date, Week, WeekHours]]] = defaultdict(list)
    for id, day, hours, *minutes in WORKSPACE.rows(
        f"SELECT employee_id, effective_from, hours, {', '.join(WEEKDAYS)} FROM work_schedule"
        " WHERE employee_id IN (SELECT value FROM json_each(?)) ORDER BY effective_from",
        (sql.array(employee_ids),),
    ):
        schedules[id].append((date.fromisoformat(day), tuple(minutes), _hours(hours)))
    return schedules


def _hours(stored: str) -> WeekHours:
    if stored == "{}":
        return {}
    by_name = json.loads(stored)
    return {
        at: Hours.of(by_name[name]["begin"], by_name[name]["end"], by_name[name]["breakMinutes"])
        for at, name in enumerate(WEEKDAYS)
        if name in by_name
    }


def _employments(employee_ids: Collection[str]) -> dict[str, list[tuple[date, date | None]]]:
    periods: dict[str, list[tuple[date, date | None]]] = defaultdict(list)
    for id, start, end in WORKSPACE.rows(
        "SELECT employee_id, starts_on, ends_on FROM employment"
        " WHERE employee_id IN (SELECT value FROM json_each(?)) ORDER BY starts_on",
        (sql.array(employee_ids),),
    ):
        periods[id].append((date.fromisoformat(start), end and date.fromisoformat(end)))
    return periods
