"""Warnings of changes since a run was computed, or outside of it; they are found whenever the run is shown."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from erp.hr.access.models import Employee
from erp.hr.payroll import proposals
from erp.hr.payroll.components import outdated
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.store import ComputedPayslip
from erp.kernel import clock, money
from erp.kernel.language import says
from erp.members import people
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

Entry = dict[str, Any]
Nets = Mapping[str, int]
"""The net pay of a run, by employee."""

_SHOWN_DIGITS = 4
_CHANGED = """
SELECT employee.id, employee.name, employee.employee_number FROM payslip JOIN payroll_run ON payroll_run.id = run_id
JOIN employee ON employee.id = payslip.employee_id WHERE run_id = ? AND (
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
            < CASE WHEN its.status = 'reversed' THEN its.updated_at ELSE other.updated_at END))
ORDER BY employee_number
"""
"""The year to date comes from earlier payslips, so a draft is outdated when these change or are reversed."""

_OUTDATED = says(
    "This payslip is out of date: pay, components, time, leave or an earlier payslip has "
    "changed. Recalculate the payroll run."
)
_IBANS = """
SELECT id, name, coalesce(bank_account ->> 'iban', bank_account ->> 'account_number'), iban_changed_at, iban_changed_by
FROM employee
WHERE id IN (SELECT value FROM json_each(:ids)) AND iban_changed_at > coalesce((
    SELECT max(payslip.updated_at) FROM payslip JOIN payroll_run ON payroll_run.id = run_id
    WHERE employee_id = employee.id AND payroll_run.status IN ('approved', 'paid')
    AND (payslip.pay_date, run_id) < (:pay_date, :run_id)), '')
ORDER BY employee_number
"""
_WITH_ACCOUNT = """
SELECT id FROM employee WHERE id IN (SELECT value FROM json_each(?))
AND coalesce(bank_account ->> 'iban', bank_account ->> 'account_number') IS NOT NULL
"""
_PAID_BEFORE = """
SELECT run.id, run.number, run.paid_on, run.money_returned_on, employee_id, payslip.net
FROM payroll_run AS run JOIN payslip ON payslip.run_id = run.id
WHERE run.status = 'reversed' AND run.payment_entry_id IS NOT NULL
AND run.currency = :currency AND run.period_start <= :end AND run.period_end >= :start
AND employee_id IN (SELECT value FROM json_each(:ids)) ORDER BY run.number
"""


def find(run: PayrollRun, computed: Sequence[ComputedPayslip] | None = None) -> list[Entry]:
    """The warnings of a run that are not stored with it.

    Args:
        computed: the payslips of a run that is not stored.
    """
    if run.status not in ("draft", "approved", "paid"):
        return []
    nets = _stored_nets(run) if computed is None else {payslip.row.employee_id: payslip.row.net for payslip in computed}
    entries = paid_before(run, nets)
    if run.status != "paid":
        entries += changed_ibans(run, nets)
    if run.status == "draft":
        entries += [*_changed(run), *_proposed(run, computed), *_outdated_templates(run)]
    return entries


def remaining(stored: Sequence[Entry]) -> list[Entry]:
    """The stored warnings of a run, without people whose bank account was missing and has been entered since."""
    missing = [entry["employeeId"] for entry in stored if entry["code"] == "missing_bank_account"]
    entered = {id for (id,) in WORKSPACE.rows(_WITH_ACCOUNT, (sql.array(missing),))} if missing else set()
    return [entry for entry in stored if entry["code"] != "missing_bank_account" or entry["employeeId"] not in entered]


def _stored_nets(run: PayrollRun) -> Nets:
    return dict(WORKSPACE.rows("SELECT employee_id, net FROM payslip WHERE run_id = ?", (run.id,)))


def _changed(run: PayrollRun) -> list[Entry]:
    return [
        {"employeeId": employee.id, "name": employee.name, "code": "changed_after", "message": _OUTDATED}
        for employee in Employee.fetch(_CHANGED, run.id)
    ]


def changed_ibans(run: PayrollRun, nets: Nets | None = None) -> list[Entry]:
    """A warning for each employee whose IBAN was changed after their last approved payslip was computed."""
    ids = sql.array(_stored_nets(run) if nets is None else nets)
    parameters = {"ids": ids, "pay_date": run.pay_date.isoformat(), "run_id": run.id}
    rows = WORKSPACE.rows(_IBANS, parameters)
    names = people.names({user_id for *_, user_id in rows}) if rows else {}
    return [_changed_iban(row, names) for row in rows]


def _changed_iban(row: Sequence[Any], names: Mapping[str, str]) -> Entry:
    id, name, iban, at, user_id = row
    by = names.get(user_id)
    when = clock.shown(clock.parse(at), workspace_settings.time_zone())
    message = says(
        "The bank account was changed at {when} by {user}. {now} Confirm it with {name} before paying.",
        when=when,
        user=by or says("a former user"),
        now=says("Its number now ends in {digits}.", digits=iban[-_SHOWN_DIGITS:])
        if iban
        else says("There is none now."),
        name=name,
    )
    person = {"changedAt": at, "changedByUserId": user_id, "changedByName": by}
    return {"employeeId": id, "name": name, "code": "iban_changed", "message": message, **person}


def paid_before(run: PayrollRun, nets: Nets | None = None) -> list[Entry]:
    """A warning for each reversed run that had already paid employees of a run for its period."""
    nets = _stored_nets(run) if nets is None else nets
    period = {"start": run.period_start.isoformat(), "end": run.period_end.isoformat()}
    earlier: dict[tuple[Any, ...], dict[str, int]] = defaultdict(dict)
    parameters = {**period, "currency": run.currency, "ids": sql.array(nets)}
    for *its, employee_id, net in WORKSPACE.rows(_PAID_BEFORE, parameters):
        earlier[tuple(its)][employee_id] = net
    return [
        _paid_before(its, sum(paid.values()), sum(nets[id] for id in paid), run.currency)
        for its, paid in earlier.items()
    ]


def _paid_before(run: Sequence[Any], paid: int, due: int, currency: str) -> Entry:
    id, number, paid_on, returned_on = run
    before, now = money.text(paid, currency), money.text(due, currency)
    back = says("The date of the returned money is not recorded")
    if returned_on:
        back = says("The money was returned on {day}", day=date.fromisoformat(returned_on))
    message = says(
        "{number} already paid {before} on {day} and was reversed. {back}; this payroll run pays "
        "the same people {now}. Check the bank account before you send the bank file.",
        number=number,
        before=money.shown(paid, currency),
        day=date.fromisoformat(paid_on),
        back=back,
        now=money.shown(due, currency),
    )
    sums = {"runId": id, "runNumber": number, "paidBefore": before, "paidNow": now}
    return {"employeeId": None, "name": None, "code": "period_paid_before", "message": message, **sums}


def _proposed(run: PayrollRun, computed: Sequence[ComputedPayslip] | None) -> list[Entry]:
    return [
        {
            "employeeId": proposal.employee_id,
            "name": proposal.name,
            "code": "override_proposed",
            "message": says(
                "{line} had a manual amount in {number}: {reason}",
                line=proposal.line_name,
                number=proposal.run_number,
                reason=proposal.reason,
            ),
        }
        for proposal in proposals.find(run, computed)
    ]


def _outdated_templates(run: PayrollRun) -> list[Entry]:
    return [
        {
            "employeeId": None,
            "name": None,
            "code": "template_outdated",
            "message": outdated.message(template, run.pay_date),
            "template": template.code,
            "leavesOut": template.leaves_out,
        }
        for template in outdated.find(run.id, run.pay_date)
    ]
