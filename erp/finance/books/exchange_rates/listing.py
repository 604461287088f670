"""Lists of exchange rates."""

from erp.finance.books.exchange_rates.bodies import ExchangeRateFilter
from erp.finance.books.exchange_rates.models import ExchangeRate
from erp.finance.books.exchange_rates.views import ExchangeRateView
from erp.store import workspace_settings
from erp.web.paging import page, within
from erp.web.schema import Page

SORTABLE = {"date": ExchangeRate.date, "currency": ExchangeRate.currency}


def search(query: ExchangeRateFilter) -> Page[ExchangeRateView]:
    """One page of the rates in the base currency that match."""
    select = ExchangeRate.select().where(ExchangeRate.base_currency == workspace_settings.current().base_currency)
    if query.currency is not None:
        select = select.where(ExchangeRate.currency == query.currency)
    if query.source is not None:
        select = select.where(ExchangeRate.source == query.source)
    select = within(select, query, ExchangeRate.date)
    return page(select, query, ExchangeRateView.of, sort=query.sort, sortable=SORTABLE)
