"""Calendars that programs subscribe to, as iCalendar (RFC 5545): entries of whole days.

Whatever is told is an event: Google, Apple and Outlook show no to-do (VTODO) of a calendar that is subscribed to.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from icalendar import Calendar, Event

from erp.kernel import clock

MEDIA_TYPE = "text/calendar"
REFRESH = timedelta(hours=1)
"""How often a program may ask anew."""

_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), 127))
"""The characters that no text of a calendar may hold; a program may refuse all of it for one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of whole days, which does not make anybody busy; `uid` stays with what it is about."""

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
    """Write a calendar of that name."""
    written = Calendar()
    written.add("prodid", "-//erp//erp//EN")
    written.add("version", "2.0")
    written.add("method", "PUBLISH")
    written.add("x-wr-calname", _text(name))
    written.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    written.add("x-published-ttl", "PT1H")
    for entry in entries:
        written.add_component(_event(entry))
    return bytes(written.to_ical())


def _event(entry: Entry) -> Event:
    event = Event()
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
        event.add("categories", [_text(each) for each in entry.categories])
    if entry.priority is not None:
        event.add("priority", entry.priority)
    return event


def _text(text: str) -> str:
    """Text that a calendar may hold: whatever ends a line somewhere is told as a line break, a bare CR too."""
    return "\n".join(text.splitlines()).translate(_CONTROLS)
