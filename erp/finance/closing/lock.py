"""Periods: through which day the books are locked, and the fiscal years with what is posted in them."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, ClassVar, Literal

from erp.kernel import caller
from erp.kernel.errors import Invalid, InvalidTransition
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Line, Name
from erp.web.schema import Body, View

Status = Literal["open", "partly_locked", "locked"]


class Lock(Body):
    through_date: Day
    reason: Line | None = None

    EXAMPLE: ClassVar[dict[str, Any]] = {"throughDate": "2025-12-31", "reason": "The year is filed"}


class Unlock(Body):
    through_date: Day | None
    reason: Name

    EXAMPLE: ClassVar[dict[str, Any]] = {"throughDate": None, "reason": "The auditor asks for a correction"}


class FiscalYearView(View):
    """A fiscal year, named by the year in which it ends."""

    year: int
    start_date: date
    end_date: date
    status: Status
    entry_count: int


class PeriodsView(View):
    """The lock date and the fiscal years, the latest first."""

    lock_date: date | None
    fiscal_years: list[FiscalYearView]


class LockMovesForward(InvalidTransition):
    """The books are locked through {lock_date} already; only an owner unlocks them."""


class LockMovesBack(InvalidTransition):
    """Unlocking moves the lock date back; the books are {locked}."""


def show() -> PeriodsView:
    """The lock date and the fiscal years."""
    years = [_fiscal_year(start) for start in _starts()]
    kept = [
        year for year in years if year.entry_count or year.start_date <= workspace_settings.today() <= year.end_date
    ]
    return PeriodsView(lock_date=_lock_date(), fiscal_years=kept)


def lock(asked: Lock) -> PeriodsView:
    """Lock the books through a day.

    Raises:
        LockMovesForward: they are locked through that day already.
        Invalid: the day is in the future.
    """
    lock_date = _lock_date()
    if asked.through_date > workspace_settings.today():
        raise Invalid.one("throughDate", "in_the_future", "Must not be later than today.")
    if lock_date is not None and asked.through_date <= lock_date:
        raise LockMovesForward(lock_date=lock_date)
    return _move("period.locked", asked.through_date, asked.reason)


def unlock(asked: Unlock) -> PeriodsView:
    """Unlock the books after a day, or altogether.

    Raises:
        LockMovesBack: they are not locked beyond that day.
    """
    lock_date = _lock_date()
    if lock_date is None or (asked.through_date is not None and asked.through_date >= lock_date):
        raise LockMovesBack(locked=f"locked through {lock_date}" if lock_date else "not locked")
    return _move("period.unlocked", asked.through_date, asked.reason)


def _move(event: str, through: date | None, reason: str | None) -> PeriodsView:
    before = _lock_date()
    workspace_settings.current().change(lock_date=through)
    told = {"from": str(before) if before else None, "to": str(through) if through else None, "reason": reason}
    events.write(event, "workspace", caller.current().workspace_id or "", told)
    return show()


def _lock_date() -> date | None:
    found: date | None = workspace_settings.current().lock_date
    return found


def _starts() -> Iterator[date]:
    """The first days of the fiscal years from the latest back to that of the first entry."""
    ((first, last),) = WORKSPACE.rows("SELECT min(date), max(date) FROM journal_entry")
    days = [workspace_settings.today(), *(date.fromisoformat(day) for day in (first, last) if day)]
    start = workspace_settings.fiscal_year_start(max(days))
    while start > workspace_settings.fiscal_year_start(min(days)):
        yield start
        start = start.replace(year=start.year - 1)
    yield start


def _fiscal_year(start: date) -> FiscalYearView:
    end = start.replace(year=start.year + 1) - timedelta(days=1)
    ((count,),) = WORKSPACE.rows(_ENTRIES_OF_DAYS, (start.isoformat(), end.isoformat()))
    return FiscalYearView(
        year=workspace_settings.fiscal_year(start),
        start_date=start,
        end_date=end,
        status=_status(start, end),
        entry_count=count,
    )


def _status(start: date, end: date) -> Status:
    lock_date = _lock_date()
    if lock_date is None or lock_date < start:
        return "open"
    return "locked" if lock_date >= end else "partly_locked"


_ENTRIES_OF_DAYS = "SELECT count(*) FROM journal_entry WHERE date BETWEEN ? AND ?"


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self) -> PeriodsView:
        """Show through which day the books are locked, and the fiscal years.

        Nothing can be dated on or before the lock date, by any route. Fiscal years without entries are left out,
        but for the present one; the latest comes first.
        """
        return show()


class LockAction:
    @endpoint(permission="finance.write", refuses=(LockMovesForward,))
    def on_post(self, body: Lock) -> PeriodsView:
        """Lock the books through a day.

        The lock only moves forward, and not beyond today.
        """
        return lock(body)


class UnlockAction:
    @endpoint(permission="workspace.own", refuses=(LockMovesBack,))
    def on_post(self, body: Unlock) -> PeriodsView:
        """Move the lock of the books back to an earlier day, or lift it with null.

        Only owners may, and the reason is kept in the log.
        """
        return unlock(body)
