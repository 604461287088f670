"""The list of time logs: its filters, its orders, and its view."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from erp.finance.contacts import contacts
from erp.kernel import caller
from erp.kernel.errors import Forbidden
from erp.kernel.language import says
from erp.members import people
from erp.projects import projects
from erp.store import names, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.sql import Condition
from erp.tasks import tasks
from erp.tasks.time import costs, locks
from erp.web.json_pages import page
from erp.web.scalars import Day, Id, Instant, Line, Money
from erp.web.schema import Page, RecordQuery, RecordView, Unset, known

Action = Literal["delete", "update"]
WeekStatus = Literal["open", "submitted", "approved"]


class TimeLogView(RecordView):
    """Time that someone worked on a task. Rate, amount and cost are absent without the right to see them."""

    created_by: str | None
    created_by_name: str | None
    task_id: str
    task_key: str
    task_title: str
    project_id: str | None
    project_name: str | None
    user_id: str
    user_name: Annotated[str | None, msgspec.Meta(description="Null for someone who is no longer a member.")]
    date: Annotated[
        str, msgspec.Meta(description="The day in the user's time zone.", extra_json_schema={"format": "date"})
    ]
    started_at: Instant | None
    ended_at: Instant | None
    minutes: int
    note: str | None
    is_billable: bool
    invoice_id: Annotated[
        str | None, msgspec.Meta(description="The invoice it is on; the log can then not be changed.")
    ]
    invoice_number: Annotated[str | None, msgspec.Meta(description="Null while that is a draft.")]
    week_status: Annotated[WeekStatus, msgspec.Meta(description="Of its week; only the time of an open one changes.")]
    can: Annotated[
        list[Action],
        msgspec.Meta(description="Actions open to you now, unless the day is full; an old one may need `force`."),
    ]
    hourly_rate: Annotated[
        Money | Unset | None, msgspec.Meta(description="The log's own; null means its task's, else its project's.")
    ] = msgspec.UNSET
    amount: Annotated[Money | Unset, msgspec.Meta(description="Value of the time; 0 if not billable.")] = msgspec.UNSET
    cost_rate: Annotated[
        Money | Unset | None,
        msgspec.Meta(
            description="Cost of an hour, only with the right to see costs: of the day, until its week is approved; "
            "null without one."
        ),
    ] = msgspec.UNSET
    cost: Annotated[Money | Unset | None, msgspec.Meta(description="Cost of the time.")] = msgspec.UNSET


class TaskTimeFilter(RecordQuery):
    """Filters of the time of a task."""

    user_id: Annotated[Id, msgspec.Meta(description="The user; `me` is you.")] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    is_billable: bool | None = None
    is_invoiced: Annotated[bool, msgspec.Meta(description="Whether it is on an invoice, drafts included.")] | None = (
        None
    )
    is_approved: Annotated[bool, msgspec.Meta(description="Whether its week is approved.")] | None = None
    q: Annotated[Line, msgspec.Meta(description="Part of the note.")] | None = None
    group_by: (
        Annotated[
            Literal["user", "project", "task", "date"],
            msgspec.Meta(description="Answer sums, all groups at once, instead of a page of logs."),
        ]
        | None
    ) = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-date"


class TimeLogFilter(TaskTimeFilter):
    """Filters of time."""

    project_id: Annotated[Id, msgspec.Meta(description="A project's id or code.")] | None = None
    customer_id: (
        Annotated[Id, msgspec.Meta(description="Time on the projects of a customer: a contact's id.")] | None
    ) = None
    task_id: Annotated[Id, msgspec.Meta(description="A task's id or key.")] | None = None


_CHANGEABLE = f"""
:changes = 1 AND (:any_log = 1 OR user_id = :me) AND invoice_id IS NULL AND {locks.UNLOCKED} AND NOT EXISTS (
    SELECT 1 FROM task JOIN project ON project.id = task.project_id
    WHERE task.id = time_log.task_id AND project.archived_at IS NOT NULL)
"""
"""The condition under which `logs` lets the caller change a log."""

_COLUMNS = {
    "can": f"json(CASE WHEN {_CHANGEABLE} THEN '[\"delete\",\"update\"]' ELSE '[]' END)",
    "task_key": "(SELECT key FROM task WHERE task.id = task_id)",
    "task_title": "(SELECT title FROM task WHERE task.id = task_id)",
    "project_name": "(SELECT name FROM project WHERE project.id = project_id)",
    "user_name": names.of_column("user_id"),
    "created_by_name": names.of_column("created_by"),
    "invoice_number": "(SELECT number FROM invoice WHERE invoice.id = invoice_id)",
    "is_billable": sql.json_bool("is_billable"),
    "week_status": locks.WEEK_STATUS,
}
"""Expressions for the fields of a view that are not columns."""


def _shown() -> Condition:
    """The JSON of a log, as the caller may see it."""
    columns = {**_COLUMNS, **dict.fromkeys(("hourly_rate", "amount", "cost_rate", "cost")), **_amounts()}
    rights = {
        "changes": int(caller.may_change("time.write_own")),
        "me": caller.current().user_id,
        **locks.parameters(),
        **costs.shown(),
    }
    return Condition(sql.json_of(TimeLogView, columns), {"people": names.members_json(), **rights})


def _amounts() -> dict[str, str]:
    """The amounts that the caller may see, by field."""
    columns: dict[str, str] = {}
    if caller.may("money.read"):
        columns |= {"hourly_rate": "hourly_rate", "amount": "amount"}
    if caller.may("cost.read"):
        columns |= {"cost_rate": costs.RATE, "cost": costs.COST}
    currency = f"'{workspace_settings.current().base_currency}'"
    return {field: sql.money_text(amount, currency) for field, amount in columns.items()}


def show(id: str) -> TimeLogView:
    """A log as the caller may see it."""
    shown = _shown()
    ((document,),) = WORKSPACE.rows(f"SELECT {shown.sql} FROM time_log WHERE id = :id", {**shown.parameters, "id": id})
    return msgspec.json.decode(document, type=known(TimeLogView))


def search(query: TaskTimeFilter, task_id: str | None = None) -> Page[TimeLogView]:
    """A page of logs, of one task if it is named."""
    sortable = {"date": sql.unindexed("date") if query.q else "date"}  # notes are read faster as they are stored
    if isinstance(query, TimeLogFilter) and query.customer_id is not None:
        sortable["createdAt"] = sql.unindexed("id")  # otherwise SQLite reads all logs to find a few
    return page("time_log", _shown(), conditions(query, task_id), query, sort=query.sort, sortable=sortable)


def conditions(query: TaskTimeFilter, task_id: str | None) -> list[Condition]:
    """The conditions of a query.

    Raises:
        Forbidden: it asks for someone else's time, and the caller may read only their own.
    """
    return [*_of_whom(query.user_id), *_of_what(query, task_id), *_of_which(query)]


def _of_whom(user_id: str | None) -> Iterator[Condition]:
    me = caller.current().user_id
    person = user_id and people.meant(user_id)
    if not caller.may("time.read"):
        if person not in (None, me):
            raise Forbidden(says("You can only read your own time."))
        person = me
    if person is not None:
        yield Condition("user_id = :user_id", {"user_id": person})


_OF_CUSTOMER = "project_id IN (SELECT id FROM project WHERE customer_id = :customer_id)"


def _of_what(query: TaskTimeFilter, task_id: str | None) -> Iterator[Condition]:
    if task_id is not None:
        yield Condition("task_id = :task_id", {"task_id": task_id})
    if isinstance(query, TimeLogFilter):
        yield from sql.given(
            ("task_id = :task_id", query.task_id and tasks.refer(query.task_id, "taskId").id),
            ("project_id = :project_id", query.project_id and projects.refer(query.project_id, "projectId").id),
            (_OF_CUSTOMER, query.customer_id and contacts.refer(query.customer_id, "customerId", archived=True).id),
        )


def _of_which(query: TaskTimeFilter) -> Iterator[Condition]:
    yield from sql.given(
        ("date >= :date_from", query.date_from),
        ("date <= :date_to", query.date_to),
        ("is_billable = :is_billable", query.is_billable),
    )
    if query.is_invoiced is not None:
        yield Condition(f"invoice_id IS {'NOT ' if query.is_invoiced else ''}NULL")
    if query.is_approved is not None:
        yield Condition(f"{locks.WEEK_STATUS} {'=' if query.is_approved else '<>'} 'approved'")
    if query.q:
        yield sql.contains(("note",), query.q)
