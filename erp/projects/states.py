"""The states of a project, and their changes."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Literal, get_args

from erp.kernel import caller
from erp.kernel.errors import InvalidTransition, Refusal
from erp.kernel.language import Listed, Word, says
from erp.projects.models import Project
from erp.store.router import WORKSPACE

Status = Literal["planned", "active", "on_hold", "completed", "cancelled"]
STATUSES: tuple[Status, ...] = get_args(Status)

TRANSITIONS: dict[str, tuple[Status, ...]] = {
    "planned": ("active", "cancelled"),
    "active": ("on_hold", "completed", "cancelled"),
    "on_hold": ("active", "cancelled"),
    "completed": ("active",),
    "cancelled": ("planned",),
}
"""The possible next states."""

Action = Literal["activate", "archive", "cancel", "complete", "delete", "hold", "plan", "unarchive", "update"]

_STEPS: dict[Action, Status] = {
    "activate": "active",
    "cancel": "cancelled",
    "complete": "completed",
    "hold": "on_hold",
    "plan": "planned",
}
"""The actions that change the status, with the new one."""

LIVE = ("planned", "active", "on_hold")
"""The states in which a project can be overdue."""


class OpenTasks(Refusal):
    """The project has open tasks: {count}. Complete or cancel them, or confirm that the project is completed."""


def check(project: Project, status: Status, *, force: bool = False) -> None:
    """Check that a project can take a status.

    Args:
        force: complete it even with open tasks.

    Raises:
        InvalidTransition: its present status does not lead there.
        OpenTasks: it has open tasks.
    """
    possible = TRANSITIONS[project.status]
    if status not in possible:
        raise InvalidTransition(
            says(
                "A project that is {status} cannot become {wanted}, only {possible}.",
                status=Word.of(project.status),
                wanted=Word.of(status),
                possible=Listed.of([Word.of(status) for status in possible], "or"),
            ),
            field="status",
        )
    if status == "completed" and not force:
        _check_open_tasks(project)


def actions(project: Project, *, has_tasks: bool) -> list[Action]:
    """The caller's actions on a project; the rules may still refuse for the books or open tasks."""
    checks: dict[Action, Callable[[], object]] = {"unarchive": lambda: None}
    if project.archived_at is None:
        steps = {action: partial(check, project, status, force=True) for action, status in _STEPS.items()}
        checks = {"archive": lambda: None, "update": lambda: None, **steps}
    if not has_tasks:
        checks["delete"] = lambda: None
    return caller.allowed("projects.write", checks)


def is_overdue(project: Project, today: date) -> bool:
    """Past its due date, and not done."""
    return project.status in LIVE and project.due_date is not None and project.due_date < today


OVERDUE = f"(due_date IS NOT NULL AND status IN {LIVE} AND due_date < :today)"
"""`is_overdue` in SQL."""

_OPEN = "SELECT count(*) FROM task WHERE project_id = ? AND status NOT IN ('done', 'cancelled')"


def _check_open_tasks(project: Project) -> None:
    ((count,),) = WORKSPACE.rows(_OPEN, (project.id,))
    if count:
        raise OpenTasks(field="status", count=count, tasks=Word("task") if count == 1 else Word("tasks"))
