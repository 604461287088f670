"""Rights to read the events of records."""

from collections.abc import Iterator

from erp.kernel import caller
from erp.store.sql import Condition, array, json_text

READ_WITH = {
    "account": "finance.read",
    "allocation": "finance.read",
    "asset": "finance.read",
    "attachment": "finance.read",
    "attendance": "attendance.read",
    "attendance_correction": "attendance.read",
    "budget": "finance.read",
    "calendar_address": "members.write",
    "compensation": "pay.read",
    "component_set": "payroll.read",
    "contact": "contacts.read",
    "datev_stack": "finance.read",
    "depreciation_run": "finance.read",
    "dimension": "finance.read",
    "dimension_value": "finance.read",
    "employee": "employees.read",
    "employee_document": "employees.write",
    "exchange_rate": "finance.read",
    "exchange_rate_import": "finance.read",
    "expense_category": "expenses.read_own",
    "expense_claim": "expenses.read",
    "expense_rate": "expenses.read_own",
    "fiscal_year": "finance.read",
    "holiday": "leave.read_own",
    "invite": "invites.read",
    "invoice": "finance.read",
    "journal_entry": "finance.read",
    "leave": "leave.read",
    "leave_adjustment": "leave.read",
    "leave_type": "leave.read_own",
    "leave_year": "leave.read",
    "member": "members.read",
    "bank_account": "finance.read",
    "bank_line": "finance.read",
    "bank_rule": "finance.read",
    "bank_statement": "finance.read",
    "offset": "finance.read",
    "open_item": "finance.read",
    "pay_component": "payroll.read",
    "payment": "finance.read",
    "payment_run": "finance.read",
    "payroll_run": "payroll.read",
    "payslip": "payroll.read",
    "product": "finance.read",
    "project": "projects.read",
    "recurring_document": "finance.read",
    "revaluation": "finance.read",
    "site": "leave.read_own",
    "task": "tasks.read",
    "tax_rate": "finance.read",
    "tax_return": "finance.read",
    "time_import": "time.read",
    "time_log": "time.read",
    "time_week": "time.read",
    "timer": "time.read",
    "transfer": "finance.read",
    "user": "members.read",
    "wage_export": "payroll.read",
    "wage_type": "payroll.read",
    "webhook": "workspace.write",
    "workspace": "workspace.read",
}
"""The right to read the events of a type of resource. Any other type needs all of these."""

_ABOUT = json_text("data", "'$.employeeId'")
_OF = json_text("data", "'$.userId'")
_OWN = {
    "attendance": ("attendance.read_own", f"{_ABOUT} IN (SELECT id FROM mine)"),
    "attendance_correction": ("attendance.read_own", f"{_ABOUT} IN (SELECT id FROM mine)"),
    "compensation": ("employees.read_own", f"{_ABOUT} IN (SELECT id FROM mine)"),
    "employee": ("employees.read_own", "resource_id IN (SELECT id FROM mine)"),
    "expense_claim": ("expenses.read_own", f"{_ABOUT} IN (SELECT id FROM mine)"),
    "leave": ("leave.read_own", f"{_ABOUT} IN (SELECT id FROM mine)"),
    "leave_adjustment": ("leave.read_own", f"{_ABOUT} IN (SELECT id FROM mine)"),
    "payroll_run": ("payroll.read_own", "own_payslip.id IS NOT NULL"),
    "time_log": ("time.read_own", f"{_OF} = :user_id"),
    "time_week": ("time.read_own", f"{_OF} = :user_id"),
    "timer": ("time.read_own", "resource_id = :user_id"),
}
"""Resources whose own records need less: the right, and the place of the owner in an event.

Of a payroll run someone without the right to read it learns only about their own payslip in it.
"""

_REPORTS = {
    "attendance": "attendance.read_reports",
    "attendance_correction": "attendance.read_reports",
    "expense_claim": "expenses.read_reports",
    "leave": "leave.read_reports",
    "leave_adjustment": "leave.read_reports",
}
"""The right to read the records of one's reports."""

_FOR_READERS_OF_THE_LOG = ("workspace.exported", "workspace.duplicated")
"""Acts on a workspace that change nothing in it."""


def whole_types() -> list[str]:
    """The types of resources of which the caller may read every event."""
    return [type for type, permission in READ_WITH.items() if caller.may(permission)]


def readable() -> Condition:
    """The condition that the caller may read the record of an event; for a statement with `MINE` and `own_payslip`."""
    whole = whole_types()
    cases = ["resource_type IN (SELECT value FROM json_each(:whole_types))", *_of_few(set(whole))]
    sql = f"({' OR '.join(f'({case})' for case in cases)})"
    if not caller.may("events.read"):
        names = ", ".join(f"'{name}'" for name in _FOR_READERS_OF_THE_LOG)
        sql += f" AND type NOT IN ({names})"
    return Condition(sql, {"whole_types": array(whole), "user_id": caller.current().user_id})


def _of_few(whole: set[str]) -> Iterator[str]:
    """The types of resources of which the caller may read some."""
    for type, (permission, is_own) in _OWN.items():
        if type not in whole and caller.may(permission):
            yield f"resource_type = '{type}' AND {is_own}"
    for type, permission in _REPORTS.items():
        if type not in whole and caller.may(permission):
            yield f"resource_type = '{type}' AND {_ABOUT} IN (SELECT id FROM below)"


MINE = """
WITH RECURSIVE mine (id) AS (SELECT id FROM employee WHERE user_id = :user_id),
below (id) AS (
    SELECT employee.id FROM employee JOIN mine ON employee.manager_employee_id = mine.id
    UNION
    SELECT employee.id FROM employee JOIN below ON employee.manager_employee_id = below.id)
"""
"""The caller's employee record, and their reports."""
