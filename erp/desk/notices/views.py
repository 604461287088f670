"""Notices in words, in the reader's language."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Any

from msgspec import Meta

from erp.desk.notices import notices
from erp.desk.notices.bodies import DayOfWeek, KindName, MailWish, NoticeFilter
from erp.desk.notices.kinds import KINDS
from erp.desk.notices.models import Notice
from erp.kernel.language import Listed, Sentence
from erp.store import sql
from erp.store.event_types import ResourceType
from erp.store.router import WORKSPACE
from erp.web.paging import page
from erp.web.scalars import Instant
from erp.web.schema import Page, View, show


class NoticeResource(View):
    """The record that a notice is about."""

    type: ResourceType
    id: str


class NoticeView(View):
    """A notice. An unread one that tells of a further event gets a new id."""

    id: str
    kind: KindName
    text: Annotated[Sentence, Meta(description="In your language; of the newest event.")]
    resource: NoticeResource
    actor_name: Annotated[str, Meta(description="The person who made the change, or a part of the server.")]
    created_at: Annotated[Instant, Meta(description="When it was written, or has last counted an event.")]
    read_at: Instant | None
    count: Annotated[int, Meta(description="The number of events that it tells of.")]


class UnreadView(View):
    """The number for the bell."""

    unread_notices: int


class KindPreferenceView(View):
    """Where you want notices of a kind."""

    here: bool
    mail: MailWish


class NoticePreferencesView(View):
    """The kinds of notices that your role can get."""

    kinds: dict[KindName, KindPreferenceView]
    daily_at: Annotated[str, Meta(description="The time of the daily mail, in your time zone.")]
    days: Annotated[list[DayOfWeek], Meta(description="The days of the daily mail.")]


def search(query: NoticeFilter) -> Page[NoticeView]:
    """The caller's notices, the newest first."""
    rows = Notice.select().where(notices.visible())
    if query.is_read is not None:
        rows = rows.where(Notice.read_at.is_null(not query.is_read))
    if query.kind is not None:
        rows = rows.where(Notice.kind == query.kind)
    return page(rows, query, views=of_many)


_ACTOR, _EMPLOYEE, _SUPPLIER = (
    sql.json_text("event.actor", "'$.name'"),
    sql.json_text("event.data", "'$.employeeId'"),
    sql.json_text("event.data", "'$.supplierId'"),
)
_NAMES = {
    "actor": _ACTOR,
    "name": f"(SELECT name FROM employee WHERE id = coalesce({_EMPLOYEE}, notice.resource_id))",
    "supplier": f"(SELECT name FROM contact WHERE id = {_SUPPLIER})",
    "title": "(SELECT title FROM employee_document WHERE id = notice.resource_id)",
    "date": """CASE kind WHEN 'document_expiring' THEN (
            SELECT valid_until FROM employee_document WHERE id = notice.resource_id)
        WHEN 'probation_ending' THEN (SELECT probation_end FROM employee WHERE id = notice.resource_id) END""",
}
_TOLD = f"""
SELECT notice.id, event.type, event.data, {sql.json_object(_NAMES)}
FROM notice JOIN event ON event.seq = event_seq WHERE notice.id IN (SELECT value FROM json_each(?))
"""
"""The event of each notice, and the names and dates of today that its words need."""


def of_many(shown: Sequence[Notice]) -> list[NoticeView]:
    """Notices in words."""
    told = {id: rest for id, *rest in WORKSPACE.rows(_TOLD, (sql.array(notice.id for notice in shown),))}
    return [_view(notice, *told[notice.id]) for notice in shown]


def _view(notice: Notice, type: str, data: str, names: str) -> NoticeView:
    present = {name: value for name, value in json.loads(names).items() if value is not None}
    words = _words(json.loads(data) | present)
    return show(
        NoticeView,
        notice,
        text=KINDS[notice.kind].says[type].fill(**words),
        resource=NoticeResource(type=notice.resource_type, id=notice.resource_id),
        actor_name=present["actor"],
    )


def _words(data: Mapping[str, Any]) -> dict[str, object]:
    """The values that the words of a notice may name."""
    words = {name: data.get(name, "") for name in ("actor", "name", "supplier", "number", "key", "title", "host")}
    return words | {"date": _day(data.get("date")), "days": Listed.of([*_days(data)], separator=" – ")}


def _days(data: Mapping[str, Any]) -> Iterator[object]:
    first = data.get("startDate") or data.get("periodStart") or data.get("dateFrom")
    last = data.get("endDate") or data.get("periodEnd") or data.get("dateTo")
    yield _day(first)
    if last != first:
        yield _day(last)


def _day(text: str | None) -> object:
    """A day; an empty text, or what stands in place of one that was erased, stays."""
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return text or ""


def preferences() -> NoticePreferencesView:
    """The kinds that the caller's role can get, with their wishes."""
    muted = notices.muted()
    mine = [name for name, kind in KINDS.items() if kind.is_for_caller()]
    wished, schedule = notices.mailed(), notices.schedule()
    kinds = {name: KindPreferenceView(here=name not in muted, mail=wished.get(name, "off")) for name in mine}
    return NoticePreferencesView(kinds=kinds, daily_at=schedule.daily_at, days=schedule.days)
