"""Employees: what is kept of a person, and the rules of changing it."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.hr.access import reporting_line
from erp.hr.access.models import Employee
from erp.hr.employees import periods, schedules
from erp.hr.employees.bank_account import BankAccount
from erp.hr.employees.schedules import WorkWeek
from erp.kernel import caller
from erp.kernel.complaints import Complaints
from erp.kernel.errors import AlreadyExists, Invalid, Refusal
from erp.members import people
from erp.store import changes, events
from erp.web.address import Address
from erp.web.scalars import Day, Email, Id, Line, Name
from erp.web.schema import Body, Unset

EmploymentType = Literal["full_time", "part_time", "contractor", "intern", "temporary"]
Number = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
UserId = Annotated[Id, msgspec.Meta(description="The user, a member of the workspace, whose record this is.")]


class EmployeeChange(Body):
    """Fields of an employee to change; those left out stay, null clears. Parts are replaced as a whole."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"jobTitle": "Head baker", "phone": "+49 40 123456"}

    employee_number: Number | Unset = UNSET
    name: Name | Unset = UNSET
    email: Email | Unset | None = UNSET
    phone: Line | Unset | None = UNSET
    user_id: UserId | Unset | None = UNSET
    job_title: Line | Unset | None = UNSET
    department: Line | Unset | None = UNSET
    manager_id: Id | Unset | None = UNSET
    employment_type: EmploymentType | Unset = UNSET
    hire_date: Annotated[Day, msgspec.Meta(description="The first day of the last employment.")] | Unset = UNSET
    work_schedule: WorkWeek | Unset = UNSET
    work_schedule_from: (
        Annotated[Day, msgspec.Meta(description="From when the schedule holds; today by default.")] | Unset
    ) = UNSET
    bank_account: BankAccount | Unset | None = UNSET
    tax_number: Line | Unset | None = UNSET
    address: Address | Unset | None = UNSET


class OwnLink(Refusal):
    """Nobody but an owner takes her own record off her user, to decide on it as another's; ask somebody else to."""

    status = 403


def change(id: str, wanted: EmployeeChange) -> Employee:
    """Change what is kept of an employee, whether or not she works for the office still.

    Raises:
        OwnLink: the record would not be the caller's own any more, who is no owner.
        UnknownReference: there is no such employee or member in this workspace.
        Invalid: a value does not fit.
        AlreadyExists: the number or the user is another employee's.
        DaysCutOff: the hire date would cut off days with attendance or leave.
        PaidAlready: the hire date or the schedule would alter days that are paid.
    """
    employee = Employee.find_to_change(id)
    sent = columns(wanted.changes())
    week, week_from = sent.pop("work_schedule", None), sent.pop("work_schedule_from", None)
    if week is None and week_from is not None:
        raise Invalid.one("workScheduleFrom", "not_applicable", "Give the workSchedule that begins on that day.")
    values = changes.differing(employee, sent)
    if "user_id" in values and employee.user_id == caller.current().user_id and caller.current().role != "owner":
        raise OwnLink
    check(values, employee)
    if "hire_date" in values:
        periods.move_start(employee, values["hire_date"])
    if values or week is not None:
        employee.change(**values)
        if week is not None:
            schedules.change(employee, week, week_from)
        _tell(employee, [*values, *(["work_schedule"] if week is not None else [])])
    return employee


def _tell(employee: Employee, changed: list[str]) -> None:
    facts = {"name": employee.name, "changed": [changes.wire_name(name) for name in changed]}
    events.write("employee.updated", "employee", employee.id, facts)


def columns(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a body as the table keeps them."""
    parts = {name: values[name].kept() or None for name in ("address", "bank_account") if values.get(name)}
    return {**values, **parts}


def check(values: Mapping[str, Any], employee: Employee | None = None) -> None:
    """See that the values, columns that are new or to change, fit the other employees and the members.

    Raises:
        UnknownReference: there is no such employee or member in this workspace.
        Invalid: the manager has left, or reports to the employee.
        AlreadyExists: the number or the user is another employee's.
    """
    complaints = Complaints()
    if values.get("manager_id") is not None:
        with complaints.gathered():
            reporting_line.check(values["manager_id"], employee)
    if values.get("user_id") is not None and people.strangers([values["user_id"]]):
        complaints.unknown("userId", "member")
    complaints.refuse()
    _check_is_free("employee_number", values, "Number {value} is that of {name} already.")
    _check_is_free("user_id", values, "This user is {name} already, and has one record only.")


def _check_is_free(column: str, values: Mapping[str, Any], message: str) -> None:
    value = values.get(column)
    other = None if value is None else Employee.get_or_none(getattr(Employee, column) == value)
    if other is not None:
        raise AlreadyExists(message.format(value=value, name=other.name), field=changes.wire_name(column))
