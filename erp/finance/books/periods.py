"""The locked period: nothing can be dated on or before the lock date, which `closing.lock` sets."""

from datetime import date

from erp.kernel.errors import Refusal
from erp.store import workspace_settings


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
