"""Tasks: how they are found, and the rules of changing them."""

from collections.abc import Mapping
from typing import Any

from erp.kernel import caller, clock
from erp.kernel.errors import InUse, UnknownReference
from erp.members import people
from erp.projects import rates, task_keys
from erp.projects.models import Project
from erp.projects.projects import ProjectArchived
from erp.store import changes, events
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.tasks import board, dependencies, repeating, statuses
from erp.tasks.assignees import assign, assigned
from erp.tasks.board import Column
from erp.tasks.bodies import NewTask, TaskChange, Terms, read
from erp.tasks.models import Task


def find_reference(value: str, field: str) -> Task:
    """Find the task that a field names by id or key.

    Raises:
        UnknownReference: there is none in this workspace.
    """
    task = dependencies.named([value]).get(value)
    if task is None:
        raise UnknownReference(field, "task")
    return task


def find_to_change(id: str) -> Task:
    """Find the task of that id, of the version that the caller expects, in a project that is not archived.

    Raises:
        NotFound: there is none in this workspace.
        VersionMismatch: it has another version by now.
        ProjectArchived: it can only be read.
    """
    task = Task.find_to_change(id)
    project_in_use(task)
    return task


def add(new: NewTask) -> Task:
    """Add a task at the end of its column.

    Raises:
        Forbidden: it sets a rate, and the caller may not see any.
        UnknownReference: a field names what is not in this workspace.
        Invalid: fields do not fit, alone or together.
    """
    id = new_id()
    terms = read(id, new.changes(), None)
    place = board.end_of(terms.columns["project_id"], new.status)
    reporter = caller.current().user_id
    task = Task.add(id=id, key=task_keys.next_key(terms.project), position=place, reporter_id=reporter, **terms.columns)
    _write_lists(task, terms)
    events.write("task.created", "task", id, named(task, projectId=task.project_id))
    return task


def change(id: str, wanted: TaskChange) -> Task:
    """Change a task; one with another status or project goes to the end of its new column.

    Raises:
        Forbidden: it sets a rate, and the caller may not see any.
        UnknownReference: a field names what is not in this workspace.
        Invalid: fields do not fit, alone or together.
        ProjectArchived: the task can only be read.
        InvalidTransition, WaitsForOthers, SubtasksOpen: the task cannot have that status now.
        InUse: it cannot leave its project.
    """
    task = find_to_change(id)
    terms = read(id, wanted.changes(), task)
    values = changes.differing(task, terms.columns)
    if "project_id" in values:
        values |= _leave(task, terms, values)
    told = changes.before_and_after(task, values) | _differing_lists(task, terms)
    if told:
        check_status(task, values, terms)
        column = Column(values.get("project_id", task.project_id) or "", values.get("status", task.status))
        write(task, values, task.position if column == Column.of(task) else board.at_end(task, column))
        _write_lists(task, terms)
        events.write("task.updated", "task", id, named(task, changed=told))
        follow(task, terms.project, values)
    return task


def remove(id: str) -> None:
    """Delete a task without time and subtasks, its comments with it; others no longer wait for it.

    Raises:
        InUse: time was logged or is being taken on it, or it has subtasks, or stands on an invoice.
        ProjectArchived: the task can only be read.
    """
    task = find_to_change(id)
    held = _held_by(task)
    if held:
        raise InUse(f"{task.key} has {' and '.join(held)}, and stays; it can be cancelled.")
    freed = WORKSPACE.rows("SELECT task_id FROM task_dependency WHERE depends_on_id = ? ORDER BY 1", (id,))
    changes.delete(task, f"{task.key} stands on an invoice, and stays; it can be cancelled.")
    events.write("task.deleted", "task", id, named(task, freed=[task_id for (task_id,) in freed]))


def named(task: Task, **facts: object) -> dict[str, object]:
    """What every event says of a task, and more."""
    return {"key": task.key, "title": task.title, **facts}


def project_in_use(task: Task) -> Project | None:
    """The project of a task that is to be changed."""
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


def _held_by(task: Task) -> list[str]:
    """What keeps a task where it is."""
    (found,) = WORKSPACE.rows(_HELD, (task.id,))
    return [what for what, is_so in zip(("logged time", "a running timer", "subtasks"), found, strict=True) if is_so]


def _leave(task: Task, terms: Terms, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a task needs in its new project, if it can leave its own."""
    held = _held_by(task)
    if task.parent_id is not None and "parent_id" not in values:
        held.append("a parent")
    if held:
        raise InUse(f"{task.key} has {' and '.join(held)}, and stays in its project.")
    return {"key": task_keys.next_key(terms.project)}


def _differing_lists(task: Task, terms: Terms) -> dict[str, Any]:
    """Who is assigned and what is waited for, before and after, where a request changes it."""
    present = {"assigneeIds": assigned(task.id), "dependsOn": dependencies.of(task.id)}
    wanted = {"assigneeIds": terms.assignee_ids, "dependsOn": terms.depends_on}
    return {
        name: {"from": present[name], "to": ids}
        for name, ids in wanted.items()
        if ids is not None and set(ids) != set(present[name])
    }


def check_status(task: Task, values: Mapping[str, Any], terms: Terms | None = None) -> None:
    """Refuse a status that the task cannot have now, or keep, with what it is to depend on."""
    present = dependencies.of(task.id)
    wanted = present if terms is None or terms.depends_on is None else terms.depends_on
    if "status" in values:
        statuses.check_step(task, values["status"])
    if values.get("status") == "done":
        statuses.check_dependencies(task, wanted)
        statuses.check_subtasks(task)
    elif "status" not in values and task.status == "done":
        statuses.check_dependencies(task, set(wanted) - set(present), "dependsOn")


def write(task: Task, values: dict[str, Any], position: int) -> None:
    """Write what differs in the row of a task, and what follows from it."""
    if "status" in values:
        values["completed_at"] = clock.stamp() if values["status"] == "done" else None
    task.change(**values, position=position)
    if "hourly_rate" in values:
        rates.reprice_task(task.id)


def _write_lists(task: Task, terms: Terms) -> None:
    if terms.depends_on is not None:
        dependencies.replace(task.id, terms.depends_on)
    if terms.assignee_ids is not None:
        assign(task.id, terms.assignee_ids)


def follow(task: Task, project: Project | None, values: Mapping[str, Any]) -> None:
    """Make the successor of a recurring task that has just been done for the first time."""
    if values.get("status") != "done" or task.repeat is None or task.successor_id is not None:
        return
    made = repeating.make_successor(task, project, people.today())
    if made is not None:
        task.successor_id = made.id
        Task.update(successor_id=made.id).where(Task.id == task.id).execute()
