"""The users whom an event concerns, each with the record that the notice is about."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from erp.hr.access import reporting_line
from erp.kernel import clock, roles
from erp.store import control, sql, workspace_settings
from erp.store.events import Draft
from erp.store.router import WORKSPACE
from erp.tasks.assignees import assigned

Whom = Callable[[Draft], Iterable[tuple[str, str]]]
"""The users whom an event concerns, with the id of the record: often the event's own, or their payslip."""

_MEMBERS = f"""
SELECT m.user_id, m.role, u.name, u.is_instance_admin FROM member AS m JOIN "user" AS u ON u.id = m.user_id
WHERE m.workspace_id = ? AND {control.MAY_ENTER} AND u.status = 'active'
"""


def holders(permission: str) -> Whom:
    """Everyone with a right."""
    return lambda draft: _about_it(draft, holding(permission))


def holding(permission: str) -> set[str]:
    """The users with a right in the open workspace."""
    return {user_id for user_id, role, *_ in _members() if roles.allows(role, permission)}


def deciders(permission: str) -> Whom:
    """The manager of the event's employee if they may decide, else everyone with the right over everyone."""

    def of(draft: Draft) -> Iterable[tuple[str, str]]:
        employee_id = draft.data["employeeId"]
        manager_id = reporting_line.managers([employee_id]).get(employee_id)
        managing = _users([manager_id]) & holding(f"{permission}_reports") if manager_id else set()
        return _about_it(draft, managing or holding(permission) - _users([employee_id]))

    return of


def posters(draft: Draft) -> Iterable[tuple[str, str]]:
    """Everyone who can post a claim: of their own claims, only others can."""
    return _about_it(draft, holding("expenses.post") - _users([draft.data["employeeId"]]))


def week_of(draft: Draft) -> Iterable[tuple[str, str]]:
    """The person whose week of time it is, with the id by which weeks are listed."""
    user_id = draft.data["userId"]
    return [(user_id, f"{user_id}_{draft.data['dateFrom']}")]


def employee(draft: Draft) -> Iterable[tuple[str, str]]:
    """The employee whom the event is about."""
    return _about_it(draft, _users([draft.data["employeeId"]]))


def new_assignees(draft: Draft) -> Iterable[tuple[str, str]]:
    """The users to whom a task has just been assigned."""
    if draft.type == "task.created":
        return _about_it(draft, assigned(draft.resource_id))
    change = draft.data["changed"].get("assigneeUserIds", {"from": [], "to": []})
    return _about_it(draft, set(change["to"]) - set(change["from"]))


_INVOLVED = """
SELECT user_id FROM task_assignee WHERE task_id = :id
UNION SELECT created_by FROM task_comment WHERE task_id = :id
UNION SELECT coalesce(reporter_user_id, created_by) FROM task WHERE id = :id
"""


def involved(draft: Draft) -> Iterable[tuple[str, str]]:
    """Assignees, reporter and commenters of a task, except the people whom the comment mentions."""
    users = {user_id for (user_id,) in WORKSPACE.rows(_INVOLVED, {"id": draft.resource_id}) if user_id}
    return _about_it(draft, users - _mentioned(draft))


def mentioned(draft: Draft) -> Iterable[tuple[str, str]]:
    """The members whom a comment names after an `@`."""
    return _about_it(draft, _mentioned(draft))


def _mentioned(draft: Draft) -> set[str]:
    """By their whole name, or by a first name that only one member has."""
    ((text,),) = WORKSPACE.rows("SELECT text FROM task_comment WHERE id = ?", (draft.data["commentId"],))
    if "@" not in text:
        return set()
    names = {user_id: name for user_id, _, name, _ in _members()}
    having = Counter(_first(name) for name in names.values())
    return {
        user_id
        for user_id, name in names.items()
        if _says_at(text, name) or (having[_first(name)] == 1 and _says_at(text, _first(name)))
    }


def _first(name: str) -> str:
    return name.casefold().partition(" ")[0]


def _says_at(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w)@{re.escape(name.casefold())}(?!\w)", text.casefold()) is not None


def approvers(draft: Draft) -> Iterable[tuple[str, str]]:
    """Everyone who may approve bills, if the document is one and bills need approval here."""
    if draft.data["kind"] == "purchase_invoice" and workspace_settings.current().bill_approval:
        return _about_it(draft, holding("bills.approve"))
    return ()


_PAID = """
SELECT user_id, payslip.id FROM payslip JOIN employee ON employee.id = employee_id
WHERE run_id = ? AND user_id IS NOT NULL
"""


def paid(draft: Draft) -> Iterable[tuple[str, str]]:
    """Everyone whom a payroll run pays, with their payslip."""
    return WORKSPACE.rows(_PAID, (draft.resource_id,))


def instance_admins(draft: Draft) -> Iterable[tuple[str, str]]:
    """The members who look after the server."""
    return _about_it(draft, {user_id for user_id, *_, is_admin in _members() if is_admin})


def _about_it(draft: Draft, user_ids: Iterable[str]) -> Iterable[tuple[str, str]]:
    return ((user_id, draft.resource_id) for user_id in user_ids)


def _members() -> list[tuple[str, roles.Role, str, int]]:
    """User id, role, name, and whether an instance admin, of everyone who may enter the open workspace."""
    ((workspace_id,),) = WORKSPACE.rows("SELECT id FROM workspace_meta")
    return control.look_up(_MEMBERS, (workspace_id, clock.stamp()))


def _users(employee_ids: Iterable[str]) -> set[str]:
    statement = "SELECT user_id FROM employee WHERE user_id IS NOT NULL AND id IN (SELECT value FROM json_each(?))"
    return {user_id for (user_id,) in WORKSPACE.rows(statement, (sql.array(employee_ids),))}
