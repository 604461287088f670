"""Termination and rehiring."""

import datetime
from datetime import time, timedelta
from typing import Annotated, Any, ClassVar, Literal, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET

from erp.hr.access import people, reporting_line, zones
from erp.hr.access.models import Employee
from erp.hr.access.people import status
from erp.hr.employees import employees, periods
from erp.hr.employees.employees import EmploymentType
from erp.kernel import clock
from erp.kernel.errors import Invalid, InvalidTransition
from erp.kernel.language import says
from erp.members import members
from erp.store import changes, events, workspace_settings
from erp.store.router import WORKSPACE
from erp.tasks.time import timers
from erp.web.scalars import Day, Id, Line
from erp.web.schema import Body, Unset


class Termination(Body):
    """The end of an employment."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2027-03-31", "reason": "Moves to another town"}

    date: Annotated[Day, msgspec.Meta(description="The last day of work; it can be in the future.")]
    reason: Line | None = None
    access: Annotated[
        Literal["end_on_last_day", "end_now", "keep"],
        msgspec.Meta(
            description="Until when they can enter the workspace. Owners keep their access unless an owner ends it, and"
            " the last one always."
        ),
    ] = "end_on_last_day"
    reports_to_employee_id: Annotated[
        Id | None,
        msgspec.Meta(description="The manager of their reports from the next day on; their own manager by default."),
    ] = None


class Leaver(NamedTuple):
    """Someone whose employment ends, and what they leave behind."""

    employee: Employee
    access_ends_at: str | None
    open_tasks: int
    reports: int


_OPEN_TASKS = """
SELECT count(*) FROM task_assignee JOIN task ON task.id = task_id
WHERE user_id = ? AND status NOT IN ('done', 'cancelled')
"""


class Rehiring(Body):
    """Another employment of a former employee; fields that are left out stay as they were."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2027-09-01", "jobTitle": "Head baker"}

    date: Annotated[Day, msgspec.Meta(description="The first day of work.")]
    job_title: Line | Unset | None = UNSET
    department: Line | Unset | None = UNSET
    manager_employee_id: Id | Unset | None = UNSET
    employment_type: EmploymentType | Unset = UNSET


def terminate(id: str, body: Termination) -> Leaver:
    """End an employment, or change an end that is still in the future; access and reports follow.

    Raises:
        UnknownReference: there is no such employee to take over the reports.
        InvalidTransition: it has ended already.
        Invalid: the day is before the hire date.
        DaysCutOff: there is attendance or leave after the day.
    """
    employee = Employee.find_to_change(id)
    if status(employee, workspace_settings.today()) == "terminated":
        raise InvalidTransition(
            says(
                "{name} already left on {termination_date}.",
                name=employee.name,
                termination_date=employee.termination_date,
            )
        )
    reports = len(reporting_line.reports(employee.id))
    successor = _successor(employee, body)
    periods.end(employee, body.date)
    employee.change(
        termination_date=body.date, termination_reason=body.reason, successor_employee_id=successor and successor.id
    )
    _write_event("terminated", employee, body.date)
    ends_at = _end_access(employee, body)
    ((open_tasks,),) = WORKSPACE.rows(_OPEN_TASKS, (employee.user_id,))
    return Leaver(employee, ends_at, open_tasks, reports)


def _successor(employee: Employee, body: Termination) -> Employee | None:
    if body.reports_to_employee_id is None:
        return None
    successor = people.refer(body.reports_to_employee_id, "reportsToEmployeeId")
    if successor.id == employee.id:
        message = says("{name} is leaving. Choose another person.", name=employee.name)
        raise Invalid.one("reportsToEmployeeId", "leaving", message)
    reporting_line.check(successor.id, field="reportsToEmployeeId")
    return successor


def _end_access(employee: Employee, body: Termination) -> str | None:
    """End the access of the employee's user as the body says, and their timer if that is now; return the instant."""
    if employee.user_id is None:
        return None
    midnight = datetime.datetime.combine(body.date + timedelta(days=1), time(), ZoneInfo(zones.of_one(employee.id)))
    ends = {"keep": None, "end_now": clock.stamp(), "end_on_last_day": clock.stamp(midnight)}[body.access]
    ends_at = members.end_access(employee.user_id, ends)
    if ends_at is not None and ends_at <= clock.stamp():
        timers.stop_of(employee.user_id)
    return ends_at


def undo(id: str) -> Employee:
    """Undo a termination, past or future; access and reports are as before.

    Raises:
        InvalidTransition: the employment has not been terminated.
    """
    employee = Employee.find_to_change(id)
    if employee.termination_date is None:
        raise InvalidTransition(says("{name}'s employment has not been terminated.", name=employee.name))
    last_day = employee.termination_date
    periods.reopen(employee)
    employee.change(termination_date=None, termination_reason=None, successor_employee_id=None)
    _give_back_access(employee)
    _write_event("termination_undone", employee, last_day)
    return employee


def rehire(id: str, body: Rehiring) -> Employee:
    """Begin another employment of a former employee.

    Raises:
        UnknownReference: there is no such manager.
        Invalid: the day is not after the previous employment, or the manager does not fit.
        InvalidTransition: the employee has not left.
    """
    employee = Employee.find_to_change(id)
    values = body.changes()
    values["hire_date"] = values.pop("date")
    employees.check(changes.differing(employee, values), employee)
    ended = employee.termination_date
    if ended is None or status(employee, workspace_settings.today()) != "terminated":
        raise InvalidTransition(says("{name} has no termination.", name=employee.name))
    if body.date <= ended:
        raise Invalid.one(
            "date", "overlap", says("Must be after the previous employment, which ended on {ended}.", ended=ended)
        )
    for report in reporting_line.formerly_under(employee.id):
        report.change(manager_employee_id=reporting_line.managers([report.id]).get(report.id))
    periods.begin(employee.id, body.date)
    employee.change(**values, termination_date=None, termination_reason=None, successor_employee_id=None)
    _give_back_access(employee)
    _write_event("rehired", employee, body.date)
    return employee


def _give_back_access(employee: Employee) -> None:
    if employee.user_id is not None:
        members.end_access(employee.user_id, None)


def _write_event(action: str, employee: Employee, day: datetime.date) -> None:
    events.write(f"employee.{action}", "employee", employee.id, {"name": employee.name, "date": day.isoformat()})
