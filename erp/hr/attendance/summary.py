"""The attendance of a month, in one row for each employee."""

from collections.abc import Collection, Iterator
from datetime import date
from typing import Annotated

import msgspec

from erp.hr.access import people
from erp.hr.attendance import lateness
from erp.hr.attendance.days import halves_of_leave, records_between
from erp.hr.attendance.lateness import Lateness
from erp.hr.attendance.punches import expected_minutes, overtime_minutes
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import WorkDay
from erp.kernel.days import month_end
from erp.kernel.errors import UnknownReference
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web import several
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Id, Month
from erp.web.schema import COLUMNS, Query, TableFormat, View

Days = Annotated[str, msgspec.Meta(description="A number of days, halves included.", examples=["2.5"])]


class AttendanceSummaryFilter(Query):
    """The month, the day and the employees to sum up."""

    SEVERAL = ("employee_id",)
    HAS_COLUMNS = True

    month: Annotated[Month, msgspec.Meta(description="This month by default.")] | None = None
    employee_id: Annotated[Id, msgspec.Meta(description="An employee's id or number.")] | None = None
    date: (
        Annotated[
            Day,
            msgspec.Meta(
                description="Only people who are employed and keep attendance on that day, or have a record of it; the"
                " month is its month."
            ),
        ]
        | None
    ) = None
    format: TableFormat = "json"
    columns: Annotated[str, COLUMNS] | None = None


class AttendanceSummaryView(View):
    """An employee's month: minutes of the whole month, and days by status.

    `expectedMinutes` are the minutes of the work schedule, less holidays and approved leave; `overtimeMinutes` is the
    sum of each day's overtime. `half_day` counts as half present and half absent, unless that half is leave.
    `missingDays` are the working days that are over and have no record; none for employees who do not keep attendance.
    `lateMinutes` and `leftEarlyMinutes` are the sums of the days whose schedule has a begin and an end.
    """

    employee_id: str
    employee_number: str
    employee_name: str
    month: Month
    worked_minutes: int
    expected_minutes: int
    overtime_minutes: int
    present_days: Days
    absent_days: Days
    leave_days: Days
    missing_days: int
    late_minutes: int
    left_early_minutes: int


class Sums(msgspec.Struct):
    """The sums of a month; days in halves."""

    worked: int = 0
    expected: int = 0
    overtime: int = 0
    present: int = 0
    absent: int = 0
    leave: int = 0
    missing: int = 0
    late: int = 0
    left_early: int = 0

    def add(self, day: WorkDay, leave: int, record: tuple[str, int] | None, today: date) -> None:
        """Add a day.

        Args:
            leave: how many halves of it are leave.
            record: its status and worked minutes, if it has a record.
        """
        status, worked = record or (None, 0)
        expected = expected_minutes(status, day.expected_minutes, leave)
        self.worked += worked
        self.expected += expected
        self.overtime += overtime_minutes(worked, expected)
        self.present += _present(status, leave)
        if day.is_working_day:
            self.leave += (2 if status == "on_leave" else leave) * day.working_halves // 2
            self.absent += _absent(status, leave) * day.working_halves // 2
            self.missing += status is None and leave < 2 and day.date < today

    def add_lateness(self, of_day: Lateness) -> None:
        """Add the lateness of a day."""
        self.late += of_day.late
        self.left_early += of_day.left_early


def _present(status: str | None, leave: int) -> int:
    """Halves of a day at work: without leave; all of them for work on a full day of leave."""
    halves = {"present": 2, "remote": 2, "half_day": 1}.get(status or "", 0)
    return min(halves, 2 - leave) or halves


def _absent(status: str | None, leave: int) -> int:
    """Halves of a working day on which the employee was absent without leave."""
    return max(0, {"absent": 2, "half_day": 1}.get(status or "", 0) - leave)


def of(query: AttendanceSummaryFilter) -> list[AttendanceSummaryView]:
    """The month of each employee that a filter matches, by name."""
    on: date | None = query.date
    month = on.isoformat()[:7] if on else query.month or workspace_settings.today().isoformat()[:7]
    start = date.fromisoformat(f"{month}-01")
    end = month_end(start)
    visible, named = people.chosen(query.employee_id, "attendance.read")
    rows = _rows(month, start, end, visible if on is None else _on_day(on, visible))
    return [row for row in rows if several.fits(named, row.employee_id)]


_ON_DAY = f"""
SELECT id FROM employee
WHERE {work_calendar.EMPLOYED} AND (CAST(:ids AS TEXT) IS NULL OR id IN (SELECT value FROM json_each(:ids)))
AND (keeps_attendance = true OR EXISTS (
    SELECT 1 FROM attendance_record WHERE employee_id = employee.id AND date = :start))
"""


def _on_day(on: date, visible: Collection[str] | None) -> list[str]:
    ids = None if visible is None else sql.array(visible)
    rows = WORKSPACE.rows(_ON_DAY, {"start": on.isoformat(), "end": on.isoformat(), "ids": ids})
    return [id for (id,) in rows]


_EMPLOYED = f"""
SELECT id, employee_number, name, keeps_attendance FROM employee
WHERE {work_calendar.EMPLOYED} AND (CAST(:ids AS TEXT) IS NULL OR id IN (SELECT value FROM json_each(:ids)))
ORDER BY name, employee_number
"""


def _rows(month: str, start: date, end: date, visible: Collection[str] | None) -> Iterator[AttendanceSummaryView]:
    among = None if visible is None else sql.array(visible)
    employed = WORKSPACE.rows(_EMPLOYED, {"start": start.isoformat(), "end": end.isoformat(), "ids": among})
    by_employee = sums([id for id, *_ in employed], start, end)
    for id, number, name, keeps_attendance in employed:
        of_employee = by_employee[id]
        if not keeps_attendance:
            of_employee.missing = 0
        yield _view(id, number, name, month, of_employee)


def sums(ids: Collection[str], start: date, end: date) -> dict[str, Sums]:
    """The attendance from `start` to `end`, by employee."""
    calendars, leave = work_calendar.of(ids, start, end), halves_of_leave(ids, start, end)
    records, today = records_between(ids, start, end), workspace_settings.today()
    late = lateness.between(calendars, start, end)
    by_employee = {id: Sums() for id in ids}
    for id, of_employee in by_employee.items():
        for day in calendars[id].days(start, end):
            of_employee.add(day, leave.get((id, day.date), 0), records[id].get(day.date), today)
            of_employee.add_lateness(late.get((id, day.date), Lateness()))
    return by_employee


def _view(id: str, number: str, name: str, month: str, sums: Sums) -> AttendanceSummaryView:
    return AttendanceSummaryView(
        employee_id=id,
        employee_number=number,
        employee_name=name,
        month=month,
        worked_minutes=sums.worked,
        expected_minutes=sums.expected,
        overtime_minutes=sums.overtime,
        present_days=_days(sums.present),
        absent_days=_days(sums.absent),
        leave_days=_days(sums.leave),
        missing_days=sums.missing,
        late_minutes=sums.late,
        left_early_minutes=sums.left_early,
    )


def _days(halves: int) -> str:
    return f"{halves // 2}{'.5' if halves % 2 else ''}"


class Resource:
    @endpoint(permission="attendance.read_own", refuses=(UnknownReference,))
    def on_get(self, query: AttendanceSummaryFilter) -> list[AttendanceSummaryView]:
        """Sum up a month of attendance, in one row for each employee.

        Without the right to read everyone's attendance, you see your own and, as a manager, your reports' months.
        """
        return of(query)
