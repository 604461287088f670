"""From the record of an asset to its plan of depreciation, its accounts, and what is posted of it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.assets import schedule
from erp.finance.assets.models import Asset
from erp.finance.assets.schedule import Life, Plan
from erp.finance.books import default_accounts
from erp.kernel import money
from erp.kernel.days import is_month_end
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

POOL_MONTHS = 60

STANDS = "NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = d.journal_entry_id)"
"""The condition that a row `d` of depreciation counts."""

POSTED = f"(SELECT coalesce(sum(d.amount), 0) FROM depreciation AS d WHERE d.asset_id = {{id}} AND {STANDS})"
"""The depreciation that is posted for an asset whose id is in a column, without its opening."""


class Accounts(NamedTuple):
    """The ids of the accounts that depreciation is posted to."""

    accumulated: str
    expense: str


def plan_of(asset: Asset) -> Plan:
    """The plan of one asset; a pool is depreciated as a whole (`targets`)."""
    year_start = int(workspace_settings.current().fiscal_year_start[:2])
    used = schedule.number(asset.in_use_on or asset.acquired_on)
    first = schedule.year_of(used, year_start) if asset.method == "pool" else used
    opened = first - 1 if asset.opening_date is None else _last_over(asset.opening_date)
    months = {"immediate": 1, "pool": POOL_MONTHS, "none": None}.get(asset.method, asset.life_months)
    lives = [] if months is None else [Life(max(first, opened + 1), months)]
    return Plan(
        cost=asset.cost,
        first=first,
        lives=[*lives, *(Life(int(since), months) for since, months, _ in asset.lives)],
        residual=asset.residual_value,
        percent=asset.declining_percent or 0 if asset.method == "declining" else 0,
        opening=asset.opening_accumulated,
        year_start=year_start,
    )


def _last_over(day: date) -> int:
    """The last month that is over at the end of a day."""
    return schedule.number(day) - (not is_month_end(day))


def targets(assets: Iterable[Asset], month: int) -> dict[str, int]:
    """Accumulated depreciation of assets in use at the end of a month, by id.

    A pool is rounded as a whole, and spread over its assets by their cost.
    """
    reached: dict[str, int] = {}
    pools: dict[tuple[str, int, int], list[Asset]] = defaultdict(list)
    for asset in assets:
        if asset.in_use_on is None or schedule.number(asset.in_use_on) > month:
            continue
        plan = plan_of(asset)
        if asset.method == "pool":
            pools[asset.account_id, plan.first, plan.lives[0].since].append(asset)
        else:
            reached[asset.id] = schedule.accumulated(plan, month)
    for pool in pools.values():
        reached |= _of_pool(pool, month)
    return reached


def _of_pool(pool: Sequence[Asset], month: int) -> dict[str, int]:
    opening = sum(asset.opening_accumulated for asset in pool)
    whole = replace(plan_of(pool[0]), cost=sum(asset.cost for asset in pool), opening=opening)
    rest = schedule.accumulated(whole, month) - opening
    parts = money.spread(rest, [asset.cost - asset.opening_accumulated for asset in pool])
    return {asset.id: asset.opening_accumulated + part for asset, part in zip(pool, parts, strict=True)}


def posted(ids: Iterable[str]) -> Mapping[str, int]:
    """The depreciation that is posted for assets, without their opening; 0 is left out."""
    return dict(WORKSPACE.rows(_POSTED, (sql.array(ids),)))


def is_depreciated(id: str) -> bool:
    """Whether depreciation of an asset is posted."""
    return bool(WORKSPACE.rows(f"SELECT 1 FROM depreciation AS d WHERE asset_id = ? AND {STANDS} LIMIT 1", (id,)))


def accounts_of(asset: Asset) -> Accounts:
    """The accounts of an asset: the pair of its account, else the default accounts."""
    defaults, pairs = default_accounts.by_key(), WORKSPACE.memo("asset accounts", _pairs)
    accumulated, expense = pairs.get(asset.account_id) or (
        defaults.get("accumulated_depreciation"),
        default_accounts.of("depreciation"),
    )
    own = {"immediate": "low_value_expense", "pool": "pool_depreciation"}.get(asset.method)
    return Accounts(accumulated or asset.account_id, expense if own is None else default_accounts.of(own))


def _pairs() -> dict[str, tuple[str | None, str]]:
    rows = WORKSPACE.rows("SELECT account_id, accumulated_account_id, expense_account_id FROM asset_account")
    return {id: (accumulated, expense) for id, accumulated, expense in rows}


_POSTED = (
    f"SELECT d.asset_id, sum(d.amount) FROM depreciation AS d WHERE {STANDS}"
    " AND d.asset_id IN (SELECT value FROM json_each(?)) GROUP BY d.asset_id"
)
