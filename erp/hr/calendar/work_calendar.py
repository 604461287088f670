"""Work calendars read from the file: employment, schedules and holidays."""

import json
from collections import defaultdict
from collections.abc import Collection
from datetime import date

from erp.hr.calendar.models import WEEKDAYS
from erp.hr.calendar.work_days import USUAL_MINUTES, Holiday, Hours, Week, WeekHours, WorkCalendar
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

EMPLOYED = """id IN (
    SELECT employee_id FROM employment WHERE starts_on <= :end AND (ends_on IS NULL OR ends_on >= :start))"""
"""SQL: an employee is employed on at least one day from `:start` to `:end`."""


def usual_week() -> Week:
    """The office's usual minutes of a week: none on its weekend."""
    weekend = workspace_settings.current().weekend
    return tuple(0 if name in weekend else USUAL_MINUTES for name in WEEKDAYS)


def of(employee_ids: Collection[str], start: date, end: date) -> dict[str, WorkCalendar]:
    """The work calendars of employees, with the holidays from `start` to `end`; three queries for any number."""
    usual, holidays = usual_week(), holidays_between(start, end)
    schedules, employments = _schedules(employee_ids), _employments(employee_ids)
    return {
        id: WorkCalendar(
            usual,
            [(day, week) for day, week, _ in schedules[id]],
            employments.get(id, ()),
            holidays,
            {day: hours for day, _, hours in schedules[id] if hours},
        )
        for id in employee_ids
    }


def holidays_between(start: date, end: date) -> dict[date, Holiday]:
    """The holidays from `start` to `end`, by day."""
    rows = WORKSPACE.rows(
        "SELECT date, name, nullif(part, 'day') FROM holiday WHERE date BETWEEN ? AND ?",
        (start.isoformat(), end.isoformat()),
    )
    return {date.fromisoformat(day): Holiday(name, half) for day, name, half in rows}


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
