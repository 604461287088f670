"""Rights to read the events of records."""

from collections.abc import Collection, Iterator

from erp.desk.list_views import list_views
from erp.hr.access import people
from erp.kernel import caller
from erp.store.sql import Condition, array, json_text
from erp.tasks import privacy

READ_WITH = {
    "account": "finance.read",
    "allocation": "finance.read",
    "asset": "finance.read",
    "attachment": "finance.read",
    "attendance": "attendance.read",
    "attendance_correction": "attendance.read",
    "budget": "finance.read",
    "calendar_address": "members.write",
    "checklist": "employees.write",
    "column_mapping": "contacts.read",
    "compensation": "pay.read",
    "component_set": "payroll.read",
    "contact": "contacts.read",
    "datev_stack": "finance.read",
    "depreciation_run": "finance.read",
    "cost_rate": "cost.read",
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
    "kiosk": "attendance.write",
    "share_link": "finance.read",
    "leave": "leave.read",
    "leave_adjustment": "leave.read",
    "leave_type": "leave.read_own",
    "leave_year": "leave.read",
    "mail": "workspace.write",
    "member": "members.read",
    "message": "workspace.write",
    "bank_account": "finance.read",
    "bank_line": "finance.read",
    "bank_rule": "finance.read",
    "bank_statement": "finance.read",
    "base_rate": "finance.read",
    "offset": "finance.read",
    "open_item": "finance.read",
    "pay_component": "payroll.read",
    "payment": "finance.read",
    "payment_run": "finance.read",
    "payroll_run": "payroll.read",
    "payslip": "payroll.read",
    "process_chapter": "finance.read",
    "product": "finance.read",
    "project": "projects.read",
    "quote": "finance.read",
    "reminder": "finance.read",
    "reminder_level": "finance.read",
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
    "text": "workspace.read",
    "transfer": "finance.read",
    "user": "members.read",
    "view": "workspace.write",
    "wage_export": "payroll.read",
    "wage_type": "payroll.read",
    "webhook": "workspace.write",
    "workspace": "workspace.read",
}
"""The right to read the events of a type of resource. Any other type needs all of these."""

_ABOUT = json_text("data", "'$.employeeId'")
_OF = json_text("data", "'$.userId'")
_OWNER, _IS_SHARED, _PAGE = (json_text("data", f"'$.{name}'") for name in ("ownerUserId", "isShared", "page"))
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
    "view": (
        "workspace.read",
        f"({_OWNER} = :user_id OR {_IS_SHARED} = 1) AND {_PAGE} IN (SELECT value FROM json_each(:pages))",
    ),
}
"""Resources whose own records need less: the right, and the place of the owner in an event.

Of a payroll run someone without the right to read it learns only about their own payslip in it.
"""

_REPORTS = {
    "attendance": "attendance.read",
    "attendance_correction": "attendance.read",
    "expense_claim": "expenses.read",
    "leave": "leave.read",
    "leave_adjustment": "leave.read",
}
"""Resources whose records of one's reports need less: the right that `people.over` narrows to them."""

_FOR_READERS_OF_THE_LOG = ("workspace.exported", "workspace.duplicated")
"""Acts on a workspace that change nothing in it."""


def whole_types() -> list[str]:
    """The types of resources of which the caller may read every event."""
    return [type for type, permission in READ_WITH.items() if caller.may(permission)]


def readable() -> Condition:
    """The condition that the caller may read the record of an event; for a statement with `MINE` and `own_payslip`."""
    whole = whole_types()
    cases, reports = ["resource_type IN (SELECT value FROM json_each(:whole_types))", *_of_own(whole)], set[str]()
    for type, permission in _REPORTS.items():
        if type not in whole and (among := people.over(permission)):
            cases.append(f"resource_type = '{type}' AND {_ABOUT} IN (SELECT value FROM json_each(:reports))")
            reports |= among
    sql = f"({' OR '.join(f'({case})' for case in cases)})"
    if not caller.may("events.read"):
        names = ", ".join(f"'{name}'" for name in _FOR_READERS_OF_THE_LOG)
        sql += f" AND type NOT IN ({names})"
    hidden = privacy.hidden_ids()
    sql += f" AND NOT (resource_type = 'task' AND resource_id IN {hidden.sql})"
    values = {"whole_types": array(whole), "user_id": caller.current().user_id, "reports": array(reports)}
    values["pages"] = array(list_views.readable_pages())
    return Condition(sql, {**values, **hidden.parameters})


def _of_own(whole: Collection[str]) -> Iterator[str]:
    """The types of resources of which the caller may read their own."""
    for type, (permission, is_own) in _OWN.items():
        if type not in whole and caller.may(permission):
            yield f"resource_type = '{type}' AND {is_own}"


MINE = "WITH mine (id) AS (SELECT id FROM employee WHERE user_id = :user_id)"
"""The caller's employee record."""
