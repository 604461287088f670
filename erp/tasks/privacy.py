"""Private tasks: those about an employee, such as the steps of a checklist.

Only assignees and those who may change employees see them. They take no time, belong to no project, and are neither
parents nor dependencies, so that no other record tells of them.
"""

from erp.kernel import caller
from erp.store.router import WORKSPACE
from erp.store.sql import Condition

_ASSIGNED = "SELECT 1 FROM task_assignee WHERE task_id = ? AND user_id = ?"
_MINE = "SELECT task_id FROM task_assignee WHERE user_id = :sees"


def may_see(task_id: str, employee_id: str | None) -> bool:
    """Whether the caller may see a task, which is private if it is about an employee."""
    if employee_id is None or caller.may("employees.write"):
        return True
    return bool(WORKSPACE.rows(_ASSIGNED, (task_id, caller.current().user_id)))


def visible() -> Condition:
    """The condition that the caller may see a row of `task`."""
    if caller.may("employees.write"):
        return Condition("true")
    return Condition(f"(employee_id IS NULL OR id IN ({_MINE}))", {"sees": caller.current().user_id})


def hidden_ids() -> Condition:
    """SQL of the ids of the tasks that the caller may not see, in brackets."""
    if caller.may("employees.write"):
        return Condition("(SELECT id FROM task WHERE false)")
    sql = f"(SELECT id FROM task WHERE employee_id IS NOT NULL AND id NOT IN ({_MINE}))"
    return Condition(sql, {"sees": caller.current().user_id})
