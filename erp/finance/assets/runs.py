"""Depreciation runs: posting the depreciation of a month, and voiding the latest."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

from erp.finance.assets import assets, schedule, terms
from erp.finance.assets.assets import MonthBeforeLastRun
from erp.finance.assets.models import Asset, Depreciation, DepreciationRun
from erp.finance.books import ledger, periods, voids
from erp.finance.books.ledger import Leg
from erp.kernel import clock, money
from erp.kernel.days import month_end
from erp.kernel.errors import InUse, InvalidTransition
from erp.kernel.language import month_and_year, says
from erp.store import events, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE


class NothingToPost(InvalidTransition):
    """No depreciation is due for {month}."""


class LaterRun(InvalidTransition):
    """{number} is not the latest depreciation run. Void {later} first."""


class Due(NamedTuple):
    """Depreciation of an asset that is to be posted."""

    asset: Asset
    amount: int


class Draft(NamedTuple):
    """A run before it is posted."""

    day: date
    due: Sequence[Due]


def draft(month: str) -> Draft:
    """The depreciation that a run of a month posts: of every asset what is due and not posted.

    Raises:
        DateInFuture: the month ends too far ahead.
        PeriodLocked: its last day is in the locked period.
        MonthBeforeLastRun: a later month is posted.
        NothingToPost: nothing is due.
    """
    day = month_end(date.fromisoformat(f"{month}-01"))
    periods.check_not_ahead(day, "month")
    periods.check_open(day, "month")
    latest = _latest()
    if latest is not None and day < latest.date:
        raise MonthBeforeLastRun(month=month_and_year(latest.date), field="month")
    due = due_in(assets.all_in_use(), day)
    if not due:
        raise NothingToPost(month=month_and_year(day))
    return Draft(day, due)


def due_in(among: Iterable[Asset], day: date) -> list[Due]:
    """Depreciation due through the month of a day and not posted, in the order of the assets' numbers."""
    reached = terms.targets(among, schedule.number(day))
    posted = terms.posted(reached)
    due = [
        Due(asset, amount)
        for asset in among
        if asset.id in reached and (amount := reached[asset.id] - asset.opening_accumulated - posted.get(asset.id, 0))
    ]
    return sorted(due, key=lambda each: each.asset.seq)


def post(draft: Draft) -> DepreciationRun:
    """Post a run: one entry on the last day of its month."""
    number, fiscal_year, seq = workspace_settings.next_number("depreciationRun", draft.day)
    id = new_id()
    entry = ledger.post(
        draft.day,
        says("Depreciation {number}, {month}", number=number, month=month_and_year(draft.day)),
        legs_of(draft.due),
        kind="depreciation",
        source=("depreciation_run", id),
        document_number=number,
    )
    run = DepreciationRun.add(
        id=id, number=number, fiscal_year=fiscal_year, seq=seq, date=draft.day, journal_entry_id=entry.id
    )
    insert(draft.due, draft.day, entry.id, run.id)
    data = _event_data(run) | {"amount": _total(draft.due), "count": len(draft.due)}
    events.write("depreciation_run.posted", "depreciation_run", id, data, entries=[entry])
    return run


def void(id: str, reason: str | None) -> DepreciationRun:
    """Void the latest run: its entry is reversed on its own day, so that the month can be posted again.

    Raises:
        InvalidTransition: it is void.
        LaterRun: it is not the latest.
        InUse: one of its assets has been disposed of since.
        PeriodLocked: its day is in the locked period.
    """
    run = DepreciationRun.find_to_change(id)
    check_latest(run)
    _check_not_disposed(run)
    periods.check_open(run.date, "date")
    entry = ledger.reverse(run.journal_entry_id, run.date, says("Void of {number}", number=run.number))
    run.change(status="void", voided_at=clock.stamp(), void_reason=reason)
    events.write(
        "depreciation_run.void", "depreciation_run", id, _event_data(run) | {"reason": reason}, entries=[entry]
    )
    return run


def check_latest(run: DepreciationRun) -> None:
    """Refuse to void a run that is void, or not the latest."""
    voids.check_voidable(run)
    latest = _latest()
    if latest is not None and latest.id != run.id:
        raise LaterRun(number=run.number, later=latest.number)


def legs_of(due: Iterable[Due]) -> list[Leg]:
    """A leg for each expense account, project and dimensions; one for each account where depreciation is collected."""
    expenses: dict[tuple[str, str | None, str | None], int] = defaultdict(int)
    collected: dict[str, int] = defaultdict(int)
    for asset, amount in due:
        accounts = terms.accounts_of(asset)
        expenses[accounts.expense, asset.project_id, asset.dimensions] += amount
        collected[accounts.accumulated] -= amount
    legs = [
        Leg(account_id, amount, project_id=project_id, dimensions=dimensions)
        for (account_id, project_id, dimensions), amount in expenses.items()
    ]
    return [*legs, *(Leg(account_id, amount) for account_id, amount in collected.items())]


def insert(due: Iterable[Due], day: date, entry_id: str, run_id: str | None = None) -> None:
    """Note what an entry posts for each asset."""
    for asset, amount in due:
        Depreciation.create(
            asset_id=asset.id,
            run_id=run_id,
            date=day,
            amount=amount,
            account_id=terms.accounts_of(asset).accumulated,
            journal_entry_id=entry_id,
        )


def _latest() -> DepreciationRun | None:
    """The latest run that stands."""
    rows = DepreciationRun.fetch(
        "SELECT * FROM depreciation_run WHERE status = 'posted' ORDER BY date DESC, id DESC LIMIT 1"
    )
    return rows[0] if rows else None


_DISPOSED = (
    "SELECT asset.number FROM depreciation AS d JOIN asset ON asset.id = d.asset_id"
    " WHERE d.run_id = ? AND asset.status = 'disposed' AND asset.method <> 'pool' ORDER BY asset.seq LIMIT 1"
)


def _check_not_disposed(run: DepreciationRun) -> None:
    for (number,) in WORKSPACE.rows(_DISPOSED, (run.id,)):
        raise InUse(says("{number} has been disposed of since. Undo the disposal first.", number=number))


def _total(due: Iterable[Due]) -> str:
    return money.text(sum(each.amount for each in due), workspace_settings.current().base_currency)


def _event_data(run: DepreciationRun) -> dict[str, Any]:
    return {"number": run.number, "date": run.date.isoformat()}
