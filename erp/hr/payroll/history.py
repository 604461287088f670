"""Earlier payslips of an employee in a currency: the year to date, the paid parts of months, and the previous payslip.

Payslips of live runs count, drafts included, in the order of pay date and then of creation.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from erp.hr.payroll.calculation.values import MonthPart, YearToDate
from erp.hr.payroll.models import OpeningYear, PayrollRun, Payslip
from erp.kernel.days import month_end
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.web.schema import known

_SLIPS = "payslip JOIN payroll_run ON payroll_run.id = payslip.run_id"
_LIVE = """payroll_run.status <> 'reversed' AND payroll_run.currency = :currency
AND payslip.employee_id IN (SELECT value FROM json_each(:ids))"""
_BEFORE = f"{_LIVE} AND (payslip.pay_date, payroll_run.id) < (:pay_date, :run_id)"
_SUMS = f"""
SELECT payslip.employee_id, sum(payslip.base), sum(payslip.taxable), sum(payslip.gross), sum(payslip.deductions),
    sum(payslip.employer_contributions), sum(payslip.net)
FROM {_SLIPS} WHERE {_BEFORE} AND payslip.pay_date >= :year GROUP BY payslip.employee_id
"""
_COMPONENTS = f"""
SELECT payslip.employee_id, max(line.component_id), max(line.code), max(line.name), line.kind, sum(line.amount)
FROM {_SLIPS} JOIN payslip_line AS line ON line.payslip_id = payslip.id
WHERE {_BEFORE} AND payslip.pay_date >= :year AND line.claim_id IS NULL
GROUP BY payslip.employee_id, coalesce(line.component_id, line.code), line.kind
"""
_OPENINGS = """
SELECT * FROM opening_year WHERE employee_id IN (SELECT value FROM json_each(?)) AND year = ? AND through_date < ?
AND currency = ?
"""
_PARTS = f"""
SELECT payslip.employee_id, payslip.parts FROM {_SLIPS} WHERE {_LIVE} AND payroll_run.id <> :run_id
AND payroll_run.period_end >= :first AND payroll_run.period_start <= :last
"""
_LATEST = f"""
SELECT employee_id, gross, net FROM (
    SELECT payslip.employee_id, payslip.gross, payslip.net,
        row_number() OVER (PARTITION BY payslip.employee_id ORDER BY payslip.pay_date DESC, payroll_run.id DESC) AS age
    FROM {_SLIPS} WHERE {_BEFORE} AND payroll_run.kind = 'regular') AS earlier
WHERE age = 1
"""


class Earlier(msgspec.Struct):
    """The sums of earlier payslips in the calendar year; `components` as payslips store them."""

    sums: YearToDate = msgspec.field(default_factory=YearToDate)
    deductions: int = 0
    employer_contributions: int = 0
    net: int = 0
    components: list[dict[str, Any]] = msgspec.field(default_factory=list)


def years_to_date(run: PayrollRun, ids: Collection[str]) -> dict[str, Earlier]:
    """The calendar year up to a run, by employee; two queries."""
    by_component: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for id, *values in _rows(_COMPONENTS, run, ids):
        by_component[id].append(dict(zip(("componentId", "code", "name", "kind", "amount"), values, strict=True)))
    years = {id: Earlier() for id in ids}
    for id, base, taxable, gross, deductions, contributions, net in _rows(_SUMS, run, ids):
        lines = by_component[id]
        amounts = {line["componentId"]: line["amount"] for line in lines if line["componentId"]}
        sums = YearToDate(base=base, gross=gross, taxable=taxable, components=amounts)
        years[id] = Earlier(
            sums=sums, deductions=deductions, employer_contributions=contributions, net=net, components=lines
        )
    for opening in OpeningYear.fetch(
        _OPENINGS, sql.array(ids), run.pay_date.year, run.pay_date.isoformat(), run.currency
    ):
        years[opening.employee_id] = _with_opening(years[opening.employee_id], opening)
    return years


def _with_opening(earlier: Earlier, opening: OpeningYear) -> Earlier:
    """The year with what was paid in it before this program."""
    amounts = Counter(earlier.sums.components)
    totals: Counter[str] = Counter()
    components = {(entry["componentId"] or entry["code"], entry["kind"]): dict(entry) for entry in earlier.components}
    for line in opening.lines:
        totals[line["kind"]] += line["amount"]
        if line["componentId"]:
            amounts[line["componentId"]] += line["amount"]
        key = line["componentId"] or line["code"], line["kind"]
        components.setdefault(key, {**line, "amount": 0})["amount"] += line["amount"]
    base = sum(line["amount"] for line in opening.lines if line["componentId"] is None)
    return Earlier(
        sums=YearToDate(
            base=earlier.sums.base + base,
            gross=earlier.sums.gross + totals["earning"],
            taxable=earlier.sums.taxable + opening.taxable,
            components=amounts,
        ),
        deductions=earlier.deductions + totals["deduction"],
        employer_contributions=earlier.employer_contributions + totals["employer_contribution"],
        net=earlier.net + totals["earning"] - totals["deduction"],
        components=list(components.values()),
    )


def parts(run: PayrollRun, ids: Collection[str]) -> dict[str, list[MonthPart]]:
    """The parts that other runs pay of the months in a run's period, by employee."""
    by_employee: dict[str, list[MonthPart]] = defaultdict(list)
    for id, stored in _rows(_PARTS, run, ids):
        by_employee[id] += _parts(json.loads(stored))
    return by_employee


def stored(earlier: Earlier, before: Sequence[MonthPart]) -> dict[str, Any]:
    """The sums of the year before a payslip and the parts of its months, as the payslip stores them."""
    return {"sums": msgspec.to_builtins(earlier.sums), "parts": [stored_part(part) for part in before]}


def recorded(payslips: Mapping[str, Payslip]) -> tuple[dict[str, list[MonthPart]], dict[str, Earlier]]:
    """The parts of months and the years as they stood when payslips were computed, by employee."""
    kept = {id: payslip.earlier or {"sums": {}, "parts": []} for id, payslip in payslips.items()}
    return (
        {id: _parts(entry["parts"]) for id, entry in kept.items()},
        {id: Earlier(sums=msgspec.convert(entry["sums"], known(YearToDate))) for id, entry in kept.items()},
    )


def _parts(stored: Sequence[Sequence[Any]]) -> list[MonthPart]:
    return [MonthPart(key, date.fromisoformat(month), *rest) for key, month, *rest in stored]


def stored_part(part: MonthPart) -> list[str | int]:
    """A part of a month as a payslip stores it."""
    return [part.key, part.month.isoformat(), part.rate, part.units, part.of, part.amount]


def latest(run: PayrollRun, ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Gross and net of the last regular payslip before a run, by employee; those without one are left out."""
    return {id: (gross, net) for id, gross, net in _rows(_LATEST, run, ids)}


def _rows(statement: str, run: PayrollRun, ids: Collection[str]) -> list[tuple[Any, ...]]:
    first = run.period_start.replace(day=1)
    last = month_end(run.period_end)
    parameters = {
        "ids": sql.array(ids),
        "run_id": run.id,
        "currency": run.currency,
        "pay_date": run.pay_date.isoformat(),
        "year": f"{run.pay_date.year}-01-01",
        "first": first.isoformat(),
        "last": last.isoformat(),
    }
    return WORKSPACE.rows(statement, parameters)
