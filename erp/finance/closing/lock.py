"""The lock of the books: its date, its check-list, and its history."""

import json
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta

from erp.finance.closing import findings, fiscal_years
from erp.finance.closing.findings import FindingCount, LockFinding
from erp.finance.closing.fiscal_years import FiscalYearView
from erp.kernel import caller
from erp.kernel.errors import Complaint, Invalid, InvalidTransition, Refusal
from erp.kernel.language import says
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.workspace_settings import Settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Line, Name
from erp.web.schema import Body, Query, View

MOST_LOCKS = 20


class PeriodLock(Body):
    through_date: Day
    reason: Annotated[Line, Meta(description="The reason, needed while the check-list has findings.")] | None = None
    dry_run: Annotated[bool, Meta(description="Only show the open points of the period, and change nothing.")] = False

    EXAMPLE: ClassVar[dict[str, Any]] = {"throughDate": "2025-12-31", "reason": "The year is filed"}


class PeriodUnlock(Body):
    through_date: Day | None
    reason: Name

    EXAMPLE: ClassVar[dict[str, Any]] = {"throughDate": None, "reason": "The auditor asks for a correction"}


class LockMovesForward(InvalidTransition):
    """The books are already locked through {lock_date}. Only an owner can unlock them."""


class LockMovesBack(InvalidTransition):
    """The books are locked through {lock_date}. Choose an earlier day."""


class ReasonNeeded(Refusal):
    """There are open points through {day}. Complete them, or enter a reason to lock anyway.

    The details are the findings of the check-list.
    """

    status = 422

    def __init__(self, field: str, day: date, open_points: Sequence[LockFinding]) -> None:
        details = [Complaint(field, finding.kind, finding.message) for finding in open_points]
        super().__init__(day=day, details=details)


def lock(body: PeriodLock) -> list[LockFinding]:
    """Lock the books through a day, unless it is a dry run; return the open points.

    Raises:
        LockMovesForward: they are already locked through that day.
        Invalid: the day is in the future.
        ReasonNeeded: something is open, and no reason is given.
    """
    settings = workspace_settings.current()
    if body.through_date > workspace_settings.today():
        raise Invalid.one("throughDate", "in_the_future", says("Must not be later than today."))
    if settings.lock_date is not None and body.through_date <= settings.lock_date:
        raise LockMovesForward(lock_date=settings.lock_date)
    open_points = findings.through(body.through_date)
    return open_points if body.dry_run else lock_through(body.through_date, body.reason, open_points)


def lock_through(
    day: date, reason: str | None, open_points: Sequence[LockFinding], field: str = "reason"
) -> list[LockFinding]:
    """Move the lock forward to a day, with the reason for its open points.

    Raises:
        ReasonNeeded: something is open, and no reason is given.
    """
    check_reason(day, reason, open_points, field)
    _move("period.locked", day, reason or None, open_points)
    return list(open_points)


def check_reason(day: date, reason: str | None, open_points: Sequence[LockFinding], field: str = "reason") -> None:
    """Check that a lock with open points has a reason.

    Raises:
        ReasonNeeded: it has none.
    """
    if open_points and not reason:
        raise ReasonNeeded(field, day, open_points)


def unlock(body: PeriodUnlock) -> Settings:
    """Move the lock date back, or remove it.

    Raises:
        LockMovesBack: the books are not locked beyond that day.
    """
    settings = workspace_settings.current()
    if settings.lock_date is None:
        raise LockMovesBack(says("The books are not locked."))
    if body.through_date is not None and body.through_date >= settings.lock_date:
        raise LockMovesBack(lock_date=settings.lock_date)
    return _move("period.unlocked", body.through_date, body.reason)


def _move(event: str, through: date | None, reason: str | None, open_points: Sequence[LockFinding] = ()) -> Settings:
    settings = workspace_settings.current()
    before = settings.lock_date
    settings.change(lock_date=through)
    data: dict[str, Any] = {"from": before and str(before), "to": through and str(through), "reason": reason}
    if open_points:
        data["findings"] = [{"kind": finding.kind, "count": finding.count} for finding in open_points]
    events.write(event, "workspace", caller.current().workspace_id or "", data)
    return settings


class LockView(View):
    """A change of the lock, with its reason and its open points."""

    at: str
    by_name: str
    from_date: date | None
    to_date: date | None
    reason: str | None
    findings: list[FindingCount]


class PeriodsView(View):
    """The lock date and the fiscal years, the latest first."""

    lock_date: date | None
    fiscal_years: list[FiscalYearView]
    locks: Annotated[list[LockView], Meta(description=f"The last {MOST_LOCKS} moves of the lock, the latest first.")]

    @classmethod
    def of(cls, settings: Settings, **more: Any) -> Self:
        """The periods of the workspace with these settings; of past years, those with entries."""
        return cls(lock_date=settings.lock_date, fiscal_years=fiscal_years.shown(), locks=locks(), **more)


def locks(most: int = MOST_LOCKS) -> list[LockView]:
    """The changes of the lock, the latest first, from the log."""
    return [_lock_view(*row) for row in WORKSPACE.rows(_LOCKS, (caller.current().workspace_id, most))]


def _lock_view(at: str, actor: str, text: str) -> LockView:
    data = json.loads(text)
    return LockView(
        at=at,
        by_name=json.loads(actor).get("name") or "",
        from_date=_day(data["from"]),
        to_date=_day(data["to"]),
        reason=data["reason"],
        findings=[FindingCount(**count) for count in data.get("findings", ())],
    )


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


_LOCKS = (
    "SELECT occurred_at, actor, data FROM event WHERE resource_type = 'workspace' AND resource_id = ?"
    " AND type IN ('period.locked', 'period.unlocked') ORDER BY seq DESC LIMIT ?"
)


class CheckListQuery(Query):
    """The last day of the check-list."""

    date: Annotated[Day, Meta(description="When absent, the last day of the month before.")] | None = None


class CheckListView(View):
    """The open points before a lock, from the first day that counts to the last."""

    date_from: Annotated[date | None, Meta(description="Null while nothing is locked: all days count.")]
    through_date: date
    lock_date: date | None
    needs_reason: Annotated[bool, Meta(description="Whether a lock through that day needs a reason.")]
    findings: list[LockFinding]

    @classmethod
    def of(cls, day: date) -> Self:
        """The check-list of a lock through a day."""
        since = findings.days_through(day).since
        open_points = findings.through(day)
        return cls(
            date_from=None if since == date.min else since,
            through_date=day,
            lock_date=workspace_settings.current().lock_date,
            needs_reason=bool(open_points),
            findings=open_points,
        )


class LockedPeriodsView(PeriodsView):
    """The periods, and the open points in the one that was locked or, in a dry run, would be."""

    dry_run: bool
    through_date: Day
    findings: list[LockFinding]


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self) -> PeriodsView:
        """Show the day through which the books are locked, and the fiscal years.

        Nothing can be dated on or before the lock date. Fiscal years without entries are left out, except for the
        present one; the latest comes first.
        """
        return PeriodsView.of(workspace_settings.current())


class CheckList:
    @endpoint(permission="finance.read")
    def on_get(self, query: CheckListQuery) -> CheckListView:
        """Show the open points before the books are locked through a day.

        Drafts, payments and credit notes that are not settled, unmatched bank transactions and entries that are on no
        statement, bills without a file, and documents dated more than 7 days after today; the trial balance and the
        account of opening balances if they are not at zero; at the end of a fiscal year, bills without an
        asset, missing depreciation, and accounts that differ from the asset register. It looks at the days since the
        fiscal year began, or since the first open day where that is earlier.
        """
        return CheckListView.of(query.date or workspace_settings.today().replace(day=1) - timedelta(days=1))


class Lock:
    @endpoint(permission="finance.write", refuses=(LockMovesForward, ReasonNeeded))
    def on_post(self, body: PeriodLock) -> LockedPeriodsView:
        """Lock the books through a day.

        The lock date only moves forward, and not beyond today. `findings` lists the open points through that day, as
        the check-list does. While there are any, the lock needs a `reason`, which is kept in the log and shown in
        `locks`. With `dryRun: true`, look at them first: nothing is changed.
        """
        open_points = lock(body)
        settings = workspace_settings.current()
        return LockedPeriodsView.of(
            settings, dry_run=body.dry_run, through_date=body.through_date, findings=open_points
        )


class Unlock:
    @endpoint(permission="workspace.own", refuses=(LockMovesBack,))
    def on_post(self, body: PeriodUnlock) -> PeriodsView:
        """Move the lock date of the books back to an earlier day, or remove it with null.

        Only owners can unlock the books. The reason is written to the log.
        """
        return PeriodsView.of(unlock(body))
