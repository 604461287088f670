"""Assignees of a task, and the right to change it that follows."""

from collections.abc import Sequence

from erp.kernel import caller
from erp.kernel.errors import Forbidden
from erp.kernel.language import Listed, Word, says
from erp.members import people
from erp.store.router import WORKSPACE
from erp.tasks.models import Task


class TaskOfOthers(Forbidden):
    """{whose} You can change tasks that you created or reported, and those assigned to you."""

    code = "forbidden"


def check_may_change(task: Task) -> None:
    """Refuse to change a task of others.

    Raises:
        TaskOfOthers: the caller may change only their own tasks, and this one is not.
    """
    mine = caller.current().user_id
    if caller.may("tasks.write") or mine in (task.created_by, task.reporter_user_id):
        return
    if task.employee_id is not None and caller.may("employees.write"):
        return
    user_ids = assigned(task.id)
    if mine not in user_ids:
        raise TaskOfOthers(whose=_whose(task, user_ids))


def _whose(task: Task, user_ids: Sequence[str]) -> str:
    reporter = task.reporter_user_id or task.created_by
    names = people.names([*user_ids, *([reporter] if reporter else [])])
    if user_ids:
        assigned_to = Listed.of([names.get(id, Word("a former member")) for id in user_ids], "and", separator=" and ")
        return says("{key} is assigned to {names}.", key=task.key, names=assigned_to)
    name = names.get(reporter or "", Word("someone else"))
    return says("{key} was reported by {name} and has no assignee.", key=task.key, name=name)


def assigned(task_id: str) -> list[str]:
    """The ids of the users that a task is assigned to."""
    rows = WORKSPACE.rows("SELECT user_id FROM task_assignee WHERE task_id = ? ORDER BY 1", (task_id,))
    return [user_id for (user_id,) in rows]


def assign(task_id: str, user_ids: Sequence[str]) -> None:
    """Assign a task to these users and no others."""
    WORKSPACE.run("DELETE FROM task_assignee WHERE task_id = ?", (task_id,))
    rows = [(task_id, user_id) for user_id in user_ids]
    WORKSPACE.run_many("INSERT INTO task_assignee (task_id, user_id) VALUES (?, ?)", rows)
    Task.record_columns(task_id, {"assignees": sorted(set(user_ids))})
