"""Leaving and coming back: how an employment ends, and another begins."""

import datetime
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET

from erp.hr.access.models import Employee
from erp.hr.access.people import status
from erp.hr.employees import employees, periods
from erp.hr.employees.employees import EmploymentType
from erp.kernel.errors import Invalid, InvalidTransition
from erp.store import changes, events, workspace_settings
from erp.web.scalars import Day, Id, Line
from erp.web.schema import Body, Unset


class Termination(Body):
    """The end of an employment."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2027-03-31", "reason": "Moves to another town"}

    date: Annotated[Day, msgspec.Meta(description="The last day of work; it may lie ahead.")]
    reason: Line | None = None


class Rehiring(Body):
    """Another employment of somebody who left; what is left out is as it was."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2027-09-01", "jobTitle": "Head baker"}

    date: Annotated[Day, msgspec.Meta(description="The first day of work.")]
    job_title: Line | Unset | None = UNSET
    department: Line | Unset | None = UNSET
    manager_id: Id | Unset | None = UNSET
    employment_type: EmploymentType | Unset = UNSET


def terminate(id: str, wanted: Termination) -> Employee:
    """End an employment, or give an end that has not come yet another day.

    Raises:
        InvalidTransition: it has ended already.
        Invalid: the day is before the hire date.
        DaysCutOff: attendance or leave lies behind the day.
        PaidAlready: paid days do.
    """
    employee = Employee.find_to_change(id)
    if status(employee, workspace_settings.today()) == "terminated":
        raise InvalidTransition(f"{employee.name} left on {employee.termination_date} already.")
    periods.end(employee, wanted.date)
    employee.change(termination_date=wanted.date, termination_reason=wanted.reason)
    _tell("terminated", employee, wanted.date)
    return employee


def undo(id: str) -> Employee:
    """Take the end of an employment back, whether or not it has come, as if it had never been set.

    Raises:
        InvalidTransition: there is none.
    """
    employee = Employee.find_to_change(id)
    if employee.termination_date is None:
        raise InvalidTransition(f"The employment of {employee.name} has no end.")
    was = employee.termination_date
    periods.reopen(employee)
    employee.change(termination_date=None, termination_reason=None)
    _tell("termination_undone", employee, was)
    return employee


def rehire(id: str, wanted: Rehiring) -> Employee:
    """Begin another employment of somebody who left.

    Raises:
        UnknownReference: there is no such manager.
        Invalid: the day is not after the employment before, or the manager does not fit.
        InvalidTransition: she has not left.
    """
    employee = Employee.find_to_change(id)
    values = wanted.changes()
    values["hire_date"] = values.pop("date")
    employees.check(changes.differing(employee, values), employee)
    ended = employee.termination_date
    if ended is None or status(employee, workspace_settings.today()) != "terminated":
        raise InvalidTransition(f"{employee.name} has not left.")
    if wanted.date <= ended:
        raise Invalid.one("date", "overlap", f"Must be after the employment before, which ended on {ended}.")
    periods.begin(employee.id, wanted.date)
    employee.change(**values, termination_date=None, termination_reason=None)
    _tell("rehired", employee, wanted.date)
    return employee


def _tell(what: str, employee: Employee, day: datetime.date) -> None:
    events.write(f"employee.{what}", "employee", employee.id, {"name": employee.name, "date": day.isoformat()})
