"""The dates that can be used for posting.

Nothing can be dated on or before the lock date, which `closing.lock` sets. A date far ahead is likely to be a slip, so
it needs confirmation.
"""

from datetime import date, timedelta
from typing import Annotated

from msgspec import Meta

from erp.kernel.errors import Complaint, Invalid, Refusal
from erp.kernel.language import says
from erp.store import workspace_settings

DAYS_AHEAD = 7
"""Days after today that can be used without `allowFuture`."""

AllowFuture = Annotated[bool, Meta(description=f"Accept a date more than {DAYS_AHEAD} days after today.")]


class PeriodLocked(Refusal):
    """The books are locked through {lock_date}. Use a later date."""


def check_open(day: date, field: str | None = None) -> None:
    """Refuse a day in the locked period.

    Raises:
        PeriodLocked: the day is on or before the lock date.
    """
    lock_date = workspace_settings.current().lock_date
    if lock_date is not None and day <= lock_date:
        raise PeriodLocked(lock_date=lock_date, field=field)


def first_open_day() -> date:
    """The day after the locked period."""
    lock_date = workspace_settings.current().lock_date
    return date.min if lock_date is None else lock_date + timedelta(days=1)


class DateInFuture(Invalid):
    """The date is more than 7 days after today. Check the date."""

    def __init__(self, field: str, today: date, *, can_be_allowed: bool) -> None:
        message = says("The date is more than {days} days after today, {today}. Choose an earlier date.")
        if can_be_allowed:
            message = says(
                "The date is more than {days} days after today, {today}. Check the date. The API accepts it with "
                "allowFuture."
            )
        super().__init__([Complaint(field, self.code, message.fill(days=DAYS_AHEAD, today=today))])


def check_not_ahead(day: date | None, field: str, *, allow_future: bool | None = None) -> None:
    """Refuse a named day that is far ahead; None, the default of the field, is never refused.

    Args:
        allow_future: as the request says; None where it cannot.

    Raises:
        DateInFuture: the day is more than `DAYS_AHEAD` days after the workspace's today, and that is not allowed.
    """
    if day is None or allow_future:
        return
    today = workspace_settings.today()
    if day > today + timedelta(days=DAYS_AHEAD):
        raise DateInFuture(field, today, can_be_allowed=allow_future is not None)
