"""Employees over HTTP: who works for the office, how people come, change, leave and come back."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, get_args

import falcon
import msgspec
from msgspec import UNSET
from peewee import ModelSelect

from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.access.people import Status
from erp.hr.employees import compensation as compensations
from erp.hr.employees import employees, hiring, leaving, schedules
from erp.hr.employees.bank_account import BankAccountView
from erp.hr.employees.compensation_api import PayView
from erp.hr.employees.employees import EmployeeChange, EmploymentType, OwnLink
from erp.hr.employees.hiring import NewEmployee
from erp.hr.employees.leaving import Rehiring, Termination
from erp.hr.employees.models import Compensation
from erp.hr.employees.periods import DaysCutOff
from erp.hr.employees.schedules import WorkWeekView
from erp.hr.locked_days import PaidAlready
from erp.kernel import caller
from erp.kernel.errors import AlreadyExists, BadParameter, Forbidden, InvalidTransition, UnknownReference
from erp.members.invites import AlreadyInvited
from erp.members.joining import AlreadyMember
from erp.store import workspace_settings
from erp.web.address import AddressView
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Id, Line
from erp.web.schema import ListQuery, Page, RecordView, Unset

STATUSES: tuple[Status, ...] = get_args(Status)
ONLY_PAY = msgspec.Meta(description="For those who may read pay, and for the person.")


class EmployeeFilter(ListQuery):
    """Which employees to list."""

    status: (
        Annotated[str, msgspec.Meta(description=f"One or several, separated by commas, of {', '.join(STATUSES)}.")]
        | None
    ) = None
    department: Line | None = None
    manager_id: Id | None = None
    employment_type: EmploymentType | None = None
    q: (
        Annotated[
            str, msgspec.Meta(max_length=200, description="Text in the name, number, e-mail address or job title.")
        ]
        | None
    ) = None
    sort: Literal[
        "name", "-name", "employeeNumber", "-employeeNumber", "hireDate", "-hireDate", "createdAt", "-createdAt"
    ] = "-createdAt"


class EmployeeView(RecordView):
    """An employee; schedule and compensation are those in force today, or when the employment begins."""

    created_by: str | None
    employee_number: str
    name: str
    email: str | None
    phone: str | None
    user_id: str | None
    job_title: str | None
    department: str | None
    manager_id: str | None
    employment_type: EmploymentType
    hire_date: str
    termination_date: str | None
    status: Status
    work_schedule: WorkWeekView
    address: AddressView | None
    termination_reason: Annotated[
        str | Unset | None, msgspec.Meta(description="For those who may change employees, and for the person.")
    ] = UNSET
    compensation: Annotated[PayView | Unset | None, ONLY_PAY] = UNSET
    bank_account: Annotated[BankAccountView | Unset | None, ONLY_PAY] = UNSET
    tax_number: Annotated[str | Unset | None, ONLY_PAY] = UNSET


class EmployeeMade(EmployeeView):
    """A new employee; what an invite answers is shown this once."""

    invite_token: str | Unset = UNSET
    invite_url: str | Unset = UNSET


_DERIVED = (
    *("hire_date", "termination_date", "termination_reason", "status", "work_schedule"),
    *("compensation", "bank_account", "tax_number", "address"),
)
_PLAIN = [name for name in EmployeeView.__struct_fields__ if name not in _DERIVED]


def shown(found: Sequence[Employee]) -> list[EmployeeView]:
    """The views of employees for the present caller."""
    return [EmployeeView(**facts) for facts in _facts(found)]


def show(employee: Employee) -> EmployeeView:
    """The view of an employee for the present caller."""
    (view,) = shown([employee])
    return view


def _facts(found: Sequence[Employee]) -> list[dict[str, Any]]:
    """What the caller may see of employees; three queries, however many they are."""
    ids, today, own_id = [employee.id for employee in found], workspace_settings.today(), people.own_id()
    weeks = schedules.in_force(ids, today)
    pay = compensations.in_force(ids, today)
    sees_pay, sees_reason = caller.may("pay.read"), caller.may("employees.write")
    return [
        {name: getattr(employee, name) for name in _PLAIN}
        | _computed(employee, weeks[employee.id])
        | ({"termination_reason": employee.termination_reason} if sees_reason or employee.id == own_id else {})
        | (_private(employee, pay.get(employee.id)) if sees_pay or employee.id == own_id else {})
        for employee in found
    ]


def _computed(employee: Employee, week: WorkWeekView) -> dict[str, Any]:
    ended = employee.termination_date
    return {
        "hire_date": employee.hire_date.isoformat(),
        "termination_date": ended.isoformat() if ended else None,
        "status": people.status(employee, workspace_settings.today()),
        "work_schedule": week,
        "address": AddressView.of(employee.address),
    }


def _private(employee: Employee, pay: Compensation | None) -> dict[str, Any]:
    return {
        "compensation": pay and PayView.of(pay),
        "bank_account": BankAccountView.of(employee.bank_account),
        "tax_number": employee.tax_number,
    }


def _listed(query: EmployeeFilter) -> "ModelSelect[Employee]":
    select = Employee.select()
    if not caller.may("employees.read"):
        select = select.where(Employee.id == people.own_id())
    if query.status is not None:
        select = select.where(_of_status(query.status))
    for column, wanted in (
        (Employee.department, query.department),
        (Employee.manager, query.manager_id),
        (Employee.employment_type, query.employment_type),
    ):
        select = select.where(column == wanted) if wanted is not None else select
    if query.q is not None:
        texts = (Employee.name, Employee.employee_number, Employee.email, Employee.job_title)
        select = select.where(reduce(or_, [text.contains(query.q) for text in texts]))
    return select


def _of_status(text: str) -> Any:
    """That an employee is of one of the statuses; the SQL of `employment.status`."""
    named, today = text.split(","), workspace_settings.today()
    if not set(named) <= set(STATUSES):
        raise BadParameter(f"status: Must be of {', '.join(STATUSES)}.")
    is_upcoming: Any = Employee.hire_date > today
    has_left: Any = Employee.termination_date.is_null(False) & (Employee.termination_date < today)
    conditions = {"upcoming": is_upcoming, "terminated": has_left, "active": ~is_upcoming & ~has_left}
    return reduce(or_, [conditions[status] for status in named])


SORTABLE = {"name": Employee.name, "employeeNumber": Employee.employee_number, "hireDate": Employee.hire_date}


class Collection:
    @endpoint(permission="employees.read_own")
    def on_get(self, query: EmployeeFilter) -> Page[EmployeeView]:
        """List the employees, the newest first.

        Without the right to read employees, the list holds your own record alone. Pay, bank and tax fields are shown
        to those who may read pay, and of one's own record.
        """
        return page(_listed(query), query, views=shown, sort=query.sort, sortable=SORTABLE)

    @endpoint(
        permission="employees.write",
        status=201,
        refuses=(UnknownReference, AlreadyExists, AlreadyMember, AlreadyInvited),
    )
    def on_post(self, body: NewEmployee, req: falcon.Request) -> EmployeeMade:
        """Hire somebody: the record, the employment, the work schedule and the first pay in one go.

        With `invite`, a role, the person is invited to the workspace as well, if you may do so; its link is shown this
        once, so such a request takes no Idempotency-Key. Whoever accepts the invite is linked to the employee record
        that bears its e-mail address.
        """
        if body.invite is not None and req.get_header("Idempotency-Key") is not None:
            raise BadParameter("A request with `invite` takes no Idempotency-Key: its answer shows a secret once.")
        employee, invite = hiring.hire(body)
        secret: dict[str, Any] = {}
        if invite is not None:
            secret = {"invite_token": invite.token, "invite_url": invite.accept_url}
        return EmployeeMade(**_facts([employee])[0], **secret)


class Item:
    @endpoint(permission="employees.read_own")
    def on_get(self, id: str) -> EmployeeView:
        """Show an employee; without the right to read employees, yourself alone."""
        if id != people.own_id() and not caller.may("employees.read"):
            raise Forbidden
        return show(Employee.find(id))

    @endpoint(permission="employees.write", refuses=(OwnLink, UnknownReference, AlreadyExists, DaysCutOff, PaidAlready))
    def on_patch(self, id: str, body: EmployeeChange) -> EmployeeView:
        """Change an employee, also one who has left.

        Pay is changed by `POST /hr/employees/{id}/compensations`. A `workSchedule` holds from `workScheduleFrom` on,
        today by default, until one that begins later. The hire date is that of the last employment; it can be moved
        as long as no attendance, leave or pay would lie before it. The pay and the schedule that begin on it move
        along, and the leave that was granted by the days employed is corrected. Nobody but an owner takes her own
        record off her user.
        """
        return show(employees.change(id, body))


class Terminate:
    @endpoint(permission="employees.write", refuses=(InvalidTransition, DaysCutOff, PaidAlready))
    def on_post(self, id: str, body: Termination) -> EmployeeView:
        """End somebody's employment with a last day, which may lie ahead.

        Until that day is over she stays active, and can be given another one in the same way. Attendance, leave and
        pay behind it must be settled first: delete the attendance, cancel or reject the leave, reverse the payroll
        run. Whoever reports to her does so until another manager is named; her user remains a member of the workspace.
        """
        return show(leaving.terminate(id, body))


class UndoTermination:
    @endpoint(permission="employees.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> EmployeeView:
        """Take the end of somebody's employment back: she stays, or it was a mistake.

        Once she was employed again, `POST /hr/employees/{id}/rehire`, the employment before stays ended.
        """
        return show(leaving.undo(id))


class Rehire:
    @endpoint(permission="employees.write", refuses=(InvalidTransition, UnknownReference))
    def on_post(self, id: str, body: Rehiring) -> EmployeeView:
        """Employ somebody again who has left.

        `hireDate` is the new first day from then on. Work schedule and pay go on as they last were, unless others are
        set.
        """
        return show(leaving.rehire(id, body))
