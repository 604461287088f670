"""Work schedules: the minutes of each weekday, from a day on."""

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from erp.hr.access.models import Employee
from erp.hr.attendance import days as attendance
from erp.hr.calendar import work_calendar
from erp.hr.calendar.models import WEEKDAYS
from erp.hr.calendar.work_days import Hours
from erp.hr.leave import ledger, recounting
from erp.hr.leave.changing import Recounted
from erp.hr.sites import sites
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import says
from erp.store import recorded, sql, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.web.schema import Body, View, enc_hook, known
from erp.web.text_scalars import TimeOfDay

Minutes = Annotated[int, msgspec.Meta(ge=0, le=1440)]


class WorkHours(Body):
    """The hours of a day of work; one that ends before it begins goes on past midnight."""

    begin: TimeOfDay
    end: TimeOfDay
    break_minutes: Annotated[int, msgspec.Meta(ge=0, le=1439)] = 0

    def check(self) -> Iterator[Complaint]:
        """A complaint about a break that leaves no time to work."""
        sent: tuple[object, ...] = (self.begin, self.end, self.break_minutes)
        if UNSET not in sent and _hours(self).minutes <= 0:
            yield Complaint("breakMinutes", "too_long", says("The break must be shorter than the day."))


def _hours(sent: WorkHours) -> Hours:
    return Hours.of(sent.begin, sent.end, sent.break_minutes)


class WorkWeek(Body):
    """The work of each weekday: its minutes, or its hours, from which lateness is told. None by default."""

    mon: Minutes | WorkHours = 0
    tue: Minutes | WorkHours = 0
    wed: Minutes | WorkHours = 0
    thu: Minutes | WorkHours = 0
    fri: Minutes | WorkHours = 0
    sat: Minutes | WorkHours = 0
    sun: Minutes | WorkHours = 0


class WorkHoursView(View):
    """The hours of a day of work."""

    begin: str
    end: str
    break_minutes: int


class WorkWeekView(View):
    """The work of each weekday: its minutes, or its hours."""

    mon: int | WorkHoursView
    tue: int | WorkHoursView
    wed: int | WorkHoursView
    thu: int | WorkHoursView
    fri: int | WorkHoursView
    sat: int | WorkHoursView
    sun: int | WorkHoursView


_WEEK = (*WEEKDAYS, "hours")
"""The columns of a week."""
_SET = f"""
INSERT INTO work_schedule (id, employee_id, effective_from, {", ".join(_WEEK)})
VALUES (?, ?, ?, {", ".join("?" for _ in _WEEK)})
ON CONFLICT (employee_id, effective_from) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _WEEK)}
RETURNING id
"""
_IN_FORCE = f"""
SELECT employee_id, {", ".join(_WEEK)} FROM work_schedule AS shown
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
    usual = work_calendar.usual_week(sites.of_employee(employee_id)) if week is None else msgspec.structs.astuple(week)
    values = _stored(usual)
    ((id,),) = WORKSPACE.rows(_SET, (new_id(), employee_id, day.isoformat(), *values))
    columns = {"employee_id": employee_id, "effective_from": day.isoformat()}
    recorded.note("work_schedule", id, columns | dict(zip(_WEEK, values, strict=True)))


def _stored(days: Sequence[int | WorkHours]) -> tuple[int | str, ...]:
    """The columns of a week: the minutes of each day, and the hours of those that have them."""
    hours = {
        name: {"begin": str(day.begin), "end": str(day.end), "breakMinutes": day.break_minutes}
        for name, day in zip(WEEKDAYS, days, strict=True)
        if isinstance(day, WorkHours)
    }
    minutes = (_hours(day).minutes if isinstance(day, WorkHours) else day for day in days)
    return *minutes, json.dumps(hours)


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
    """Whether an employee has this week today."""
    present = in_force([employee.id], workspace_settings.today())[employee.id]
    return bool(msgspec.to_builtins(present) == msgspec.to_builtins(week, enc_hook=enc_hook))


def in_force(employee_ids: Collection[str], today: date) -> dict[str, WorkWeekView]:
    """The schedules of employees today, or on the first day of a future employment; one query for any number."""
    rows: list[tuple[Any, ...]] = WORKSPACE.rows(_IN_FORCE, (sql.array(employee_ids), today.isoformat()))
    return {id: _view(minutes, json.loads(hours)) for id, *minutes, hours in rows}


def _view(minutes: Sequence[int], hours: dict[str, Any]) -> WorkWeekView:
    days: dict[str, Any] = dict(zip(WEEKDAYS, minutes, strict=True))
    return WorkWeekView(**days | {name: msgspec.convert(day, known(WorkHoursView)) for name, day in hours.items()})
