"""Moves on the board: a task gets a place among the others of its project, in its own column or in another."""

from typing import Any, ClassVar

from erp.kernel.complaints import Complaints
from erp.store import changes, events
from erp.tasks import board, dependencies, tasks
from erp.tasks.board import Column
from erp.tasks.bodies import TaskName
from erp.tasks.models import Task
from erp.tasks.statuses import Status
from erp.web.schema import Body


class TaskMove(Body):
    """A new place for a task on its board: in a column, and there before or after another task, else at the end."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"taskId": "TASK-1", "status": "in_progress"}

    task_id: TaskName
    status: Status
    before_id: TaskName | None = None
    after_id: TaskName | None = None


def move(wanted: TaskMove) -> Task:
    """Put a task in its place on the board.

    Raises:
        UnknownReference: a field names what is not in this workspace.
        Invalid: both neighbours are given, or the one given does not stand in that column.
        ProjectArchived: the task can only be read.
        InvalidTransition, WaitsForOthers, SubtasksOpen: the task cannot have that status now.
    """
    task, anchor = _read_move(wanted)
    project = tasks.project_in_use(task)
    values = changes.differing(task, {"status": wanted.status})
    told = changes.before_and_after(task, values)
    tasks.check_status(task, values)
    column = Column(task.project_id or "", wanted.status)
    if anchor is None:
        position = board.at_end(task, column)
    else:
        position = board.beside(task, column, anchor.id, before=wanted.before_id is not None)
    if values or position != task.position:
        tasks.write(task, values, position)
        events.write("task.moved", "task", task.id, tasks.named(task, changed=told))
        tasks.follow(task, project, values)
    return task


def _read_move(wanted: TaskMove) -> tuple[Task, Task | None]:
    """The task to move and the one that it is to stand next to."""
    complaints, beside = Complaints(), {"beforeId": wanted.before_id, "afterId": wanted.after_id}
    neighbours = {field: name for field, name in beside.items() if name is not None}
    found = dependencies.named([wanted.task_id, *neighbours.values()])
    task = found.get(wanted.task_id)
    if task is None:
        complaints.unknown("taskId", "task")
    if len(neighbours) == 2:
        complaints.add("afterId", "one_too_many", "Give either beforeId or afterId.")
    for field, name in neighbours.items():
        _check_neighbour(field, found.get(name), task, wanted.status, complaints)
    complaints.refuse()
    assert task is not None
    return task, next((found[name] for name in neighbours.values()), None)


def _check_neighbour(
    field: str, neighbour: Task | None, task: Task | None, status: str, complaints: Complaints
) -> None:
    if neighbour is None:
        complaints.unknown(field, "task")
    elif task is not None and neighbour.id == task.id:
        complaints.add(field, "itself", f"{task.key} cannot stand next to itself.")
    elif task is not None and Column.of(neighbour) != Column(task.project_id or "", status):
        complaints.add(field, "other_column", f"{neighbour.key} does not stand in that column of the same project.")
