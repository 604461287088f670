"""Fixed assets and depreciation runs over HTTP."""

from erp.finance.assets import assets, candidates, disposals, listing, runs
from erp.finance.assets.assets import MonthBeforeLastRun
from erp.finance.assets.bodies import (
    AssetChange,
    AssetDisposal,
    AssetFilter,
    AssetRow,
    DepreciationRunFilter,
    DepreciationRunVoid,
    LifeChange,
    NewAsset,
    NewDepreciationRun,
)
from erp.finance.assets.models import Asset, DepreciationRun
from erp.finance.assets.runs import LaterRun, NothingToPost
from erp.finance.assets.views import (
    AssetView,
    CandidateView,
    DepreciationRunPreview,
    DepreciationRunView,
    MadeAssets,
    ScheduledAssetView,
)
from erp.finance.books import ledger
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, ReadRows, SheetImport


class Collection:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: AssetFilter) -> Page[AssetView]:
        """List fixed assets.

        The latest number first. Drafts and assets that are disposed of are included; `status` chooses.
        """
        return listing.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference, InUse))
    def on_post(self, body: NewAsset) -> AssetView | MadeAssets:
        """Add a fixed asset as a draft.

        With `fromLine` it takes name, account, cost, day and project from the line of a posted bill. With `count` the
        line becomes so many assets: the answer is a list, and the cost is split to the cent. Nothing is posted.
        """
        made = assets.add(body)
        return AssetView.of(made[0]) if body.count is None else MadeAssets.of(made)


class Candidates:
    @endpoint(permission="finance.read")
    def on_get(self) -> list[CandidateView]:
        """List the lines of bills on accounts for fixed assets that have no asset.

        The earliest first. `POST /finance/assets` makes an asset of one with `fromLine`.
        """
        return CandidateView.of_many(candidates.without_asset())


class Import:
    @endpoint(permission="finance.write", prepare=sheets.rows_of(AssetRow))
    def on_post(self, body: SheetImport, prepared: ReadRows[AssetRow]) -> ImportedView:
        """Add old assets from a spreadsheet, all or none.

        The headings are the fields of an asset. Nothing is posted: the opening balances have the accounts of old
        assets. One with `inUseOn` is in use at once. Errors name the row (`rows[3].name`; the headings are row 1).
        An asset that is already here (422 `duplicate`) is refused, so that a file is not imported twice. `dryRun` only
        checks.
        """
        return sheets.load(body, prepared, assets.loader())


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> ScheduledAssetView:
        """Show a fixed asset with its schedule.

        The depreciation of each month and fiscal year, posted or to come, and `can`, the actions open to you now.
        """
        return ScheduledAssetView.of(Asset.find(id))

    @endpoint(permission="finance.write", refuses=(UnknownReference, InUse))
    def on_patch(self, id: str, body: AssetChange) -> AssetView:
        """Change a fixed asset.

        Once depreciation is posted, cost, account, dates and method stay (409 `in_use`): change the useful life
        instead, or void the runs first.
        """
        return AssetView.of(assets.change(id, body))

    @endpoint(permission="finance.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a fixed asset of which nothing is posted.

        One with depreciation is refused (409 `in_use`), as is one that is disposed of.
        """
        assets.remove(id)


class Activate:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> AssetView:
        """Put a draft in use.

        It needs `inUseOn`, and `lifeMonths` for linear and declining depreciation. Nothing is posted: the next
        depreciation run catches up.
        """
        return AssetView.of(assets.activate(Asset.find_to_change(id)))


class Life:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, MonthBeforeLastRun))
    def on_post(self, id: str, body: LifeChange) -> AssetView:
        """Change the useful life of a fixed asset.

        Its book value before that month, less the residual value, is spread over the months that are left.
        """
        return AssetView.of(assets.change_life(id, body))


class Dispose:
    @endpoint(
        permission="finance.write",
        refuses=(UnknownReference, InvalidTransition, MonthBeforeLastRun, *ledger.POSTING),
    )
    def on_post(self, id: str, body: AssetDisposal) -> AssetView:
        """Dispose of a fixed asset.

        Its depreciation through that month is posted, then its book value as an expense. The proceeds stand on the
        account of the invoice's line; `gain` is the net proceeds less the book value. An asset of a pool stays in its
        pool: nothing is posted.
        """
        return AssetView.of(disposals.dispose(disposals.read(id, body)))


class DisposeUndo:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, *ledger.POSTING))
    def on_post(self, id: str) -> AssetView:
        """Undo a disposal: its entries are reversed on their own day.

        The asset is in use again, and the next depreciation run catches up.
        """
        return AssetView.of(disposals.undo(id))


class Runs:
    @endpoint(permission="finance.read")
    def on_get(self, query: DepreciationRunFilter) -> Page[DepreciationRunView]:
        """List depreciation runs.

        The latest month first, void ones included.
        """
        return listing.search_runs(query)

    @endpoint(permission="finance.write", status=201, refuses=(NothingToPost, MonthBeforeLastRun, *ledger.POSTING))
    def on_post(self, body: NewDepreciationRun) -> DepreciationRunView | DepreciationRunPreview:
        """Post the depreciation of a month.

        One entry on the month's last day posts of each asset what is accumulated by then and not posted yet, so that
        late assets catch up. With `dryRun`, the answer is 200 and shows it; nothing is posted.
        """
        draft = runs.draft(body.month)
        return DepreciationRunPreview.of(draft) if body.dry_run else DepreciationRunView.of(runs.post(draft))


class Run:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> DepreciationRunView:
        """Show a depreciation run.

        It shows the amount of each asset, and `can`, the actions open to you now.
        """
        return DepreciationRunView.of(DepreciationRun.find(id))


class RunVoid:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, LaterRun, InUse, *ledger.POSTING))
    def on_post(self, id: str, body: DepreciationRunVoid) -> DepreciationRunView:
        """Void the latest depreciation run: its entry is reversed on its own day.

        An earlier one is refused (409 `later_run`), as is one with an asset that has been disposed of since.
        """
        return DepreciationRunView.of(runs.void(id, body.reason))
