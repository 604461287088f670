"""Warnings of a payroll run: what somebody should look at before it is approved."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date

from erp.hr.access.models import Employee
from erp.hr.attendance import days as attendance
from erp.hr.payroll.calculation.values import PayResult
from erp.hr.payroll.due import Due
from erp.hr.payroll.inputs import Case
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.store import Overrides, Slip, keys
from erp.store.router import WORKSPACE

Worked = tuple[Case, PayResult, Slip]
Warnings = Iterator[tuple[str, str]]
"""Codes and messages."""

_PENDING = """
SELECT employee_id, min(start_date), max(end_date), count(*) FROM leave_application WHERE status = 'pending'
AND end_date >= ? AND start_date <= ? AND employee_id IN (SELECT value FROM json_each(?)) GROUP BY employee_id
"""

_CHANGED = """
SELECT employee.id, employee.name, employee.employee_number FROM payslip JOIN payroll_run ON payroll_run.id = run_id
JOIN employee ON employee.id = payslip.employee_id WHERE run_id = ?1 AND (
    employee.updated_at > payslip.updated_at
    OR EXISTS (SELECT 1 FROM compensation WHERE compensation.employee_id = employee.id
        AND compensation.updated_at > payslip.updated_at AND effective_from <= period_end)
    OR EXISTS (SELECT 1 FROM attendance_record AS record WHERE record.employee_id = employee.id
        AND record.updated_at > payslip.updated_at AND date BETWEEN period_start AND period_end)
    OR EXISTS (SELECT 1 FROM leave_application AS leave WHERE leave.employee_id = employee.id
        AND leave.updated_at > payslip.updated_at AND start_date <= period_end AND end_date >= period_start)
    OR EXISTS (SELECT 1 FROM time_log JOIN payslip_line AS line ON line.payslip_id = payslip.id AND line.code = 'hours'
        WHERE time_log.user_id = employee.user_id AND time_log.updated_at > payslip.updated_at
        AND time_log.date BETWEEN period_start AND period_end)
    OR EXISTS (SELECT 1 FROM pay_component AS component WHERE component.updated_at > payslip.updated_at
        AND (applies_to_all OR EXISTS (SELECT 1 FROM payslip_line AS line
            WHERE line.payslip_id = payslip.id AND line.component_id = component.id)))
    OR EXISTS (SELECT 1 FROM payslip AS other JOIN payroll_run AS its ON its.id = other.run_id
        WHERE other.employee_id = employee.id AND (other.pay_date, its.id) < (payslip.pay_date, payslip.run_id)
        AND substr(other.pay_date, 1, 4) = substr(payslip.pay_date, 1, 4) AND payslip.updated_at
            < iif(its.status = 'reversed', its.updated_at, other.updated_at)))
ORDER BY employee_number
"""
"""The year to date is worked out of the payslips before, so that a draft follows when these change or are reversed."""


def about(
    run: PayrollRun, due: Sequence[Due], worked: Sequence[Worked], overrides: Mapping[str, Overrides]
) -> list[dict[str, str]]:
    """The warnings of a run, as it keeps them, in the order of employees."""
    by_id = {slip.row.employee_id: (result, slip) for _, result, slip in worked}
    unmarked, pending = _unmarked(run, [case for case, *_ in worked]), _pending(run, by_id)
    found = []
    for each in due:
        employee = each.employee
        told = list(_of_days(each))
        if employee.id in by_id:
            result, slip = by_id[employee.id]
            told += [(warning.code, warning.message) for warning in result.warnings]
            told += [*_of_time(unmarked.get(employee.id, ())), *_of_leave(pending.get(employee.id))]
            told += [*_of_bank(employee, slip), *_of_overrides(slip, overrides.get(employee.id, {}))]
        elif each.days:
            told.append(("missing_pay", "No pay is set for the period, so there is no payslip."))
        found += [_warning(employee, code, message) for code, message in told]
    return found


def since(run: PayrollRun) -> list[dict[str, str]]:
    """Warnings of what has changed since the payslips of a draft were worked out."""
    if run.status != "draft":
        return []
    message = "What this is worked out of has changed since: pay, time, leave or earlier payslips; recalculate the run."
    found = Employee.raw(_CHANGED, run.id)
    return [_warning(each, "changed_after", message) for each in found]


def _warning(employee: Employee, code: str, message: str) -> dict[str, str]:
    return {"employeeId": employee.id, "name": employee.name, "code": code, "message": message}


def _of_days(due: Due) -> Warnings:
    elsewhere = due.paid_elsewhere
    if elsewhere:
        runs = ", ".join(sorted(set(elsewhere.values())))
        yield "days_already_paid", f"{_days(list(elsewhere))} left out: paid by {runs}."


def _of_time(days: Sequence[date]) -> Warnings:
    if days:
        yield "unmarked_days", f"{_days(days)} without attendance or leave."


def _of_leave(pending: tuple[str, str, int] | None) -> Warnings:
    if pending:
        start, end, count = pending
        what = "An application" if count == 1 else f"{count} applications"
        yield "pending_leave", f"{what} for leave between {start} and {end} not decided yet; it is paid as work."


def _of_bank(employee: Employee, slip: Slip) -> Warnings:
    if slip.row.net > 0 and not (employee.bank_account or {}).get("iban"):
        yield "missing_bank_account", "There is no IBAN to pay to."


def _of_overrides(slip: Slip, overrides: Overrides) -> Warnings:
    known = set()
    for key, line in zip(keys(slip.lines), slip.lines, strict=True):
        known.add(key)
        if line.override_reason is not None:
            yield "overridden", f"{line.name} stands as it was put in by hand: {line.override_reason}"
    for key, (_, reason) in overrides.items():
        if key not in known:
            yield "override_dropped", f"A line that was put in by hand is there no more: {reason}"


def _days(days: Sequence[date]) -> str:
    first, *rest = days
    return f"{len(days)} days from {first} to {days[-1]}" if rest else f"1 day, {first},"


def _unmarked(run: PayrollRun, cases: Sequence[Case]) -> dict[str, list[date]]:
    """The unmarked days of those whose attendance is kept, or who are paid by it."""
    kept = {case.due.employee.id: case for case in cases if case.source == "attendance" or _needs_time(case)}
    rosters = {id: case.due.roster for id, case in kept.items()}
    found = attendance.unmarked_between(list(kept), run.period_start, run.period_end, rosters)
    return {id: [day for day in days if day in set(kept[id].due.days)] for id, days in found.items()}


def _needs_time(case: Case) -> bool:
    return case.source == "none" and any(terms.pay_type == "hourly" for terms in case.inputs.terms)


def _pending(run: PayrollRun, ids: Collection[str]) -> dict[str, tuple[str, str, int]]:
    start, end = run.period_start.isoformat(), run.period_end.isoformat()
    rows = WORKSPACE.rows(_PENDING, (start, end, json.dumps(list(ids))))
    return {id: (first, last, count) for id, first, last, count in rows}
