"""What earlier payslips tell a new one: the year so far, the parts of months paid, and what the last one came to.

Those of live runs count, drafts too: of the same calendar year and before, in the order of pay date and making.
"""

import json
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from erp.hr.payroll.calculation.values import MonthPart, YearToDate
from erp.hr.payroll.models import PayrollRun
from erp.store.router import WORKSPACE

_SLIPS = "payslip JOIN payroll_run ON payroll_run.id = payslip.run_id"
_LIVE = "payroll_run.status <> 'reversed' AND payslip.employee_id IN (SELECT value FROM json_each(:ids))"
_BEFORE = f"{_LIVE} AND (payslip.pay_date, payroll_run.id) < (:pay_date, :run_id)"
_SUMS = f"""
SELECT payslip.employee_id, sum(payslip.base), sum(payslip.taxable), sum(payslip.gross), sum(payslip.deductions),
    sum(payslip.employer_contributions), sum(payslip.net)
FROM {_SLIPS} WHERE {_BEFORE} AND payslip.pay_date >= :year GROUP BY payslip.employee_id
"""
_COMPONENTS = f"""
SELECT payslip.employee_id, line.component_id, max(line.code), max(line.name), line.kind, sum(line.amount)
FROM {_SLIPS} JOIN payslip_line AS line ON line.payslip_id = payslip.id WHERE {_BEFORE} AND payslip.pay_date >= :year
GROUP BY payslip.employee_id, coalesce(line.component_id, line.code), line.kind
"""
_PARTS = f"""
SELECT payslip.employee_id, payslip.parts FROM {_SLIPS} WHERE {_LIVE} AND payroll_run.id <> :run_id
AND payroll_run.period_end >= :first AND payroll_run.period_start <= :last
"""
# SQLite takes the other columns from the row that has the maximum.
_LATEST = f"""
SELECT payslip.employee_id, payslip.gross, payslip.net, max(payslip.pay_date || payroll_run.id)
FROM {_SLIPS} WHERE {_BEFORE} GROUP BY payslip.employee_id
"""


@dataclass(slots=True)
class Earlier:
    """What the payslips before in the calendar year come to; `components` as payslips keep them."""

    sums: YearToDate = field(default_factory=YearToDate)
    deductions: int = 0
    employer_contributions: int = 0
    net: int = 0
    components: list[dict[str, Any]] = field(default_factory=list)


def years_to_date(run: PayrollRun, ids: Collection[str]) -> dict[str, Earlier]:
    """The year before a run, of each employee; two queries."""
    by_component: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for id, *facts in _rows(_COMPONENTS, run, ids):
        by_component[id].append(dict(zip(("componentId", "code", "name", "kind", "amount"), facts, strict=True)))
    found = {id: Earlier() for id in ids}
    for id, base, taxable, gross, deductions, contributions, net in _rows(_SUMS, run, ids):
        lines = by_component[id]
        amounts = {line["componentId"]: line["amount"] for line in lines if line["componentId"]}
        found[id] = Earlier(YearToDate(base, gross, taxable, amounts), deductions, contributions, net, lines)
    return found


def parts(run: PayrollRun, ids: Collection[str]) -> dict[str, list[MonthPart]]:
    """The parts of months that payslips of other runs pay, of the months that a run touches."""
    found: dict[str, list[MonthPart]] = defaultdict(list)
    for id, kept in _rows(_PARTS, run, ids):
        found[id] += [MonthPart(key, date.fromisoformat(month), *rest) for key, month, *rest in json.loads(kept)]
    return found


def kept_part(part: MonthPart) -> list[str | int]:
    """A part as a payslip keeps it."""
    return [part.key, part.month.isoformat(), part.rate, part.units, part.of, part.amount]


def latest(run: PayrollRun, ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Gross and net of the last payslip before a run, of each employee who has one."""
    return {id: (gross, net) for id, gross, net, _ in _rows(_LATEST, run, ids)}


def _rows(sql: str, run: PayrollRun, ids: Collection[str]) -> list[tuple[Any, ...]]:
    first = run.period_start.replace(day=1)
    last = (run.period_end.replace(day=1) + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    named = {
        "ids": json.dumps(list(ids)),
        "run_id": run.id,
        "pay_date": run.pay_date.isoformat(),
        "year": f"{run.pay_date.year}-01-01",
        "first": first.isoformat(),
        "last": last.isoformat(),
    }
    return WORKSPACE.rows(sql, named)
