"""Calendars that programs subscribe to, as iCalendar (RFC 5545): entries of whole days.

Every entry is an event: Google, Apple and Outlook do not show the to-dos (VTODO) of a subscribed calendar.
"""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

import msgspec

from erp.kernel import clock

if TYPE_CHECKING:
    from icalendar import Event

MEDIA_TYPE = "text/calendar"
SENT_AS = f"{MEDIA_TYPE}; charset=utf-8"  # without it some programs read Latin-1
REFRESH = timedelta(hours=1)
"""The time before a program should read the calendar again."""

_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), 127))
"""Characters that are not allowed in the texts of a calendar; a program may refuse the whole calendar for one."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of whole days that does not block anyone's time; the same thing always has the same `uid`."""

    uid: str
    first: date
    last: date
    summary: str
    description: str = ""
    categories: Sequence[str] = ()
    priority: int | None = None
    created_at: str
    updated_at: str
    version: int


def calendar(name: str, entries: Iterable[Entry]) -> bytes:
    """A calendar with that name, as a file."""
    from icalendar import Calendar, Event  # here, because few offices subscribe and it takes 3 MiB

    components = Calendar()
    components.add("prodid", "-//erp//erp//EN")
    components.add("version", "2.0")
    components.add("method", "PUBLISH")
    components.add("x-wr-calname", _text(name))
    components.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    components.add("x-published-ttl", "PT1H")
    for entry in entries:
        components.add_component(_filled(Event(), entry))
    return bytes(components.to_ical())


def _filled(event: "Event", entry: Entry) -> "Event":
    event.add("uid", entry.uid)
    event.add("dtstamp", clock.parse(entry.updated_at))
    event.add("created", clock.parse(entry.created_at))
    event.add("last-modified", clock.parse(entry.updated_at))
    event.add("sequence", entry.version - 1)
    event.add("dtstart", entry.first)
    event.add("dtend", entry.last + timedelta(days=1))  # the day after: DTEND is not part of it
    event.add("summary", _text(entry.summary))
    event.add("status", "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    if entry.description:
        event.add("description", _text(entry.description))
    if entry.categories:
        event.add("categories", [_text(category) for category in entry.categories])
    if entry.priority is not None:
        event.add("priority", entry.priority)
    return event


def _text(text: str) -> str:
    """Text as a calendar allows it: without control characters, and with LF for everything that ends a line."""
    return "\n".join(text.splitlines()).translate(_CONTROLS)
