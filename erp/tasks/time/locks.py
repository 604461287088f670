"""Days whose time can no longer be changed: of a submitted or approved week, closed by age, or with the books."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Annotated, Any

from msgspec import Meta

from erp.finance.books import periods
from erp.finance.books.periods import PeriodLocked
from erp.kernel import caller
from erp.kernel.errors import Refusal
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

Force = Annotated[
    bool, Meta(description="Accept a day that is closed by its age, with the right to change everyone's time.")
]


class TimeSubmitted(Refusal):
    """The week of {day} has been submitted. Withdraw or return it first."""


class TimeApproved(Refusal):
    """The week of {day} has been approved. Reopen it first."""


class TimeClosed(Refusal):
    """Time closes after {days} days, so {day} is closed. Ask someone who may change everyone's time."""


LOCKED = (TimeSubmitted, TimeApproved, TimeClosed, PeriodLocked)

WEEK_STATUS = """coalesce((
    SELECT status FROM time_week WHERE time_week.user_id = time_log.user_id
    AND time_log.date BETWEEN date_from AND date_to AND status <> 'open'), 'open')"""
"""SQL: the status of the week of a row of `time_log`: open, submitted or approved."""

UNLOCKED = f"""
(:any_log = 1 OR date >= :first_open) AND date > :books_locked AND {WEEK_STATUS} = 'open'
"""
"""SQL: the caller can change a row of `time_log` on its day, if need be with `force`; see `parameters`."""


def parameters() -> dict[str, Any]:
    """The parameters of `UNLOCKED`."""
    first, lock_date = _first_open(), _lock_date()
    return {
        "any_log": int(caller.may("time.write")),
        "first_open": first.isoformat() if first else "",
        "books_locked": lock_date.isoformat() if lock_date else "",
    }


def check(user_id: str, days: Iterable[date], *, force: bool = False) -> None:
    """Refuse a change of a person's time on a day that is locked.

    Raises:
        TimeSubmitted, TimeApproved: its week has been.
        TimeClosed: it is older than the setting allows, and not forced by someone who may write all time.
        PeriodLocked: time closes with the books, which are locked through that day.
    """
    for day in days:
        _check(user_id, day, force and caller.may("time.write"))


def refusal(user_id: str, day: date, *, force: bool = True) -> Refusal | None:
    """The refusal of a change of a person's time on a day; None where it can be changed, if need be with `force`."""
    try:
        check(user_id, [day], force=force)
    except Refusal as refused:
        return refused
    return None


def _check(user_id: str, day: date, force: bool) -> None:
    for (status,) in WORKSPACE.rows(_HELD, (user_id, day.isoformat())):
        raise (TimeApproved if status == "approved" else TimeSubmitted)(day=day)
    first = _first_open()
    if first is not None and day < first and not force:
        raise TimeClosed(day=day, days=(workspace_settings.today() - first).days)
    if _lock_date() is not None:
        periods.check_open(day)


_HELD = "SELECT status FROM time_week WHERE user_id = ? AND ? BETWEEN date_from AND date_to AND status <> 'open'"


def _first_open() -> date | None:
    """The first day that its age does not close."""
    lock = workspace_settings.current().time_lock
    days = lock and lock["closesAfterDays"]
    return workspace_settings.today() - timedelta(days=days) if days else None


def _lock_date() -> date | None:
    """The day through which the books close time as well."""
    lock = workspace_settings.current().time_lock
    return workspace_settings.lock_date() if lock and lock["byBooks"] else None
