"""Facts that changed after payslips were computed, from the log of changes."""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from erp.hr.payroll.models import PayrollRun, Payslip
from erp.kernel.days import monday
from erp.store import names, sql
from erp.store.router import WORKSPACE

CauseKind = Literal["attendance", "leave", "time_logs", "compensation", "schedule", "holiday", "employment"]

CauseType = Literal[
    "attendance", "attendance_correction", "leave", "leave_type", "time_log", "time_import", "compensation", "employee",
    "holiday",
]  # fmt: skip
_KINDS: dict[str, CauseKind] = {
    "attendance": "attendance",
    "attendance_correction": "attendance",
    "leave": "leave",
    "leave_type": "leave",
    "time_log": "time_logs",
    "time_import": "time_logs",
    "compensation": "compensation",
    "employee": "employment",
    "holiday": "holiday",
}
"""The kinds of facts by the type of the record; a change of the settings can also matter, and is no cause."""

_WITHOUT_EFFECT = {
    f"{record}.{act}" for record in ("leave", "attendance_correction") for act in ("pending", "rejected")
}
_ALWAYS = "9999-12-31"
_NOBODY = ""
"""The employee of a user who is none; an event without a user can be about anyone."""


def _value(name: str) -> str:
    return sql.json_text("data", f"'$.{name}'")


_MOVED = f"coalesce({_value('changed')}, '') LIKE '%\"date\"%'"
"""The event of a record that was moved to another day names only the new one."""
_FACTS = f"""
SELECT seq, resource_type IN ('pay_component', 'component_set'),
    CASE WHEN resource_type = 'employee' THEN resource_id ELSE coalesce({_value("employeeId")},
        CASE WHEN {_value("userId")} IS NOT NULL
            THEN coalesce((SELECT id FROM employee WHERE user_id = {_value("userId")}), '{_NOBODY}') END) END,
    CASE WHEN resource_type = 'employee' OR {_MOVED} THEN ''
        ELSE coalesce({_value("date")}, {_value("startDate")}, {_value("effectiveFrom")}, {_value("dateFrom")}, '') END,
    CASE WHEN resource_type = 'employee' OR {_MOVED} THEN '{_ALWAYS}'
        ELSE coalesce({_value("date")}, {_value("endDate")}, {_value("dateTo")}, '{_ALWAYS}') END
FROM event WHERE resource_type IN (SELECT value FROM json_each(?)) AND seq > ? ORDER BY seq
"""
_COMPUTED = """
SELECT resource_id, max(seq) FILTER (WHERE type <> 'payroll_run.approved'),
    coalesce(max(seq) FILTER (WHERE type = 'payroll_run.approved'), 0) FROM event
WHERE resource_type = 'payroll_run'
AND type IN ('payroll_run.draft', 'payroll_run.recalculated', 'payroll_run.approved') GROUP BY resource_id
"""
"""When a run was computed, and when it was approved; it has kept the pay components of that moment."""
_RULES = ("workspace", "pay_component", "component_set")
_PAYROLL = ("payroll_run", "payslip")
_NEVER = (0, 0)
_NEWEST = f"""
SELECT hash FROM event WHERE EXISTS (SELECT 1 FROM payslip)
AND {sql.unindexed("resource_type")} IN (SELECT value FROM json_each(?))
ORDER BY seq DESC LIMIT 1
"""
"""By their index of records, SQLite would sort all events."""
_EVENTS = """
SELECT seq, type, occurred_at, actor, resource_type, resource_id, data FROM event
WHERE seq IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) ORDER BY seq
"""


class Cause(NamedTuple):
    """A change after a payslip was computed, on which its difference can rest."""

    kind: CauseKind
    date: str | None
    resource_type: CauseType
    resource_id: str
    at: str
    by_user_id: str | None
    by_name: str | None


def newest() -> str | None:
    """The hash of the last event that can have changed a difference: the same hash, the same differences."""
    rows = WORKSPACE.rows(_NEWEST, (sql.array([*_KINDS, *_RULES, *_PAYROLL]),))
    return rows[0][0] if rows else None


def since(payslips: Sequence[tuple[PayrollRun, Payslip]]) -> dict[str, list[int]]:
    """The events that can have changed payslips since they were computed, by payslip; others are left out."""
    if not payslips:
        return {}
    computed = {id: (seq, approved) for id, seq, approved in WORKSPACE.rows(_COMPUTED)}
    slips = _ByEmployee(payslips)
    first = min(computed.get(run.id, _NEVER)[0] for run, _ in payslips)
    changed: dict[str, list[int]] = defaultdict(list)
    for seq, is_rule, employee_id, start, end in WORKSPACE.rows(_FACTS, (sql.array([*_KINDS, *_RULES]), first)):
        for run, payslip in slips.within(employee_id, start, end):
            at, approved = computed.get(run.id, _NEVER)
            if seq > at and not (is_rule and seq > approved):
                changed[payslip.id].append(seq)
    return dict(changed)


class _ByEmployee:
    """Payslips by employee, the earliest period first."""

    def __init__(self, payslips: Sequence[tuple[PayrollRun, Payslip]]) -> None:
        self._of: dict[str | None, list[tuple[PayrollRun, Payslip]]] = defaultdict(list)
        for entry in sorted(payslips, key=lambda entry: entry[0].period_end):
            self._of[entry[1].employee_id].append(entry)
            self._of[None].append(entry)

    def within(self, employee_id: str | None, start: str, end: str) -> list[tuple[PayrollRun, Payslip]]:
        """The payslips, of one employee or of all, whose periods, with their first week, have one of these days."""
        slips = self._of.get(employee_id, [])
        begin = bisect_left(slips, start, key=lambda entry: entry[0].period_end.isoformat())
        return [entry for entry in slips[begin:] if monday(entry[0].period_start).isoformat() <= end]


def causes(seqs: Mapping[str, Sequence[int]]) -> dict[str, list[Cause]]:
    """The causes that events are, by payslip."""
    wanted = {seq for of_slip in seqs.values() for seq in of_slip}
    known = {row[0]: _cause(row[1:]) for row in WORKSPACE.rows(_EVENTS, (sql.array(wanted),))}
    return {id: _each_once([known[seq] for seq in of_slip]) for id, of_slip in seqs.items()}


def _each_once(found: Sequence[Cause | None]) -> list[Cause]:
    """The last change of each record."""
    last = {(cause.resource_type, cause.resource_id): cause for cause in found if cause is not None}
    return list(last.values())


def _cause(row: Sequence[Any]) -> Cause | None:
    type, at, actor, resource_type, resource_id, text = row
    data = json.loads(text)
    kind = _KINDS.get(resource_type)
    if resource_type == "employee":
        kind = _of_employee(type, data)
    if kind is None or type in _WITHOUT_EFFECT:
        return None
    user_id = json.loads(actor)["id"]
    day = data.get("date") or data.get("startDate") or data.get("effectiveFrom")
    return Cause(kind, day, resource_type, resource_id, at, user_id, names.of_user(user_id))


def _of_employee(type: str, data: Mapping[str, Any]) -> CauseKind | None:
    changed = data.get("changed")
    if changed is None:
        return "employment"
    if "workSchedule" in changed:
        return "schedule"
    return "employment" if {"hireDate", "userId"} & set(changed) else None
