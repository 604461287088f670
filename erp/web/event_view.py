"""An event of the log as answers show it, and as webhooks send it."""

import json
from typing import Any

import msgspec

from erp.store.event_types import EventType, ResourceType
from erp.store.events import Event
from erp.web.scalars import Instant
from erp.web.schema import View, known, show


class EventActorView(View):
    """The user who made a change, with the session and the request."""

    id: str
    name: str
    session_id: str
    request_id: str


class EventResourceView(View):
    """The record that was changed."""

    type: ResourceType
    id: str


class EventView(View):
    """One change; `hash` covers it and, by its predecessor's hash, everything before it."""

    id: str
    seq: int
    type: EventType
    occurred_at: Instant
    actor: EventActorView
    resource: EventResourceView
    data: dict[str, Any]
    hash: str

    @classmethod
    def of(cls, event: Event) -> "EventView":
        return show(
            cls,
            event,
            actor=msgspec.json.decode(event.actor, type=known(EventActorView)),
            resource=EventResourceView(type=event.resource_type, id=event.resource_id),
            data=json.loads(event.data),
        )
