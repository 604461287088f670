"""Who is due in a payroll run, and for which days: those employed, less the days that another run pays."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from erp.hr import locked_days
from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import WorkCalendar
from erp.hr.employees import employment
from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.models import PayrollRun
from erp.kernel.complaints import refuse_any
from erp.kernel.errors import Complaint, Invalid, Refusal


class NobodyDue(Refusal):
    """Nobody is left to be paid in this period: there is nobody employed on pay, or the days are paid already."""

    status = 422


class DaysInOtherRun(Refusal):
    """{name} is paid for {day} by payroll run {run}; nobody is paid twice for a day."""


@dataclass(frozen=True, slots=True)
class Due:
    """Somebody to be paid: `days` by this run, and those of the period that others pay, with their numbers."""

    employee: Employee
    roster: WorkCalendar
    days: Sequence[date]
    paid_elsewhere: dict[date, str]


def find(run: PayrollRun, only: str | None = None) -> list[Due]:
    """Everybody who is employed in the period of a run, by number.

    Args:
        only: one employee, to leave out all others.

    Raises:
        DaysInOtherRun: the run names somebody of whom another live run has days.
    """
    wanted = [each for each in employment.employees_between(run.period_start, run.period_end) if _wants(run, each)]
    found = _with_days(run, [each for each in wanted if only in (None, each.id)])
    if run.employee_ids is not None:
        _refuse_taken(found)
    return found


def named(values: Sequence[str], start: date, end: date) -> list[str]:
    """The ids of the employees that a request names by id or number, each once.

    Raises:
        UnknownReference: one of them is not in this workspace.
        Invalid: several are not, or somebody is not employed in the period.
    """
    employed = {each.id for each in employment.employees_between(start, end)}
    complaints: list[Complaint] = []
    found: dict[str, None] = {}
    for place, value in enumerate(values):
        field = f"employeeIds[{place}]"
        try:
            employee = people.refer(value, field)
        except Invalid as refusal:
            complaints += refusal.details
            continue
        found[employee.id] = None
        if employee.id not in employed:
            complaints.append(Complaint(field, "not_employed", f"{employee.name} is not employed in the period."))
    refuse_any(complaints, "employee")
    return list(found)


def _wants(run: PayrollRun, employee: Employee) -> bool:
    return run.employee_ids is None or employee.id in run.employee_ids


def _with_days(run: PayrollRun, employees: Sequence[Employee]) -> list[Due]:
    ids = [each.id for each in employees]
    known = work_calendar.of(ids, *payslip.days_needed(run.period_start, run.period_end))
    taken = locked_days.taken(ids, run.period_start, run.period_end, except_run=run.id)
    return [_due(run, each, known[each.id], taken[each.id]) for each in employees]


def _due(run: PayrollRun, employee: Employee, roster: WorkCalendar, taken: dict[date, str]) -> Due:
    days = [day.date for day in roster.days(run.period_start, run.period_end) if day.employed]
    return Due(employee, roster, [day for day in days if day not in taken], taken)


def _refuse_taken(found: Sequence[Due]) -> None:
    for each in found:
        for day, number in each.paid_elsewhere.items():
            raise DaysInOtherRun(name=each.employee.name, day=day, run=number)
