"""Payslips: base pay, then the other earnings, then deductions and employer contributions.

Each component builds on the earlier ones: overtime on the other earnings, percentages on base pay or gross, and
brackets on taxable earnings less pre-tax deductions. Otherwise components keep their order.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from msgspec.structs import replace

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
    """The first and last of the work days that the payslip of a period is computed from.

    They are whole calendar months, the weeks in which these begin and end, and whole fortnights from the first day.
    """
    first = start.replace(day=1)
    last = (end.replace(day=1) + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return first - timedelta(days=first.weekday()), max(last + timedelta(days=6), end + timedelta(days=13))


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
    for component in sorted(components.applicable(inputs, works), key=_turn):
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
            self.warnings.append(day_count.incomplete(component))
            return
        sums = Sums(base=self.base, gross=self.gross, taxable=self.taxable, extras=self.extras)
        for figure in components.compute(component, Situation(self.inputs, works, sums)):
            self.put(components.line(component, figure), figure.part, taxable=_affects_tax(component))
        if component.calculation != "overtime":  # base pay is taxable, so the rest of the taxable pay is other earnings
            self.extras = self.taxable - self.base

    def put(self, line: PayLine, part: MonthPart | None, *, taxable: bool) -> None:
        """Add a line, with its override in place of the computed amount."""
        key = _key(line.component_id or line.code, self._count)
        line = replace(line, amount=self.inputs.overrides.get(key, line.amount))
        self.lines.append(line)
        self.parts += [part] if part else []
        if line.kind == "earning":
            self.gross += line.amount
        if taxable:
            self.taxable += line.amount if line.kind == "earning" else -line.amount


def _affects_tax(component: Component) -> bool:
    return (
        component.is_taxable if component.kind == "earning" else component.kind == "deduction" and component.is_pre_tax
    )


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
        days=day_count.count(slip.inputs, works),
        parts=tuple(slip.parts),
        warnings=(*day_count.warnings(slip.inputs, works, net), *slip.warnings),
    )
