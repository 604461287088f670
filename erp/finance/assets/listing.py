"""The lists of fixed assets and of depreciation runs."""

from peewee import SQL

from erp.finance.assets import terms
from erp.finance.assets.bodies import AssetFilter, DepreciationRunFilter
from erp.finance.assets.models import Asset, DepreciationRun
from erp.finance.assets.views import AssetView, DepreciationRunView
from erp.finance.books import accounts
from erp.store import sql
from erp.web.paging import page, within
from erp.web.schema import Page

_SORTABLE = {"number": Asset.seq, "name": Asset.name, "acquiredOn": Asset.acquired_on}
_IS_DONE = f"opening_accumulated + {terms.POSTED.format(id='t1.id')} >= cost - residual_value"


def search(query: AssetFilter) -> Page[AssetView]:
    """One page of the assets that match."""
    select = Asset.select()
    if query.status is not None:
        select = select.where(Asset.status == query.status)
    if query.account_id is not None:
        select = select.where(Asset.account == accounts.refer(query.account_id, "accountId", postable=False).id)
    if query.project_id is not None:
        select = select.where(Asset.project_id == query.project_id)
    if query.is_fully_depreciated is not None:
        select = select.where(SQL(f"{'' if query.is_fully_depreciated else 'NOT '}({_IS_DONE})"))
    if query.q is not None:
        columns = ("number", "name", "serial_number", "location")
        select = select.where(sql.positional(sql.contains(columns, query.q)))
    return page(select, query, views=AssetView.of_many, sort=query.sort, sortable=_SORTABLE)


def search_runs(query: DepreciationRunFilter) -> Page[DepreciationRunView]:
    """One page of the runs that match."""
    select = DepreciationRun.select()
    if query.status is not None:
        select = select.where(DepreciationRun.status == query.status)
    select = within(select, query, DepreciationRun.date)
    sortable = {"date": DepreciationRun.date}
    return page(select, query, views=DepreciationRunView.of_many, sort=query.sort, sortable=sortable)
