"""Tasks and the board over HTTP."""

from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.projects.projects import ProjectArchived
from erp.tasks import listing, moves, tasks
from erp.tasks.bodies import NewTask, TaskChange
from erp.tasks.listing import TaskFilter, TaskView
from erp.tasks.moves import TaskMove
from erp.tasks.statuses import SubtasksOpen, WaitsForOthers
from erp.web.endpoint import endpoint
from erp.web.schema import Page

STEPS = (InvalidTransition, WaitsForOthers, SubtasksOpen)
"""How a new status may be refused."""


class Collection:
    @endpoint(permission="tasks.read")
    def on_get(self, query: TaskFilter) -> Page[TaskView]:
        """List the tasks, the newest first.

        Filters narrow the list together. `me` stands for the caller's own id; what is overdue depends on the day it
        is where the caller is. Sorted by `position` they stand as on the board, by `-priority` with the most urgent
        first, by `dueDate` either way with those last that have none.
        """
        return listing.search(query)

    @endpoint(permission="tasks.write", status=201, refuses=(UnknownReference,))
    def on_post(self, body: NewTask) -> TaskView:
        """Add a task at the end of its column.

        Its `key` is the project's code with a number that is never used again, or TASK with a number where there is
        no project. A subtask is of its parent's project; what it depends on may be of any. Neither may lead back to
        the task. Other tasks are named by id or key. Setting `hourlyRate` takes the right to see money.
        """
        return listing.show(tasks.add(body).id)


class Item:
    @endpoint(permission="tasks.read")
    def on_get(self, id: str) -> TaskView:
        """Show a task."""
        return listing.show(id)

    @endpoint(permission="tasks.write", refuses=(UnknownReference, ProjectArchived, InUse, *STEPS))
    def on_patch(self, id: str, body: TaskChange) -> TaskView:
        """Change a task.

        An open task (`todo`, `in_progress`, `review`, `blocked`) takes any status, one that is `done` or `cancelled`
        only `todo`. It cannot be done while a task that it depends on, or a subtask, is open; cancelled ones hold
        nothing up. With a new status it goes to the end of its new column.

        A task with `repeat` makes its successor when it is done for the first time: the same task in `todo`, with
        its dates moved on, unless its project takes no more tasks. Cancelling it ends the series.

        A task with logged time, a running timer, subtasks or a parent stays in its project; another gets a new key.
        The tasks of an archived project cannot be changed.
        """
        return listing.show(tasks.change(id, body).id)

    @endpoint(permission="tasks.write", refuses=(InUse, ProjectArchived))
    def on_delete(self, id: str) -> None:
        """Delete a task that has no time, no running timer and no subtasks.

        Its comments go with it, and tasks that depended on it no longer wait.
        """
        tasks.remove(id)


class Reorder:
    @endpoint(permission="tasks.write", refuses=(UnknownReference, ProjectArchived, *STEPS))
    def on_post(self, body: TaskMove) -> TaskView:
        """Put a task in its place on the board.

        In the column of `status` it comes right before `beforeId` or right after `afterId`, which have to stand
        there already, or else at the end. A new status follows the same rules as when the task is changed. The
        `position` of others may change as well; their order never does.
        """
        return listing.show(moves.move(body).id)
