"""The list of working days that are over and have no record."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Any

from erp.hr.attendance import punches
from erp.hr.attendance.bodies import AttendanceFilter
from erp.hr.attendance.days import halves_of_leave, unmarked_between
from erp.hr.attendance.views import AttendanceRowView
from erp.hr.calendar import work_calendar
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web import paging
from erp.web.scalars import Day
from erp.web.schema import Page

LONGEST = timedelta(days=366)

DayKey = tuple[str, str]
"""A day and an employee's id."""

_EMPLOYED = f"""
SELECT id, name FROM employee
WHERE keeps_attendance = true AND {work_calendar.EMPLOYED}
AND (CAST(:ids AS TEXT) IS NULL OR id IN (SELECT value FROM json_each(:ids)))
"""


def search(query: AttendanceFilter, visible: Collection[str] | None) -> Page[Any]:
    """The days without a record that a filter matches; this month's by default.

    Args:
        visible: the employees to look at; None for everyone.

    Raises:
        BadParameter: the days span more than a year or end before they begin, or the filter is one for records.
    """
    start, end = _bounds(query)
    if query.status is not None:
        raise BadParameter(says("status: Days without a record have no status."))
    if query.ids is not None or query.updated_after is not None:
        raise BadParameter(says("isMissing: Days without a record have no id, and were never changed."))
    if query.sort not in ("date", "-date"):
        raise BadParameter(says("sort: Days without a record can only be sorted by date."))
    rows = WORKSPACE.memo(f"missing {query.employee_id}", lambda: _find(visible, start, end))
    return _page(rows, query)


def _bounds(query: AttendanceFilter) -> tuple[date, date]:
    end: date = query.date_to or workspace_settings.today()
    start: date = query.date_from or end.replace(day=1)
    if query.date_to is not None and end < start:
        raise BadParameter(says("dateTo: Must not be before dateFrom."))
    if end - start > LONGEST:
        raise BadParameter(says("dateFrom: Choose a year at most."))
    return start, end


def _find(visible: Collection[str] | None, start: date, end: date) -> dict[DayKey, AttendanceRowView]:
    """All missing days in order; read once for all pages of a spreadsheet."""
    ids = None if visible is None else sql.array(visible)
    names = dict(WORKSPACE.rows(_EMPLOYED, {"start": start.isoformat(), "end": end.isoformat(), "ids": ids}))
    calendars, leave = work_calendar.of(names, start, end), halves_of_leave(names, start, end)
    unmarked = unmarked_between(names, start, end, calendars)
    return {
        (day.isoformat(), id): _row(
            id,
            names[id],
            day,
            punches.less_leave(calendars[id].day(day).expected_minutes, leave.get((id, day), 0)),
        )
        for day, id in sorted((day, id) for id, days in unmarked.items() for day in days)
    }


def _row(employee_id: str, name: str, day: date, expected_minutes: int) -> AttendanceRowView:
    return AttendanceRowView(
        id=None,
        version=None,
        created_at=None,
        updated_at=None,
        created_by=None,
        created_by_name=None,
        employee_id=employee_id,
        employee_name=name,
        date=Day.read(day.isoformat()),
        status=None,
        punches=[],
        break_minutes=0,
        note=None,
        source=None,
        worked_minutes=0,
        time_zone=None,
        expected_minutes=expected_minutes,
    )


def _page(rows: dict[DayKey, AttendanceRowView], query: AttendanceFilter) -> Page[Any]:
    keys = list(rows)
    if query.sort == "-date":
        keys.reverse()
    if query.cursor is not None:
        last = paging.read_cursor(query.cursor, query.sort)
        keys = [key for key in keys if (key < last if query.sort == "-date" else key > last)]
    shown = keys[: query.limit]
    next_cursor = paging.write_cursor(query.sort, *shown[-1]) if len(keys) > query.limit else None
    return Page([rows[key] for key in shown], query.limit, next_cursor, len(rows) if query.total else None)
