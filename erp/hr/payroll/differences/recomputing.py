"""Payslips of approved runs by today's facts: with the rules, the source of time and the year that they have kept."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

from erp.hr.access.models import Employee
from erp.hr.calendar import work_calendar
from erp.hr.payroll import inputs, store
from erp.hr.payroll.calculation import payslip as calculation
from erp.hr.payroll.calculation.values import PayLine
from erp.hr.payroll.due import Due
from erp.hr.payroll.inputs import ByHand, Case, PayTooLarge
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import Override, StoredLine
from erp.store import sql
from erp.store.router import WORKSPACE

_DAYS = "SELECT payslip_id, date FROM paid_day WHERE payslip_id IN (SELECT value FROM json_each(?)) ORDER BY date"
_EMPLOYEES = "SELECT * FROM employee WHERE id IN (SELECT value FROM json_each(?))"
_MORE_LINES = 12
"""The most lines that a code can gain on a recomputed payslip."""


def due(
    run: PayrollRun, payslips: Sequence[Payslip], lines: Mapping[str, Sequence[StoredLine]]
) -> dict[str, Sequence[PayLine]]:
    """The lines that payslips of one run would have, by payslip; none for someone whom it would not pay."""
    by_employee = {payslip.employee_id: payslip for payslip in payslips}
    days, by_hand = _days(payslips), {id: _by_hand(lines[payslip.id]) for id, payslip in by_employee.items()}
    calendars = work_calendar.of(list(by_employee), *calculation.days_needed(run.period_start, run.period_end))
    due = [
        Due(
            employee,
            calendars[employee.id],
            days[by_employee[employee.id].id],
            {},
            always=bool(by_hand[employee.id].one_offs),
        )
        for employee in Employee.fetch(_EMPLOYEES, sql.array(by_employee))
    ]
    cases = inputs.gather(run, due, by_hand, by_employee)
    results = {case.due.employee.id: _due(case, lines[by_employee[case.due.employee.id].id]) for case in cases}
    return {payslip.id: results.get(id, ()) for id, payslip in by_employee.items()}


def _due(case: Case, paid: Sequence[StoredLine]) -> Sequence[PayLine]:
    """The lines due; the paid ones where an amount is beyond what the books hold, which no run could pay."""
    try:
        return case.compute().lines
    except PayTooLarge:
        return [line for line in paid if line.is_of_period]


def _days(payslips: Sequence[Payslip]) -> dict[str, list[date]]:
    days: dict[str, list[date]] = defaultdict(list)
    for id, day in WORKSPACE.rows(_DAYS, (sql.array(payslip.id for payslip in payslips),)):
        days[id].append(date.fromisoformat(day))
    return days


def _by_hand(lines: Sequence[StoredLine]) -> ByHand:
    """The one-off lines; and the lines of each code that has an override, which stay as they were paid."""
    paid = dict(zip(store.keys(lines), (line.amount for line in store.computed(lines)), strict=True))
    pinned = {key.rsplit("/", 1)[0] for key in store.overrides(lines)}
    amounts = {f"{code}/{number}": 0 for code in pinned for number in range(1, _MORE_LINES + 1)}
    amounts |= {key: amount for key, amount in paid.items() if key.rsplit("/", 1)[0] in pinned}
    return ByHand(
        overrides={key: Override(amount, "") for key, amount in amounts.items()},
        one_offs=[line for line in lines if line.line_id is not None],
    )
