"""Tasks: finding, adding, changing and deleting."""

from collections.abc import Mapping
from typing import Any

from erp.attachments import attachments
from erp.kernel import caller, clock
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InUse, UnknownReference
from erp.kernel.language import Listed, Noun, Word, says
from erp.kernel.wire import wire_name
from erp.members import people
from erp.projects import rates, task_keys
from erp.projects.models import Project
from erp.projects.projects import ProjectArchived
from erp.store import changes, events
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.tasks import board, dependencies, repeating, statuses
from erp.tasks.assignees import assign, assigned, check_may_change
from erp.tasks.board import Column
from erp.tasks.bodies import CheckedTask, NewTask, TaskChange, read
from erp.tasks.models import Task
from erp.tasks.statuses import TaskOpen


def refer(value: str, field: str) -> Task:
    """Find the task that a field names by id or key.

    Raises:
        UnknownReference: there is none in this workspace.
    """
    task = dependencies.named([value]).get(value)
    if task is None:
        raise UnknownReference(field, Noun("task"))
    return task


def find_to_change(id: str) -> Task:
    """Find a task to change: allowed to the caller, and in the version that they expect.

    Raises:
        NotFound: there is none in this workspace.
        TaskOfOthers: the caller may change only their own tasks, and this one is not.
        VersionMismatch: it has changed since.
        ProjectArchived: the project must be unarchived first.
        TaskArchived: the task must be unarchived first.
    """
    task = _find_with_archived(id)
    statuses.check_shown(task)
    return task


def _find_with_archived(id: str) -> Task:
    task = Task.find(id)
    check_may_change(task)
    task.check_version()
    project_in_use(task)
    return task


def archive(id: str) -> Task:
    """Archive a task that is done or cancelled: lists and the board leave it out, and it takes no changes.

    Raises:
        TaskOpen: it is still to be done.
        InvalidTransition: it is archived.
    """
    task = _find_with_archived(id)
    if task.status in statuses.OPEN:
        raise TaskOpen(key=task.key)
    return changes.archive(task, event_data)


def unarchive(id: str) -> Task:
    return changes.unarchive(_find_with_archived(id), event_data)


def add(new: NewTask, employee_id: str | None = None) -> Task:
    """Add a task at the end of its column.

    Args:
        employee_id: whom it is about, which makes it private.

    Raises:
        Forbidden: it sets a rate, and the caller may not see money.
        UnknownReference: a field names something that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
    """
    id = new_id()
    checked = read(id, new.changes(), None)
    position = board.end_of(checked.columns["project_id"], new.status)
    columns = checked.columns | {"position": position, "reporter_user_id": caller.current().user_id}
    columns["employee_id"] = employee_id
    task = Task.add(id=id, key=task_keys.next_key(checked.project), **columns)
    _write_lists(task, checked)
    events.write("task.created", "task", id, event_data(task, projectId=task.project_id))
    return task


def change(id: str, body: TaskChange, position: int | None = None) -> Task:
    """Change a task; a new status or project puts it at a position of its new column, or at the end.

    Raises:
        Forbidden: it sets a rate, and the caller may not see money.
        UnknownReference: a field names something that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
        ProjectArchived: the project must be unarchived first.
        InvalidTransition, WaitsForOthers, SubtasksOpen: the task cannot have that status now.
        InUse: it cannot leave its project.
    """
    task = find_to_change(id)
    checked = read(id, body.changes(), task)
    values = changes.differing(task, checked.columns)
    if "project_id" in values:
        values |= _leave(task, checked, values)
    _refuse_where_private(task, values)
    changed = changes.before_and_after(task, values) | _differing_lists(task, checked)
    begins = _begin_rate(task, body, checked, values)
    if changed or begins:
        check_status(task, values, checked)
        write(task, values, _position(task, values, position))
        _write_lists(task, checked)
        if begins:
            rates.reprice_task(task.id)
        events.write("task.updated", "task", id, event_data(task, changed=changed))
        follow(task, checked.project, values)
    return task


def _position(task: Task, values: Mapping[str, Any], wanted: int | None) -> int:
    column = Column(values.get("project_id", task.project_id) or "", values.get("status", task.status))
    if column == Column.of(task):
        return task.position
    return board.at_end(task, column) if wanted is None else board.at(task, column, wanted)


def _refuse_where_private(task: Task, values: Mapping[str, Any]) -> None:
    """Refuse what would tell others of a private task.

    Raises:
        Invalid: it would get a project, a parent, or a successor.
    """
    if task.employee_id is None:
        return
    complaints = Complaints()
    for name in ("project_id", "parent_id", "repeat"):
        if values.get(name) is not None:
            complaints.add(wire_name(name), "not_applicable", says("This task is private."))
    complaints.refuse()


def _begin_rate(task: Task, body: TaskChange, checked: CheckedTask, values: Mapping[str, Any]) -> bool:
    """Keep the past rate where another one begins on a day; whether it does."""
    present = rates.in_force(task.hourly_rate, checked.project.hourly_rate if checked.project else None)
    begins = rates.first_day(body.hourly_rate_from, values, known=present is not None)
    if begins is not None:
        rates.begin("task", task.id, task.hourly_rate, begins)
    return begins is not None


def remove(id: str) -> None:
    """Delete a task and its comments; other tasks no longer wait for it.

    Files that came from the inbox go back there, other files are deleted.

    Raises:
        InUse: it has time, a running timer or subtasks, or is on an invoice.
        ProjectArchived: the project must be unarchived first.
    """
    task = find_to_change(id)
    held = _bindings(task)
    if held:
        raise InUse(
            says("{key} cannot be deleted: {held}. Cancel the task instead.", key=task.key, held=_in_words(held))
        )
    waiting = WORKSPACE.rows("SELECT task_id FROM task_dependency WHERE depends_on_id = ? ORDER BY 1", (id,))
    freed = [task_id for (task_id,) in waiting]
    refusal = says("{key} is on an invoice. Cancel the task instead.", key=task.key)
    attachments.give_back("task", id)
    changes.delete(task, refusal, lambda task: event_data(task, freed=freed))


def event_data(task: Task, **more: object) -> dict[str, object]:
    """The event's data with `more`; of a private task neither its title nor what has changed."""
    if task.employee_id is None:
        return {"key": task.key, "title": task.title, **more}
    if "changed" in more:
        more["changed"] = {"assigneeUserIds": of} if (of := _assignees_in(more["changed"])) else {}
    return {"key": task.key, **more}


def _assignees_in(changed: Any) -> Any:
    return changed.get("assigneeUserIds")


def project_in_use(task: Task) -> Project | None:
    """The project of a task to change.

    Raises:
        ProjectArchived: it must be unarchived first.
    """
    if task.project_id is None:
        return None
    project = Project.find(task.project_id)
    if project.archived_at is not None:
        raise ProjectArchived
    return project


_HELD = """
SELECT EXISTS (SELECT 1 FROM time_log WHERE task_id = ?1), EXISTS (SELECT 1 FROM timer WHERE task_id = ?1),
    EXISTS (SELECT 1 FROM task WHERE parent_id = ?1)
"""


_HOLDS = Word("logged time"), Word("a running timer"), Word("subtasks")


def _in_words(held: list[str]) -> Listed:
    return Listed.of(held, "and", separator=" and ")


def _bindings(task: Task) -> list[str]:
    """The records that keep a task in its project."""
    (held,) = WORKSPACE.rows(_HELD, (task.id,))
    return [noun for noun, is_so in zip(_HOLDS, held, strict=True) if is_so]


def _leave(task: Task, checked: CheckedTask, values: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that change as a task moves to another project."""
    held = _bindings(task)
    if task.parent_id is not None and "parent_id" not in values:
        held.append(Word("a parent"))
    if held:
        raise InUse(
            says(
                "{key} cannot move to another project: {held}.",
                key=task.key,
                held=_in_words(held),
            )
        )
    return {"key": task_keys.next_key(checked.project)}


def _differing_lists(task: Task, checked: CheckedTask) -> dict[str, Any]:
    """Assignees and dependencies before and after, where a request changes them."""
    present = {"assigneeUserIds": assigned(task.id), "dependsOn": dependencies.of(task.id)}
    sent = {"assigneeUserIds": checked.assignee_user_ids, "dependsOn": checked.depends_on}
    return {
        name: {"from": present[name], "to": ids}
        for name, ids in sent.items()
        if ids is not None and set(ids) != set(present[name])
    }


def check_status(task: Task, values: Mapping[str, Any], checked: CheckedTask | None = None) -> None:
    """Refuse a status that the task cannot take, or cannot keep with its new dependencies."""
    present = dependencies.of(task.id)
    depends_on = present if checked is None or checked.depends_on is None else checked.depends_on
    if "status" in values:
        statuses.check_step(task, values["status"])
    if values.get("status") == "done":
        statuses.check_dependencies(task, depends_on)
        statuses.check_subtasks(task)
    elif "status" not in values and task.status == "done":
        statuses.check_dependencies(task, set(depends_on) - set(present), "dependsOn")


def write(task: Task, values: dict[str, Any], position: int) -> None:
    """Write the columns of a task that differ, with the effects of a new status."""
    if "status" in values:
        values["completed_at"] = clock.stamp() if values["status"] == "done" else None
        values |= {"left_status": task.status, "left_position": task.position}
    task.change(**values, position=position)
    if "hourly_rate" in values:
        rates.reprice_task(task.id)


def _write_lists(task: Task, checked: CheckedTask) -> None:
    if checked.depends_on is not None:
        dependencies.replace(task.id, checked.depends_on)
    if checked.assignee_user_ids is not None:
        assign(task.id, checked.assignee_user_ids)


def follow(task: Task, project: Project | None, values: Mapping[str, Any]) -> None:
    """Make the successor of a recurring task that is done for the first time."""
    if values.get("status") != "done" or task.repeat is None or task.successor_id is not None:
        return
    successor = repeating.make_successor(task, project, people.today())
    if successor is not None:
        task.successor_id = successor.id
        Task.update(successor_id=successor.id).where(Task.id == task.id).execute()
