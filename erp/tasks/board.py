"""The board: each status of a project is a column, with its tasks in a total order."""

from typing import NamedTuple

from erp.store.router import WORKSPACE
from erp.tasks.models import Task

GAP = 1 << 16
"""The distance between new positions, so that a task fits between two others without moving them."""


class Column(NamedTuple):
    """A column of a board; tasks without a project have a board of their own."""

    project_id: str
    status: str

    @classmethod
    def of(cls, task: Task) -> "Column":
        return cls(task.project_id or "", task.status)


_LAST = "SELECT coalesce(max(position), 0) FROM task WHERE coalesce(project_id, '') = ? AND status = ?"
_AROUND = """
SELECT
    (SELECT max(position) FROM task WHERE coalesce(project_id, '') = ? AND status = ? AND position < here AND id <> ?),
    here,
    (SELECT min(position) FROM task WHERE coalesce(project_id, '') = ? AND status = ? AND position > here AND id <> ?)
FROM (SELECT position AS here FROM task WHERE id = ?) AS anchor
"""
_SPREAD = """
UPDATE task SET position = ? + ? * place
FROM (
    SELECT id AS placed, row_number() OVER (ORDER BY position) AS place FROM task
    WHERE coalesce(project_id, '') = ? AND status = ?
) AS ordered
WHERE id = placed
"""


def end_of(project_id: str | None, status: str) -> int:
    """The position after the last task of a column; tasks without a project have a board of their own."""
    return _last(Column(project_id or "", status)) + GAP


def at_end(task: Task, column: Column) -> int:
    """The position that puts a task last in a column; its own if it is last already."""
    last = _last(column)
    return task.position if Column.of(task) == column and task.position == last else last + GAP


def beside(task: Task, column: Column, anchor_id: str, *, before: bool) -> int:
    """The position that puts a task next to another of a column; its own if it is there already.

    Where no number is left between the neighbours, the whole column is renumbered.
    """
    low, high = _around(task, column, anchor_id, before=before)
    if Column.of(task) == column and low < task.position < high:
        return task.position
    if high - low < 2:
        _spread(column)
        low, high = _around(task, column, anchor_id, before=before)
    return (low + high) // 2


def _last(column: Column) -> int:
    ((last,),) = WORKSPACE.rows(_LAST, column)
    return int(last)


def _around(task: Task, column: Column, anchor_id: str, *, before: bool) -> tuple[int, int]:
    """The positions between which a task goes, leaving itself out; beyond either end there is room for a gap."""
    ((previous, here, following),) = WORKSPACE.rows(_AROUND, (*column, task.id, *column, task.id, anchor_id))
    if before:
        return here - 2 * GAP if previous is None else previous, here
    return here, here + 2 * GAP if following is None else following


def _spread(column: Column) -> None:
    """Renumber a column behind its present end, so that no new position meets one that is still to change."""
    WORKSPACE.run(_SPREAD, (_last(column), GAP, *column))
