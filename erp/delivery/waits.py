"""The clock of trying again."""

from datetime import datetime, timedelta

WAITS = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
)
"""The intervals after each failed try, as Standard Webhooks advises: ten tries in 75 h 35 min 5 s."""


def next_try(tries: int, now: datetime) -> datetime | None:
    """When to try again after so many failed tries; None after the last."""
    return now + WAITS[tries - 1] if tries <= len(WAITS) else None
