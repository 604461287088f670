"""The figures of people in a month: hours, days of absence, and pay as it would be computed without any other run."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date

import msgspec
from msgspec.structs import replace

from erp.hr.access.models import Employee
from erp.hr.attendance import summary
from erp.hr.calendar import work_calendar
from erp.hr.calendar.work_days import WorkCalendar
from erp.hr.employees import employment
from erp.hr.payroll import inputs
from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.calculation.values import WHOLE_DAY
from erp.hr.payroll.due import Due
from erp.hr.payroll.inputs import Case
from erp.hr.payroll.models import PayrollRun
from erp.kernel import money
from erp.kernel.days import month_end
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

Key = tuple[str, str | None]
"""A source of wage data, and the pay component of the source `component`."""


class Figure(msgspec.Struct):
    """The sum of a source: minutes, hundredths of days, and minor units of money, whichever it has."""

    minutes: int = 0
    days: int = 0
    amount: int = 0

    def quantity(self, unit: str) -> int:
        """The sum in a unit; hours are hundredths, rounded half up."""
        return {"hours": money.divide(self.minutes * 100, 60), "days": self.days, "amount": self.amount}[unit]

    def add_day(self, days: int, scheduled_minutes: int) -> None:
        """Add hundredths of a day of so many scheduled minutes."""
        self.days += days
        self.minutes += money.divide(scheduled_minutes * days, WHOLE_DAY)


Figures = Mapping[Key, Figure]


def of_month(month: str, among: Collection[str] | None) -> dict[str, Figures]:
    """The figures of all people employed in a month, by employee.

    Args:
        among: the employees to look at; all of them by default.

    Raises:
        PayTooLarge: an employee's pay is beyond what the books hold.
    """
    start = date.fromisoformat(f"{month}-01")
    end = month_end(start)
    employed = [row for row in employment.employees_between(start, end) if among is None or row.id in among]
    ids = [employee.id for employee in employed]
    calendars = work_calendar.of(ids, *payslip.days_needed(start, end))
    figures: dict[str, dict[Key, Figure]] = {id: defaultdict(Figure) for id in ids}
    for id, sums in summary.sums(ids, start, end).items():
        figures[id]["worked_hours", None].minutes = sums.worked
        figures[id]["overtime_hours", None].minutes = sums.overtime
    _add_absences(figures, calendars, start, end)
    for case in _cases(employed, calendars, start, end):
        _add_pay(figures[case.due.employee.id], case, start)
    return {id: dict(sources) for id, sources in figures.items()}


_ABSENCES = """
SELECT leave_day.employee_id, date, leave_day.days,
    CASE WHEN is_paid = false THEN 'unpaid_days' WHEN code = 'sick' THEN 'sick_days' ELSE 'leave_days' END
FROM leave_day JOIN leave_application ON leave_application.id = application_id
JOIN leave_type ON leave_type.id = leave_type_id
WHERE status = 'approved' AND leave_day.days > 0 AND date BETWEEN ? AND ?
AND leave_day.employee_id IN (SELECT value FROM json_each(?))
"""


def _add_absences(
    figures: Mapping[str, dict[Key, Figure]], calendars: Mapping[str, WorkCalendar], start: date, end: date
) -> None:
    for id, day, days, source in WORKSPACE.rows(_ABSENCES, (str(start), str(end), sql.array(figures))):
        figures[id][source, None].add_day(days, calendars[id].day(date.fromisoformat(day)).scheduled_minutes)
    for id, calendar in calendars.items():
        for work_day in calendar.days(start, end):
            if work_day.employed and work_day.scheduled_minutes and work_day.holiday is not None:
                figures[id]["holiday_days", None].add_day(WHOLE_DAY, work_day.scheduled_minutes)


def _cases(employed: Collection[Employee], calendars: Mapping[str, WorkCalendar], start: date, end: date) -> list[Case]:
    """The payslips of a month as if no run had paid any of it, of pay in the base currency alone."""
    run = PayrollRun(
        id="",
        period_start=start,
        period_end=end,
        pay_date=end,
        currency=workspace_settings.current().base_currency,
    )
    entries = [
        Due(
            employee,
            calendars[employee.id],
            [day.date for day in calendars[employee.id].days(start, end) if day.employed],
            {},
            always=True,
        )
        for employee in employed
    ]
    cases = inputs.gather(run, entries, {})
    return [replace(case, inputs=replace(case.inputs, before=())) for case in cases]


def _add_pay(figures: dict[Key, Figure], case: Case, start: date) -> None:
    if case.source == "time_logs":
        minutes = sum(minutes for day, minutes in case.inputs.worked_minutes.items() if day >= start)
        figures["worked_hours", None].minutes = minutes
    result = case.compute()
    figures["base_pay", None].amount = result.base
    for line in result.lines:
        if line.component_id is not None:
            figures["component", line.component_id].amount += line.amount
