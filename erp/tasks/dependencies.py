"""What tasks wait for: those they depend on and, a parent, its subtasks; never, in the end, for themselves."""

import json
from collections.abc import Collection, Mapping, Sequence

from erp.store.router import WORKSPACE
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
"""All that a task would wait for, as far as the task itself.

It starts at the dependencies that it is to have and at its subtasks; its present dependencies and parent count no more.
"""

_STEPS = f"""{_WALK}
SELECT steps.id, via, ifnull(task.key, 'the new task') FROM (
    SELECT value AS id, NULL AS via FROM json_each(?3)
    UNION ALL SELECT id, NULL FROM task WHERE parent_id = ?1
    UNION ALL SELECT depends_on_id, walk.id FROM walk JOIN task_dependency ON task_id = walk.id WHERE walk.id <> ?1
    UNION ALL SELECT task.id, walk.id FROM walk JOIN task ON parent_id = walk.id WHERE walk.id <> ?1 AND task.id <> ?1
    UNION ALL SELECT ?1, ?2 FROM walk WHERE walk.id = ?2
) AS steps LEFT JOIN task ON task.id = steps.id
WHERE EXISTS (SELECT 1 FROM walk WHERE id = ?1)
"""
"""Each step of the walk with what waits for it, if the walk leads back; with the steps in it, it would take as many
more turns as each task has others that wait for it."""


def named(values: Collection[str]) -> dict[str, Task]:
    """The tasks of those ids or keys, by the id or key that they were named by."""
    given = json.dumps(list(values))
    found = {name: task for task in Task.raw(_NAMED, given, given) for name in (task.id, task.key)}
    return {value: found[value] for value in values if value in found}


def of(task_id: str) -> list[str]:
    """The ids of the tasks that a task depends on."""
    rows = WORKSPACE.rows("SELECT depends_on_id FROM task_dependency WHERE task_id = ? ORDER BY 1", (task_id,))
    return [id for (id,) in rows]


def replace(task_id: str, wanted: Sequence[str]) -> None:
    """Have a task depend on others, and on none but them."""
    WORKSPACE.run("DELETE FROM task_dependency WHERE task_id = ?", (task_id,))
    rows = [(task_id, id) for id in wanted]
    WORKSPACE.run_many("INSERT INTO task_dependency (task_id, depends_on_id) VALUES (?, ?)", rows)


def circle(task_id: str, parent_id: str | None, wanted: Collection[str]) -> list[tuple[str, str]]:
    """The circle in which a task would come to wait for itself, as ids and keys from the task back to it; or none.

    Args:
        task_id: it may be new, and not in the table yet.
        parent_id: the parent that it is to have.
        wanted: what it is to depend on.
    """
    starts = [*wanted, task_id] if parent_id == task_id else wanted
    rows = WORKSPACE.rows(_STEPS, (task_id, parent_id, json.dumps(list(starts))))
    keys = {id: key for id, _, key in rows}
    if task_id not in keys:
        return []
    return [(id, keys[id]) for id in _path(task_id, {(id, via) for id, via, _ in rows})]


def _path(task_id: str, steps: Collection[tuple[str, str | None]]) -> list[str]:
    """Follow the steps back from the task to where the walk began."""
    reached_from: Mapping[str, str | None] = dict(sorted(steps, key=lambda step: step[1] is None))
    path, at = [task_id], reached_from[task_id]
    while at is not None:
        path.append(at)
        at = reached_from[at]
    return [task_id, *reversed(path)]
