"""Dependencies and subtasks of tasks, never in a circle."""

from collections.abc import Collection, Mapping, Sequence

from erp.store import sql
from erp.store.router import WORKSPACE
from erp.tasks import privacy
from erp.tasks.models import Task

_NAMED = "SELECT * FROM task WHERE id IN (SELECT value FROM json_each(?)) OR key IN (SELECT value FROM json_each(?))"

_WALK = """
WITH RECURSIVE walk (id) AS (
    SELECT value FROM json_each(?3)
    UNION SELECT id FROM task WHERE parent_id = ?1
    UNION SELECT depends_on_id FROM walk JOIN task_dependency ON task_id = walk.id WHERE walk.id <> ?1
    UNION SELECT task.id FROM walk JOIN task ON parent_id = walk.id WHERE walk.id <> ?1 AND task.id <> ?1
    UNION SELECT ?1 FROM walk WHERE walk.id = ?2
)
"""
"""All tasks that a task would depend on, as far as the task itself.

It starts at the new dependencies and the subtasks; the present dependencies and parent no longer count.
"""

_STEPS = f"""{_WALK}
SELECT steps.id, via, coalesce(task.key, 'the new task') FROM (
    SELECT value AS id, NULL AS via FROM json_each(?3)
    UNION ALL SELECT id, NULL FROM task WHERE parent_id = ?1
    UNION ALL SELECT depends_on_id, walk.id FROM walk {sql.THEN_JOIN} task_dependency ON task_id = walk.id
    WHERE walk.id <> ?1
    UNION ALL SELECT task.id, walk.id FROM walk {sql.THEN_JOIN} task ON parent_id = walk.id
    WHERE walk.id <> ?1 AND task.id <> ?1
    UNION ALL SELECT ?1, ?2 FROM walk WHERE walk.id = ?2
) AS steps LEFT JOIN task ON task.id = steps.id
WHERE EXISTS (SELECT 1 FROM walk WHERE id = ?1)
"""
"""The steps of the walk with their dependants, if the walk leads back. The steps are not part of the walk itself, which
would then take as many more turns as each task has dependants.
"""


def named(values: Collection[str]) -> dict[str, Task]:
    """The tasks with those ids or keys that the caller may see, by the id or key that named them."""
    names = sql.array(values)
    found = [task for task in Task.fetch(_NAMED, names, names) if privacy.may_see(task.id, task.employee_id)]
    tasks = {name: task for task in found for name in (task.id, task.key)}
    return {value: tasks[value] for value in values if value in tasks}


def of(task_id: str) -> list[str]:
    """The ids of the tasks that a task depends on."""
    rows = WORKSPACE.rows("SELECT depends_on_id FROM task_dependency WHERE task_id = ? ORDER BY 1", (task_id,))
    return [id for (id,) in rows]


def replace(task_id: str, depends_on: Sequence[str]) -> None:
    """Make a task depend on these tasks and no others."""
    WORKSPACE.run("DELETE FROM task_dependency WHERE task_id = ?", (task_id,))
    rows = [(task_id, id) for id in depends_on]
    WORKSPACE.run_many("INSERT INTO task_dependency (task_id, depends_on_id) VALUES (?, ?)", rows)
    Task.record_columns(task_id, {"dependencies": sorted(set(depends_on))})


def circle(task_id: str, parent_id: str | None, depends_on: Collection[str]) -> list[tuple[str, str]]:
    """The circle in which a task would depend on itself, as ids and keys from the task back to it; empty without one.

    Args:
        task_id: may be of a new task that is not in the table yet.
        parent_id: its new parent.
        depends_on: its new dependencies.
    """
    if parent_id is None and not depends_on:
        return []
    starts = [*depends_on, task_id] if parent_id == task_id else depends_on
    rows = WORKSPACE.rows(_STEPS, (task_id, parent_id, sql.array(starts)))
    keys = {id: key for id, _, key in rows}
    if task_id not in keys:
        return []
    return [(id, keys[id]) for id in _path(task_id, {(id, via) for id, via, _ in rows})]


def _path(task_id: str, steps: Collection[tuple[str, str | None]]) -> list[str]:
    """Follow the steps back from the task to the start of the walk."""
    reached_from: Mapping[str, str | None] = dict(sorted(steps, key=lambda step: step[1] is None))
    path, at = [task_id], reached_from[task_id]
    while at is not None:
        path.append(at)
        at = reached_from[at]
    return [task_id, *reversed(path)]
