"""The current time: instants in UTC to the millisecond, and the current day in a time zone."""

import datetime
import threading
from datetime import UTC, date
from zoneinfo import ZoneInfo

from erp.kernel.language import Moment


class _Asked(threading.local):
    """Whether this thread has asked for the instant, and not merely for the day."""

    exactly = False


ASKED = _Asked()


def now() -> datetime.datetime:
    """The current instant in UTC."""
    ASKED.exactly = True
    return datetime.datetime.now(UTC)


def stamp(instant: datetime.datetime | None = None) -> str:
    """An instant as stored and shown: RFC 3339, in UTC, with milliseconds."""
    in_utc = now() if instant is None else instant.astimezone(UTC)
    return in_utc.isoformat(timespec="milliseconds")[:-6] + "Z"


def parse(stamped: str) -> datetime.datetime:
    """The instant that `stamp` wrote."""
    return datetime.datetime.fromisoformat(stamped)


def shown(instant: datetime.datetime, time_zone: str) -> Moment:
    """An instant as a sentence says it, in the reader's IANA time zone: `22:00 on 3 September`, with another year's."""
    local = instant.astimezone(ZoneInfo(time_zone))
    return Moment.of(local, with_year=local.year != today(time_zone).year)


def made_at() -> str:
    """The current instant as `stamp`, in an answer that stays true for a reader who holds it."""
    return stamp(_unasked())


def today(time_zone: str) -> date:
    """The current day in an IANA time zone."""
    return _unasked().astimezone(ZoneInfo(time_zone)).date()


def _unasked() -> datetime.datetime:
    before = ASKED.exactly
    instant = now()
    ASKED.exactly = before
    return instant
