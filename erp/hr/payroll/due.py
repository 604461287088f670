"""The employees due in a payroll run, and their days: employment less the days that another run pays."""

from collections.abc import Collection, Sequence
from datetime import date

import msgspec

from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import WorkCalendar
from erp.hr.employees import employment
from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.models import PayrollRun
from erp.kernel.complaints import refuse_any
from erp.kernel.errors import Complaint, Invalid, Refusal
from erp.kernel.language import Noun, says
from erp.store import sql
from erp.store.router import WORKSPACE


class NobodyDue(Refusal):
    """No employees to pay in this period. Either no pay is set, or other payroll runs already pay its days."""

    status = 422


class DaysInOtherRun(Refusal):
    """Payroll run {run} already pays {name} for {day}. Choose a period without that day, or reverse that run."""


class Due(msgspec.Struct, frozen=True):
    """An employee to pay: `days` by this run; `paid_elsewhere` has the numbers of the runs that pay other days.

    With `always`, they get a payslip even if it pays no day.
    """

    employee: Employee
    work_calendar: WorkCalendar
    days: Sequence[date]
    paid_elsewhere: dict[date, str]
    always: bool = False


def find(run: PayrollRun, only: str | None = None) -> list[Due]:
    """The employees of a run who are employed in its period, by number.

    Args:
        only: one employee, to leave out all others.

    Raises:
        DaysInOtherRun: another live run pays days of an employee whom this run names.
    """
    employees = [
        employee
        for employee in employment.employees_between(run.period_start, run.period_end)
        if only in (None, employee.id) and (run.employee_ids is None or employee.id in run.employee_ids)
    ]
    due = _with_days(run, employees)
    if run.employee_ids is not None:
        _refuse_taken(due)
    return due


def without_days(run: PayrollRun, employee_ids: Collection[str]) -> list[Due]:
    """Employees who get a payslip that pays no day, by number."""
    employees = Employee.fetch(_BY_NUMBER, sql.array(employee_ids))
    calendars = work_calendar.of(list(employee_ids), *payslip.days_needed(run.period_start, run.period_end))
    return [Due(employee, calendars[employee.id], [], {}, always=True) for employee in employees]


_BY_NUMBER = "SELECT * FROM employee WHERE id IN (SELECT value FROM json_each(?)) ORDER BY employee_number"


def named(values: Sequence[str], period: tuple[date, date] | None = None) -> list[str]:
    """The ids of the employees that a request names by id or number, each once.

    Raises:
        UnknownReference: one of them is not in this workspace.
        Invalid: several are not, or one is not employed in the period.
    """
    employed = period and {employee.id for employee in employment.employees_between(*period)}
    complaints: list[Complaint] = []
    ids: dict[str, None] = {}
    for index, value in enumerate(values):
        field = f"employeeIds[{index}]"
        try:
            employee = people.refer(value, field)
        except Invalid as refusal:
            complaints += refusal.details
            continue
        ids[employee.id] = None
        if employed is not None and employee.id not in employed:
            complaints.append(
                Complaint(field, "not_employed", says("{name} is not employed in this period.", name=employee.name))
            )
    refuse_any(complaints, Noun("employee"))
    return list(ids)


def _with_days(run: PayrollRun, employees: Sequence[Employee]) -> list[Due]:
    ids = [employee.id for employee in employees]
    calendars = work_calendar.of(ids, *payslip.days_needed(run.period_start, run.period_end))
    paid = _paid(ids, run.period_start, run.period_end, run.id)
    return [_due(run, employee, calendars[employee.id], paid[employee.id]) for employee in employees]


_PAID = """
SELECT paid_day.employee_id, paid_day.date, payroll_run.number FROM paid_day
JOIN payslip ON payslip.id = paid_day.payslip_id JOIN payroll_run ON payroll_run.id = payslip.run_id
WHERE paid_day.employee_id IN (SELECT value FROM json_each(?)) AND paid_day.date BETWEEN ? AND ?
AND payslip.run_id IS DISTINCT FROM CAST(? AS TEXT) ORDER BY paid_day.date
"""


def _paid(employee_ids: Collection[str], start: date, end: date, except_run: str) -> dict[str, dict[date, str]]:
    """The days from `start` to `end` that other payroll runs pay, drafts included, by employee, with the number."""
    days: dict[str, dict[date, str]] = {id: {} for id in employee_ids}
    for id, day, number in WORKSPACE.rows(_PAID, (sql.array(days), start.isoformat(), end.isoformat(), except_run)):
        days[id][date.fromisoformat(day)] = number
    return days


def _due(run: PayrollRun, employee: Employee, calendar: WorkCalendar, paid: dict[date, str]) -> Due:
    days = [day.date for day in calendar.days(run.period_start, run.period_end) if day.employed]
    return Due(employee, calendar, [day for day in days if day not in paid], paid)


def _refuse_taken(due: Sequence[Due]) -> None:
    for entry in due:
        for day, number in entry.paid_elsewhere.items():
            raise DaysInOtherRun(name=entry.employee.name, day=day, run=number)
