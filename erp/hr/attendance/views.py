"""Views of attendance."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

import msgspec
from msgspec import UNSET, Raw

from erp.hr.attendance import lateness, punches
from erp.hr.attendance.bodies import Status
from erp.hr.attendance.days import halves_of_leave
from erp.hr.attendance.lateness import Lateness
from erp.hr.attendance.models import AttendanceRecord
from erp.hr.calendar import work_calendar
from erp.store import names, sql
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Instant, dec_hook
from erp.web.schema import RecordView, Unset, View, known

Source = Literal["clock", "kiosk", "manual", "import", "leave"]


LATE = msgspec.Meta(description="From the schedule's begin to the first punch, above `latenessGraceMinutes`.")
LEFT_EARLY = msgspec.Meta(description="From the last punch to the schedule's end, above `latenessGraceMinutes`.")


class PunchView(View):
    """A period of work; an open one has no end."""

    start: Instant = msgspec.field(name="in")
    end: Instant | None = msgspec.field(name="out")


class AttendanceView(RecordView):
    """An employee's day.

    `workedMinutes` is the time between punches less the break; without punches it is the scheduled minutes for
    `present` and `remote`, half of them for `half_day`, else 0. `expectedMinutes` are the minutes of the work schedule
    less approved leave, and 0 on holidays.
    """

    created_by: str | None
    created_by_name: str | None
    employee_id: str
    employee_name: str
    date: Day
    status: Status
    punches: list[PunchView]
    break_minutes: int
    note: str | None
    source: Source
    worked_minutes: int
    time_zone: Annotated[str, msgspec.Meta(description="In which the day began: the person's when it was recorded.")]
    expected_minutes: int = 0
    overtime_minutes: int = 0
    late_minutes: Annotated[int, LATE] = 0
    left_early_minutes: Annotated[int, LEFT_EARLY] = 0

    @classmethod
    def of(cls, record: AttendanceRecord) -> "AttendanceView":
        return of_many([record])[0]


class RecordedAttendanceView(AttendanceView):
    """The recorded day; for a body with `records` the first of them, with all of them in `records`."""

    records: Annotated[list[AttendanceView], msgspec.Meta(description="All days of `records`.")] | Unset = UNSET

    @classmethod
    def of_all(cls, records: Sequence[AttendanceRecord], *, are_many: bool) -> Self:
        views = of_many(records)
        return cls(**msgspec.structs.asdict(views[0]), records=views if are_many else UNSET)


class AttendanceRowView(AttendanceView):
    """A day in a list; one without a record has only employee, date and `expectedMinutes`."""

    id: str | None  # type: ignore[assignment]  # a day without a record has none of these
    version: int | None  # type: ignore[assignment]
    created_at: str | None  # type: ignore[assignment]
    updated_at: str | None  # type: ignore[assignment]
    status: Status | None  # type: ignore[assignment]
    source: Source | None  # type: ignore[assignment]
    time_zone: str | None  # type: ignore[assignment]


_COLUMNS = {
    "employee_name": "(SELECT name FROM employee WHERE employee.id = attendance_record.employee_id)",
    "created_by_name": names.of_column("created_by"),
    "punches": "json(punches)",
    "expected_minutes": "0",
    "overtime_minutes": "0",
    "late_minutes": "0",
    "left_early_minutes": "0",
}
"""Expressions for the fields of a view that are not columns."""

SHOWN = sql.json_of(AttendanceView, _COLUMNS)
"""The JSON of a record, in SQL; its parameter `:people` is `names.members_json()`."""

_OF_IDS = f"SELECT {SHOWN} FROM attendance_record WHERE id IN (SELECT value FROM json_each(:ids))"


def of_many(records: Sequence[AttendanceRecord]) -> list[AttendanceView]:
    """The views of records, in that order."""
    parameters = {"ids": sql.array(record.id for record in records), "people": names.members_json()}
    rows = WORKSPACE.rows(_OF_IDS, parameters)
    views = {view.id: view for view in decoded(f"[{','.join(row for (row,) in rows)}]".encode())}
    return [views[record.id] for record in records]


def decoded(rows: bytes | Raw) -> list[AttendanceView]:
    """The views in a JSON array that `SHOWN` made, with the minutes that were expected on their days."""
    views = msgspec.json.decode(rows, type=known(list[AttendanceView]), dec_hook=dec_hook)
    if views:
        _set_expected(views)
    return views


def _set_expected(views: Sequence[AttendanceView]) -> None:
    employee_ids, days = {view.employee_id for view in views}, [view.date for view in views]
    start, end = min(days), max(days)
    calendars, leave = work_calendar.of(employee_ids, start, end), halves_of_leave(employee_ids, start, end)
    late = lateness.between(calendars, start, end)
    for view in views:
        scheduled = calendars[view.employee_id].day(view.date).expected_minutes
        halves = leave.get((view.employee_id, view.date), 0)
        view.expected_minutes = punches.expected_minutes(view.status, scheduled, halves)
        view.overtime_minutes = punches.overtime_minutes(view.worked_minutes, view.expected_minutes)
        view.late_minutes, view.left_early_minutes = late.get((view.employee_id, view.date), Lateness())
