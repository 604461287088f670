"""Tasks and the board over HTTP."""

from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.projects.projects import ProjectArchived
from erp.tasks import batches, listing, moves, tasks
from erp.tasks.batches import TaskBatch, TaskBatchChange, TaskBatchView
from erp.tasks.bodies import NewTask, TaskChange
from erp.tasks.listing import TaskCount, TaskFilter, TaskView
from erp.tasks.moves import TaskMove
from erp.tasks.statuses import SubtasksOpen, TaskArchived, TaskOpen, WaitsForOthers
from erp.web.endpoint import endpoint
from erp.web.schema import Page
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, ReadRows, SheetImport

STEPS = (InvalidTransition, WaitsForOthers, SubtasksOpen)
"""Refusals of a new status."""


class Collection:
    @endpoint(permission="tasks.read", refuses=(UnknownReference,))
    def on_get(self, query: TaskFilter) -> Page[TaskView] | list[TaskCount]:
        """List the tasks, the newest first.

        Filters combine. `me` is your own id; overdue is judged by the day in your time zone. `position` is the order of
        the board, `-priority` puts the most urgent first, and `dueDate` puts tasks without one last either way.
        `groupBy` answers counts.
        """
        return listing.counts(query) if query.group_by else listing.search(query)

    @endpoint(permission="tasks.write_own", status=201, refuses=(UnknownReference,))
    def on_post(self, body: NewTask) -> TaskView:
        """Add a task at the end of its column.

        Its `key` is the project's code, or TASK without a project, with a number that is never used again. A subtask
        belongs to its parent's project; a dependency may belong to any. Neither may lead back to the task. Other
        tasks are named by id or key. Setting `hourlyRate` needs the right to see money.
        """
        return listing.show(tasks.add(body).id)


class Batch:
    @endpoint(permission="tasks.write_own")
    def on_post(self, body: TaskBatch) -> TaskBatchView:
        """Add up to 200 tasks at once, all or none.

        Each follows the rules of `POST /tasks`, in the given order. Errors name the row (`tasks[3].title`).
        """
        return TaskBatchView(tasks=[listing.show(task.id) for task in batches.add(body)])


class BatchChange:
    @endpoint(permission="tasks.write_own")
    def on_post(self, body: TaskBatchChange) -> TaskBatchView:
        """Change up to 200 tasks at once, all or none: their status, assignees, project or any other field.

        Each change follows the rules for a single task, in the given order. Errors name the row (`tasks[3].status`).
        """
        return TaskBatchView(tasks=[listing.show(task.id) for task in batches.change(body)])


class Import:
    @endpoint(permission="tasks.write_own", prepare=sheets.rows_of(NewTask))
    def on_post(self, body: SheetImport, prepared: ReadRows[NewTask]) -> ImportedView:
        """Add tasks from a spreadsheet, all or none.

        The headings are the fields of the body of a `POST` that adds one. A project is named by its code. Errors name
        the row (`rows[3].name`; the headings are row 1). `dryRun` only checks.
        """
        return sheets.load(body, prepared, tasks.add)


class Item:
    @endpoint(permission="tasks.read")
    def on_get(self, id: str) -> TaskView:
        """Show a task.

        `can` names the actions open to you now. Its comments and time logs have addresses of their own.
        """
        return listing.show(id)

    @endpoint(permission="tasks.write_own", refuses=(UnknownReference, ProjectArchived, TaskArchived, InUse, *STEPS))
    def on_patch(self, id: str, body: TaskChange) -> TaskView:
        """Change a task; members only their own: created, reported or assigned.

        An open task (`todo`, `in_progress`, `review`, `blocked`) can take any status, a `done` or `cancelled` one only
        `todo`. A task cannot be done while a dependency or a subtask is open; cancelled ones do not count. A new
        status puts it at the end of its new column.

        When a task with `repeat` is done for the first time, its successor is made: the same task in `todo` with later
        dates, unless its project takes no more tasks. Cancelling it ends the series.

        A task with logged time, a running timer, subtasks or a parent stays in its project. Any other gets a new key
        with its new project.
        The tasks of an archived project cannot be changed.
        """
        return listing.show(tasks.change(id, body).id)

    @endpoint(permission="tasks.write_own", refuses=(InUse, ProjectArchived, TaskArchived))
    def on_delete(self, id: str) -> None:
        """Delete a task without time, running timer or subtasks; members only one that they may change.

        Its comments are deleted too, and tasks that depended on it no longer wait. Files that came from the inbox go
        back there, other files are deleted.
        """
        tasks.remove(id)


class Archive:
    @endpoint(permission="tasks.write_own", refuses=(InvalidTransition, ProjectArchived, TaskOpen))
    def on_post(self, id: str) -> TaskView:
        """Archive a task that is done or cancelled; members only one that they may change.

        Lists and the board leave it out, and it takes no changes until it is unarchived. Its time stays. A task that is
        open, or archived already, is refused (409).
        """
        return listing.show(tasks.archive(id).id)


class Unarchive:
    @endpoint(permission="tasks.write_own", refuses=(InvalidTransition, ProjectArchived))
    def on_post(self, id: str) -> TaskView:
        """Unarchive a task; members only one that they may change.

        Lists and the board show it again, at its place. A task that is not archived is refused (409).
        """
        return listing.show(tasks.unarchive(id).id)


class Reorder:
    @endpoint(permission="tasks.write_own", refuses=(UnknownReference, ProjectArchived, TaskArchived, *STEPS))
    def on_post(self, body: TaskMove) -> TaskView:
        """Move a task on the board; members only one that they may change.

        In the column of `status` it is put right before `beforeId` or right after `afterId`, which must be in that
        column. Without either, it goes back to its place in the column that it left last, or to the end of any other.
        A new status follows the same rules as a change of the task. The `position` of other tasks may change; their
        order does not.
        """
        return listing.show(moves.move(body).id)
