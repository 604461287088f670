"""Correcting records by reversing entries: the day and the reason, and voiding what has a number of its own."""

from datetime import date
from typing import Any, NamedTuple

from erp.finance.books import periods
from erp.finance.books.ledger import DatedTooEarly
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import says
from erp.store import workspace_settings


class Correction(NamedTuple):
    """The day and the reason of a reversal; without a day, the first one from today on that the rule allows."""

    day: date | None = None
    reason: str | None = None


def read(body: Any) -> Correction:
    """The correction that a request asks for by its `date`, its `allow_future` and, where it has one, its `reason`.

    Raises:
        DateInFuture: the day is far ahead, and that is not allowed.
    """
    periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    return Correction(body.date, getattr(body, "reason", None))


def check_voidable(record: Any) -> None:
    """Refuse to void a record twice.

    Raises:
        InvalidTransition: it is already void.
    """
    if record.status != "posted":
        raise InvalidTransition(says("{number} is already void.", number=record.number))


def day_of(correction: Correction, record: Any, first: date | None = None) -> date:
    """The day to void a record on.

    Args:
        first: the earliest such day; the record's own by default.

    Raises:
        DatedTooEarly: the day is before that.
    """
    first = first or record.date
    day = correction.day or max(workspace_settings.today(), first)
    if day < first:
        message = says("{number} cannot be voided before {date}.", number=record.number, date=first)
        raise DatedTooEarly(message, field="date")
    return day
