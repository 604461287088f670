"""The projects and tasks of documents: looked up together, one query for each kind."""

from collections.abc import Mapping

from erp.kernel.complaints import Complaints
from erp.kernel.language import Noun, says
from erp.store import sql
from erp.store.router import WORKSPACE

_PROJECTS = "SELECT id FROM project WHERE id IN (SELECT value FROM json_each(?))"
_TASKS = "SELECT id, key, project_id FROM task WHERE id IN (SELECT value FROM json_each(?))"

IdsByField = Mapping[str, str | None]
"""Ids by the path of the field that names them; None where a field is empty."""


def check_projects(project_ids: IdsByField, complaints: Complaints) -> None:
    """Complain of projects that are not in this workspace."""
    ids = {id for id in project_ids.values() if id is not None}
    projects = {id for (id,) in WORKSPACE.rows(_PROJECTS, (sql.array(ids),))} if ids else set()
    for field, id in project_ids.items():
        if id is not None and id not in projects:
            complaints.unknown(field, Noun("project"))


def projects_of_tasks(task_ids: IdsByField, projects: IdsByField, complaints: Complaints) -> dict[str, str | None]:
    """The project of each task, by the path of the field that names the task.

    Args:
        projects: the project that a document names with the task, by the path of the task's field. A task of another
            project is a complaint.
    """
    ids = {id for id in task_ids.values() if id is not None}
    tasks = {row[0]: row[1:] for row in (WORKSPACE.rows(_TASKS, (sql.array(ids),)) if ids else [])}
    project_ids: dict[str, str | None] = {}
    for field, id in task_ids.items():
        if id is None:
            continue
        if id not in tasks:
            complaints.unknown(field, Noun("task"))
            continue
        key, project_ids[field] = tasks[id]
        if projects.get(field) not in (None, project_ids[field]):
            complaints.add(field, "wrong_project", says("{key} is not a task of the project in projectId.", key=key))
    return project_ids
