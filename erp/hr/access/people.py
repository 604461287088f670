"""Who asks, and about whom: the caller's own employee record or, with the right, someone else's."""

from datetime import date
from typing import Literal

from erp.hr.access.models import Employee
from erp.kernel import caller
from erp.kernel.errors import Refusal, UnknownReference


class NoEmployeeRecord(Refusal):
    """You have no employee record in this workspace. Ask human resources to link one to your user."""


def own() -> Employee | None:
    """The caller's employee record, if there is one."""
    employee: Employee | None = next(
        iter(Employee.raw("SELECT * FROM employee WHERE user_id = ?", caller.current().user_id)), None
    )
    return employee


def own_id() -> str | None:
    """The id of the caller's employee record, if there is one."""
    employee = own()
    return None if employee is None else employee.id


def refer(name: str, field: str) -> Employee:
    """Find the employee whose id or number a field holds.

    Raises:
        UnknownReference: there is no such employee in this workspace.
    """
    employee = Employee.find_or_none(name) or Employee.get_or_none(Employee.employee_number == name)
    if employee is None:
        raise UnknownReference(field, "employee")
    return employee


def visible(employee_id: str | None, permission: str) -> str | None:
    """Whose records a list shows: one employee's, everyone's (None), or the caller's own.

    A caller who can read only their own records and has no employee record sees none: the id is empty.

    Args:
        permission: the right to read everyone's.

    Raises:
        Forbidden: the filter names someone else, and the caller lacks the right.
        UnknownReference: there is no such employee.
    """
    if caller.may(permission):
        return None if employee_id is None else str(refer(employee_id, "employeeId").id)
    mine = own()
    if employee_id is not None and (mine is None or employee_id not in (mine.id, mine.employee_number)):
        raise caller.refusal(permission)
    return "" if mine is None else str(mine.id)


def subject(employee_id: str | None, permission: str, field: str = "employeeId") -> Employee:
    """The employee a request is about: the one it names, or the caller.

    Args:
        permission: the right to act for others.

    Raises:
        NoEmployeeRecord: the request names no one, and the caller has no employee record.
        Forbidden: it names someone else, and the caller lacks the right.
        UnknownReference: there is no such employee.
    """
    mine = own()
    if employee_id is None or (mine is not None and employee_id in (mine.id, mine.employee_number)):
        if mine is None:
            raise NoEmployeeRecord
        return mine
    if not caller.may(permission):
        raise caller.refusal(permission)
    return refer(employee_id, field)


Status = Literal["upcoming", "active", "terminated"]


def status(employee: Employee, today: date) -> Status:
    """Whether an employment is still to begin, runs or has ended; its last day is part of it."""
    if employee.hire_date > today:
        return "upcoming"
    has_ended = employee.termination_date is not None and employee.termination_date < today
    return "terminated" if has_ended else "active"
