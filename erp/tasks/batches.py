"""Several tasks at once: all or none, with complaints by row."""

from typing import Annotated, Any, ClassVar

import msgspec

from erp.kernel.complaints import all_or_none
from erp.tasks import tasks
from erp.tasks.bodies import NewTask, TaskChange, TaskName
from erp.tasks.listing import TaskView
from erp.tasks.models import Task
from erp.web.schema import Body, View

Position = Annotated[
    int,
    msgspec.Meta(
        ge=-(1 << 53),
        le=1 << 53,
        description="Of a new column: the `position` that the task had there, to undo a change. At the end by default.",
    ),
]


class TaskBatch(Body):
    """Tasks that are added together."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"tasks": [{"title": "Sketches"}, {"title": "Colours", "priority": "low"}]}

    tasks: Annotated[list[NewTask], msgspec.Meta(min_length=1, max_length=200)]


class TaskOfBatch(TaskChange, kw_only=True):
    """A task, and the fields of it to change."""

    task_id: TaskName
    position: Position | None = None


class TaskBatchChange(Body):
    """Changes of several tasks."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"tasks": [{"taskId": "TASK-1", "status": "in_progress", "priority": "high"}]}

    tasks: Annotated[list[TaskOfBatch], msgspec.Meta(min_length=1, max_length=200)]


class TaskBatchView(View):
    """The tasks, in the order of the request."""

    tasks: list[TaskView]


def add(body: TaskBatch) -> list[Task]:
    """Add tasks in their order.

    Raises:
        Invalid: with a complaint for every task that cannot be added; the request then leaves none of them.
    """
    return all_or_none(body.tasks, tasks.add, "tasks")


def change(body: TaskBatchChange) -> list[Task]:
    """Change tasks in their order, so that a finished task frees the ones that depend on it.

    Raises:
        Invalid: with a complaint for every task that cannot be changed; the request then changes none of them.
    """
    return all_or_none(body.tasks, _change, "tasks")


def _change(row: TaskOfBatch) -> Task:
    fields = {name: getattr(row, name) for name in TaskChange.__struct_fields__}
    return tasks.change(tasks.refer(row.task_id, "taskId").id, TaskChange(**fields), row.position)
