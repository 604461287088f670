"""The list of tasks: its filters and orders, and how a task is shown."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec.structs import fields

from erp.kernel import caller, money
from erp.kernel.errors import NotFound
from erp.kernel.roles import allows
from erp.members import people
from erp.store.router import WORKSPACE
from erp.tasks.bodies import Priority
from erp.tasks.repeating import RepeatView
from erp.tasks.statuses import OPEN, STATUSES, Status
from erp.web.json_pages import Condition, like, one_of, page
from erp.web.scalars import Day, Id, Line, Money
from erp.web.schema import ListQuery, Page, RecordView, Unset


class TaskFilter(ListQuery):
    project_id: Id | None = None
    status: (
        Annotated[str, msgspec.Meta(description=f"One or several, separated by commas, of {', '.join(STATUSES)}.")]
        | None
    ) = None
    assignee_id: Annotated[Id, msgspec.Meta(description="A user's id, or `me`.")] | None = None
    reporter_id: Annotated[Id, msgspec.Meta(description="A user's id, or `me`.")] | None = None
    priority: Priority | None = None
    tag: Line | None = None
    due_from: Day | None = None
    due_to: Day | None = None
    overdue: Annotated[bool, msgspec.Meta(description="Whether it is open and was due before the caller's today.")] | (
        None
    ) = None
    parent_id: Annotated[Id, msgspec.Meta(description="List the subtasks of a task.")] | None = None
    q: Annotated[Line, msgspec.Meta(description="Part of key, title or description.")] | None = None
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


class TaskView(RecordView):
    """A task; its rate is shown to those who may see amounts of money."""

    created_by: str | None
    key: str
    project_id: str | None
    title: str
    description: str | None
    status: Status
    priority: Priority
    assignee_ids: list[str]
    reporter_id: str | None
    tags: list[str]
    parent_id: str | None
    depends_on: list[str]
    start_date: str | None
    due_date: str | None
    estimate_minutes: int | None
    billable: bool | None
    repeat: RepeatView | None
    successor_id: Annotated[str | None, msgspec.Meta(description="The task that this one made when it was done.")]
    position: Annotated[int, msgspec.Meta(description="Its place in the column of its project and status.")]
    completed_at: str | None
    logged_minutes: int
    is_overdue: bool
    hourly_rate: Annotated[Money | Unset | None, msgspec.Meta(description="In the base currency.")] = msgspec.UNSET


_LATE = f"(due_date < ? AND status IN {OPEN})"
_RATE = "hourly_rate"
_COLUMNS = {
    "assignee_ids": "json((SELECT json_group_array(user_id) FROM task_assignee WHERE task_id = task.id))",
    "tags": "json(tags)",
    "depends_on": "json((SELECT json_group_array(depends_on_id) FROM task_dependency WHERE task_id = task.id))",
    "billable": "json(iif(billable IS NULL, 'null', iif(billable, 'true', 'false')))",
    _RATE: f"iif(hourly_rate IS NULL, NULL, {money.sql_text(_RATE, '(SELECT base_currency FROM settings)')})",
    "repeat": "json_remove(repeat, '$.day')",
    "logged_minutes": "(SELECT coalesce(sum(minutes), 0) FROM time_log WHERE task_id = task.id)",
    "is_overdue": f"json(iif({_LATE}, 'true', 'false'))",
}
"""How the fields of a view are had from the table, where they are not columns of that very name."""


def _json(*left_out: str) -> str:
    shown = [field for field in fields(TaskView) if field.name not in left_out]
    pairs = [f"'{field.encode_name}', {_COLUMNS.get(field.name, field.name)}" for field in shown]
    return f"json_object({', '.join(pairs)})"


_WITH_RATES, _WITHOUT_RATES = _json(), _json(_RATE)
_URGENCY = "CASE priority WHEN 'urgent' THEN 4 WHEN 'high' THEN 3 WHEN 'medium' THEN 2 ELSE 1 END"


def search(query: TaskFilter) -> Page[TaskView]:
    """The tasks that a query asks for."""
    sortable = {"position": "position", "priority": _URGENCY, "title": "title", "dueDate": _due_last(query.sort)}
    return page("task", _shown(), list(_conditions(query)), query, sort=query.sort, sortable=sortable)


def show(id: str) -> TaskView:
    """A task as the present caller sees it.

    Raises:
        NotFound: there is none in this workspace.
    """
    shown = _shown()
    rows = WORKSPACE.rows(f"SELECT {shown.sql} FROM task WHERE id = ?", [*shown.parameters, id])
    if not rows:
        raise NotFound("There is no such task.")
    return msgspec.json.decode(rows[0][0], type=TaskView)


def _shown() -> Condition:
    role = caller.current().role
    may_see = role is not None and allows(role, "money.read")
    return Condition(_WITH_RATES if may_see else _WITHOUT_RATES, [_today()])


def _today() -> str:
    return people.today().isoformat()


def _due_last(sort: str) -> str:
    """The due date as it is sorted: those without one come last, whichever way."""
    return f"ifnull(due_date, '{'' if sort.startswith('-') else '9999'}')"


def _conditions(query: TaskFilter) -> Iterator[Condition]:
    for clause, value in (
        ("ifnull(project_id, '') = ?", query.project_id),
        ("parent_id = ?", query.parent_id),
        ("priority = ?", query.priority),
        ("due_date >= ?", query.due_from),
        ("due_date <= ?", query.due_to),
        ("EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)", query.tag),
        ("id IN (SELECT task_id FROM task_assignee WHERE user_id = ?)", _user(query.assignee_id)),
        ("reporter_id = ?", _user(query.reporter_id)),
    ):
        if value is not None:
            yield Condition(clause, [str(value)])
    if query.status is not None:
        yield one_of("status", query.status, STATUSES)
    if query.overdue is not None:
        yield Condition(_LATE if query.overdue else f"{_LATE} IS NOT TRUE", [_today()])
    if query.q:
        yield like(("key", "title", "description"), query.q)


def _user(named: str | None) -> str | None:
    return None if named is None else people.meant(named)
