"""The caller's employee record or, with the right, another employee's."""

from collections.abc import Collection, Iterator
from datetime import date
from typing import Literal

from erp.hr.access import reporting_line
from erp.hr.access.models import Employee
from erp.kernel import caller
from erp.kernel.errors import Forbidden, Refusal, UnknownReference
from erp.kernel.language import Noun, says
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.store.sql import Condition
from erp.web import several
from erp.web.several import Choice

NOT_REPORTING = says("This person does not report to you. Ask their manager or HR.")
"""Refusal of a decision on another manager's reports."""


class NoEmployeeRecord(Refusal):
    """You have no employee record in this workspace. Ask HR to link one to your user."""


def own() -> Employee | None:
    """The caller's employee record."""
    employee: Employee | None = next(
        iter(Employee.fetch("SELECT * FROM employee WHERE user_id = ?", caller.current().user_id)), None
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
    employee = Employee.find_or_none(name) or Employee.find_by(employee_number=name)
    if employee is None:
        raise UnknownReference(field, Noun("employee"))
    return employee


def visible(employee_id: str | None, permission: str) -> set[str] | None:
    """The employees whose records a list shows; everyone's is None.

    Without the right to read everyone's, a list shows the caller's own and, with the narrower right `…_reports`, their
    reports'.

    Args:
        permission: the right to read everyone's.

    Raises:
        Forbidden: the filter names someone else, and the caller lacks the right.
        UnknownReference: there is no such employee.
    """
    if caller.may(permission):
        return None if employee_id is None else {str(refer(employee_id, "employeeId").id)}
    seen = _own_and_reports(permission)
    if employee_id is None:
        return seen
    if (named := _id_of(employee_id)) not in seen:
        raise refusal(permission)
    return {named}


def chosen(wanted: object, permission: str) -> tuple[set[str] | None, Choice]:
    """The employees whose records a list of several shows, with the ids that its filter names."""
    ids = several.found(wanted, "employeeId", lambda name: next(iter(visible(name, permission) or ())))
    return set(ids.among) or visible(None, permission), ids


def _id_of(name: str) -> str:
    """The id of the employee with this id or number; the name itself if there is none."""
    employee = Employee.find_by(employee_number=name)
    return name if employee is None else str(employee.id)


def refusal(permission: str) -> Forbidden:
    """The refusal for a caller without a right over an employee."""
    return Forbidden(NOT_REPORTING) if caller.may(f"{permission}_reports") else caller.refusal(permission)


def _own_and_reports(permission: str) -> set[str]:
    mine = own_id()
    return set() if mine is None else {mine, *(over(permission) or ())}


def conditions(visible: Collection[str] | None) -> Iterator[Condition]:
    """The condition that a record belongs to one of the `visible` employees; none for everyone's."""
    if visible is not None and len(visible) == 1:
        yield Condition("employee_id = :employee_id", {"employee_id": next(iter(visible))})
    elif visible is not None:
        among = "employee_id IN (SELECT value FROM json_each(:employee_ids))"
        yield Condition(among, {"employee_ids": sql.array(visible)})


def over(permission: str) -> set[str] | None:
    """The employees that a right of the caller's covers: everyone (None), or, as `…_reports`, their reports."""
    if caller.may(permission):
        return None
    mine = own_id() if caller.may(f"{permission}_reports") else None
    return set() if mine is None else WORKSPACE.memo(f"below {mine}", lambda: reporting_line.below(mine))


def may_for(employee_id: str, permission: str) -> bool:
    """Whether a right of the caller's covers an employee."""
    among = over(permission)
    return among is None or employee_id in among


def subject(employee_id: str | None, permission: str, field: str = "employeeId") -> Employee:
    """The employee of a request: the named one, or the caller.

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
    if not may_for(_id_of(employee_id), permission):
        raise refusal(permission)
    return refer(employee_id, field)


Status = Literal["upcoming", "active", "terminated"]


def status(employee: Employee, today: date) -> Status:
    """The state of an employment; its last day still counts as employed."""
    if employee.hire_date > today:
        return "upcoming"
    has_ended = employee.termination_date is not None and employee.termination_date < today
    return "terminated" if has_ended else "active"
