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
_FORGET = "UPDATE task SET left_status = NULL WHERE coalesce(project_id, '') = ? AND left_status = ?"
_FROM = """
SELECT id, position FROM task WHERE coalesce(project_id, '') = ? AND status = ? AND position >= ?
ORDER BY position LIMIT 1
"""


def end_of(project_id: str | None, status: str) -> int:
    """The position after the last task of a column; tasks without a project have a board of their own."""
    return _last(Column(project_id or "", status)) + GAP


def at_end(task: Task, column: Column) -> int:
    """The position that puts a task last in a column; its own if it is last already."""
    last = _last(column)
    return task.position if Column.of(task) == column and task.position == last else last + GAP


def back(task: Task, column: Column) -> int:
    """The position that returns a task to its place in the column it has left last; at the end of any other."""
    if (column.project_id, column.status) != (task.project_id or "", task.left_status) or Column.of(task) == column:
        return at_end(task, column)
    assert task.left_position is not None
    return at(task, column, task.left_position)


def at(task: Task, column: Column, position: int) -> int:
    """That position in a column that the task is not in; right before the task that has it now."""
    for id, taken in WORKSPACE.rows(_FROM, (*column, position)):
        if taken == position:
            return beside(task, column, id, before=True)
    return position


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
    WORKSPACE.run(_FORGET, column)
