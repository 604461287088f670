"""Whether a record has gone out, by one rule: the first message that has gone out says so, or a person does.

An area's own module says which records can be sent at all.
"""

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Annotated, Any, ClassVar, Literal, Protocol
from zoneinfo import ZoneInfo

from msgspec import Meta

from erp.kernel import clock
from erp.kernel.errors import Invalid, InvalidTransition
from erp.kernel.language import says
from erp.store import events, workspace_settings
from erp.web.scalars import Day
from erp.web.schema import Body

SENT, UNSENT = "sent", "unsent"
"""The acts in the events."""


class SentMark(Body):
    """The way and the day on which a document went to its customer, other than by mail."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"via": "post"}

    on: Annotated[Day, Meta(description="From the document's date on; by default today.")] | None = None
    via: Literal["post", "link", "other"] = "post"


class Sendable(Protocol):
    """A record with a number, and the instant and the way of its sending."""

    id: str
    number: Any
    sent_at: Any
    sent_via: Any

    def change(self, **values: Any) -> None: ...


def mark(noun: str, record: Sendable, dated: date, said: SentMark, data: Mapping[str, Any]) -> None:
    """Note that a record has gone out.

    Args:
        noun: of its events.
        dated: the record's own date.
        data: what every event of it says.

    Raises:
        InvalidTransition: it was sent already.
        Invalid: the day is before the record's, or after today.
    """
    check_unsent(record.number, is_sent=record.sent_at is not None)
    today = workspace_settings.today()
    day, first = said.on or today, min(dated, today)
    if day > today:
        raise Invalid.one("on", "in_future", says("Must not be after today."))
    if day < first:
        raise Invalid.one("on", "too_early", says("Must be from {first} to today.", first=first))
    _note(noun, record, clock.stamp() if day == today else _noon(day), said.via, data)


def note(noun: str, record: Sendable, via: str, at: str, data: Mapping[str, Any]) -> None:
    """Note that a message with a record has gone out; the first one counts."""
    if record.sent_at is None:
        _note(noun, record, at, via, data)


def unmark(noun: str, record: Sendable, data: Mapping[str, Any]) -> None:
    """Take back that a record has gone out.

    Raises:
        InvalidTransition: it was not.
    """
    check_sent(record.number, is_sent=record.sent_at is not None)
    via = record.sent_via
    record.change(sent_at=None, sent_via=None)
    events.write(f"{noun}.{UNSENT}", noun, record.id, {**data, "via": via})


def check_unsent(number: str | None, *, is_sent: bool) -> None:
    if is_sent:
        raise InvalidTransition(says("{number} has been sent already.", number=number))


def check_sent(number: str | None, *, is_sent: bool) -> None:
    if not is_sent:
        raise InvalidTransition(says("{number} is not marked as sent.", number=number))


def _note(noun: str, record: Sendable, at: str, via: str, data: Mapping[str, Any]) -> None:
    record.change(sent_at=at, sent_via=via)
    events.write(f"{noun}.{SENT}", noun, record.id, {**data, "sentAt": at, "via": via})


def _noon(day: date) -> str:
    """The middle of a day in the office, which is the same day for most readers."""
    return clock.stamp(datetime.combine(day, time(12), ZoneInfo(workspace_settings.time_zone())))
