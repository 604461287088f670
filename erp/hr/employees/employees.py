"""Employees: the record of a person, and the rules for changing it."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.finance.contacts import contacts
from erp.hr.access import own_pay, people, reporting_line
from erp.hr.access.models import Employee
from erp.hr.access.own_pay import OwnPay
from erp.hr.attendance import days as attendance
from erp.hr.employees import bank_account, periods, personal, schedules
from erp.hr.employees.bank_account import BankAccount
from erp.hr.employees.personal import ContractEnd, EmergencyContact, ProbationEnd
from erp.hr.employees.schedules import WorkWeek
from erp.hr.leave import ledger, recounting
from erp.hr.leave.changing import Recounted
from erp.hr.sites import sites
from erp.hr.sites.models import default_id
from erp.kernel import caller
from erp.kernel.complaints import Complaints
from erp.kernel.errors import AlreadyExists, Invalid, Refusal
from erp.kernel.language import Noun, Sentence, Word, says
from erp.kernel.wire import wire_name
from erp.mail import sealing
from erp.members import people as members
from erp.store import changes, events, workspace_settings
from erp.web.address import Address
from erp.web.scalars import Day, Email, Id, Line, Name
from erp.web.schema import Body, Unset
from erp.web.text_scalars import TimeZone

EmploymentType = Literal["full_time", "part_time", "contractor", "intern", "temporary"]
Number = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
PayrollNumber = Annotated[int, msgspec.Meta(ge=1, le=99999, description="The number with the payroll provider.")]
KeepsAttendance = Annotated[
    bool, msgspec.Meta(description="Whether attendance is recorded. If not, days are never missing.")
]
ExpectsTime = Annotated[
    bool,
    msgspec.Meta(description="Whether weeks without submitted time are missing."),
]
SiteId = Annotated[Id, msgspec.Meta(description="The id or name of the site; the default site by default.")]
OwnTimeZone = Annotated[TimeZone, msgspec.Meta(description="The user's, else the site's by default.")]
UserId = Annotated[Id, msgspec.Meta(description="The user of this employee, a member of the workspace.")]


PayslipMail = Annotated[
    Literal["notice", "attached", "none"],
    msgspec.Meta(description="By mail: that a payslip is ready, the PDF under the password, or nothing."),
]
PayslipPassword = Annotated[
    str,
    msgspec.Meta(
        min_length=8, max_length=100, description="Opens payslips that are sent. Write-only; tell it in person."
    ),
]


NO_PASSWORD = says("Set a password for this person's payslips, and tell it to them in person.")


class EmployeeChange(Body):
    """Fields of an employee to change; the others stay, null clears. Nested objects are replaced as a whole."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"jobTitle": "Head baker", "phone": "+49 40 123456"}

    employee_number: Number | Unset = UNSET
    payroll_number: PayrollNumber | Unset | None = UNSET
    name: Name | Unset = UNSET
    email: Email | Unset | None = UNSET
    phone: Line | Unset | None = UNSET
    user_id: UserId | Unset | None = UNSET
    job_title: Line | Unset | None = UNSET
    department: Line | Unset | None = UNSET
    manager_employee_id: Id | Unset | None = UNSET
    employment_type: EmploymentType | Unset = UNSET
    hire_date: Annotated[Day, msgspec.Meta(description="The first day of the latest employment.")] | Unset = UNSET
    keeps_attendance: KeepsAttendance | Unset = UNSET
    expects_time: ExpectsTime | Unset = UNSET
    site_id: SiteId | Unset | None = UNSET
    time_zone: OwnTimeZone | Unset | None = UNSET
    work_schedule: WorkWeek | Unset = UNSET
    work_schedule_from: (
        Annotated[Day, msgspec.Meta(description="The first day of the schedule; today by default.")] | Unset
    ) = UNSET
    bank_account: BankAccount | Unset | None = UNSET
    tax_number: Line | Unset | None = UNSET
    address: Address | Unset | None = UNSET
    contract_end: ContractEnd | Unset | None = UNSET
    probation_end: ProbationEnd | Unset | None = UNSET
    birthday: Day | Unset | None = UNSET
    emergency_contact: EmergencyContact | Unset | None = UNSET
    payslip_mail: PayslipMail | Unset = UNSET
    payslip_password: PayslipPassword | Unset | None = UNSET
    dry_run: Annotated[bool, msgspec.Meta(description="Show the record as it would be, and change nothing.")] = False


class OwnLink(Refusal):
    """You cannot unlink your own employee record. Ask another Owner, Admin or HR."""

    status = 403


def find(id: str, permission: str) -> Employee:
    """An employee that the caller can see.

    Args:
        permission: the right to see others.

    Raises:
        Forbidden: it is someone else, and the caller lacks the right.
        NotFound: there is no such employee.
    """
    if id != people.own_id() and not caller.may(permission):
        raise caller.refusal(permission)
    return Employee.find(id)


def change(id: str, body: EmployeeChange) -> tuple[Employee, list[Recounted]]:
    """Change the record of an employee, even of one who has left; with the leave that another schedule has recounted.

    Raises:
        OwnLink: the record would no longer be the caller's own, and someone else can unlink it.
        OwnPay: it is the caller's own bank account, and someone else can change it.
        UnknownReference: there is no such employee or member in this workspace.
        Invalid: a value does not fit, or payslips would be attached without a password.
        AlreadyExists: the number or the user is another employee's.
        DaysCutOff: the hire date would cut off days with attendance or leave.
    """
    employee = Employee.find_to_change(id)
    sent = columns(body.changes())
    sent.pop("dry_run")
    password = sent.pop("payslip_password", UNSET)
    week, week_from = sent.pop("work_schedule", None), sent.pop("work_schedule_from", None)
    if week is None and week_from is not None:
        raise Invalid.one(
            "workScheduleFrom", "not_applicable", says("Set the workSchedule that begins on that day as well.")
        )
    values = changes.differing(employee, sent)
    _refuse_own(employee, values)
    check(values, employee)
    _check_payslips(employee, values, password)
    if "hire_date" in values:
        periods.move_start(employee, values["hire_date"])
    recounted: list[Recounted] = []
    if values or week is not None or password is not UNSET:
        kept = {name: value for name, value in values.items() if name != "site_id"}
        employee.change(**kept, **bank_account.marks(employee.bank_account, values))
        contacts.follow_employee(employee.id, employee.name, employee.bank_account)
        if "site_id" in values:
            recounted = _move(employee, values["site_id"])
        if week is not None:
            recounted += schedules.change(employee, week, week_from)
        if password is not UNSET:
            sealing.keep(employee.id, password)
        also = {"work_schedule": week is not None, "payslip_password": password is not UNSET}
        _write_event(employee, [*values, *(name for name, is_changed in also.items() if is_changed)])
    return employee, recounted


def _move(employee: Employee, site_id: str) -> list[Recounted]:
    """Let an employee work at another site; leave from today on, and grants by the full week, follow."""
    with ledger.correcting_grants(employee.id, "The person works at another site."):
        employee.change(site_id=site_id)
    recounted = recounting.recount_site(employee.id)
    attendance.recompute(employee.id, workspace_settings.today(), date.max)
    return recounted


def _refuse_own(employee: Employee, values: Mapping[str, Any]) -> None:
    if "user_id" in values and own_pay.is_own(employee) and not own_pay.is_alone():
        raise OwnLink
    becomes_own = values.get("user_id") == caller.current().user_id
    if "bank_account" in values and (becomes_own or own_pay.is_own(employee)) and not own_pay.is_alone():
        raise OwnPay(action=Word("change your own bank account"), whom=own_pay.another())


def _check_payslips(employee: Employee, values: Mapping[str, Any], password: str | Unset | None) -> None:
    if password is UNSET and "payslip_mail" not in values:
        return  # one that came from another installation may lack the password
    is_kept = sealing.has(employee.id) if password is UNSET else password is not None
    if values.get("payslip_mail", employee.payslip_mail) == "attached" and not is_kept:
        raise Invalid.one("payslipPassword", "no_password", NO_PASSWORD)


def _write_event(employee: Employee, changed: list[str]) -> None:
    event_data = {"name": employee.name, "changed": [wire_name(name) for name in changed]}
    events.write("employee.updated", "employee", employee.id, event_data)


_NESTED = ("address", "bank_account", "emergency_contact")


def columns(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a body as columns.

    Raises:
        UnknownReference: there is no such site in this workspace.
    """
    parts = {name: values[name].kept() or None for name in _NESTED if values.get(name)}
    if "site_id" in values:
        parts["site_id"] = sites.refer(values["site_id"]).id if values["site_id"] else default_id()
    return {**values, **parts}


def check(values: Mapping[str, Any], employee: Employee | None = None) -> None:
    """Check that new or changed columns fit the other employees and the members.

    Raises:
        UnknownReference: there is no such employee or member in this workspace.
        Invalid: the manager has left, or reports to the employee; or a day does not fit.
        AlreadyExists: the number or the user is another employee's.
    """
    complaints = Complaints()
    if values.get("manager_employee_id") is not None:
        with complaints.gathered():
            reporting_line.check(values["manager_employee_id"], employee)
    if values.get("user_id") is not None and members.strangers([values["user_id"]]):
        complaints.unknown("userId", Noun("member"))
    with complaints.gathered():
        personal.check(values, employee)
    complaints.refuse()
    _check_is_free("employee_number", values, says("{name} already has the number {value}."))
    _check_is_free("payroll_number", values, says("{name} already has the number {value}."))
    _check_is_free("user_id", values, says("This user is already linked to {name}."))


def _check_is_free(column: str, values: Mapping[str, Any], message: Sentence) -> None:
    value = values.get(column)
    other = None if value is None else Employee.find_by(**{column: value})
    if other is not None:
        raise AlreadyExists(message.fill(value=value, name=other.name), field=wire_name(column))
