"""Projects as templates: a copy with its tasks at another start, without the time."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, ClassVar

from peewee import chunked

from erp.finance.contacts.models import Contact
from erp.kernel import caller
from erp.kernel.days import FIRST_DAY, LAST_DAY
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.members import people
from erp.projects import projects, task_keys
from erp.projects.models import Project
from erp.projects.views import ProjectView, view
from erp.store import events, sql
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.tasks.board import GAP
from erp.tasks.models import Task
from erp.tasks.statuses import STATUSES
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Name
from erp.web.schema import Body


class NewProjectCopy(Body):
    """A copy of a project: its name and its start."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Website relaunch, the next", "startDate": "2026-09-01"}

    name: Name
    start_date: Day


def duplicate(id: str, body: NewProjectCopy) -> Project:
    """Copy a project in any state, with its tasks, except for cancelled and archived ones.

    Raises:
        Invalid: with that start a date would fall outside `FIRST_DAY` to `LAST_DAY`.
    """
    template = Project.find_to_change(id)
    tasks = _tasks_of(template)
    dates = [template.due_date, *(day for task in tasks for day in (task.start_date, task.due_date))]
    days = shift_of(template.start_date, dates, body.start_date)
    copy = _copy_project(template, body, days)
    copies = _copy_tasks(tasks, copy, days)
    _copy_links(copies)
    copied = {"code": copy.code, "name": copy.name, "from": template.id, "tasks": len(copies)}
    events.write("project.duplicated", "project", copy.id, copied)
    return copy


def shift_of(own_start: date | None, others: Iterable[date | None], start: date) -> int:
    """The days by which the dates of a copy move.

    Args:
        own_start: the start of the template.
        others: its other dates, the earliest of which counts where it has no start.
        start: the start of the copy.
    """
    return (start - (own_start or min((day for day in others if day is not None), default=start))).days


def moved(day: date | None, days: int) -> date | None:
    """A day so many days later.

    Raises:
        Invalid: it would fall outside `FIRST_DAY` to `LAST_DAY`.
    """
    if day is None:
        return None
    ordinal = day.toordinal() + days
    if not FIRST_DAY.toordinal() <= ordinal <= LAST_DAY.toordinal():
        message = says(
            "With this start {day} would move outside {first} to {last}.", day=day, first=FIRST_DAY, last=LAST_DAY
        )
        raise Invalid.one("startDate", "out_of_range", message)
    return date.fromordinal(ordinal)


_COPIED = ("description", "billing", "hourly_rate", "fixed_price", "budget_minutes", "budget_amount", "tags")
_TASK_COPIED = ("title", "description", "priority", "tags", "estimate_minutes", "is_billable", "hourly_rate")


def _copy_project(template: Project, body: NewProjectCopy, days: int) -> Project:
    members = template.member_user_ids
    named = [*members, *([template.owner_user_id] if template.owner_user_id else [])]
    strangers = people.strangers(named)
    copy = Project.add(
        **{name: getattr(template, name) for name in _COPIED},
        code=projects.free_code(body.name),
        name=body.name,
        customer_id=_customer(template),
        owner_user_id=None if template.owner_user_id in strangers else template.owner_user_id,
        start_date=body.start_date,
        due_date=moved(template.due_date, days),
    )
    projects.name_members(copy, [user_id for user_id in members if user_id not in strangers])
    return copy


def _customer(template: Project) -> str | None:
    if template.customer_id is None:
        return None
    return template.customer_id if Contact.find(template.customer_id).archived_at is None else None


def _tasks_of(template: Project) -> list[Task]:
    """The tasks to copy, oldest first; of a recurring task the first, which will make its successors again."""
    live = (Task.project == template.id) & (Task.status != "cancelled") & Task.archived_at.is_null()
    tasks = list(Task.select().where(live).order_by(Task.id))
    successors = {task.successor_id for task in tasks}
    return [task for task in tasks if task.id not in successors]


def _copy_tasks(tasks: Sequence[Task], copy: Project, days: int) -> dict[str, str]:
    """Copy tasks to the board of another project, in the same order.

    Returns:
        The ids of the copies, by the originals' ids.
    """
    copies = {task.id: new_id() for task in tasks}
    on_board = sorted(tasks, key=lambda task: (STATUSES.index(task.status), task.position))
    positions = {task.id: rank * GAP for rank, task in enumerate(on_board, 1)}
    rows = [_copied(task, copy, days) | {"id": copies[task.id], "position": positions[task.id]} for task in tasks]
    for batch in chunked(rows, 500):
        Task.insert_many(batch).execute()
        for row in batch:
            Task.record_columns(row["id"], row)
    parents = [(copies[task.parent_id], copies[task.id]) for task in tasks if task.parent_id in copies]
    WORKSPACE.run_many("UPDATE task SET parent_id = ? WHERE id = ?", parents)
    for parent_id, id in parents:
        Task.record_columns(id, {"parent_id": parent_id})
    return copies


def _copied(task: Task, copy: Project, days: int) -> dict[str, Any]:
    due = moved(task.due_date, days)
    return {name: getattr(task, name) for name in _TASK_COPIED} | {
        "key": task_keys.next_key(copy),
        "project_id": copy.id,
        "reporter_user_id": caller.current().user_id,
        "start_date": moved(task.start_date, days),
        "due_date": due,
        "repeat": _repeat(task.repeat, due),
    }


def _repeat(repeat: Mapping[str, Any] | None, due: date | None) -> dict[str, Any] | None:
    """The repetition of a copy; one tied to a day of the month follows its new due date."""
    if repeat is None:
        return None
    return dict(repeat) | ({"day": due.day} if "day" in repeat and due is not None else {})


def _copy_links(copies: Mapping[str, str]) -> None:
    """Copy dependencies, and assignees who are still members."""
    originals = sql.array(copies)
    assigned = WORKSPACE.rows(_ASSIGNED, (originals,))
    strangers = people.strangers({user_id for _, user_id in assigned})
    assignees = [(copies[task_id], user_id) for task_id, user_id in assigned if user_id not in strangers]
    WORKSPACE.run_many("INSERT INTO task_assignee (task_id, user_id) VALUES (?, ?)", assignees)
    waiting = WORKSPACE.rows(_WAITING, (originals, originals))
    links = [(copies[task_id], copies[other]) for task_id, other in waiting]
    WORKSPACE.run_many("INSERT INTO task_dependency (task_id, depends_on_id) VALUES (?, ?)", links)
    for name, pairs in (("assignees", assignees), ("dependencies", links)):
        others: dict[str, list[str]] = {id: [] for id in copies.values()}
        for id, other in pairs:
            others[id].append(other)
        for id in others:
            Task.record_columns(id, {name: sorted(others[id])})


_ASSIGNED = "SELECT task_id, user_id FROM task_assignee WHERE task_id IN (SELECT value FROM json_each(?))"
_WAITING = """
SELECT task_id, depends_on_id FROM task_dependency
WHERE task_id IN (SELECT value FROM json_each(?)) AND depends_on_id IN (SELECT value FROM json_each(?))
"""


class Resource:
    @endpoint(permission="projects.write", status=201, collection="/api/v1/projects")
    def on_post(self, id: str, body: NewProjectCopy) -> ProjectView:
        """Copy a project with its tasks, but without its time and comments.

        The copy is planned, with a code made from its name. All dates move by the days between the start of the
        template (or, without one, its earliest date) and the new start. Cancelled and archived tasks are left out, all
        others become `todo`; of a recurring task the first is copied. Former members and an archived customer are not
        copied. The template may be completed or archived.
        """
        return view(duplicate(id, body))
