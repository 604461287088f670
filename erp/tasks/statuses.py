"""The statuses of a task, its changes of status, and its actions."""

from collections.abc import Collection
from typing import Any, Literal, get_args

from erp.kernel import caller
from erp.kernel.errors import InvalidTransition, Refusal
from erp.kernel.language import Word, says
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.store.sql import among
from erp.tasks.models import Task

OpenStatus = Literal["todo", "in_progress", "review", "blocked"]
Status = Literal["todo", "in_progress", "review", "blocked", "done", "cancelled"]
Action = Literal["archive", "cancel", "delete", "finish", "move", "reopen", "unarchive", "update"]

OPEN: tuple[str, ...] = get_args(OpenStatus)
STATUSES: tuple[str, ...] = get_args(Status)

OVERDUE = f"(due_date IS NOT NULL AND due_date < :today AND status IN {OPEN})"
"""Whether a task is overdue on :today."""

_NAMED = 10
"""The most tasks that a message names."""


class WaitsForOthers(Refusal):
    """{key} depends on {others}. Complete or cancel those first."""


class SubtasksOpen(Refusal):
    """{key} has open subtasks: {others}. Complete or cancel them first."""


def check_step(task: Task, status: str) -> None:
    """Refuse an impossible step: an open task can take any status, a closed one only `todo`.

    Raises:
        InvalidTransition: the task is closed.
    """
    if task.status not in OPEN and status != "todo":
        raise InvalidTransition(
            says("{key} is {status}. The task can only be reopened.", key=task.key, status=Word.of(task.status)),
            field="status",
        )


class TaskOpen(Refusal):
    """{key} is open. Complete or cancel the task first."""


class TaskArchived(Refusal):
    """The task is archived. Unarchive the task first."""


def check_shown(task: Task) -> None:
    """Refuse to change an archived task."""
    if task.archived_at is not None:
        raise TaskArchived


def check_dependencies(task: Task, ids: Collection[str], field: str = "status") -> None:
    """Refuse to finish a task while its dependencies are open.

    Args:
        field: the field to complain about.

    Raises:
        WaitsForOthers: some of these tasks are open.
    """
    rows = Task.select(Task.key).where(among(Task.id, ids), among(Task.status, OPEN)).order_by(Task.id)
    waiting = [row.key for row in rows]
    if waiting:
        raise WaitsForOthers(field=field, key=task.key, others=_listed(waiting))


def check_subtasks(task: Task) -> None:
    """Refuse to finish a task before its subtasks.

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


_MINE = (
    "(:any_task = 1 OR :me IN (coalesce(created_by, ''), coalesce(reporter_user_id, ''))"
    " OR EXISTS (SELECT 1 FROM task_assignee WHERE task_id = task.id AND user_id = :me))"
)
_IN_USE = "NOT EXISTS (SELECT 1 FROM project WHERE project.id = task.project_id AND archived_at IS NOT NULL)"
_WAITS = f"""EXISTS (
    SELECT 1 FROM task AS other WHERE other.status IN {OPEN} AND (other.parent_id = task.id OR other.id IN (
        SELECT depends_on_id FROM task_dependency WHERE task_id = task.id)))"""
_HELD = " OR ".join(
    f"EXISTS (SELECT 1 FROM {holder})"
    for holder in (
        "time_log WHERE task_id = task.id",
        "timer WHERE task_id = task.id",
        "task AS other WHERE other.parent_id = task.id",
        "invoice_line WHERE task_id = task.id",
    )
)
_IS_SHOWN = "archived_at IS NULL"
_OFFERED: dict[Action, str] = {
    "archive": f"status NOT IN {OPEN} AND {_IS_SHOWN}",
    "cancel": f"status IN {OPEN}",
    "delete": f"{_IS_SHOWN} AND NOT ({_HELD})",
    "finish": f"status IN {OPEN} AND NOT {_WAITS}",
    "move": _IS_SHOWN,
    "reopen": f"status NOT IN {OPEN} AND {_IS_SHOWN}",
    "unarchive": "archived_at IS NOT NULL",
    "update": _IS_SHOWN,
}

CAN = f"CASE WHEN :changes = 1 AND {_MINE} AND {_IN_USE} THEN {sql.json_names(_OFFERED)} ELSE json('[]') END"
"""SQL of the actions as JSON."""


def rights() -> dict[str, Any]:
    """The parameters of `CAN`: the caller, and the tasks they may change."""
    return {
        "changes": int(caller.may_change("tasks.write_own")),
        "any_task": int(caller.may("tasks.write")),
        "me": caller.current().user_id,
    }
