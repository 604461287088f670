"""The list of time logs: its filters and orders, and how a log is shown."""

import json
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from erp.kernel import caller, money
from erp.kernel.errors import Forbidden
from erp.members import people
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.tasks.time.logs import allowed
from erp.web.json_pages import Condition, like, page
from erp.web.scalars import Day, Id, Instant, Line, Money
from erp.web.schema import ListQuery, Page, RecordView, Unset


class TimeLogView(RecordView):
    """Time that somebody worked on a task; rate and amount are shown to those who may see money."""

    created_by: str | None
    task_id: str
    task_key: str
    task_title: str
    project_id: str | None
    project_name: str | None
    user_id: str
    user_name: Annotated[str | None, msgspec.Meta(description="Null for somebody who is no member any more.")]
    date: Annotated[str, msgspec.Meta(description="The day, where the user is.", extra_json_schema={"format": "date"})]
    started_at: Instant | None
    ended_at: Instant | None
    minutes: int
    note: str | None
    billable: bool
    invoice_id: Annotated[str | None, msgspec.Meta(description="The invoice it is on; such time stays as it is.")]
    hourly_rate: Annotated[
        Money | Unset | None, msgspec.Meta(description="The log's own; null: its task's, else its project's.")
    ] = msgspec.UNSET
    amount: Annotated[Money | Unset, msgspec.Meta(description="What the time is worth; 0 if it is not billable.")] = (
        msgspec.UNSET
    )


class TaskTimeFilter(ListQuery):
    """Which time of a task."""

    user_id: Annotated[Id, msgspec.Meta(description="Whose time; `me` is yours.")] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    billable: bool | None = None
    invoiced: Annotated[bool, msgspec.Meta(description="Whether it is on an invoice, a draft included.")] | None = None
    q: Annotated[Line, msgspec.Meta(description="Part of the note.")] | None = None
    group_by: (
        Annotated[
            Literal["user", "project", "task", "date"],
            msgspec.Meta(description="Answer sums, all groups at once, instead of pages of logs."),
        ]
        | None
    ) = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-date"


class TimeLogFilter(TaskTimeFilter):
    """Which time."""

    project_id: Id | None = None
    customer_id: Annotated[Id, msgspec.Meta(description="Time on the projects of a customer.")] | None = None
    task_id: Id | None = None


_PLAIN = ("id", "version", "created_at", "updated_at", "created_by", "task_id", "project_id", "user_id", "date")
_SQL = {name: name for name in (*_PLAIN, "started_at", "ended_at", "minutes", "note", "invoice_id")} | {
    "task_key": "(SELECT key FROM task WHERE task.id = task_id)",
    "task_title": "(SELECT title FROM task WHERE task.id = task_id)",
    "project_name": "(SELECT name FROM project WHERE project.id = project_id)",
    "user_name": "json_extract(?, '$.\"' || user_id || '\"')",
    "billable": "json(iif(billable, 'true', 'false'))",
}


def _shown() -> Condition:
    """The JSON of a log, as the caller may see it."""
    sql = dict(_SQL)
    if allowed("money.read"):
        currency = f"'{workspace_settings.current().base_currency}'"
        sql["hourly_rate"] = f"iif(hourly_rate IS NULL, NULL, {money.sql_text('hourly_rate', currency)})"
        sql["amount"] = money.sql_text("amount", currency)
    wire = {field.name: field.encode_name for field in msgspec.structs.fields(TimeLogView)}
    pairs = ", ".join(f"'{wire[name]}', {sql[name]}" for name in wire if name in sql)
    return Condition(f"json_object({pairs})", [json.dumps(people.members())])


def show(id: str) -> TimeLogView:
    """A log as the caller may see it."""
    shown = _shown()
    ((found,),) = WORKSPACE.rows(f"SELECT {shown.sql} FROM time_log WHERE id = ?", (*shown.parameters, id))
    return msgspec.json.decode(found, type=TimeLogView)


def search(query: TaskTimeFilter, task_id: str | None = None) -> Page[TimeLogView]:
    """A page of the logs that a query asks for, of one task if it is named."""
    sortable = {"date": "+date" if query.q else "date"}  # notes are read faster in the order in which they lie
    if isinstance(query, TimeLogFilter) and query.customer_id is not None:
        sortable["createdAt"] = "+id"  # else SQLite walks all logs by id, to find those of a few projects
    return page("time_log", _shown(), conditions(query, task_id), query, sort=query.sort, sortable=sortable)


def conditions(query: TaskTimeFilter, task_id: str | None) -> list[Condition]:
    """What the logs have in common that a query asks for.

    Raises:
        Forbidden: it asks for somebody else's, and the caller may read her own alone.
    """
    return [*_of_whom(query.user_id), *_of_what(query, task_id), *_of_which(query)]


def _of_whom(user_id: str | None) -> Iterator[Condition]:
    me = caller.current().user_id
    wanted = user_id and people.meant(user_id)
    if not allowed("time.read"):
        if wanted not in (None, me):
            raise Forbidden("Your role lets you read your own time alone.")
        wanted = me
    if wanted is not None:
        yield Condition("user_id = ?", [wanted])


def _of_what(query: TaskTimeFilter, task_id: str | None) -> Iterator[Condition]:
    if task_id is not None:
        yield Condition("task_id = ?", [task_id])
    if not isinstance(query, TimeLogFilter):
        return
    for clause, value in (
        ("task_id = ?", query.task_id),
        ("project_id = ?", query.project_id),
        ("project_id IN (SELECT id FROM project WHERE customer_id = ?)", query.customer_id),
    ):
        if value is not None:
            yield Condition(clause, [value])


def _of_which(query: TaskTimeFilter) -> Iterator[Condition]:
    if query.date_from is not None:
        yield Condition("date >= ?", [query.date_from.isoformat()])
    if query.date_to is not None:
        yield Condition("date <= ?", [query.date_to.isoformat()])
    if query.billable is not None:
        yield Condition("billable = ?", [query.billable])
    if query.invoiced is not None:
        yield Condition(f"invoice_id IS {'NOT ' if query.invoiced else ''}NULL")
    if query.q:
        yield like(("note",), query.q)
