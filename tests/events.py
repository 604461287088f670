"""The events of an office's workspace."""

import json
from typing import Any

from erp.store.events import Event
from tests.conftest import Office


def events_of(office: Office, id: str) -> list[str]:
    """The types of a record's events, in order."""
    with office.books():
        return [event.type for event in Event.select().where(Event.resource_id == id).order_by(Event.seq)]


def last_event(office: Office) -> tuple[str, dict[str, Any]]:
    """The type and data of the newest event."""
    with office.books():
        event = Event.select().order_by(Event.seq.desc()).get()
        return event.type, json.loads(event.data)
