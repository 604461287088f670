"""Views of warnings: by kind, the gravest first, each with its employees."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec

from erp.kernel.language import Sentence, counted, says
from erp.web.scalars import Instant, Money
from erp.web.schema import Unset, View, known

WarningCode = Literal[
    "net_below_zero", "carried_by_leaver", "period_paid_before", "iban_changed", "missing_bank_account",
    "changed_after",
    "template_outdated", "incomplete_component", "missing_pay", "no_time", "unmarked_days", "pending_leave",
    "leave_overdrawn", "leave_left", "other_currency", "component_left_out",
    "days_already_paid", "nothing_due", "override_proposed", "override_dropped", "overridden",
]  # fmt: skip

_MESSAGES: dict[str, Sentence] = {
    "net_below_zero": says(
        "Net pay is below zero for {people}. Correct their lines or enter manual amounts before approval."
    ),
    "carried_by_leaver": says("Money to ask back after termination: {people}. No later payslip takes it up."),
    "period_paid_before": says("This period was paid before. Check that no one is paid twice."),
    "iban_changed": says(
        "The bank account has changed since the last payroll run for {people}. Confirm it with them before paying."
    ),
    "missing_bank_account": says("The bank account is missing: {people}. Enter it."),
    "changed_after": says("Payslips are out of date: {people}. Recalculate the payroll run."),
    "template_outdated": says("Figures of a pay template are used outside their period. Check and acknowledge them."),
    "incomplete_component": says("A pay component has no amount or percentage for {people}."),
    "missing_pay": says("No pay is set for {people}, or not for all days."),
    "no_time": says("Hourly pay without recorded working time: {people}."),
    "unmarked_days": says("Attendance or leave is missing for {people}."),
    "pending_leave": says("Undecided leave requests: {people}. The days are paid as work."),
    "leave_overdrawn": says("Leave beyond entitlement at termination: {people}. Deduct it, or adjust the account."),
    "leave_left": says("Leave remaining at termination: {people}. Grant the leave or pay it out."),
    "other_currency": says("Paid in another currency: {people}. Make a payroll run in that currency."),
    "component_left_out": says("Pay components with amounts in the base currency are left out."),
    "days_already_paid": says("Days paid by another payroll run are left out for {people}."),
    "nothing_due": says("No day of the period is left to pay for {people}."),
    "override_proposed": says(
        "Manual amounts of a reversed payroll run are missing for {people}. Keep them, or leave them out."
    ),
    "override_dropped": says("Manual amounts were dropped because their lines no longer exist: {people}."),
    "overridden": says("Manual amounts for {people}."),
}


class PayrollWarningItem(View):
    """One case of a warning, with its employee, if any, and its text.

    An `iban_changed` gives time and user; a `period_paid_before` the earlier run, and the amounts of both for the same
    employees; a `template_outdated` the components that the template lacks.
    """

    employee_id: str | None
    name: str | None
    message: str
    changed_at: Instant | Unset = msgspec.UNSET
    changed_by_user_id: str | Unset = msgspec.UNSET
    changed_by_name: str | Unset | None = msgspec.UNSET
    run_id: str | Unset = msgspec.UNSET
    run_number: str | Unset = msgspec.UNSET
    paid_before: Money | Unset = msgspec.UNSET
    paid_now: Money | Unset = msgspec.UNSET
    template: str | Unset = msgspec.UNSET
    leaves_out: list[str] | Unset = msgspec.UNSET


class PayrollWarning(View):
    """Something to check before a run is approved or paid: all cases of one kind."""

    code: WarningCode
    message: str
    count: Annotated[int, msgspec.Meta(description="Number of items.")]
    items: list[PayrollWarningItem]


def grouped(entries: Sequence[Mapping[str, Any]]) -> list[PayrollWarning]:
    """Warnings by code, from entries one by one."""
    by_code: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for entry in entries:
        by_code[entry["code"]].append(entry)
    assert by_code.keys() <= _MESSAGES.keys(), "each kind of warning has its place and its message"
    return [_group(code, by_code[code]) for code in get_args(WarningCode) if code in by_code]


def _group(code: WarningCode, entries: Sequence[Mapping[str, Any]]) -> PayrollWarning:
    count = len({entry["employeeId"] for entry in entries})
    people = counted(count, says("1 employee"), says("{count} employees"))
    message = _MESSAGES[code].fill(people=people)
    return PayrollWarning(code=code, message=message, count=len(entries), items=[_item(entry) for entry in entries])


def _item(entry: Mapping[str, Any]) -> PayrollWarningItem:
    return msgspec.convert({name: value for name, value in entry.items() if name != "code"}, known(PayrollWarningItem))
