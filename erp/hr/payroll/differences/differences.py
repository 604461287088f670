"""Differences of payslips, and how much of each other runs have corrected."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from erp.finance.books.exchange_rates.rates import in_base
from erp.hr.payroll import inputs, store
from erp.hr.payroll.calculation import payslip as calculation
from erp.hr.payroll.calculation.values import LineKind, PayLine
from erp.hr.payroll.differences import facts, recomputing
from erp.hr.payroll.differences.facts import Cause
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import StoredLine
from erp.kernel import caller
from erp.store import sql
from erp.store.router import WORKSPACE

Status = Literal["open", "in_draft", "settled"]
Key = tuple[str, LineKind]
"""The component of a line, or the code of base pay, and its kind."""


class Scope(msgspec.Struct, frozen=True):
    """The payslips to look at: all by default; `dates` are days that their periods touch."""

    employee_ids: Collection[str] | None = None
    run_ids: Collection[str] | None = None
    date_from: date | None = None
    date_to: date | None = None
    currency: str | None = None
    except_run: str | None = None
    """A run whose own corrections do not count."""


class LineDifference(msgspec.Struct, frozen=True):
    """The paid and the due amount of a line, and the rest after other corrections."""

    line: PayLine
    paid: int
    due: int
    rest: int
    is_base: bool
    is_taxable: bool

    @property
    def taxed(self) -> int:
        """The effect of the rest on the base of brackets."""
        if not self.is_taxable:
            return 0
        return self.rest if self.line.kind == "earning" else -self.rest


class Difference(msgspec.Struct, frozen=True):
    """The difference of a payslip; `in_run_id` is the last run that corrects it."""

    run: PayrollRun
    payslip: Payslip
    lines: Sequence[LineDifference]
    status: Status
    in_run_id: str | None
    causes: Sequence[Cause] = ()

    def sums(self, of: Literal["paid", "due", "rest"]) -> dict[str, int]:
        """Gross, deductions, contributions and net of a column."""
        totals = {"earning": 0, "deduction": 0, "employer_contribution": 0}
        for line in self.lines:
            totals[line.line.kind] += getattr(line, of)
        return {
            "gross": totals["earning"],
            "deductions": totals["deduction"],
            "employer_contributions": totals["employer_contribution"],
            "net": totals["earning"] - totals["deduction"],
        }


_ORIGINS = """
SELECT payslip.* FROM payslip JOIN payroll_run AS run ON run.id = run_id
WHERE run.kind = 'regular' AND run.status IN ('approved', 'paid') AND run.period_end >= ? AND run.period_start <= ?
AND NOT EXISTS (
    SELECT 1 FROM event WHERE resource_type = 'employee' AND resource_id = employee_id AND type = 'person.erased')
ORDER BY run.period_start, run.id, employee_id
"""
"""Pay of an erased person stays: the facts behind it may be gone."""
_RUNS = "SELECT * FROM payroll_run WHERE id IN (SELECT value FROM json_each(?))"
_CORRECTED = """
SELECT origin_payslip_id, coalesce(line.component_id, line.code), line.kind, run.id, run.status, sum(line.amount)
FROM payslip_line AS line JOIN payslip ON payslip.id = line.payslip_id JOIN payroll_run AS run ON run.id = run_id
WHERE origin_payslip_id IN (SELECT value FROM json_each(?)) AND run.status <> 'reversed'
AND run.id IS DISTINCT FROM CAST(? AS TEXT)
GROUP BY origin_payslip_id, coalesce(line.component_id, line.code), line.kind, run.id, run.status ORDER BY run.id
"""


class Corrected(msgspec.Struct):
    """The corrections of a payslip by live runs, by line, with the last of these runs and its status."""

    amounts: dict[Key, int] = msgspec.field(default_factory=lambda: defaultdict(int))
    run_id: str | None = None
    run_status: str | None = None


def find(scope: Scope, *, with_causes: bool = False) -> list[Difference]:
    """The payslips that differ from what is due, in any status, by period and run."""
    origins = _origins(scope)
    seqs = facts.since(origins)
    changed = [(run, payslip) for run, payslip in origins if payslip.id in seqs]
    lines = store.lines([payslip for _, payslip in changed])
    corrected = _corrected(lines, scope.except_run)
    found = [
        difference for run, payslips in _by_run(changed) for difference in _of_run(run, payslips, lines, corrected)
    ]
    if not with_causes:
        return found
    causes = facts.causes({difference.payslip.id: seqs[difference.payslip.id] for difference in found})
    return [replace(difference, causes=causes[difference.payslip.id]) for difference in found]


def _origins(scope: Scope) -> list[tuple[PayrollRun, Payslip]]:
    first, last = scope.date_from or date.min, scope.date_to or date.max
    payslips = [
        payslip
        for payslip in Payslip.fetch(_ORIGINS, first.isoformat(), last.isoformat())
        if (scope.employee_ids is None or payslip.employee_id in scope.employee_ids)
        and (scope.run_ids is None or payslip.run_id in scope.run_ids)
    ]
    runs = {run.id: run for run in PayrollRun.fetch(_RUNS, sql.array({payslip.run_id for payslip in payslips}))}
    origins = [(runs[payslip.run_id], payslip) for payslip in payslips]
    return [(run, payslip) for run, payslip in origins if scope.currency in (None, run.currency)]


def _by_run(entries: Sequence[tuple[PayrollRun, Payslip]]) -> list[tuple[PayrollRun, list[Payslip]]]:
    by_run: dict[str, tuple[PayrollRun, list[Payslip]]] = {}
    for run, payslip in entries:
        by_run.setdefault(run.id, (run, []))[1].append(payslip)
    return list(by_run.values())


def _corrected(payslip_ids: Collection[str], except_run: str | None) -> dict[str, Corrected]:
    corrected: dict[str, Corrected] = defaultdict(Corrected)
    for id, name, kind, run_id, status, amount in WORKSPACE.rows(_CORRECTED, (sql.array(payslip_ids), except_run)):
        entry = corrected[id]
        entry.amounts[name, kind] += amount
        entry.run_id, entry.run_status = run_id, status
    return corrected


def _of_run(
    run: PayrollRun,
    payslips: Sequence[Payslip],
    lines: Mapping[str, Sequence[StoredLine]],
    corrected: Mapping[str, Corrected],
) -> list[Difference]:
    due = recomputing.due(run, payslips, lines)
    taxable = {component.id: calculation.affects_tax(component) for component in inputs.component_list(run)}
    differences = []
    for payslip in payslips:
        paid = [line for line in lines[payslip.id] if line.is_of_period]
        of_lines = _compare(paid, due[payslip.id], corrected[payslip.id].amounts, taxable)
        if of_lines:
            differences.append(_difference(run, payslip, of_lines, corrected[payslip.id]))
    return differences


def _difference(run: PayrollRun, payslip: Payslip, lines: Sequence[LineDifference], corrected: Corrected) -> Difference:
    status: Status = "in_draft" if corrected.run_status == "draft" else "settled"
    if any(line.rest for line in lines):
        status = "open"
    return Difference(run, payslip, lines, status, corrected.run_id)


def _compare(
    paid: Sequence[PayLine], due: Sequence[PayLine], corrected: Mapping[Key, int], taxable: Mapping[str, bool]
) -> list[LineDifference]:
    """The lines, joined by their components, that differ or have been corrected."""
    before, now = _sums(paid), _sums(due)
    described = {_key(line): line for line in (*due, *paid)}
    differences = []
    for key, line in described.items():
        rest = now[key] - before[key] - corrected.get(key, 0)
        if rest or now[key] != before[key]:
            is_taxable = taxable.get(line.component_id or "", True)
            differences.append(
                LineDifference(
                    line, before[key], now[key], rest, is_base=line.component_id is None, is_taxable=is_taxable
                )
            )
    return differences


def _key(line: PayLine) -> Key:
    return line.component_id or line.code, line.kind


def _sums(lines: Iterable[PayLine]) -> Counter[Key]:
    sums: Counter[Key] = Counter()
    for line in lines:
        sums[_key(line)] += line.amount
    return sums


def open_rests(scope: Scope) -> dict[str, list[Difference]]:
    """The open differences, by employee."""
    by_employee: dict[str, list[Difference]] = defaultdict(list)
    for difference in find(scope):
        if difference.status == "open":
            by_employee[difference.payslip.employee_id].append(difference)
    return dict(by_employee)


class OpenSum(msgspec.Struct, frozen=True):
    """The number of open differences, and their net pay together in the base currency, at the rates of their runs."""

    count: int
    net: int


def open_sum() -> OpenSum:
    """The open differences of everybody, computed again only after an event that can have changed them."""
    newest = facts.newest()
    return OpenSum(0, 0) if newest is None else _open_sum(caller.current().workspace_id, newest)


@lru_cache(maxsize=64)
def _open_sum(workspace_id: str | None, newest: str) -> OpenSum:
    found = [difference for of_employee in open_rests(Scope()).values() for difference in of_employee]
    return OpenSum(len(found), sum(_net_in_base(difference) for difference in found))


def _net_in_base(difference: Difference) -> int:
    run = difference.run
    return in_base(difference.sums("rest")["net"], run.currency, run.exchange_rate)
