"""The log of changes: to read, to follow, to verify."""

import json
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import msgspec
from peewee import fn

from erp.finance.books import ledger
from erp.kernel import clock
from erp.kernel.errors import BadParameter
from erp.store import events, workspace_settings
from erp.store.events import Event
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Day, Id, Instant, Line
from erp.web.schema import ListQuery, Page, View


class EventFilter(ListQuery):
    """Which events."""

    after: Annotated[Id, msgspec.Meta(description="An event's id: what came after it, oldest first.")] | None = None
    type: Annotated[Line, msgspec.Meta(description="Such as `invoice.issued`.")] | None = None
    resource_type: Line | None = None
    resource_id: Id | None = None
    actor_id: Id | None = None
    date_from: Day | None = None
    date_to: Day | None = None


class ActorView(View):
    """Who made a change, in which session, by which request."""

    id: str
    name: str
    session_id: str
    request_id: str


class ResourceView(View):
    """What was changed."""

    type: str
    id: str


class EventView(View):
    """One change; `hash` covers it and, by its predecessor's hash, everything before it."""

    id: str
    seq: int
    type: str
    occurred_at: Instant
    actor: ActorView
    resource: ResourceView
    data: dict[str, Any]
    hash: str

    @classmethod
    def of(cls, event: Event) -> "EventView":
        """Show an event."""
        return cls(
            id=event.id,
            seq=event.seq,
            type=event.type,
            occurred_at=event.occurred_at,
            actor=msgspec.convert(json.loads(event.actor), ActorView),
            resource=ResourceView(type=event.resource_type, id=event.resource_id),
            data=json.loads(event.data),
            hash=event.hash,
        )


class VerdictView(View):
    """What recomputing the chain found; `brokenAt` is the `seq` of the first event that does not hold."""

    valid: bool
    events: int
    tip: str
    broken_at: int | None
    reason: str | None


def find_all(query: EventFilter) -> Page[EventView]:
    """The events of the workspace that is open: newest first, or oldest first after a given one.

    Raises:
        BadParameter: `after` names no event.
    """
    found = Event.select()
    for column, wanted in (
        (Event.type, query.type),
        (Event.resource_type, query.resource_type),
        (Event.resource_id, query.resource_id),
        (fn.json_extract(Event.actor, "$.id"), query.actor_id),
    ):
        found = found.where(column == wanted) if wanted is not None else found
    if query.date_from:
        found = found.where(Event.occurred_at >= _begin(query.date_from))
    if query.date_to:
        found = found.where(Event.occurred_at < _begin(query.date_to + timedelta(days=1)))
    if query.after is not None:
        found = found.where(Event.seq > _place(query.after))
    return page(found, query, EventView.of, sort="-seq" if query.after is None else "seq", sortable={"seq": Event.seq})


def verify() -> VerdictView:
    """Recompute the chain of the workspace that is open, and the hash of every journal entry in it."""
    found = events.verify(ledger.entry_hash)
    return VerdictView(
        valid=found.reason is None,
        events=found.events,
        tip=found.tip,
        broken_at=found.broken_at,
        reason=found.reason,
    )


def _place(id: str) -> int:
    event: Event | None = Event.get_or_none(Event.id == id)
    if event is None:
        raise BadParameter("after: There is no such event.")
    return int(event.seq)


def _begin(day: date) -> str:
    return clock.stamp(datetime.combine(day, time.min, ZoneInfo(workspace_settings.current().time_zone)))


class Collection:
    """The events of the active workspace."""

    @endpoint(permission="events.read")
    def on_get(self, query: EventFilter) -> Page[EventView]:
        """List the changes that were made in the workspace.

        Newest first; with `after`, those that came after that event, oldest first. To follow the workspace, ask
        with the id of the last event you know. `dateFrom` and `dateTo` are days in the workspace's time zone.
        """
        return find_all(query)


class Verify:
    """Whether the log, and the books with it, are as they were written."""

    @endpoint(permission="events.read")
    def on_get(self) -> VerdictView:
        """Recompute the chain of events and say where it is broken.

        A tail that was cut off cannot be seen from the file alone: compare `events` and `tip` with those noted before.
        """
        return verify()
