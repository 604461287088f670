"""Fixed assets on the home page: depreciation to post, and bought assets to add."""

from datetime import timedelta

from erp.desk.home.waiting import MOST, Waiting
from erp.finance.assets import assets, candidates, runs
from erp.finance.assets.views import CandidateView
from erp.kernel import caller, money
from erp.store import workspace_settings
from erp.web.scalars import Money
from erp.web.schema import View


class DepreciationDueView(View):
    """The depreciation through the last month that is over."""

    month: str
    asset_count: int
    currency: str
    amount: Money


class LinesWithoutAsset(Waiting):
    """Lines of bills on accounts for fixed assets that have no asset, the earliest at the top."""

    items: list[CandidateView]


def depreciation_due() -> DepreciationDueView | None:
    """The depreciation that the caller may post; None where nothing is due, or the month is locked."""
    day = workspace_settings.today().replace(day=1) - timedelta(days=1)
    locked = workspace_settings.lock_date()
    if not caller.may("finance.write") or (locked is not None and day <= locked):
        return None
    due = runs.due_in(assets.all_in_use(), day)
    if not due:
        return None
    currency = workspace_settings.current().base_currency
    return DepreciationDueView(
        month=f"{day:%Y-%m}",
        asset_count=len(due),
        currency=currency,
        amount=money.text(sum(each.amount for each in due), currency),
    )


def lines_without_asset() -> LinesWithoutAsset | None:
    """The bought assets that the caller may add."""
    if not caller.may("finance.write"):
        return None
    lines = candidates.without_asset()
    return LinesWithoutAsset(total=len(lines), items=CandidateView.of_many(lines[:MOST]))
