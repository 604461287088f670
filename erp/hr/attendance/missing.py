"""The list of working days that are over, and of which nobody said who worked."""

from datetime import date, timedelta
from typing import Any

from erp.hr.attendance import punches
from erp.hr.attendance.days import halves_of_leave, unmarked_between
from erp.hr.attendance.views import AttendanceFilter, AttendanceRow
from erp.hr.calendar import work_calendar
from erp.kernel.errors import BadParameter
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web import paging
from erp.web.scalars import Day
from erp.web.schema import Page

LONGEST = timedelta(days=366)

Place = tuple[str, str]
"""Day and employee."""

_EMPLOYED = (
    "SELECT id, name FROM employee WHERE id IN (SELECT employee_id FROM employment"
    " WHERE starts_on <= ? AND (ends_on IS NULL OR ends_on >= ?)) AND (? IS NULL OR id = ?)"
)


def search(query: AttendanceFilter) -> Page[Any]:
    """The days without a record that a query asks for; those of this month by default.

    Raises:
        BadParameter: the days are more than a year or end before they begin, or it asks for what only records have.
    """
    start, end = _bounds(query)
    if query.status is not None:
        raise BadParameter("status: A day that is not marked has none.")
    if query.sort not in ("date", "-date"):
        raise BadParameter("sort: Days that are not marked are sorted by date.")
    found = WORKSPACE.memo(f"missing {query.employee_id}", lambda: _find(query.employee_id, start, end))
    return _page(found, query)


def _bounds(query: AttendanceFilter) -> tuple[date, date]:
    end: date = query.date_to or workspace_settings.today()
    start: date = query.date_from or end.replace(day=1)
    if query.date_to is not None and end < start:
        raise BadParameter("dateTo: Must not be before dateFrom.")
    if end - start > LONGEST:
        raise BadParameter("dateFrom: The days may be those of a year at most.")
    return start, end


def _find(employee_id: str | None, start: date, end: date) -> dict[Place, AttendanceRow]:
    """All of them, in order; read once for all pages of a spreadsheet."""
    names = dict(WORKSPACE.rows(_EMPLOYED, (end.isoformat(), start.isoformat(), employee_id, employee_id)))
    known, leave = work_calendar.of(names, start, end), halves_of_leave(names, start, end)
    days = unmarked_between(names, start, end, known)
    places = sorted((day, id) for id, missed in days.items() for day in missed)
    return {
        (day.isoformat(), id): _row(id, names[id], day, known[id].day(day).expected_minutes, leave.get((id, day), 0))
        for day, id in places
    }


def _row(employee_id: str, name: str, day: date, expected: int, halves: int) -> AttendanceRow:
    return AttendanceRow(
        id=None,
        version=None,
        created_at=None,
        updated_at=None,
        created_by=None,
        employee_id=employee_id,
        employee_name=name,
        date=Day.read(day.isoformat()),
        status=None,
        punches=[],
        break_minutes=0,
        note=None,
        source=None,
        worked_minutes=0,
        expected_minutes=punches.less_leave(expected, halves),
    )


def _page(found: dict[Place, AttendanceRow], query: AttendanceFilter) -> Page[Any]:
    places = list(found)
    if query.sort == "-date":
        places.reverse()
    if query.cursor is not None:
        last = paging.read_cursor(query.cursor, query.sort)
        places = [place for place in places if (place < last if query.sort == "-date" else place > last)]
    shown = places[: query.limit]
    next_cursor = paging.write_cursor(query.sort, *shown[-1]) if len(places) > query.limit else None
    return Page([found[place] for place in shown], query.limit, next_cursor, len(found) if query.total else None)
