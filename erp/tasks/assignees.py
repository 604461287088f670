"""Who a task is assigned to."""

from collections.abc import Sequence

from erp.store.router import WORKSPACE
from erp.tasks.models import Task


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
