"""The list of projects: its filters and orders."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from erp.finance.contacts import contacts
from erp.members import people
from erp.projects import views
from erp.projects.states import OVERDUE, STATUSES
from erp.projects.views import ProjectView
from erp.store import sql
from erp.store.sql import Condition
from erp.web import json_pages
from erp.web.json_pages import one_of
from erp.web.scalars import Id, Line
from erp.web.schema import Page, RecordQuery, one_or_several

Person = Annotated[Id, msgspec.Meta(description="A user's id, or `me`.")]


class ProjectFilter(RecordQuery):
    """Filter for projects."""

    status: Annotated[str, one_or_several(STATUSES)] | None = None
    customer_id: Annotated[Id, msgspec.Meta(description="A contact's id.")] | None = None
    owner_user_id: Person | None = None
    member_user_id: Person | None = None
    tag: Annotated[Line, msgspec.Meta(description="One of its tags, in full.")] | None = None
    is_overdue: (
        Annotated[bool, msgspec.Meta(description="Past its due date in your time zone, and not done.")] | None
    ) = None
    is_archived: Annotated[bool, msgspec.Meta(description="List archived projects instead.")] = False
    q: Annotated[Line, msgspec.Meta(description="Part of code, name or description.")] | None = None
    sort: Literal["name", "-name", "code", "-code", "dueDate", "-dueDate", "createdAt", "-createdAt"] = "-createdAt"


def search(query: ProjectFilter) -> Page[ProjectView]:
    no_date = "''" if query.sort.startswith("-") else "'9999'"
    sortable = {"name": "name", "code": "code", "dueDate": f"coalesce(due_date, {no_date})"}
    only_id, where = Condition("json_quote(id)"), list(_conditions(query))
    rows: Any = json_pages.page("project", only_id, where, query, sort=query.sort, sortable=sortable)
    project_ids = msgspec.json.decode(rows.items, type=list[str])
    return Page(views.of_many(project_ids), rows.limit, rows.next_cursor, rows.total)


def _conditions(query: ProjectFilter) -> Iterator[Condition]:
    yield Condition(f"archived_at IS {'NOT ' if query.is_archived else ''}NULL")
    yield from sql.given(
        ("customer_id = :customer_id", query.customer_id and _customer(query.customer_id)),
        ("owner_user_id = :owner_user_id", query.owner_user_id and people.meant(query.owner_user_id)),
        (
            "id IN (SELECT project_id FROM project_member WHERE user_id = :member_user_id)",
            query.member_user_id and people.meant(query.member_user_id),
        ),
        (":tag IN (SELECT value FROM json_each(tags))", query.tag),
    )
    if query.status is not None:
        yield one_of("status", query.status, STATUSES)
    if query.is_overdue is not None:
        today = {"today": people.today().isoformat()}
        yield Condition(OVERDUE if query.is_overdue else f"NOT {OVERDUE}", today)
    if query.q:
        yield sql.contains(("code", "name", "description"), query.q)


def _customer(name: str) -> str:
    return str(contacts.refer(name, "customerId", archived=True).id)
