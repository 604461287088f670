"""Hiring: a new employee with employment, schedule, first pay and leave, in one request."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar

import msgspec

from erp.hr.access import own_pay
from erp.hr.access.models import Employee
from erp.hr.access.own_pay import OwnPay
from erp.hr.employees import compensation, employees, periods, same_person, schedules
from erp.hr.employees.bank_account import BankAccount
from erp.hr.employees.compensation import FirstCompensation
from erp.hr.employees.employees import (
    EmploymentType,
    ExpectsTime,
    KeepsAttendance,
    Number,
    OwnTimeZone,
    PayrollNumber,
    SiteId,
    UserId,
)
from erp.hr.employees.personal import ContractEnd, EmergencyContact, ProbationEnd
from erp.hr.employees.schedules import WorkWeek
from erp.hr.leave import ledger
from erp.hr.sites.models import Site, default_id
from erp.kernel import caller
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Forbidden, Invalid
from erp.kernel.language import Word, says
from erp.kernel.roles import Role
from erp.members import invites
from erp.members.invites import CreatedInviteView, NewInvite
from erp.store import control, events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.address import Address
from erp.web.scalars import Day, Email, Id, Line, Name
from erp.web.schema import Body


class NewEmployee(Body):
    """A person to hire."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Anna Ritter",
        "email": "anna.ritter@example.com",
        "jobTitle": "Baker",
        "department": "Bakery",
        "hireDate": "2026-01-01",
        "workSchedule": {"mon": 480, "tue": 480, "wed": 480, "thu": 480, "fri": 360},
        "compensation": {"payType": "salary", "amount": "3200.00", "frequency": "monthly"},
        "bankAccount": {"holder": "Anna Ritter", "iban": "DE89370400440532013000"},
    }

    name: Name
    hire_date: Day
    employee_number: Annotated[Number, msgspec.Meta(description="The next number by default.")] | None = None
    payroll_number: PayrollNumber | None = None
    email: Email | None = None
    phone: Line | None = None
    user_id: UserId | None = None
    job_title: Line | None = None
    department: Line | None = None
    manager_employee_id: Id | None = None
    employment_type: EmploymentType = "full_time"
    keeps_attendance: KeepsAttendance = True
    expects_time: ExpectsTime = True
    site_id: SiteId | None = None
    time_zone: OwnTimeZone | None = None
    work_schedule: (
        Annotated[WorkWeek, msgspec.Meta(description="480 minutes on each day outside the site's weekend by default.")]
        | None
    ) = None
    compensation: FirstCompensation | None = None
    bank_account: BankAccount | None = None
    tax_number: Line | None = None
    address: Address | None = None
    contract_end: ContractEnd | None = None
    probation_end: ProbationEnd | None = None
    birthday: Day | None = None
    emergency_contact: EmergencyContact | None = None
    invite: Annotated[Role, msgspec.Meta(description="Also invite the person, with this role.")] | None = None


_ELSEWHERE = ("work_schedule", "compensation", "invite")
"""The fields of the body that are not columns of the employee."""


def hire(new: NewEmployee) -> tuple[Employee, CreatedInviteView | None]:
    """Add an employee with employment, schedule, first pay and the year's leave, and the invite if there is one.

    Raises:
        Forbidden: the caller cannot invite people, or not with that role.
        OwnPay: it is the caller's own record with pay or a bank account, and someone else can make it.
        UnknownReference: there is no such employee, member or pay component in this workspace.
        Invalid: a value does not fit.
        AlreadyExists: the number, the e-mail address or the user is another employee's.
        AlreadyMember: a member has the e-mail address.
        AlreadyInvited: the address has a pending invite.
    """
    _check_invite(new)
    _refuse_own(new)
    values = {name: value for name, value in employees.columns(new.changes()).items() if name not in _ELSEWHERE}
    _check(new, values)
    values["employee_number"] = new.employee_number or _next_number(new)
    employee = Employee.add(**values)
    periods.begin(employee.id, new.hire_date)
    schedules.begin(employee.id, new.hire_date, new.work_schedule)
    if new.compensation is not None:
        compensation.record(employee, new.compensation, _first_paid(new.compensation, new), "compensation.")
    ledger.allocate(employee, max(new.hire_date, workspace_settings.today()).year)
    events.write("employee.created", "employee", employee.id, _event_data(employee))
    return employee, _invite(new)


def _refuse_own(new: NewEmployee) -> None:
    is_own = new.user_id == caller.current().user_id
    if is_own and (new.compensation or new.bank_account) is not None and not own_pay.is_alone():
        raise OwnPay(action=Word("enter your own pay and bank account"), whom=own_pay.another())


def _event_data(employee: Employee) -> dict[str, str]:
    number, hire_date = employee.employee_number, employee.hire_date.isoformat()
    return {"name": employee.name, "employeeNumber": number, "hireDate": hire_date}


def _check(new: NewEmployee, values: Mapping[str, Any]) -> None:
    """Check the whole request, with all complaints at once."""
    complaints = Complaints()
    with complaints.gathered():
        employees.check(values)
    if new.compensation is not None:
        with complaints.gathered():
            site = Site.find(values.get("site_id") or default_id())
            first = _first_paid(new.compensation, new)
            compensation.check(new.compensation, first, new.hire_date, site, "compensation.")
    complaints.refuse()
    same_person.check_email_is_new(new.email)


def _first_paid(pay: FirstCompensation, new: NewEmployee) -> date:
    return pay.effective_from or new.hire_date


def _check_invite(new: NewEmployee) -> None:
    if new.invite is None:
        return
    if not caller.may("invites.write"):
        raise Forbidden(says("Your role does not allow inviting people."))
    if new.email is None:
        raise Invalid.one("email", "required", says("An invite needs an e-mail address."))
    if new.user_id is not None:
        raise Invalid.one("invite", "not_applicable", says("This person is already a member. Leave out the invite."))


def _next_number(new: NewEmployee) -> str:
    """The next unassigned number of the series."""
    while True:
        number, _, _ = workspace_settings.next_number("employee", new.hire_date)
        if not WORKSPACE.rows("SELECT 1 FROM employee WHERE employee_number = ?", (number,)):
            return number


def _invite(new: NewEmployee) -> CreatedInviteView | None:
    """Create the invite, which is committed before the employee.

    A power cut between the two leaves an invite without an employee, which can be revoked or used.
    """
    workspace_id = caller.current().workspace_id
    if new.invite is None or new.email is None or workspace_id is None:
        return None
    with control.write():
        invite, token = invites.create(NewInvite(email=new.email, role=new.invite))
    events.deliver_here(workspace_id)
    return CreatedInviteView.with_token(invite, token)
