"""The day counts of a payslip, and its warnings."""

from collections.abc import Iterator, Sequence
from datetime import date

from erp.hr.calendar.work_days import WorkDay
from erp.hr.payroll.calculation import base_pay, proration, wording
from erp.hr.payroll.calculation.values import WHOLE_DAY, Basis, Component, DayCount, PayInputs, PayWarning, Work
from erp.kernel.language import Word, says


def count(inputs: PayInputs, works: Sequence[Work]) -> DayCount:
    """Count the scheduled days of the period and the paid ones among them; calendar days where none is scheduled."""
    period = [day for day in inputs.work_days if inputs.period_start <= day.date <= inputs.period_end]
    basis, working = proration.whole(period, "working_days")
    paid = [day for work in works for day in work.days]
    return DayCount(
        working=working,
        paid=sum(_paid(inputs, work, basis) for work in works),
        unpaid_leave=sum(proration.unpaid(inputs, day.date) for day in paid),
        paid_leave=sum(_leave(inputs, day) for day in paid),
        worked_minutes=sum(inputs.worked_minutes.get(day.date, 0) for day in paid),
    )


def _paid(inputs: PayInputs, work: Work, basis: Basis) -> int:
    """On a salary, days count as scheduled; on hourly pay, a day counts if it has work or paid leave."""
    if work.terms.pay_type == "salary":
        return proration.paid_units(inputs, work.days, basis)
    return sum(WHOLE_DAY if inputs.worked_minutes.get(day.date) else _leave(inputs, day) for day in work.days)


def _leave(inputs: PayInputs, day: WorkDay) -> int:
    return min(inputs.paid_leave.get(day.date, 0), WHOLE_DAY)


def warnings(inputs: PayInputs, works: Sequence[Work], net: int) -> Iterator[PayWarning]:
    """Warnings about the days and the result."""
    days = base_pay.paid_days(inputs)
    missing = len(days) - sum(len(work.days) for work in works)
    if not days:
        yield PayWarning("nothing_due", says("No day of the period is left to pay."))
    if missing:
        yield PayWarning("missing_pay", _missing(missing, days[0].date))
    if any(work.terms.pay_type == "hourly" for work in works) and not _has_time(inputs, works):
        yield PayWarning("no_time", says("Pay is hourly, but no working time is recorded in the period."))
    if net < 0:
        below = wording.amount(net, inputs.currency)
        yield PayWarning("net_below_zero", says("Net pay is below zero: {amount}.", amount=below))


def _missing(count: int, first: date) -> str:
    if count == 1:
        return says("No pay is set for 1 day, {day}.", day=first)
    return says("No pay is set for {count} days, starting on {day}.", count=count, day=first)


def _has_time(inputs: PayInputs, works: Sequence[Work]) -> bool:
    days = [day for work in works if work.terms.pay_type == "hourly" for day in work.days]
    return any(inputs.worked_minutes.get(day.date) or _leave(inputs, day) for day in days)


def incomplete(component: Component) -> PayWarning:
    """The warning about a component without the amount or percentage it needs."""
    part = "amount" if component.calculation in ("fixed", "per_hour") else "percentage"
    message = says(
        "{component} has no {what}, so it was left out. Set one in the component or in the employee's pay.",
        component=component.name,
        what=Word(part),
    )
    return PayWarning("incomplete_component", message)
