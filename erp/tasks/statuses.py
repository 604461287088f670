"""The states of a task, the steps between them, and what a task waits for before it is done."""

from collections.abc import Collection
from typing import Literal, get_args

from erp.kernel.errors import InvalidTransition, Refusal
from erp.store.router import WORKSPACE
from erp.tasks.models import Task

OpenStatus = Literal["todo", "in_progress", "review", "blocked"]
Status = Literal["todo", "in_progress", "review", "blocked", "done", "cancelled"]

OPEN: tuple[str, ...] = get_args(OpenStatus)
STATUSES: tuple[str, ...] = get_args(Status)

_NAMED = 10
"""How many tasks a message names at most."""


class WaitsForOthers(Refusal):
    """{key} waits for {others}: what it depends on has to be done or cancelled first."""


class SubtasksOpen(Refusal):
    """{key} has open subtasks, {others}: they have to be done or cancelled first."""


def check_step(task: Task, status: str) -> None:
    """Refuse a step that there is not: an open task goes to any status, one that is closed only back to todo.

    Raises:
        InvalidTransition: the task is closed.
    """
    if task.status not in OPEN and status != "todo":
        raise InvalidTransition(f"{task.key} is {task.status}; from there it can only go back to todo.", field="status")


def check_dependencies(task: Task, ids: Collection[str], field: str = "status") -> None:
    """Refuse to have a task done while it waits for others.

    Args:
        field: what the request says that makes it so.

    Raises:
        WaitsForOthers: some of those tasks are open.
    """
    rows = Task.select(Task.key).where(Task.id.in_(list(ids)), Task.status.in_(OPEN)).order_by(Task.id)
    waiting = [row.key for row in rows]
    if waiting:
        raise WaitsForOthers(field=field, key=task.key, others=_listed(waiting))


def check_subtasks(task: Task) -> None:
    """Refuse to have a task done before its parts are.

    Raises:
        SubtasksOpen: a subtask is open.
    """
    rows = WORKSPACE.rows(_OPEN_SUBTASKS, (task.id,))
    if rows:
        raise SubtasksOpen(field="status", key=task.key, others=_listed([key for (key,) in rows]))


_OPEN_SUBTASKS = f"SELECT key FROM task WHERE parent_id = ? AND status IN {OPEN} ORDER BY id"


def _listed(keys: list[str]) -> str:
    more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
    return ", ".join(keys[:_NAMED]) + more
