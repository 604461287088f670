"""Warnings that are found while a run is computed, and stored with it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from erp.hr.access.models import Employee
from erp.hr.attendance import days as attendance_days
from erp.hr.employees import bank_account, employment
from erp.hr.leave import balances
from erp.hr.leave.days import SCALE, worded
from erp.hr.payroll import inputs
from erp.hr.payroll.calculation import wording
from erp.hr.payroll.calculation.values import Component, PayResult
from erp.hr.payroll.components import components
from erp.hr.payroll.due import Due
from erp.hr.payroll.inputs import Case
from erp.hr.payroll.leave_payout import CODE as LEAVE_PAYOUT
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.store import ComputedPayslip, Overrides, keys
from erp.kernel.language import Listed, says, translated
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

Computed = tuple[Case, PayResult, ComputedPayslip]
Warnings = Iterator[tuple[str, str]]
"""Codes and messages."""

_PENDING = """
SELECT employee_id, min(start_date), max(end_date), count(*) FROM leave_application WHERE status = 'pending'
AND end_date >= ? AND start_date <= ? AND employee_id IN (SELECT value FROM json_each(?)) GROUP BY employee_id
"""
_LEFT = says("{type}: {days} remain on the last day, {day}. Grant the leave or pay it out.")
_ONE_LEFT = says("{type}: {days} remains on the last day, {day}. Grant the leave or pay it out.")
_OVERDRAWN = says(
    "{type}: {days} were taken beyond the entitlement by the last day, {day}. Deduct them, or adjust the account."
)
_ONE_OVERDRAWN = says(
    "{type}: {days} was taken beyond the entitlement by the last day, {day}. Deduct it, or adjust the account."
)


def about(
    run: PayrollRun, due: Sequence[Due], computed: Sequence[Computed], overrides: Mapping[str, Overrides]
) -> list[dict[str, Any]]:
    """The warnings that a run stores, in the order of employees."""
    by_id = {payslip.row.employee_id: (result, payslip) for _, result, payslip in computed}
    unmarked, pending = _unmarked(run, [case for case, *_ in computed]), _pending(run, by_id)
    abroad = _abroad(run, [due_employee.employee.id for due_employee in due])
    remaining = _remaining(run, [due_employee.employee for due_employee in due])
    entries: list[dict[str, Any]] = []
    for due_employee in due:
        employee = due_employee.employee
        warnings = [
            *(() if employee.id in abroad and employee.id not in by_id else _of_days(due_employee)),
            *_of_leaver(employee, remaining.get(employee.id, ()), is_paid_out=_is_paid_out(by_id, employee)),
        ]
        if employee.id in by_id:
            result, payslip = by_id[employee.id]
            warnings += [(warning.code, warning.message) for warning in result.warnings]
            warnings += [*_of_time(unmarked.get(employee.id, ())), *_of_leave(pending.get(employee.id))]
            warnings += [*_of_carry(run, employee, payslip), *_of_bank(employee, payslip)]
            warnings += _of_overrides(payslip, overrides.get(employee.id, {}))
        elif due_employee.days and employee.id not in abroad:
            warnings.append(("missing_pay", says("No pay is set for this period, so there is no payslip.")))
        if employee.id in abroad:
            message = says("Paid in {currency}, so by a payroll run in that currency.", currency=abroad[employee.id])
            warnings.append(("other_currency", message))
        entries += [_entry(employee, code, message) for code, message in warnings]
    return [*entries, *_left_out(run)]


def _abroad(run: PayrollRun, ids: Collection[str]) -> dict[str, str]:
    """The currencies of pay that a run does not pay, by employee."""
    terms = employment.compensations_between(ids, run.period_start, run.period_end)
    others = {id: [row.currency for row in rows if row.currency != run.currency] for id, rows in terms.items()}
    return {id: currencies[-1] for id, currencies in others.items() if currencies}


def _left_out(run: PayrollRun) -> Iterator[dict[str, Any]]:
    """The components that apply to all, but whose amounts are in the base currency."""
    base = workspace_settings.current().base_currency
    shared = [row for row in components.list_all() if row.applies_to_all and row.currency is None]
    names = [row.name for row in shared if _loses_amounts(row, inputs.taken_in(run.currency, row))]
    if names:
        message = says("Left out, as their amounts are in {currency}: {names}.", currency=base, names=Listed.of(names))
        text = translated(message, workspace_settings.paper_language())
        yield {"employeeId": None, "name": None, "code": "component_left_out", "message": text}


def _loses_amounts(component: Component, taken: Component | None) -> bool:
    return taken is None or taken.amount != component.amount


def _entry(employee: Employee, code: str, message: str) -> dict[str, str]:
    text = translated(message, workspace_settings.paper_language())
    return {"employeeId": employee.id, "name": employee.name, "code": code, "message": text}


def _of_days(due: Due) -> Warnings:
    if due.paid_elsewhere:
        numbers = Listed.of(sorted(set(due.paid_elsewhere.values())))
        message = says("Left out: {days}, already paid by {numbers}.", days=_days(due.paid_elsewhere), numbers=numbers)
        yield "days_already_paid", message


def _of_time(days: Sequence[date]) -> Warnings:
    if days:
        yield "unmarked_days", says("Attendance or leave is missing for {days}.", days=_days(days))


def _of_leave(pending: tuple[str, str, int] | None) -> Warnings:
    if pending:
        first, last, count = pending
        between = {"start": date.fromisoformat(first), "end": date.fromisoformat(last)}
        if count == 1:
            yield "pending_leave", says("An undecided leave request from {start} to {end} is paid as work.", **between)
        else:
            message = says("{count} undecided leave requests from {start} to {end} are paid as work.")
            yield "pending_leave", message.fill(count=count, **between)


def _of_leaver(employee: Employee, remaining: Sequence[tuple[str, int]], *, is_paid_out: bool) -> Warnings:
    for leave_type, days in remaining:
        if days > 0 and is_paid_out:
            continue
        about = {"days": worded(abs(days)), "type": leave_type, "day": employee.termination_date}
        if days > 0:
            yield "leave_left", (_ONE_LEFT if days == SCALE else _LEFT).fill(**about)
        else:
            yield "leave_overdrawn", (_ONE_OVERDRAWN if days == -SCALE else _OVERDRAWN).fill(**about)


def _is_paid_out(computed: Mapping[str, tuple[PayResult, ComputedPayslip]], employee: Employee) -> bool:
    entry = computed.get(employee.id)
    return entry is not None and any(line.code == LEAVE_PAYOUT for line in entry[1].lines)


def _remaining(run: PayrollRun, employees: Sequence[Employee]) -> dict[str, list[tuple[str, int]]]:
    """The remaining days of paid leave by type, below zero if overdrawn, of employees who leave within the period."""
    last_days = {
        employee.id: employee.termination_date
        for employee in employees
        if employee.termination_date is not None and run.period_start <= employee.termination_date <= run.period_end
    }
    remaining: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for year in {day.year for day in last_days.values()}:
        ids = [id for id, day in last_days.items() if day.year == year]
        for id, leave_type, days in balances.on_leaving(ids, year):
            remaining[id].append((leave_type, days))
    return remaining


def _of_carry(run: PayrollRun, employee: Employee, payslip: ComputedPayslip) -> Warnings:
    """No later payslip takes up what the last one of a leaver carries forward."""
    carried = payslip.row.net + payslip.row.carried_in + payslip.row.reimbursements - payslip.row.payable
    last_day = employee.termination_date
    if carried and last_day is not None and last_day <= max(run.period_end, run.pay_date):
        amount = wording.amount(-carried, run.currency)
        message = says("Left on {day} and owes {amount}, which no later payslip takes up. Ask for it back.")
        yield "carried_by_leaver", message.fill(day=last_day, amount=amount)


def _of_bank(employee: Employee, payslip: ComputedPayslip) -> Warnings:
    if payslip.row.payable > 0 and bank_account.number(employee.bank_account) is None:
        yield "missing_bank_account", says("The bank account is missing. Enter it at the employee.")


def _of_overrides(payslip: ComputedPayslip, overrides: Overrides) -> Warnings:
    present = keys(payslip.lines)
    for line in payslip.lines:
        if line.override_reason is not None:
            yield (
                "overridden",
                says("{line} has a manual amount: {reason}", line=line.name, reason=line.override_reason),
            )
    for key, override in overrides.items():
        if key not in present:
            message = says("A manual amount was dropped because its line no longer exists: {reason}")
            yield "override_dropped", message.fill(reason=override.reason)


def _days(days: Iterable[date]) -> object:
    first, *rest = days
    if not rest:
        return first
    return says("{count} days between {start} and {end}", count=1 + len(rest), start=first, end=rest[-1])


def _unmarked(run: PayrollRun, cases: Sequence[Case]) -> dict[str, list[date]]:
    """The unmarked days of employees whose time comes from attendance, or who need it to be paid."""
    attending = {case.due.employee.id: case for case in cases if _keeps_time(case)}
    calendars = {id: case.due.work_calendar for id, case in attending.items()}
    unmarked = attendance_days.unmarked_between(list(attending), run.period_start, run.period_end, calendars)
    return {id: [day for day in days if day in set(attending[id].due.days)] for id, days in unmarked.items()}


def _keeps_time(case: Case) -> bool:
    return case.due.employee.keeps_attendance and (case.source == "attendance" or _needs_time(case))


def _needs_time(case: Case) -> bool:
    return case.source == "none" and any(terms.pay_type == "hourly" for terms in case.inputs.terms)


def _pending(run: PayrollRun, ids: Collection[str]) -> dict[str, tuple[str, str, int]]:
    parameters = run.period_start.isoformat(), run.period_end.isoformat(), sql.array(ids)
    return {id: (first, last, count) for id, first, last, count in WORKSPACE.rows(_PENDING, parameters)}
