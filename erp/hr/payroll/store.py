"""Stored payslips: a row, its lines in order, and the days that it pays."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec
from msgspec import structs
from msgspec.structs import astuple, fields

from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.calculation.values import PayLine
from erp.hr.payroll.models import Payslip
from erp.kernel import stored_sentences
from erp.store import recorded, sql
from erp.store.router import WORKSPACE


class Override(msgspec.Struct, frozen=True):
    """The amount of a line entered by hand, and the reason."""

    amount: int
    reason: str


Overrides = Mapping[str, Override]
"""The overrides of a payslip, by `payslip.line_keys`."""


class StoredLine(PayLine, frozen=True):
    """A stored line of a payslip."""

    override_reason: str | None = None
    line_id: str | None = None
    reason: str | None = None
    origin_payslip_id: str | None = None
    claim_id: str | None = None

    @property
    def is_of_period(self) -> bool:
        """Whether the line is pay of the payslip's own period: it is neither a correction nor a reimbursement."""
        return self.origin_payslip_id is None and self.claim_id is None

    @property
    def is_computed(self) -> bool:
        """Whether the line follows from time and pay, and is not a one-off line."""
        return self.line_id is None and self.is_of_period


class ComputedPayslip(msgspec.Struct, frozen=True):
    """A payslip to be stored or only shown, with its lines and the days it pays."""

    row: Payslip
    lines: Sequence[StoredLine]
    days: Sequence[date]


_LINE = [field.name for field in fields(StoredLine)]
_LINES = f"SELECT payslip_id, {', '.join(_LINE)} FROM payslip_line WHERE payslip_id IN (SELECT value FROM json_each(?))"
_ADD_LINE = (
    f"INSERT INTO payslip_line (payslip_id, position, {', '.join(_LINE)}) VALUES ({', '.join('?' * (len(_LINE) + 2))})"
)
_ADD_DAY = "INSERT INTO paid_day (employee_id, date, payslip_id) VALUES (?, ?, ?)"
_OF_RUN = """
SELECT payslip.* FROM payslip JOIN employee ON employee.id = employee_id WHERE run_id = ? ORDER BY employee_number
"""
_HEAD_COUNTS = """
SELECT run_id, count(*) FROM payslip WHERE run_id IN (SELECT value FROM json_each(?)) GROUP BY run_id
"""


_CARRIED = """
SELECT employee_id,
    sum(CASE WHEN status <> 'draft' THEN payslip.net + carried_in + reimbursements - payslip.payable ELSE 0 END)
    - sum(carried_in)
FROM payslip JOIN payroll_run ON payroll_run.id = run_id
WHERE employee_id IN (SELECT value FROM json_each(?)) AND status <> 'reversed'
AND payroll_run.currency = coalesce(CAST(? AS TEXT), payroll_run.currency)
AND run_id IS DISTINCT FROM CAST(? AS TEXT) GROUP BY employee_id, payroll_run.currency
"""
"""A payslip carries on min(0, net + carried_in + reimbursements), which is that sum − payable; drafts only take up."""


def of_run(run_id: str) -> list[Payslip]:
    """The payslips of a run, by employee number."""
    return Payslip.fetch(_OF_RUN, run_id)


def head_counts(run_ids: Collection[str]) -> dict[str, int]:
    """The number of employees that each run pays; runs without payslips are left out."""
    return dict(WORKSPACE.rows(_HEAD_COUNTS, (sql.array(run_ids),)))


def lines(payslips: Sequence[Payslip]) -> dict[str, list[StoredLine]]:
    """The lines of payslips, by payslip id; one query."""
    by_payslip: dict[str, list[StoredLine]] = {row.id: [] for row in payslips}
    for id, *values in WORKSPACE.rows(f"{_LINES} ORDER BY payslip_id, position", (sql.array(by_payslip),)):
        line = StoredLine(*values)
        by_payslip[id].append(structs.replace(line, explanation=stored_sentences.load(line.explanation)))
    return by_payslip


def _values(line: StoredLine) -> tuple[Any, ...]:
    """The columns of a line."""
    return astuple(structs.replace(line, explanation=stored_sentences.dump(line.explanation)))


def origins(lines: Sequence[StoredLine]) -> dict[str, str]:
    """The numbers of the runs that lines correct, by payslip; no query for lines without a correction."""
    ids = {line.origin_payslip_id for line in lines if line.origin_payslip_id is not None}
    return dict(WORKSPACE.rows(_ORIGINS, (sql.array(ids),))) if ids else {}


_ORIGINS = """
SELECT payslip.id, number FROM payslip JOIN payroll_run ON payroll_run.id = run_id
WHERE payslip.id IN (SELECT value FROM json_each(?))
"""


def overrides(lines: Sequence[StoredLine]) -> dict[str, Override]:
    """The overrides among the lines of a payslip."""
    return {
        key: Override(line.amount, line.override_reason)
        for key, line in zip(keys(lines), computed(lines), strict=True)
        if line.override_reason is not None
    }


def keys(lines: Sequence[StoredLine]) -> list[str]:
    """The keys by which the computed lines of a payslip are overridden."""
    return payslip.line_keys((line.component_id, line.code) for line in computed(lines))


def computed(lines: Sequence[StoredLine]) -> list[StoredLine]:
    """The lines that follow from time and pay."""
    return [line for line in lines if line.is_computed]


def one_offs(run_id: str) -> dict[str, list[StoredLine]]:
    """The one-off lines of a run, by employee."""
    payslips = of_run(run_id)
    by_payslip = lines(payslips)
    by_employee = {
        row.employee_id: [line for line in by_payslip[row.id] if line.line_id is not None] for row in payslips
    }
    return {id: entered for id, entered in by_employee.items() if entered}


def is_any_carried(employee_id: str) -> bool:
    """Whether an employee owes something, in any currency, that approved payslips have carried on."""
    return any(carried < 0 for _, carried in WORKSPACE.rows(_CARRIED, (sql.array([employee_id]), None, None)))


def open_carry(employee_ids: Collection[str], currency: str, except_run: str | None = None) -> dict[str, int]:
    """The amounts, at most 0, that approved payslips have carried on and no other has taken up, by employee."""
    rows = WORKSPACE.rows(_CARRIED, (sql.array(employee_ids), currency, except_run))
    return {id: min(0, carried) for id, carried in rows}


def taken_up(run_id: str, currency: str) -> list[str]:
    """The employees for whom other live payslips have taken up what a run carried on."""
    ids = [payslip.employee_id for payslip in of_run(run_id)]
    return [id for id, left in WORKSPACE.rows(_CARRIED, (sql.array(ids), currency, run_id)) if left > 0]


def replace(old: Sequence[Payslip], new: Sequence[ComputedPayslip]) -> None:
    """Store payslips in place of old ones; an employee's new payslip takes the id of their old one."""
    by_employee = {row.employee_id: row for row in old}
    WORKSPACE.run_many("DELETE FROM payslip WHERE id = ?", [(row.id,) for row in old])
    for row in old:
        Payslip.record_removed(row.id)
    for row in (computed.row for computed in new):
        before = by_employee.get(row.employee_id)
        if before is not None:
            row.id, row.version = before.id, before.version + 1
            row.created_at, row.created_by = before.created_at, before.created_by
    _insert([computed.row for computed in new])
    WORKSPACE.run_many(
        _ADD_LINE,
        [(computed.row.id, index, *_values(line)) for computed in new for index, line in enumerate(computed.lines)],
    )
    for computed in new:
        lines_of_slip = recorded.Sealed([list(_values(line)) for line in computed.lines], _LINE)
        Payslip.record_columns(computed.row.id, {"lines": lines_of_slip})
    WORKSPACE.run_many(
        _ADD_DAY,
        [(computed.row.employee_id, day.isoformat(), computed.row.id) for computed in new for day in computed.days],
    )


def _insert(rows: Sequence[Payslip]) -> None:
    columns: dict[str, Any] = Payslip._meta.columns
    marks = ", ".join("?" * len(columns))
    values = [[_stored(row.__data__[field.name]) for field in columns.values()] for row in rows]
    WORKSPACE.run_many(f"INSERT INTO payslip ({', '.join(columns)}) VALUES ({marks})", values)
    for row in values:
        Payslip.record_whole(str(row[0]), dict(zip(columns, row, strict=True)), ("run_id", "employee_id"))


def _stored(value: object) -> object:
    if isinstance(value, (dict, list)):
        return json.dumps(value)
    return value.isoformat() if isinstance(value, date) else value
