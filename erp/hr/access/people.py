"""Who asks, and about whom: one's own employee record, or with the right, another's."""

from datetime import date
from typing import Literal

from erp.hr.access.models import Employee
from erp.kernel import caller
from erp.kernel.errors import Forbidden, Refusal, UnknownReference


class NoEmployeeRecord(Refusal):
    """You have no employee record in this workspace; somebody of human resources can link one to your user."""


def own() -> Employee | None:
    """The caller's employee record, if she has one."""
    found: Employee | None = next(
        iter(Employee.raw("SELECT * FROM employee WHERE user_id = ?", caller.current().user_id)), None
    )
    return found


def own_id() -> str | None:
    """The id of the caller's employee record, if she has one."""
    found = own()
    return None if found is None else found.id


def find_reference(value: str, field: str) -> Employee:
    """Find the employee that a field names by id, or by number.

    Raises:
        UnknownReference: there is none in this workspace.
    """
    found = Employee.find_or_none(value) or Employee.get_or_none(Employee.employee_number == value)
    if found is None:
        raise UnknownReference(field, "employee")
    return found


def id_of(value: str) -> str:
    """The id of the employee whom a filter names by id or number; the value itself where there is none to find."""
    found = Employee.get_or_none(Employee.employee_number == value)
    return value if found is None else str(found.id)


def visible(employee_id: str | None, permission: str) -> str | None:
    """Whose records a list shows: those of the employee named, everybody's (None), or the caller's own.

    A caller who may read her own alone, and is no employee, is shown those of nobody, whose id is empty.

    Args:
        permission: the right to read everybody's.

    Raises:
        Forbidden: somebody else is named, and the caller lacks the right.
    """
    named = None if employee_id is None else id_of(employee_id)
    if caller.may(permission):
        return named
    mine = own_id() or ""
    if named not in (None, mine):
        raise Forbidden
    return mine


def subject(employee_id: str | None, permission: str, field: str = "employeeId") -> Employee:
    """Whom a request is about: the caller herself, or the employee it names.

    Args:
        permission: the right to act for others.

    Raises:
        NoEmployeeRecord: nobody is named, and the caller is no employee.
        Forbidden: somebody else is named, and the caller lacks the right.
        UnknownReference: there is no such employee.
    """
    mine = own()
    if employee_id is None or (mine is not None and employee_id in (mine.id, mine.employee_number)):
        if mine is None:
            raise NoEmployeeRecord
        return mine
    if not caller.may(permission):
        raise Forbidden
    return find_reference(employee_id, field)


Status = Literal["upcoming", "active", "terminated"]


def status(employee: Employee, today: date) -> Status:
    """How somebody stands to the office; the last day of an employment is part of it."""
    if employee.hire_date > today:
        return "upcoming"
    has_ended = employee.termination_date is not None and employee.termination_date < today
    return "terminated" if has_ended else "active"
