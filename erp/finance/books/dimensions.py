"""The projects and tasks that documents name: found many at once, in one query of each kind."""

import json
from collections.abc import Mapping

from erp.kernel.complaints import Complaints
from erp.store.router import WORKSPACE

_PROJECTS = "SELECT id FROM project WHERE id IN (SELECT value FROM json_each(?))"
_TASKS = "SELECT id, key, project_id FROM task WHERE id IN (SELECT value FROM json_each(?))"

Named = Mapping[str, str | None]
"""Ids by the path of the field that gives them; None where it gives none."""


def check_projects(named: Named, complaints: Complaints) -> None:
    """Complain of the fields that name a project which is not in this workspace."""
    wanted = {id for id in named.values() if id is not None}
    known = {id for (id,) in WORKSPACE.rows(_PROJECTS, (json.dumps(list(wanted)),))} if wanted else set()
    for field, id in named.items():
        if id is not None and id not in known:
            complaints.unknown(field, "project")


def projects_of_tasks(named: Named, projects: Named, complaints: Complaints) -> dict[str, str | None]:
    """The project that each task belongs to, by the path of its field.

    Args:
        projects: the project that stands beside the task, by the path of the task's field; complained of when the
            task is none of it.
    """
    wanted = {id for id in named.values() if id is not None}
    rows = WORKSPACE.rows(_TASKS, (json.dumps(list(wanted)),)) if wanted else []
    known = {id: (key, project_id) for id, key, project_id in rows}
    found: dict[str, str | None] = {}
    for field, id in named.items():
        if id is None:
            continue
        if id not in known:
            complaints.unknown(field, "task")
            continue
        key, found[field] = known[id]
        if projects.get(field) not in (None, found[field]):
            complaints.add(field, "wrong_project", f"{key} is no task of the project that is named beside it.")
    return found
