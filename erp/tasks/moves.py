"""Moves on the board: a new position within a project, in the same column or another."""

from typing import Any, ClassVar

from erp.kernel.complaints import Complaints
from erp.kernel.language import Noun, says
from erp.store import changes, events
from erp.tasks import board, dependencies, statuses, tasks
from erp.tasks.assignees import check_may_change
from erp.tasks.board import Column
from erp.tasks.bodies import TaskName
from erp.tasks.models import Task
from erp.tasks.statuses import Status
from erp.web.schema import Body


class TaskMove(Body):
    """A new position on the board: in a column, before or after another task, else where it was, or at the end."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"taskId": "TASK-1", "status": "in_progress"}

    task_id: TaskName
    status: Status
    before_id: TaskName | None = None
    after_id: TaskName | None = None


def move(body: TaskMove) -> Task:
    """Move a task on the board.

    Raises:
        UnknownReference: a field names something that is not in this workspace.
        Invalid: both neighbours are given, or the one given is not in that column.
        TaskOfOthers: the caller may change only their own tasks, and this one is not.
        ProjectArchived: the project must be unarchived first.
        InvalidTransition, WaitsForOthers, SubtasksOpen: the task cannot have that status now.
    """
    task, anchor = _read_move(body)
    check_may_change(task)
    statuses.check_shown(task)
    project = tasks.project_in_use(task)
    values = changes.differing(task, {"status": body.status})
    changed = changes.before_and_after(task, values)
    tasks.check_status(task, values)
    column = Column(task.project_id or "", body.status)
    if anchor is None:
        position = board.back(task, column)
    else:
        position = board.beside(task, column, anchor.id, before=body.before_id is not None)
    if values or position != task.position:
        tasks.write(task, values, position)
        events.write("task.moved", "task", task.id, tasks.event_data(task, changed=changed))
        tasks.follow(task, project, values)
    return task


def _read_move(body: TaskMove) -> tuple[Task, Task | None]:
    """The task to move, and the one it goes next to."""
    complaints, beside = Complaints(), {"beforeId": body.before_id, "afterId": body.after_id}
    neighbours = {field: name for field, name in beside.items() if name is not None}
    named = dependencies.named([body.task_id, *neighbours.values()])
    task = named.get(body.task_id)
    if task is None:
        complaints.unknown("taskId", Noun("task"))
    if len(neighbours) == 2:
        complaints.add("afterId", "one_too_many", says("Give either beforeId or afterId, not both."))
    for field, name in neighbours.items():
        _check_neighbour(field, named.get(name), task, body.status, complaints)
    complaints.refuse()
    assert task is not None
    return task, next((named[name] for name in neighbours.values()), None)


def _check_neighbour(
    field: str, neighbour: Task | None, task: Task | None, status: str, complaints: Complaints
) -> None:
    if neighbour is None:
        complaints.unknown(field, Noun("task"))
    elif task is not None and neighbour.id == task.id:
        complaints.add(field, "itself", says("{key} cannot be next to itself.", key=task.key))
    elif task is not None and Column.of(neighbour) != Column(task.project_id or "", status):
        complaints.add(
            field, "other_column", says("{key} is not in that column of the same project.", key=neighbour.key)
        )
