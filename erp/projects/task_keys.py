"""Keys: the short names that people call tasks by, such as WEB-12; numbers are never given twice."""

from erp.projects.models import Project
from erp.store.router import WORKSPACE

LOOSE = "TASK"
"""What stands for the project's code in the keys of tasks without one."""

_OF_PROJECT = "UPDATE project SET last_task = last_task + 1 WHERE id = ? RETURNING last_task"
_LOOSE = (
    "INSERT INTO number_counter (series, fiscal_year, last) VALUES ('task', 0, 1)"
    " ON CONFLICT (series, fiscal_year) DO UPDATE SET last = last + 1 RETURNING last"
)


def next_key(project: Project | None) -> str:
    """Take the next key of a project, for good, in the transaction under way; the project counts it."""
    if project is None:
        ((number,),) = WORKSPACE.rows(_LOOSE)
        return f"{LOOSE}-{number}"
    ((project.last_task,),) = WORKSPACE.rows(_OF_PROJECT, (project.id,))
    return f"{project.code}-{project.last_task}"
