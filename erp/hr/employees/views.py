"""Views of employees and their pay, as far as the caller can see."""

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET

from erp.hr.access import people, reporting_line
from erp.hr.access.models import Employee
from erp.hr.access.people import Status
from erp.hr.employees import compensation, personal, same_person, schedules
from erp.hr.employees.bank_account import BankAccountView
from erp.hr.employees.compensation import Frequency, PayType
from erp.hr.employees.employees import EmploymentType, PayslipMail
from erp.hr.employees.leaving import Leaver
from erp.hr.employees.models import Compensation
from erp.hr.employees.personal import EmergencyContactView
from erp.hr.employees.schedules import WorkWeekView
from erp.hr.leave.changing import Recounted
from erp.hr.leave.days import DaysText, shown
from erp.kernel import caller, money
from erp.kernel.language import says
from erp.mail import sealing
from erp.members.invites import CreatedInviteView
from erp.store import names, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.address import AddressView
from erp.web.scalars import Figure, Instant, Money
from erp.web.schema import RecordView, Unset, View, show

ONLY_PAY = msgspec.Meta(description="For the employee and readers of pay.")
ONLY_HR = msgspec.Meta(description="For the employee and people with the right to change employees.")


class PersonalComponentView(View):
    """An employee's pay component, with the employee's own amount or percentage."""

    component_id: str
    component_code: str | None
    component_name: str | None
    amount: Money | Unset = UNSET
    percent: Figure | Unset = UNSET


class PayView(View):
    """An employee's pay."""

    pay_type: PayType
    amount: Money
    currency: str
    frequency: Frequency
    components: list[PersonalComponentView]
    effective_from: str

    @classmethod
    def of(cls, pay: Compensation) -> "PayView":
        """The view of a compensation without its record's fields."""
        return show(cls, pay, **_pay(pay))


class CompensationView(RecordView):
    """An employee's pay from a day on, until the next compensation."""

    created_by: str | None
    created_by_name: str | None
    employee_id: str
    employee_name: str
    pay_type: PayType
    amount: Money
    currency: str
    frequency: Frequency
    components: list[PersonalComponentView]
    effective_from: str
    replaced_by_id: Annotated[str | None, msgspec.Meta(description="The later one for the same day, if any.")]

    @classmethod
    def of(cls, pay: Compensation) -> "CompensationView":
        return cls.of_many([pay])[0]

    @classmethod
    def of_many(cls, history: Sequence[Compensation]) -> "list[CompensationView]":
        named = names.of(employee=[pay.employee_id for pay in history])
        return [show(cls, pay, employee_name=named.name(pay.employee_id), **_pay(pay)) for pay in history]


def _pay(pay: Compensation) -> dict[str, Any]:
    return {
        "amount": money.text(pay.amount, pay.currency),
        "components": [_component(component, pay.currency) for component in pay.components],
        "effective_from": pay.effective_from.isoformat(),
    }


def _components() -> dict[str, tuple[str, str]]:
    """The codes and names of all pay components by id; a workspace has few."""
    return {id: (code, name) for id, code, name in WORKSPACE.rows("SELECT id, code, name FROM pay_component")}


def _component(stored: dict[str, Any], currency: str) -> PersonalComponentView:
    id = stored["componentId"]
    code, name = WORKSPACE.memo("pay components", _components).get(id, (None, None))
    return PersonalComponentView(
        component_id=id,
        component_code=code,
        component_name=name,
        amount=money.text(stored["amount"], currency) if "amount" in stored else UNSET,
        percent=money.plain(stored["percent"]) if "percent" in stored else UNSET,
    )


class EmployeeView(RecordView):
    """An employee; schedule and compensation are today's, or the first of a future employment."""

    created_by: str | None
    created_by_name: str | None
    employee_number: str
    name: str
    email: str | None
    user_id: str | None
    user_name: str | None
    job_title: str | None
    department: str | None
    manager_employee_id: str | None
    manager_name: str | None
    employment_type: EmploymentType
    hire_date: str
    termination_date: str | None
    status: Status
    work_schedule: WorkWeekView
    keeps_attendance: bool
    expects_time: bool
    site_id: str
    site_name: str
    time_zone: Annotated[str | None, msgspec.Meta(description="Null: the user's, else the site's.")]
    phone: Annotated[str | Unset | None, ONLY_HR] = UNSET
    address: Annotated[AddressView | Unset | None, ONLY_HR] = UNSET
    termination_reason: Annotated[str | Unset | None, ONLY_HR] = UNSET
    contract_end: Annotated[str | Unset | None, ONLY_HR] = UNSET
    probation_end: Annotated[str | Unset | None, ONLY_HR] = UNSET
    birthday: Annotated[str | Unset | None, ONLY_HR] = UNSET
    emergency_contact: Annotated[EmergencyContactView | Unset | None, ONLY_HR] = UNSET
    payslip_mail: Annotated[PayslipMail | Unset, ONLY_HR] = UNSET
    has_payslip_password: Annotated[bool | Unset, ONLY_HR] = UNSET
    compensation: Annotated[PayView | Unset | None, ONLY_PAY] = UNSET
    bank_account: Annotated[BankAccountView | Unset | None, ONLY_PAY] = UNSET
    tax_number: Annotated[str | Unset | None, ONLY_PAY] = UNSET
    payroll_number: Annotated[int | Unset | None, ONLY_PAY] = UNSET

    @classmethod
    def of(cls, employee: Employee) -> "EmployeeView":
        (view,) = of_many([employee])
        return view


class RecountedView(View):
    """Leave that another work schedule has recounted."""

    id: str
    days: DaysText
    days_before: DaysText


class ChangedEmployeeView(EmployeeView):
    """An employee after a change."""

    recounted_leaves: Annotated[
        list[RecountedView] | Unset, msgspec.Meta(description="Leave that takes other days by a new `workSchedule`.")
    ] = UNSET

    @classmethod
    def of_change(cls, employee: Employee, recounted: Sequence[Recounted]) -> "ChangedEmployeeView":
        rows = [RecountedView(row.leave.id, shown(row.days), shown(row.days_before)) for row in recounted]
        return cls(**msgspec.structs.asdict(EmployeeView.of(employee)), recounted_leaves=rows or UNSET)


class TerminatedEmployeeView(EmployeeView):
    """An employee who leaves, with what they leave behind."""

    access_ends_at: Annotated[
        Instant | None, msgspec.Meta(description="When they can no longer enter the workspace; null if they still can.")
    ] = None
    open_tasks: Annotated[
        int, msgspec.Meta(description="Tasks assigned to them that are neither done nor cancelled.")
    ] = 0
    reports: Annotated[int, msgspec.Meta(description="People whose manager they are until they have left.")] = 0

    @classmethod
    def of_leaver(cls, leaver: Leaver) -> "TerminatedEmployeeView":
        view = msgspec.structs.asdict(EmployeeView.of(leaver.employee))
        ends_at = leaver.access_ends_at and Instant(leaver.access_ends_at)
        return cls(**view, access_ends_at=ends_at, open_tasks=leaver.open_tasks, reports=leaver.reports)


class HiringWarning(View):
    """A remark about an employee who was added."""

    code: Literal["possible_duplicate"]
    message: str


class HiredEmployeeView(EmployeeView):
    """A new employee, with the invite's secret link, which is shown only once."""

    warnings: list[HiringWarning] | Unset = UNSET
    invite_token: str | Unset = UNSET
    invite_url: str | Unset = UNSET

    @classmethod
    def of_hired(cls, employee: Employee, invite: CreatedInviteView | None) -> "HiredEmployeeView":
        token = UNSET if invite is None else invite.token or UNSET
        url = UNSET if invite is None else invite.accept_url or UNSET
        view = msgspec.structs.asdict(EmployeeView.of(employee))
        return cls(**view, warnings=[*_warnings(employee)] or UNSET, invite_token=token, invite_url=url)


def _warnings(employee: Employee) -> Iterator[HiringWarning]:
    number = same_person.namesake(employee)
    if employee.email is None and number is not None:
        text = says("{name} ({number}) has the same name and hire date.", name=employee.name, number=number)
        yield HiringWarning(code="possible_duplicate", message=text)


def of_many(employees: Sequence[Employee]) -> list[EmployeeView]:
    """The views of employees for the caller; three queries for any number of them."""
    ids, today, own_id = [employee.id for employee in employees], workspace_settings.today(), people.own_id()
    weeks, pay = schedules.in_force(ids, today), compensation.in_force(ids, today)
    managers = reporting_line.managers(ids)
    named = names.of(employee=managers.values(), site={employee.site_id for employee in employees})
    with_password = sealing.owners(ids)
    reads_pay, changes_employees = caller.may("pay.read"), caller.may("employees.write")
    return [
        show(
            EmployeeView,
            employee,
            user_name=names.of_user(employee.user_id),
            manager_employee_id=managers.get(employee.id),
            manager_name=named.name(managers.get(employee.id)),
            site_name=named.name(employee.site_id),
            hire_date=employee.hire_date.isoformat(),
            termination_date=employee.termination_date and employee.termination_date.isoformat(),
            status=people.status(employee, today),
            work_schedule=weeks[employee.id],
            **_personal(employee, with_password, is_shown=changes_employees or employee.id == own_id),
            **_private(employee, pay.get(employee.id), is_shown=reads_pay or employee.id == own_id),
        )
        for employee in employees
    ]


_PERSONAL = (
    *("phone", "address", "termination_reason"),
    *("contract_end", "probation_end", "birthday", "emergency_contact", "payslip_mail", "has_payslip_password"),
)


def _personal(employee: Employee, with_password: Collection[str], *, is_shown: bool) -> dict[str, Any]:
    if not is_shown:
        return dict.fromkeys(_PERSONAL, UNSET)
    return {**personal.shown(employee), "has_payslip_password": employee.id in with_password}


def _private(employee: Employee, pay: Compensation | None, *, is_shown: bool) -> dict[str, Any]:
    if not is_shown:
        return {"compensation": UNSET, "bank_account": UNSET, "tax_number": UNSET}
    return {
        "compensation": pay and PayView.of(pay),
        "bank_account": BankAccountView.of(employee.bank_account),
        "tax_number": employee.tax_number,
    }
