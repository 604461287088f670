"""Payslips as they are kept: a row, its lines in order, and the days that it pays for."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from datetime import date
from typing import Any

from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.calculation.values import Kind
from erp.hr.payroll.models import Payslip
from erp.store.router import WORKSPACE

Overrides = Mapping[str, tuple[int, str]]
"""Amounts put in by hand and why, by `payslip.line_keys`."""


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A line as its row has it."""

    component_id: str | None
    code: str
    name: str
    kind: Kind
    quantity: int | None
    rate: int | None
    amount: int
    computed_amount: int
    explanation: str
    expense_account_id: str | None
    liability_account_id: str | None
    override_reason: str | None


@dataclass(frozen=True, slots=True)
class Slip:
    """A payslip that is worked out, to be kept or only shown."""

    row: Payslip
    lines: Sequence[KeptLine]
    days: Sequence[date]


_LINE = [field.name for field in fields(KeptLine)]
_LINES = f"SELECT payslip_id, {', '.join(_LINE)} FROM payslip_line WHERE payslip_id IN (SELECT value FROM json_each(?))"
_ADD_LINE = (
    f"INSERT INTO payslip_line (payslip_id, position, {', '.join(_LINE)}) VALUES ({', '.join('?' * (len(_LINE) + 2))})"
)
_ADD_DAY = "INSERT INTO paid_day (employee_id, date, payslip_id) VALUES (?, ?, ?)"
_OF_RUN = """
SELECT payslip.* FROM payslip JOIN employee ON employee.id = employee_id WHERE run_id = ? ORDER BY employee_number
"""


def of_run(run_id: str) -> list[Payslip]:
    """The payslips of a run, by employee number."""
    return list(Payslip.raw(_OF_RUN, run_id))


def lines(slips: Sequence[Payslip]) -> dict[str, list[KeptLine]]:
    """The lines of payslips, by payslip; one query."""
    found: dict[str, list[KeptLine]] = {slip.id: [] for slip in slips}
    for id, *values in WORKSPACE.rows(f"{_LINES} ORDER BY payslip_id, position", (json.dumps(list(found)),)):
        found[id].append(KeptLine(*values))
    return found


def overrides(kept: Sequence[KeptLine]) -> dict[str, tuple[int, str]]:
    """What of the lines was put in by hand."""
    return {
        key: (line.amount, line.override_reason)
        for key, line in zip(keys(kept), kept, strict=True)
        if line.override_reason is not None
    }


def keys(kept: Sequence[KeptLine]) -> list[str]:
    """The keys of the lines, by which they are overridden."""
    return payslip.line_keys((line.component_id, line.code) for line in kept)


def replace(old: Sequence[Payslip], new: Sequence[Slip]) -> None:
    """Write payslips in the place of others; somebody who had one keeps its id."""
    known = {slip.employee_id: slip for slip in old}
    WORKSPACE.run_many("DELETE FROM payslip WHERE id = ?", [(slip.id,) for slip in old])
    for slip in new:
        before = known.get(slip.row.employee_id)
        if before is not None:
            slip.row.id, slip.row.version = before.id, before.version + 1
            slip.row.created_at, slip.row.created_by = before.created_at, before.created_by
    _insert([slip.row for slip in new])
    WORKSPACE.run_many(
        _ADD_LINE,
        [(slip.row.id, place, *astuple(line)) for slip in new for place, line in enumerate(slip.lines)],
    )
    WORKSPACE.run_many(
        _ADD_DAY, [(slip.row.employee_id, day.isoformat(), slip.row.id) for slip in new for day in slip.days]
    )


def _insert(rows: Sequence[Payslip]) -> None:
    columns: dict[str, Any] = Payslip._meta.columns
    marks = ", ".join("?" * len(columns))
    values = [[_stored(row.__data__[field.name]) for field in columns.values()] for row in rows]
    WORKSPACE.run_many(f"INSERT INTO payslip ({', '.join(columns)}) VALUES ({marks})", values)


def _stored(value: object) -> object:
    if isinstance(value, (dict, list)):
        return json.dumps(value)
    return value.isoformat() if isinstance(value, date) else value
