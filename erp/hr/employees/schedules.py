"""Work schedules: the minutes of each weekday, from a day on."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Annotated, Any

import msgspec

from erp.hr.access.models import Employee
from erp.hr.attendance import days as attendance
from erp.hr.calendar import work_calendar
from erp.hr.calendar.models import WEEKDAYS
from erp.hr.leave import ledger, recounting
from erp.hr.leave.changing import Recounted
from erp.hr.sites import sites
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.store import recorded, sql, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.web.schema import Body, View

Minutes = Annotated[int, msgspec.Meta(ge=0, le=1440)]


class WorkWeek(Body):
    """The minutes to work on each weekday, 0 by default."""

    mon: Minutes = 0
    tue: Minutes = 0
    wed: Minutes = 0
    thu: Minutes = 0
    fri: Minutes = 0
    sat: Minutes = 0
    sun: Minutes = 0


class WorkWeekView(View):
    """The minutes to work on each weekday."""

    mon: int
    tue: int
    wed: int
    thu: int
    fri: int
    sat: int
    sun: int


_SET = f"""
INSERT INTO work_schedule (id, employee_id, effective_from, {", ".join(WEEKDAYS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (employee_id, effective_from) DO UPDATE SET {", ".join(f"{day} = excluded.{day}" for day in WEEKDAYS)}
RETURNING id
"""
_IN_FORCE = f"""
SELECT employee_id, {", ".join(WEEKDAYS)} FROM work_schedule AS shown
WHERE employee_id IN (SELECT value FROM json_each(?)) AND effective_from = (
    SELECT coalesce(
        max(effective_from) FILTER (WHERE effective_from <= ? OR effective_from <= employee.hire_date),
        min(effective_from))
    FROM work_schedule JOIN employee ON employee.id = work_schedule.employee_id
    WHERE work_schedule.employee_id = shown.employee_id)
"""
_NEXT = "SELECT min(effective_from) FROM work_schedule WHERE employee_id = ? AND effective_from > ?"


def begin(employee_id: str, day: date, week: WorkWeek | None) -> None:
    """Set the schedule from a day on; the usual week of the site by default."""
    minutes = (
        msgspec.structs.astuple(week) if week is not None else work_calendar.usual_week(sites.of_employee(employee_id))
    )
    ((id,),) = WORKSPACE.rows(_SET, (new_id(), employee_id, day.isoformat(), *minutes))
    columns = {"employee_id": employee_id, "effective_from": day.isoformat()}
    recorded.note("work_schedule", id, columns | dict(zip(WEEKDAYS, minutes, strict=True)))


def change(employee: Employee, week: WorkWeek, day: date | None) -> list[Recounted]:
    """Set another schedule from a day on, today by default, until the next one begins.

    Leave on those days is counted again.

    Raises:
        Invalid: the day is before the employment.
    """
    start = day or max(workspace_settings.today(), employee.hire_date)
    if start < employee.hire_date:
        raise Invalid.one(
            "workScheduleFrom",
            "out_of_range",
            says("Must not be before the hire date, {hire_date}.", hire_date=employee.hire_date),
        )
    ((until,),) = WORKSPACE.rows(_NEXT, (employee.id, start.isoformat()))
    end = date.fromisoformat(until) - timedelta(days=1) if until else date.max
    with ledger.correcting_grants(employee.id, "The work schedule was changed."):
        begin(employee.id, start, week)
    recounted = recounting.recount_week(employee.id, start, end)
    attendance.recompute(employee.id, start, end)
    return recounted


def is_in_force(employee: Employee, week: WorkWeek) -> bool:
    """Whether an employee works these minutes today."""
    present = in_force([employee.id], workspace_settings.today())[employee.id]
    return msgspec.structs.astuple(present) == msgspec.structs.astuple(week)


def in_force(employee_ids: Collection[str], today: date) -> dict[str, WorkWeekView]:
    """The schedules of employees today, or on the first day of a future employment; one query for any number."""
    rows: list[tuple[Any, ...]] = WORKSPACE.rows(_IN_FORCE, (sql.array(employee_ids), today.isoformat()))
    return {id: WorkWeekView(**dict(zip(WEEKDAYS, minutes, strict=True))) for id, *minutes in rows}
