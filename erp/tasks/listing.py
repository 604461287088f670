"""The list of tasks: its filters, its orders, and its view."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from erp.kernel import caller
from erp.kernel.errors import NotFound
from erp.kernel.language import says
from erp.members import people
from erp.projects import projects
from erp.store import names, sql
from erp.store.router import WORKSPACE
from erp.store.sql import Condition
from erp.tasks import privacy, statuses, tasks
from erp.tasks.bodies import Priority
from erp.tasks.repeating import RepeatView
from erp.tasks.statuses import OVERDUE, STATUSES, Status
from erp.web.json_pages import chosen, one_of, page
from erp.web.scalars import Day, Id, Line, Money
from erp.web.schema import Page, RecordQuery, RecordView, Unset, View, known, one_or_several


class TaskFilter(RecordQuery):
    project_id: Annotated[Id, msgspec.Meta(description="A project's id or code.")] | None = None
    status: Annotated[str, one_or_several(STATUSES)] | None = None
    assignee_user_id: Annotated[Id, msgspec.Meta(description="A user's id, or `me`.")] | None = None
    reporter_user_id: Annotated[Id, msgspec.Meta(description="A user's id, or `me`.")] | None = None
    priority: Priority | None = None
    tag: Line | None = None
    due_from: Day | None = None
    due_to: Day | None = None
    is_overdue: Annotated[bool, msgspec.Meta(description="Open, and past its due date in your time zone.")] | (
        None
    ) = None
    parent_id: Annotated[Id, msgspec.Meta(description="List the subtasks of a task: its id or key.")] | None = None
    employee_id: Annotated[Id, msgspec.Meta(description="List the private tasks about an employee.")] | None = None
    is_archived: Annotated[bool, msgspec.Meta(description="List archived tasks instead.")] = False
    q: Annotated[Line, msgspec.Meta(description="Part of key, title or description.")] | None = None
    group_by: Annotated[
        Literal["status"] | None, msgspec.Meta(description="Answer counts of all that match instead of a page.")
    ] = None
    sort: Literal[
        "position",
        "-position",
        "dueDate",
        "-dueDate",
        "priority",
        "-priority",
        "title",
        "-title",
        "createdAt",
        "-createdAt",
    ] = "-createdAt"


class TaskCount(View):
    """The tasks of a status: their number, the overdue ones, and the logged time."""

    status: Status
    count: int
    overdue_count: int
    logged_minutes: int


class TaskView(RecordView):
    """A task. Its rate is absent without the right to see money."""

    created_by: str | None
    created_by_name: str | None
    key: str
    project_id: str | None
    project_code: str | None
    project_name: str | None
    title: str
    description: str | None
    status: Status
    priority: Priority
    assignee_user_ids: list[str]
    assignee_names: Annotated[list[str | None], msgspec.Meta(description="In the order of `assigneeUserIds`.")]
    reporter_user_id: str | None
    reporter_name: str | None
    tags: list[str]
    parent_id: str | None
    parent_key: str | None
    parent_title: str | None
    depends_on: list[str]
    depends_on_keys: Annotated[list[str], msgspec.Meta(description="In the order of `dependsOn`.")]
    waits_for_keys: Annotated[list[str], msgspec.Meta(description="The open tasks that `dependsOn` names.")]
    start_date: str | None
    due_date: str | None
    estimate_minutes: int | None
    is_billable: bool | None
    repeat: RepeatView | None
    successor_id: Annotated[str | None, msgspec.Meta(description="The task that was made when this one was done.")]
    successor_key: str | None
    position: Annotated[int, msgspec.Meta(description="Order in the column of its project and status.")]
    completed_at: str | None
    archived_at: str | None
    employee_id: Annotated[str | None, msgspec.Meta(description="The employee whom a private task is about.")]
    employee_name: str | None
    logged_minutes: int
    is_overdue: bool
    can: Annotated[
        list[statuses.Action],
        msgspec.Meta(
            description="Actions now. `finish`, `cancel` and `reopen` change `status` to `done`, `cancelled`"
            " and `todo`; `move` is `POST /tasks/reorder`."
        ),
    ]
    hourly_rate: Annotated[Money | Unset | None, msgspec.Meta(description="In the base currency.")] = msgspec.UNSET


_COLUMNS: dict[str, sql.Value | None] = {
    "assignee_user_ids": sql.Json(sql.json_list("user_id", "task_assignee WHERE task_id = task.id")),
    "assignee_names": sql.Json(sql.json_list(names.of_column("user_id"), "task_assignee WHERE task_id = task.id")),
    "created_by_name": names.of_column("created_by"),
    "reporter_name": names.of_column("reporter_user_id"),
    "project_code": "(SELECT code FROM project WHERE project.id = task.project_id)",
    "project_name": "(SELECT name FROM project WHERE project.id = task.project_id)",
    "parent_key": "(SELECT other.key FROM task AS other WHERE other.id = task.parent_id)",
    "parent_title": "(SELECT other.title FROM task AS other WHERE other.id = task.parent_id)",
    "successor_key": "(SELECT other.key FROM task AS other WHERE other.id = task.successor_id)",
    "employee_name": "(SELECT name FROM employee WHERE employee.id = task.employee_id)",
    "tags": sql.Json("tags"),
    "depends_on": sql.Json(sql.json_list("depends_on_id", "task_dependency WHERE task_id = task.id")),
    "depends_on_keys": sql.Json(
        sql.json_list(
            "(SELECT other.key FROM task AS other WHERE other.id = depends_on_id)",
            "task_dependency WHERE task_id = task.id",
        )
    ),
    "waits_for_keys": sql.Json(
        sql.json_list(
            "other.key",
            "task_dependency JOIN task AS other ON other.id = depends_on_id"
            f" WHERE task_id = task.id AND other.status IN {statuses.OPEN}",
        )
    ),
    "is_billable": sql.json_bool("is_billable"),
    "repeat": sql.Json(sql.json_without("repeat", "day")),
    "logged_minutes": "(SELECT coalesce(sum(minutes), 0) FROM time_log WHERE task_id = task.id)",
    "is_overdue": sql.json_bool(OVERDUE),
    "can": statuses.CAN,
    "hourly_rate": sql.money_text("hourly_rate", "(SELECT base_currency FROM settings)"),
}
"""Expressions for the fields of a view that are not columns."""

_WITH_RATES = sql.json_of(TaskView, _COLUMNS)
_WITHOUT_RATES = sql.json_of(TaskView, {**_COLUMNS, "hourly_rate": None})
_URGENCY = "CASE priority WHEN 'urgent' THEN 4 WHEN 'high' THEN 3 WHEN 'medium' THEN 2 ELSE 1 END"


def search(query: TaskFilter) -> Page[TaskView]:
    sortable = {"position": "position", "priority": _URGENCY, "title": "title", "dueDate": _due_last(query.sort)}
    return page("task", _shown(), list(_conditions(query)), query, sort=query.sort, sortable=sortable)


_COUNTS = f"""
SELECT status, count(*), coalesce(sum(CASE WHEN {OVERDUE} THEN 1 ELSE 0 END), 0), sum({_COLUMNS["logged_minutes"]})
FROM task WHERE {{where}} GROUP BY status
"""


def counts(query: TaskFilter) -> list[TaskCount]:
    """The number of matching tasks, by status in the order of the board."""
    where = sql.all_of([*_conditions(query), *chosen(query)])
    rows = WORKSPACE.rows(_COUNTS.format(where=where.sql), {**where.parameters, **_today()})
    by_status = {row[0]: row for row in rows}
    return [_count(*by_status[status]) for status in STATUSES if status in by_status]


def _count(status: Status, count: int, overdue: int, minutes: int) -> TaskCount:
    return TaskCount(status=status, count=count, overdue_count=overdue, logged_minutes=minutes)


def show(id: str) -> TaskView:
    """A task as the caller may see it.

    Raises:
        NotFound: there is none in this workspace.
    """
    shown = _shown()
    seen = privacy.visible()
    statement = f"SELECT {shown.sql} FROM task WHERE id = :id AND {seen.sql}"
    rows = WORKSPACE.rows(statement, {**shown.parameters, **seen.parameters, "id": id})
    if not rows:
        raise NotFound(says("There is no such task."))
    return msgspec.json.decode(rows[0][0], type=known(TaskView))


def _shown() -> Condition:
    may_see = caller.may("money.read")
    return Condition(
        _WITH_RATES if may_see else _WITHOUT_RATES, {**_today(), **statuses.rights(), "people": names.members_json()}
    )


def _today() -> dict[str, str]:
    return {"today": people.today().isoformat()}


def _due_last(sort: str) -> str:
    """The due date for sorting: tasks without one come last either way."""
    return f"coalesce(due_date, '{'' if sort.startswith('-') else '9999'}')"


def _conditions(query: TaskFilter) -> Iterator[Condition]:
    yield privacy.visible()
    yield Condition(f"archived_at IS {'NOT ' if query.is_archived else ''}NULL")
    yield from sql.given(
        ("employee_id = :employee_id", query.employee_id),
        ("project_id = :project_id", query.project_id and projects.refer(query.project_id, "projectId").id),
        ("parent_id = :parent_id", query.parent_id and tasks.refer(query.parent_id, "parentId").id),
        ("priority = :priority", query.priority),
        ("due_date >= :due_from", query.due_from),
        ("due_date <= :due_to", query.due_to),
        ("EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag)", query.tag),
        ("id IN (SELECT task_id FROM task_assignee WHERE user_id = :assignee_user_id)", _user(query.assignee_user_id)),
        ("reporter_user_id = :reporter_user_id", _user(query.reporter_user_id)),
    )
    if query.status is not None:
        yield one_of("status", query.status, STATUSES)
    if query.is_overdue is not None:
        yield Condition(OVERDUE if query.is_overdue else f"NOT {OVERDUE}", _today())
    if query.q:
        yield sql.contains(("key", "title", "description"), query.q)


def _user(name: str | None) -> str | None:
    return None if name is None else people.meant(name)
