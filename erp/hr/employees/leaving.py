"""Termination and rehiring."""

import datetime
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET

from erp.hr.access.models import Employee
from erp.hr.access.people import status
from erp.hr.employees import employees, periods
from erp.hr.employees.employees import EmploymentType
from erp.kernel.errors import Invalid, InvalidTransition
from erp.kernel.language import says
from erp.store import changes, events, workspace_settings
from erp.web.scalars import Day, Id, Line
from erp.web.schema import Body, Unset


class Termination(Body):
    """The end of an employment."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2027-03-31", "reason": "Moves to another town"}

    date: Annotated[Day, msgspec.Meta(description="The last day of work; it can be in the future.")]
    reason: Line | None = None


class Rehiring(Body):
    """Another employment of a former employee; fields that are left out stay as they were."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2027-09-01", "jobTitle": "Head baker"}

    date: Annotated[Day, msgspec.Meta(description="The first day of work.")]
    job_title: Line | Unset | None = UNSET
    department: Line | Unset | None = UNSET
    manager_employee_id: Id | Unset | None = UNSET
    employment_type: EmploymentType | Unset = UNSET


def terminate(id: str, body: Termination) -> Employee:
    """End an employment, or change an end that is still in the future.

    Raises:
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
    periods.end(employee, body.date)
    employee.change(termination_date=body.date, termination_reason=body.reason)
    _write_event("terminated", employee, body.date)
    return employee


def undo(id: str) -> Employee:
    """Undo a termination, past or future.

    Raises:
        InvalidTransition: the employment has not been terminated.
    """
    employee = Employee.find_to_change(id)
    if employee.termination_date is None:
        raise InvalidTransition(says("{name}'s employment has not been terminated.", name=employee.name))
    last_day = employee.termination_date
    periods.reopen(employee)
    employee.change(termination_date=None, termination_reason=None)
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
    periods.begin(employee.id, body.date)
    employee.change(**values, termination_date=None, termination_reason=None)
    _write_event("rehired", employee, body.date)
    return employee


def _write_event(action: str, employee: Employee, day: datetime.date) -> None:
    events.write(f"employee.{action}", "employee", employee.id, {"name": employee.name, "date": day.isoformat()})
