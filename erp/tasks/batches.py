"""Several tasks at once: all or none, with what is wrong by its row."""

from typing import Annotated, Any, ClassVar

import msgspec

from erp.kernel.complaints import all_or_none
from erp.kernel.errors import NotFound
from erp.tasks import dependencies, tasks
from erp.tasks.bodies import NewTask, TaskChange, TaskName
from erp.tasks.listing import TaskView
from erp.tasks.models import Task
from erp.web.schema import Body, View


class TaskBatch(Body):
    """Tasks that are added together."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"tasks": [{"title": "Sketches"}, {"title": "Colours", "priority": "low"}]}

    tasks: Annotated[list[NewTask], msgspec.Meta(min_length=1, max_length=200)]


class TaskBatchChange(Body):
    """The same change to several tasks."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"taskIds": ["TASK-1"], "change": {"status": "in_progress"}}

    task_ids: Annotated[list[TaskName], msgspec.Meta(min_length=1, max_length=200)]
    change: TaskChange


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
    """Change tasks in their order, so that one that is done frees those that wait for it.

    Raises:
        Invalid: with a complaint for every task that cannot be changed; the request then changes none of them.
    """
    return all_or_none(body.task_ids, lambda name: _change(name, body.change), "taskIds")


def _change(name: str, change: TaskChange) -> Task:
    task = dependencies.named([name]).get(name)
    if task is None:
        raise NotFound("There is no such task.")
    return tasks.change(task.id, change)
