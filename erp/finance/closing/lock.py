"""The lock of the books: the day through which they are locked, and the fiscal years."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta

from erp.finance.closing import findings
from erp.finance.closing.findings import LockFinding
from erp.kernel import caller
from erp.kernel.errors import Invalid, InvalidTransition
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.workspace_settings import Settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Line, Name
from erp.web.schema import Body, View

PeriodStatus = Literal["open", "partly_locked", "locked"]


class PeriodLock(Body):
    through_date: Day
    reason: Line | None = None
    dry_run: Annotated[bool, Meta(description="Only show what still lies in the period, and change nothing.")] = False

    EXAMPLE: ClassVar[dict[str, Any]] = {"throughDate": "2025-12-31", "reason": "The year is filed"}


class PeriodUnlock(Body):
    through_date: Day | None
    reason: Name

    EXAMPLE: ClassVar[dict[str, Any]] = {"throughDate": None, "reason": "The auditor asks for a correction"}


class LockMovesForward(InvalidTransition):
    """The books are already locked through {lock_date}. Only an owner can unlock them."""


class LockMovesBack(InvalidTransition):
    """The books are locked through {lock_date}. Choose an earlier day."""


def lock(body: PeriodLock) -> Settings:
    """Lock the books through a day, unless it is a dry run.

    Raises:
        LockMovesForward: they are already locked through that day.
        Invalid: the day is in the future.
    """
    settings = workspace_settings.current()
    if body.through_date > workspace_settings.today():
        raise Invalid.one("throughDate", "in_the_future", "Must not be later than today.")
    if settings.lock_date is not None and body.through_date <= settings.lock_date:
        raise LockMovesForward(lock_date=settings.lock_date)
    return settings if body.dry_run else _move("period.locked", body.through_date, body.reason)


def unlock(body: PeriodUnlock) -> Settings:
    """Move the lock date back, or remove it.

    Raises:
        LockMovesBack: the books are not locked beyond that day.
    """
    settings = workspace_settings.current()
    if settings.lock_date is None:
        raise LockMovesBack("The books are not locked.")
    if body.through_date is not None and body.through_date >= settings.lock_date:
        raise LockMovesBack(lock_date=settings.lock_date)
    return _move("period.unlocked", body.through_date, body.reason)


def _move(event: str, through: date | None, reason: str | None) -> Settings:
    settings = workspace_settings.current()
    before = settings.lock_date
    settings.change(lock_date=through)
    data = {"from": before and str(before), "to": through and str(through), "reason": reason}
    events.write(event, "workspace", caller.current().workspace_id or "", data)
    return settings


class FiscalYearView(View):
    """A fiscal year, named by the year in which it ends."""

    year: int
    start_date: date
    end_date: date
    status: PeriodStatus
    entry_count: int


class PeriodsView(View):
    """The lock date and the fiscal years, the latest first."""

    lock_date: date | None
    fiscal_years: list[FiscalYearView]

    @classmethod
    def of(cls, settings: Settings, **more: Any) -> Self:
        """The periods of the workspace with these settings; of past years, those with entries."""
        today = workspace_settings.today()
        years = [_fiscal_year(start, settings.lock_date) for start in _starts(today)]
        shown = [year for year in years if year.entry_count or year.start_date <= today <= year.end_date]
        return cls(lock_date=settings.lock_date, fiscal_years=shown, **more)


class LockedPeriodsView(PeriodsView):
    """The periods, and what still lies in the one that was locked or, in a dry run, would be."""

    dry_run: bool
    through_date: Day
    findings: list[LockFinding]


_DAYS_OF_ENTRIES = "SELECT min(date), max(date) FROM journal_entry"
_ENTRIES_BETWEEN = "SELECT count(*) FROM journal_entry WHERE date BETWEEN ? AND ?"


def _starts(today: date) -> Iterator[date]:
    """The first days of the fiscal years, from the latest back to that of the first entry."""
    (ends,) = WORKSPACE.rows(_DAYS_OF_ENTRIES)
    days = [today, *(date.fromisoformat(day) for day in ends if day)]
    start = workspace_settings.fiscal_year_start(max(days))
    while start > workspace_settings.fiscal_year_start(min(days)):
        yield start
        start = start.replace(year=start.year - 1)
    yield start


def _fiscal_year(start: date, lock_date: date | None) -> FiscalYearView:
    end = start.replace(year=start.year + 1) - timedelta(days=1)
    ((count,),) = WORKSPACE.rows(_ENTRIES_BETWEEN, (start.isoformat(), end.isoformat()))
    return FiscalYearView(
        year=workspace_settings.fiscal_year(start),
        start_date=start,
        end_date=end,
        status=_status(start, end, lock_date),
        entry_count=count,
    )


def _status(start: date, end: date, lock_date: date | None) -> PeriodStatus:
    if lock_date is None or lock_date < start:
        return "open"
    return "locked" if lock_date >= end else "partly_locked"


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self) -> PeriodsView:
        """Show the day through which the books are locked, and the fiscal years.

        Nothing can be dated on or before the lock date. Fiscal years without entries are left out, except for the
        present one; the latest comes first.
        """
        return PeriodsView.of(workspace_settings.current())


class Lock:
    @endpoint(permission="finance.write", refuses=(LockMovesForward,))
    def on_post(self, body: PeriodLock) -> LockedPeriodsView:
        """Lock the books through a day.

        The lock date only moves forward, and not beyond today. `findings` says what still lies on or before that day
        and could not be finished in the period any more: drafts, and payments and credit notes that are not settled.
        They do not prevent the lock; with `dryRun: true`, look at them first: nothing is changed.
        """
        found = findings.through(body.through_date)
        return LockedPeriodsView.of(lock(body), dry_run=body.dry_run, through_date=body.through_date, findings=found)


class Unlock:
    @endpoint(permission="workspace.own", refuses=(LockMovesBack,))
    def on_post(self, body: PeriodUnlock) -> PeriodsView:
        """Move the lock date of the books back to an earlier day, or remove it with null.

        Only owners can unlock the books. The reason is written to the log.
        """
        return PeriodsView.of(unlock(body))
