"""Payslips: base pay, then the other earnings, then deductions and employer contributions.

Each component builds on the earlier ones: overtime on the other earnings, percentages on base pay or gross, and
brackets on taxable earnings less pre-tax deductions. Otherwise components keep their order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from msgspec.structs import replace

from erp.hr.calendar.work_days import WorkDay
from erp.hr.payroll.calculation import base_pay, components, proration, wording
from erp.hr.payroll.calculation.components import Situation, Sums
from erp.hr.payroll.calculation.values import (
    KINDS,
    WHOLE_DAY,
    Basis,
    Component,
    DayCount,
    MonthPart,
    PayInputs,
    PayLine,
    PayResult,
    PayWarning,
    Work,
)
from erp.kernel.days import monday, month_end
from erp.kernel.language import Word, counted, says
from erp.kernel.money import LIMIT, OutOfRange


def days_needed(start: date, end: date) -> tuple[date, date]:
    """The first and last of the work days that the payslip of a period is computed from.

    They are whole calendar months, the weeks in which these begin and end, and whole fortnights from the first day.
    """
    return monday(start.replace(day=1)), max(month_end(end) + timedelta(days=6), end + timedelta(days=13))


def line_keys(lines: Iterable[tuple[str | None, str]]) -> list[str]:
    """The keys by which the lines of a payslip are overridden: `salary/1` is the first line of code `salary`.

    Args:
        lines: the component id and code of each line, in order.
    """
    count: Counter[str] = Counter()
    return [_key(component_id or code, count) for component_id, code in lines]


def compute(inputs: PayInputs) -> PayResult:
    """Compute a payslip.

    Raises:
        OutOfRange: an amount on it is beyond ±`LIMIT`.
    """
    works = base_pay.works(inputs)
    slip = _Slip(inputs)
    for line, part in base_pay.lines(inputs, works):
        slip.put(line, part, taxable=True)
    slip.base = slip.gross
    is_taxable = {component.id: affects_tax(component) for component in inputs.components}
    for line in inputs.one_offs:
        slip.enter(line, taxable=is_taxable.get(line.component_id or "", True))
    for component in sorted(components.applicable(inputs, works), key=_turn):
        slip.add(component, works or components.last_terms(inputs))
    return _result(slip, works)


def _turn(component: Component) -> int:
    if component.kind == "earning":
        return component.calculation == "overtime"
    return 2 + (component.calculation == "brackets")


def _key(name: str, count: Counter[str]) -> str:
    count[name] += 1
    return f"{name}/{count[name]}"


class _Slip:
    """A payslip being computed."""

    def __init__(self, inputs: PayInputs) -> None:
        self.inputs = inputs
        self.lines: list[PayLine] = []
        self.parts: list[MonthPart] = []
        self.warnings: list[PayWarning] = []
        self.base = self.gross = self.taxable = self.extras = 0
        self._count: Counter[str] = Counter()

    def add(self, component: Component, works: Sequence[Work]) -> None:
        """Add the lines of a component, or a warning if it lacks the amount or percentage it needs."""
        if not components.is_complete(component):
            self.warnings.append(_incomplete(component))
            return
        sums = Sums(base=self.base, gross=self.gross, taxable=self.taxable, extras=self.extras)
        for figure in components.compute(component, Situation(self.inputs, works, sums)):
            self.put(components.line(component, figure), figure.part, taxable=affects_tax(component))
        if component.calculation != "overtime":  # base pay is taxable, so the rest of the taxable pay is other earnings
            self.extras = self.taxable - self.base

    def put(self, line: PayLine, part: MonthPart | None, *, taxable: bool) -> None:
        """Add a line, with its override in place of the computed amount."""
        key = _key(line.component_id or line.code, self._count)
        self.parts += [part] if part else []
        self.enter(replace(line, amount=self.inputs.overrides.get(key, line.amount)), taxable=taxable)

    def enter(self, line: PayLine, *, taxable: bool) -> None:
        """Add a line as it is."""
        self.lines.append(line)
        if line.kind == "earning":
            self.gross += line.amount
        if taxable:
            self.taxable += line.amount if line.kind == "earning" else -line.amount


def affects_tax(component: Component) -> bool:
    """Whether its lines change the base of brackets."""
    return (
        component.is_taxable if component.kind == "earning" else component.kind == "deduction" and component.is_pre_tax
    )


def _result(slip: _Slip, works: Sequence[Work]) -> PayResult:
    totals = {kind: sum(line.amount for line in slip.lines if line.kind == kind) for kind in KINDS}
    net = totals["earning"] - totals["deduction"]
    amounts = [*totals.values(), net, slip.taxable, *(line.amount for line in slip.lines)]
    if max(map(abs, amounts)) > LIMIT:
        raise OutOfRange
    return PayResult(
        lines=tuple(sorted(slip.lines, key=lambda line: (KINDS.index(line.kind), line in slip.inputs.one_offs))),
        base=slip.base,
        gross=totals["earning"],
        deductions=totals["deduction"],
        net=net,
        employer_contributions=totals["employer_contribution"],
        taxable=slip.taxable,
        days=_day_count(slip.inputs, works),
        parts=tuple(slip.parts),
        warnings=(*_warnings(slip.inputs, works, net), *slip.warnings),
    )


def _day_count(inputs: PayInputs, works: Sequence[Work]) -> DayCount:
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


def _warnings(inputs: PayInputs, works: Sequence[Work], net: int) -> Iterator[PayWarning]:
    """Warnings about the days and the result."""
    days = base_pay.paid_days(inputs)
    missing = len(days) - sum(len(work.days) for work in works)
    if inputs.due and not days:
        yield PayWarning("nothing_due", says("No day of the period is left to pay."))
    if missing:
        yield PayWarning("missing_pay", _missing(missing, days[0].date))
    if any(work.terms.pay_type == "hourly" for work in works) and not _has_time(inputs, works):
        yield PayWarning("no_time", says("Hourly pay without recorded working time in the period."))
    if net < 0:
        below = wording.amount(net, inputs.currency)
        yield PayWarning("net_below_zero", says("Net pay is below zero: {amount}.", amount=below))


def _missing(count: int, first: date) -> str:
    one, several = says("No pay is set for 1 day, {day}."), says("No pay is set for {count} days, starting on {day}.")
    return counted(count, one, several, day=first)


def _has_time(inputs: PayInputs, works: Sequence[Work]) -> bool:
    days = [day for work in works if work.terms.pay_type == "hourly" for day in work.days]
    return any(inputs.worked_minutes.get(day.date) or _leave(inputs, day) for day in days)


def _incomplete(component: Component) -> PayWarning:
    """The warning about a component without the amount or percentage it needs."""
    what = "amount" if component.calculation in ("fixed", "per_hour") else "percentage"
    message = says(
        "{component} was left out: no {what} is set. Enter one in the pay component or the employee's pay.",
        component=component.name,
        what=Word.of(what),
    )
    return PayWarning("incomplete_component", message)
