"""How days of attendance are shown, and the list of them."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Raw

from erp.hr.access import people
from erp.hr.attendance import punches as attendance_times
from erp.hr.attendance.checks import Status
from erp.hr.attendance.days import halves_of_leave
from erp.hr.attendance.models import AttendanceRecord
from erp.hr.calendar import work_calendar
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.store.sql import Condition
from erp.web.json_pages import page
from erp.web.scalars import Day, Id, Instant
from erp.web.schema import ListQuery, Page, RecordView, Unset, View, dec_hook

Source = Literal["clock", "manual", "import", "leave"]
Sort = Literal["date", "-date", "createdAt", "-createdAt"]


class AttendanceFilter(ListQuery):
    """Which days to list."""

    employee_id: Id | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    status: Status | None = None
    missing: Annotated[bool, msgspec.Meta(description="List the working days that are not marked instead.")] = False
    sort: Sort = "-date"


class PunchView(View):
    """A stretch of work; one that goes on has no end."""

    start: Instant = msgspec.field(name="in")
    end: Instant | None = msgspec.field(name="out")


class AttendanceView(RecordView):
    """A day of an employee's.

    `workedMinutes` is the time between punches less the break; without punches it is the scheduled minutes for
    `present` and `remote`, half of them for `half_day`, else 0. `expectedMinutes` is what the work schedule asks for:
    nothing on holidays, and less what is approved leave.
    """

    created_by: str | None
    employee_id: str
    employee_name: str
    date: Day
    status: Status
    punches: list[PunchView]
    break_minutes: int
    note: str | None
    source: Source
    worked_minutes: int
    expected_minutes: int = 0
    overtime_minutes: int = 0


class RecordedView(AttendanceView):
    """The day that was recorded; the first of them where the body has `records`, beside all of them."""

    records: Annotated[list[AttendanceView], msgspec.Meta(description="All of those that the body has.")] | Unset = (
        UNSET
    )


class AttendanceRow(AttendanceView):
    """A day of a list; one that is not marked has no more than employee, date and `expectedMinutes`."""

    id: str | None  # type: ignore[assignment]  # a day without a record has none of these
    version: int | None  # type: ignore[assignment]
    created_at: str | None  # type: ignore[assignment]
    updated_at: str | None  # type: ignore[assignment]
    status: Status | None  # type: ignore[assignment]
    source: Source | None  # type: ignore[assignment]


_COLUMNS = {
    "employee_name": "(SELECT name FROM employee WHERE employee.id = attendance_record.employee_id)",
    "punches": "json(punches)",
    "expected_minutes": "0",
    "overtime_minutes": "0",
}
"""How the fields of a view are read from the table, where they are not columns of that name."""

_SHOWN = sql.json_of(AttendanceView, _COLUMNS)
_OF_IDS = f"SELECT {_SHOWN} FROM attendance_record WHERE id IN (SELECT value FROM json_each(?))"


def show(ids: Sequence[str]) -> list[AttendanceView]:
    """The records of these ids, in that order."""
    found = WORKSPACE.rows(_OF_IDS, [sql.array(ids)])
    views = {view.id: view for view in _decoded(f"[{','.join(row for (row,) in found)}]".encode())}
    return reckoned([views[id] for id in ids])


def _decoded(rows: bytes | Raw) -> list[AttendanceView]:
    return msgspec.json.decode(rows, type=list[AttendanceView], dec_hook=dec_hook)


def reckoned(views: list[AttendanceView]) -> list[AttendanceView]:
    """The views with what was expected of their employees on those days."""
    if not views:
        return views
    employee_ids, days = {view.employee_id for view in views}, [view.date for view in views]
    start, end = min(days), max(days)
    known, leave = work_calendar.of(employee_ids, start, end), halves_of_leave(employee_ids, start, end)
    for view in views:
        expected = known[view.employee_id].day(view.date).expected_minutes
        halves = leave.get((view.employee_id, view.date), 0)
        view.expected_minutes = attendance_times.expected_minutes(view.status, expected, halves)
        view.overtime_minutes = attendance_times.overtime_minutes(view.worked_minutes, view.expected_minutes)
    return views


def find(id: str) -> AttendanceView:
    """A record that the caller may see.

    Raises:
        NotFound: there is no such record.
        Forbidden: it is somebody else's, and the caller reads her own alone.
    """
    AttendanceRecord.find(id)
    (view,) = show([id])
    people.subject(view.employee_id, "attendance.read")
    return view


def search(query: AttendanceFilter) -> Page[Any]:
    """The records that a query asks for, as views."""
    shown = Condition(_SHOWN)
    found = page(
        "attendance_record", shown, list(_conditions(query)), query, sort=query.sort, sortable={"date": "date"}
    )
    assert isinstance(found.items, Raw)
    return msgspec.structs.replace(found, items=reckoned(_decoded(found.items)))


def _conditions(query: AttendanceFilter) -> Iterator[Condition]:
    yield from sql.given(
        ("employee_id = :employee_id", query.employee_id),
        ("date >= :date_from", query.date_from),
        ("date <= :date_to", query.date_to),
        ("status = :status", query.status),
    )
