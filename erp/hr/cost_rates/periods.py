"""The cost of an hour by day: as given, or worked out from pay, which it follows with the schedule by their days."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple, TypeVar

from erp.hr.calendar.models import WEEKDAYS
from erp.hr.cost_rates.models import CostRate
from erp.hr.payroll.calculation.proration import PERIODS_OF_YEAR
from erp.hr.payroll.calculation.values import Frequency
from erp.kernel import money
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.tasks.time.costs import CostSpan

T = TypeVar("T")

WEEKS_OF_YEAR = 52
_WHOLE = 100 * money.MICRO
"""All of something in scaled per cent."""


class Pay(NamedTuple):
    """The pay from a day on: an amount for each period, or for each hour."""

    pay_type: str
    amount: int
    frequency: Frequency


class Share(NamedTuple):
    """The pay with the employer's share, as a fraction of the pay."""

    numerator: int = 1
    denominator: int = 1


def hourly_cost(pay: Pay, weekly_minutes: int, share: Share) -> int | None:
    """The cost of an hour of someone with this pay, rounded half up; None for a salary without working hours."""
    if pay.pay_type == "hourly":
        return money.divide(pay.amount * share.numerator, share.denominator)
    if not weekly_minutes:
        return None
    yearly = pay.amount * PERIODS_OF_YEAR[pay.frequency] * share.numerator
    return money.divide(yearly * 60, share.denominator * WEEKS_OF_YEAR * weekly_minutes)


class CostPeriod(NamedTuple):
    """The cost of an hour from a first to a last day, by the cost rate that says so."""

    rate_id: str
    first: date
    last: date
    cost: int


class _Facts(NamedTuple):
    """Pay, minutes of a week and the employer's share, by employee."""

    pay: Mapping[str, list[tuple[date, Pay]]]
    minutes: Mapping[str, list[tuple[date, int]]]
    shares: Mapping[str, Share]


def periods(cost_rates: Sequence[CostRate]) -> Iterator[CostPeriod]:
    """The periods of cost rates: all of an employee's, by day; one from pay changes with pay and schedule."""
    facts = _facts({rate.employee_id for rate in cost_rates if rate.method == "from_pay"})
    by_employee: dict[str, list[CostRate]] = defaultdict(list)
    for rate in cost_rates:
        by_employee[rate.employee_id].append(rate)
    for own in by_employee.values():
        ends = [rate.effective_from - timedelta(days=1) for rate in own[1:]]
        for rate, last in zip(own, [*ends, date.max], strict=True):
            yield from _of_rate(rate, last, facts)


def _of_rate(rate: CostRate, last: date, facts: _Facts) -> Iterator[CostPeriod]:
    first = rate.effective_from
    if rate.hourly_cost is not None:
        yield CostPeriod(rate.id, first, last, rate.hourly_cost)
        return
    pay, minutes = facts.pay.get(rate.employee_id, []), facts.minutes.get(rate.employee_id, [])
    percent = rate.employer_percent
    share = facts.shares.get(rate.employee_id, Share()) if percent is None else Share(_WHOLE + percent, _WHOLE)
    starts = {first, *(day for day, _ in [*pay, *minutes] if first < day <= last)}
    for day, following in pairwise([*sorted(starts), None]):
        assert day is not None
        cost = hourly_cost(_on(day, pay), _on(day, minutes), share) if pay and minutes else None
        if cost is not None:
            yield CostPeriod(rate.id, day, following - timedelta(days=1) if following else last, cost)


def _on(day: date, dated: Sequence[tuple[date, T]]) -> T:
    """The value of a day: the latest by then, or the first of a future employment."""
    return next((value for start, value in reversed(dated) if start <= day), dated[0][1])


_PAY = """
SELECT employee_id, effective_from, pay_type, amount, frequency FROM compensation
WHERE replaced_by_id IS NULL AND employee_id IN (SELECT value FROM json_each(?)) ORDER BY effective_from
"""
_MINUTES = f"""
SELECT employee_id, effective_from, {" + ".join(WEEKDAYS)} FROM work_schedule
WHERE employee_id IN (SELECT value FROM json_each(?)) ORDER BY effective_from
"""
_CONTRIBUTIONS = """
SELECT employee_id, payslip.gross, payslip.employer_contributions FROM payslip
JOIN payroll_run ON payroll_run.id = run_id
WHERE status IN ('approved', 'paid') AND kind = 'regular' AND payslip.gross > 0
AND employee_id IN (SELECT value FROM json_each(?)) ORDER BY payslip.pay_date, payslip.id
"""


def _facts(employee_ids: set[str]) -> _Facts:
    if not employee_ids:
        return _Facts({}, {}, {})
    ids = (sql.array(employee_ids),)
    pay, minutes = defaultdict(list), defaultdict(list)
    for employee_id, day, *of_pay in WORKSPACE.rows(_PAY, ids):
        pay[employee_id].append((date.fromisoformat(day), Pay(*of_pay)))
    for employee_id, day, of_week in WORKSPACE.rows(_MINUTES, ids):
        minutes[employee_id].append((date.fromisoformat(day), of_week))
    latest = {id: Share(gross + added, gross) for id, gross, added in WORKSPACE.rows(_CONTRIBUTIONS, ids)}
    return _Facts(pay, minutes, latest)


def spans() -> list[CostSpan]:
    """The cost of an hour of every employee with a user, by day."""
    ordered = "SELECT cost_rate.* FROM cost_rate JOIN employee ON employee.id = employee_id WHERE user_id IS NOT NULL"
    found = CostRate.fetch(f"{ordered} ORDER BY employee_id, effective_from")
    if not found:
        return []
    employees = {rate.id: rate.employee_id for rate in found}
    users = dict(WORKSPACE.rows("SELECT id, user_id FROM employee WHERE user_id IS NOT NULL"))
    return [
        CostSpan(users[employees[one.rate_id]], one.first.isoformat(), one.last.isoformat(), one.cost)
        for one in periods(found)
    ]
