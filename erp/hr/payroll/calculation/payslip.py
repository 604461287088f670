"""Payslips: base pay, then the other earnings, then deductions and what the employer pays on top.

Each component works on what stands before it: overtime on the other earnings, percentages on base pay or gross, and
brackets on taxable earnings less pre-tax deductions. Otherwise components follow the order in which they are given.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from erp.hr.payroll.calculation import base_pay, components, day_count
from erp.hr.payroll.calculation.components import Situation, Sums
from erp.hr.payroll.calculation.values import (
    Component,
    Kind,
    MonthPart,
    PayInputs,
    PayLine,
    PayResult,
    PayWarning,
    Work,
)
from erp.kernel.money import LIMIT, OutOfRange

_KINDS: tuple[Kind, ...] = ("earning", "deduction", "employer_contribution")


def days_needed(start: date, end: date) -> tuple[date, date]:
    """The first and last day of the roster that a payslip of a period is worked out of.

    Whole calendar months, the weeks in which they begin and end, and whole fortnights from the first day on.
    """
    first = start.replace(day=1)
    last = (end.replace(day=1) + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return first - timedelta(days=first.weekday()), max(last + timedelta(days=6), end + timedelta(days=13))


def line_keys(lines: Iterable[tuple[str | None, str]]) -> list[str]:
    """The keys by which the lines of a payslip are overridden.

    Args:
        lines: component id and code of each, in order.
    """
    count: Counter[str] = Counter()
    return [_key(component_id or code, count) for component_id, code in lines]


def compute(given: PayInputs) -> PayResult:
    """Work out a payslip.

    Raises:
        OutOfRange: an amount of the result is beyond ±`LIMIT`.
    """
    works = base_pay.works(given)
    slip = _Slip(given)
    for line, part in base_pay.lines(given, works):
        slip.put(line, part, taxable=True)
    slip.base = slip.gross
    for component in sorted(components.applicable(given, works), key=_turn):
        slip.add(component, works)
    return _result(slip, works)


def _turn(component: Component) -> int:
    if component.kind == "earning":
        return component.calculation == "overtime"
    return 2 + (component.calculation == "brackets")


def _key(name: str, count: Counter[str]) -> str:
    count[name] += 1
    return f"{name}/{count[name]}"


class _Slip:
    """A payslip in the making."""

    def __init__(self, given: PayInputs) -> None:
        self.given = given
        self.lines: list[PayLine] = []
        self.parts: list[MonthPart] = []
        self.warnings: list[PayWarning] = []
        self.base = self.gross = self.taxable = self.extras = 0
        self._count: Counter[str] = Counter()

    def add(self, component: Component, works: Sequence[Work]) -> None:
        """Add the lines of a component; without the amount or percentage it needs, a warning."""
        if not components.is_complete(component):
            self.warnings.append(day_count.incomplete(component))
            return
        sums = Sums(self.base, self.gross, self.taxable, self.extras)
        for figure in components.reckon(component, Situation(self.given, works, sums)):
            self.put(components.line(component, figure), figure.part, taxable=_bears_on_tax(component))
        if component.calculation != "overtime":  # base pay is taxable, so what is taxable beyond it is other earnings
            self.extras = self.taxable - self.base

    def put(self, line: PayLine, part: MonthPart | None, *, taxable: bool) -> None:
        """Add a line, with the amount that somebody put in the place of the computed one."""
        key = _key(line.component_id or line.code, self._count)
        line = replace(line, amount=self.given.overrides.get(key, line.amount))
        self.lines.append(line)
        self.parts += [part] if part else []
        if line.kind == "earning":
            self.gross += line.amount
        if taxable:
            self.taxable += line.amount if line.kind == "earning" else -line.amount


def _bears_on_tax(component: Component) -> bool:
    return component.taxable if component.kind == "earning" else component.kind == "deduction" and component.pre_tax


def _result(slip: _Slip, works: Sequence[Work]) -> PayResult:
    totals = {kind: sum(line.amount for line in slip.lines if line.kind == kind) for kind in _KINDS}
    net = totals["earning"] - totals["deduction"]
    amounts = [*totals.values(), net, slip.taxable, *(line.amount for line in slip.lines)]
    if max(map(abs, amounts)) > LIMIT:
        raise OutOfRange
    return PayResult(
        lines=tuple(sorted(slip.lines, key=lambda line: _KINDS.index(line.kind))),
        base=slip.base,
        gross=totals["earning"],
        deductions=totals["deduction"],
        net=net,
        employer_contributions=totals["employer_contribution"],
        taxable=slip.taxable,
        days=day_count.count(slip.given, works),
        parts=tuple(slip.parts),
        warnings=(*day_count.warnings(slip.given, works, net), *slip.warnings),
    )
