"""Keys: the short names of tasks, such as WEB-12; a number is never used twice."""

from erp.projects.models import Project
from erp.store.router import WORKSPACE

LOOSE = "TASK"
"""The prefix of the keys of tasks without a project."""

_OF_PROJECT = "UPDATE project SET last_task = last_task + 1 WHERE id = ? RETURNING last_task"
_LOOSE = (
    "INSERT INTO number_counter (series, fiscal_year, last) VALUES ('task', 0, 1)"
    " ON CONFLICT (series, fiscal_year) DO UPDATE SET last = number_counter.last + 1 RETURNING last"
)


def next_key(project: Project | None) -> str:
    """Take the next key of a project, which counts it; within the open transaction."""
    if project is None:
        ((number,),) = WORKSPACE.rows(_LOOSE)
        return f"{LOOSE}-{number}"
    ((project.last_task,),) = WORKSPACE.rows(_OF_PROJECT, (project.id,))
    return f"{project.code}-{project.last_task}"
