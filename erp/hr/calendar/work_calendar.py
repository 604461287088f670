"""Rosters: on which days somebody is employed, how long she is to work, and which of them are holidays."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date

from erp.hr.calendar.models import WEEKDAYS
from erp.hr.calendar.work_days import USUAL_MINUTES, Week, WorkCalendar
from erp.store import workspace_settings
from erp.store.router import WORKSPACE


def usual_week() -> Week:
    """The minutes of a week of the office, by its weekend."""
    weekend = workspace_settings.current().weekend
    return tuple(0 if name in weekend else USUAL_MINUTES for name in WEEKDAYS)


def of(employee_ids: Collection[str], start: date, end: date) -> dict[str, WorkCalendar]:
    """The rosters of employees, with the holidays from `start` to `end`; three queries, however many they are."""
    usual, holidays = usual_week(), holidays_between(start, end)
    schedules, employments = _schedules(employee_ids), _employments(employee_ids)
    return {id: WorkCalendar(usual, schedules.get(id, ()), employments.get(id, ()), holidays) for id in employee_ids}


def employments(employee_id: str) -> Sequence[tuple[date, date | None]]:
    """The stretches in which somebody is employed, in order."""
    return _employments([employee_id])[employee_id]


def holidays_between(start: date, end: date) -> dict[date, str]:
    """The names of the holidays from `start` to `end`, by day."""
    found = WORKSPACE.rows(
        "SELECT date, name FROM holiday WHERE date BETWEEN ? AND ?", (start.isoformat(), end.isoformat())
    )
    return {date.fromisoformat(day): name for day, name in found}


def _schedules(employee_ids: Collection[str]) -> dict[str, list[tuple[date, Week]]]:
    found: dict[str, list[tuple[date, Week]]] = defaultdict(list)
    for id, day, *minutes in WORKSPACE.rows(
        f"SELECT employee_id, effective_from, {', '.join(WEEKDAYS)} FROM work_schedule"
        f" WHERE employee_id IN ({', '.join('?' * len(employee_ids))}) ORDER BY effective_from",
        [*employee_ids],
    ):
        found[id].append((date.fromisoformat(day), tuple(minutes)))
    return found


def _employments(employee_ids: Collection[str]) -> dict[str, list[tuple[date, date | None]]]:
    found: dict[str, list[tuple[date, date | None]]] = defaultdict(list)
    for id, start, end in WORKSPACE.rows(
        "SELECT employee_id, starts_on, ends_on FROM employment"
        f" WHERE employee_id IN ({', '.join('?' * len(employee_ids))}) ORDER BY starts_on",
        [*employee_ids],
    ):
        found[id].append((date.fromisoformat(start), end and date.fromisoformat(end)))
    return found
