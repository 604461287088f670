"""Pay for leave that is left when an employee leaves, and its proposal in the draft of their last month."""

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from erp.hr.access import own_pay, people
from erp.hr.access.models import Employee
from erp.hr.calendar import work_calendar
from erp.hr.employees import employment
from erp.hr.employees.models import Compensation
from erp.hr.leave import balances
from erp.hr.leave.days import DaysText, shown
from erp.hr.payroll import inputs, store
from erp.hr.payroll.calculation import wording
from erp.hr.payroll.calculation.proration import PERIODS_OF_YEAR
from erp.hr.payroll.calculation.values import Component
from erp.hr.payroll.models import PayComponent, PayrollRun
from erp.hr.payroll.store import StoredLine
from erp.kernel import money
from erp.kernel.days import monday
from erp.kernel.errors import Refusal
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Query, View, show

CODE = "leave_payout"
Method = Literal["year_days", "last_13_weeks"]
_WEEKS = 52
_LAST_WEEKS = 13


class NoPayInForce(Refusal):
    """{name} has no pay and no working days on {day}, so a day of leave has no value."""

    status = 422


class Payout(msgspec.Struct, frozen=True):
    """The pay for the leave left; days in hundredths."""

    employee: Employee
    currency: str
    days: int
    rate: int
    amount: int
    method: Method
    explanation: str


class PayoutQuery(Query):
    """The day on which leave is counted."""

    date: Annotated[Day, msgspec.Meta(description="The last day of work, or today, by default.")] | None = None


class LeavePayoutView(View):
    """The pay for the leave that an employee has left: days × the rate of a day."""

    employee_id: str
    employee_name: str
    date: str
    days: DaysText
    daily_rate: Money
    amount: Money
    currency: str
    method: Method
    explanation: str


class PayProposal(View):
    """A one-off line that a draft proposes: the leave of someone who leaves in its period."""

    kind: Literal["leave_payout"]
    employee_id: str
    employee_name: str
    days: DaysText
    daily_rate: Money
    amount: Money
    explanation: str


_EARNED = """
SELECT run.period_start, run.period_end, sum(line.amount) FROM payslip
JOIN payroll_run AS run ON run.id = run_id JOIN payslip_line AS line ON line.payslip_id = payslip.id
LEFT JOIN pay_component AS component ON component.id = line.component_id
WHERE payslip.employee_id = ? AND run.currency = ?
AND run.kind = 'regular' AND run.status IN ('approved', 'paid') AND line.kind = 'earning'
AND line.line_id IS NULL AND coalesce(component.calculation, '') <> 'overtime'
AND run.period_end >= ? AND run.period_start <= ? GROUP BY run.id, run.period_start, run.period_end
"""
_LEAVERS = """
SELECT employee.* FROM payslip JOIN employee ON employee.id = employee_id
WHERE run_id = ? AND termination_date BETWEEN ? AND ? AND NOT EXISTS (
    SELECT 1 FROM payslip_line AS line JOIN payslip AS paid ON paid.id = line.payslip_id
    JOIN payroll_run AS run ON run.id = paid.run_id
    WHERE paid.employee_id = employee.id AND run.status <> 'reversed' AND line.component_id = ?
    AND run.period_end >= hire_date)
ORDER BY employee_number
"""


def of(employee: Employee, day: date) -> Payout:
    """The pay for the leave that an employee has left on a day; none if leave is overdrawn.

    Raises:
        NoPayInForce: they have no pay, or no working day in a week.
    """
    days = max(0, balances.left_on(employee.id, day))
    week = _week(employee.id, day)
    pays = employment.compensations_between([employee.id], day, day).get(employee.id)
    if not pays or not any(week):
        raise NoPayInForce(name=employee.name, day=day)
    value, method, words = _daily(employee.id, pays[-1], week, day)
    rate = wording.rounded(value)
    amount = wording.rounded(Fraction(rate * days, 100))
    currency = pays[-1].currency
    words = says(
        "{words}; {days} days × {rate} = {amount}",
        words=words,
        days=wording.days(days),
        rate=wording.amount(rate, currency),
        amount=wording.amount(amount, currency),
    )
    return Payout(employee, currency, days, rate, amount, method, words)


def _week(employee_id: str, day: date) -> list[int]:
    """The scheduled minutes of the working days of the week of a day."""
    calendar = work_calendar.of([employee_id], day, day)[employee_id]
    week = calendar.days(monday(day), monday(day) + timedelta(days=6))
    return [each.scheduled_minutes for each in week if each.scheduled_minutes]


def _daily(employee_id: str, pay: Compensation, week: Sequence[int], day: date) -> tuple[Fraction, Method, str]:
    """The value of a day, its method and its arithmetic; pay of the last weeks only where there is some."""
    currency = pay.currency
    if workspace_settings.current().leave_payout == "last_13_weeks":
        earned = _earned(employee_id, day, currency)
        if earned:
            words = says(
                "{amount} in the last {weeks} weeks ÷ ({weeks} × {days} days a week)",
                amount=wording.amount(earned, currency),
                weeks=_LAST_WEEKS,
                days=len(week),
            )
            return earned / (_LAST_WEEKS * len(week)), "last_13_weeks", words
    year = _yearly(pay, week)
    words = says(
        "{amount} a year ÷ ({weeks} × {days} days a week)",
        amount=wording.amount(year, currency),
        weeks=_WEEKS,
        days=len(week),
    )
    return year / (_WEEKS * len(week)), "year_days", words


def _yearly(pay: Compensation, week: Sequence[int]) -> Fraction:
    if pay.pay_type == "hourly":
        return Fraction(pay.amount * sum(week) * _WEEKS, 60)
    return Fraction(pay.amount * PERIODS_OF_YEAR[pay.frequency])  # type: ignore[index]


def _earned(employee_id: str, day: date, currency: str) -> Fraction:
    """Pay without overtime and one-off lines in the weeks up to a day; of a payslip that began earlier, its part."""
    first, total = day - timedelta(weeks=_LAST_WEEKS) + timedelta(days=1), Fraction(0)
    for start, end, amount in WORKSPACE.rows(_EARNED, (employee_id, currency, first.isoformat(), day.isoformat())):
        begin, stop = date.fromisoformat(start), date.fromisoformat(end)
        within = (min(stop, day) - max(begin, first)).days + 1
        total += Fraction(amount * within, (stop - begin).days + 1)
    return total


def proposed(run: PayrollRun) -> list[Payout]:
    """The payouts of people who leave in the period of a draft and have leave left, if no live run has one."""
    component = _component(run)
    if run.status != "draft" or component is None:
        return []
    period = run.period_start.isoformat(), run.period_end.isoformat()
    payouts = []
    for employee in Employee.fetch(_LEAVERS, run.id, *period, component.id):
        assert employee.termination_date is not None
        try:
            payouts.append(of(employee, employee.termination_date))
        except NoPayInForce:
            continue
    return [payout for payout in payouts if payout.amount and payout.currency == run.currency]


def _component(run: PayrollRun) -> Component | None:
    row = PayComponent.find_by(code=CODE)
    if row is None or row.archived_at is not None:
        return None
    return next((component for component in inputs.component_list(run) if component.id == row.id), None)


def lines(run: PayrollRun) -> dict[str, list[StoredLine]]:
    """The one-off lines of a draft with the proposed ones; the caller's own proposal is left to someone else."""
    entered = store.one_offs(run.id)
    own_id = None if own_pay.is_alone() else people.own_id()
    component = _component(run)
    for payout in proposed(run):
        assert component is not None
        if payout.employee.id != own_id:
            entered.setdefault(payout.employee.id, []).append(_line(payout, component))
    return entered


def _line(payout: Payout, component: Component) -> StoredLine:
    return StoredLine(
        component_id=component.id,
        code=component.code,
        name=component.name,
        kind=component.kind,
        quantity=payout.days * money.MICRO // 100,
        rate=wording.micro(wording.major(payout.rate, payout.currency)),
        amount=payout.amount,
        computed_amount=payout.amount,
        explanation=payout.explanation,
        expense_account_id=component.expense_account_id,
        liability_account_id=component.liability_account_id,
        line_id=new_id(),
        reason=component.name,
    )


def views(run: PayrollRun) -> list[PayProposal]:
    return [
        show(PayProposal, payout, kind="leave_payout", **_figures(payout))
        for payout in (proposed(run) if run.number else ())
    ]


def _figures(payout: Payout) -> dict[str, str]:
    currency = payout.currency
    return {
        "employee_id": payout.employee.id,
        "employee_name": payout.employee.name,
        "days": shown(payout.days),
        "daily_rate": money.text(payout.rate, currency),
        "amount": money.text(payout.amount, currency),
    }


class OfEmployee:
    @endpoint(permission="pay.read", refuses=(NoPayInForce,))
    def on_get(self, id: str, query: PayoutQuery) -> LeavePayoutView:
        """Show the pay for the leave that an employee has left on a day.

        Paid leave with an allowance counts. The rate of a day follows from the workspace setting `leavePayout`: a
        year's base pay by its working days, or the pay of the last 13 weeks without overtime.
        """
        employee = Employee.find(id)
        day = query.date or employee.termination_date or workspace_settings.today()
        payout = of(employee, day)
        return show(LeavePayoutView, payout, date=day.isoformat(), **_figures(payout))
