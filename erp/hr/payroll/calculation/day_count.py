"""The days of a payslip as it counts them, and what about it somebody should look at."""

from collections.abc import Iterator, Sequence

from erp.hr.calendar.work_days import WorkDay
from erp.hr.payroll.calculation import base_pay, proration, wording
from erp.hr.payroll.calculation.values import WHOLE_DAY, Basis, Component, DayCount, PayInputs, PayWarning, Work


def count(given: PayInputs, works: Sequence[Work]) -> DayCount:
    """Count the scheduled days of the period, and those of them that are paid; without any, calendar days."""
    period = [day for day in given.roster if given.period_start <= day.date <= given.period_end]
    basis, working = proration.whole(period, "working_days")
    paid = [day for work in works for day in work.days]
    return DayCount(
        working=working,
        paid=sum(_paid(given, work, basis) for work in works),
        unpaid_leave=sum(proration.unpaid(given, day.date) for day in paid),
        paid_leave=sum(_leave(given, day) for day in paid),
        worked_minutes=sum(given.worked_minutes.get(day.date, 0) for day in paid),
    )


def _paid(given: PayInputs, work: Work, basis: Basis) -> int:
    """Days on a salary count as scheduled, those by the hour where somebody worked or had paid leave."""
    if work.terms.pay_type == "salary":
        return proration.paid_units(given, work.days, basis)
    return sum(WHOLE_DAY if given.worked_minutes.get(day.date) else _leave(given, day) for day in work.days)


def _leave(given: PayInputs, day: WorkDay) -> int:
    return min(given.paid_leave.get(day.date, 0), WHOLE_DAY)


def warnings(given: PayInputs, works: Sequence[Work], net: int) -> Iterator[PayWarning]:
    """What is odd about the days and the result."""
    days = base_pay.paid_days(given)
    missing = len(days) - sum(len(work.days) for work in works)
    if not days:
        yield PayWarning("nothing_due", "No day of the period is left to be paid.")
    if missing:
        yield PayWarning("missing_pay", f"No pay is set for {missing} days from {days[0].date} on.")
    if any(work.terms.pay_type == "hourly" for work in works) and not _has_time(given, works):
        yield PayWarning("no_time", "Pay is by the hour, and no time was worked in the period.")
    if net < 0:
        yield PayWarning("net_below_zero", f"Net pay is below zero: {wording.amount(net, given.currency)}.")


def _has_time(given: PayInputs, works: Sequence[Work]) -> bool:
    days = [day for work in works if work.terms.pay_type == "hourly" for day in work.days]
    return any(given.worked_minutes.get(day.date) or _leave(given, day) for day in days)


def incomplete(component: Component) -> PayWarning:
    """The warning about a component that lacks what it is reckoned with."""
    what = "amount" if component.calculation in ("fixed", "per_hour") else "percentage"
    message = f"{component.name} was left out: neither the component nor the person's pay gives it the {what}."
    return PayWarning("incomplete_component", message)
