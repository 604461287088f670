"""Voiding what was posted under a number of its own, such as an offset or a revaluation."""

from datetime import date
from typing import Any

from erp.finance.books import periods
from erp.finance.books.ledger import DatedTooEarly
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import says
from erp.store import workspace_settings


def check_voidable(record: Any) -> None:
    """Refuse to void a record twice.

    Raises:
        InvalidTransition: it is already void.
    """
    if record.status != "posted":
        raise InvalidTransition(says("{number} is already void.", number=record.number))


def day_of(asked: date | None, record: Any, *, allow_future: bool) -> date:
    """The day to void a record on: as asked, else today, or its own day where that is later.

    Raises:
        DateInFuture: the day is far ahead, and that is not allowed.
        DatedTooEarly: the day is before the record's own.
    """
    periods.check_not_ahead(asked, "date", allow_future=allow_future)
    own: date = record.date
    if asked is not None and asked < own:
        message = says("{number} cannot be voided before {date}.", number=record.number, date=own)
        raise DatedTooEarly(message, field="date")
    return asked or max(workspace_settings.today(), own)
