"""Exchange rates over HTTP."""

from erp.finance.books.exchange_rates import importing, listing, rates
from erp.finance.books.exchange_rates.bodies import (
    ExchangeRateChange,
    ExchangeRateFilter,
    ExchangeRateImport,
    NewExchangeRate,
)
from erp.finance.books.exchange_rates.models import ExchangeRate
from erp.finance.books.exchange_rates.views import ExchangeRateImportView, ExchangeRateView
from erp.kernel.errors import AlreadyExists, Conflict
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: ExchangeRateFilter) -> Page[ExchangeRateView]:
        """List exchange rates, the newest day first.

        Each is the value of 1 unit of a currency in the base currency on a day, with its source.
        """
        return listing.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(AlreadyExists,))
    def on_post(self, body: NewExchangeRate) -> ExchangeRateView:
        """Enter the exchange rate of a day by hand.

        The rate is the value of 1 unit of the currency in the base currency. An invoice, a payment or a journal line in
        a foreign currency without a rate takes the one of its own date, or the last one of the 10 days before. It keeps
        that rate, whatever changes here. A currency has one rate a day.
        """
        return ExchangeRateView.of(rates.add(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> ExchangeRateView:
        """Show an exchange rate.

        It shows the currency, the day, the value in the base currency, and where the rate comes from.
        """
        return ExchangeRateView.of(ExchangeRate.find(id))

    @endpoint(permission="finance.write", refuses=(Conflict,))
    def on_patch(self, id: str, body: ExchangeRateChange) -> ExchangeRateView:
        """Change an exchange rate that was entered by hand.

        An imported rate is refused (409). Entries at the old rate stay as they are.
        """
        return ExchangeRateView.of(rates.change(id, body))

    @endpoint(permission="finance.write", refuses=(Conflict,))
    def on_delete(self, id: str) -> None:
        """Delete an exchange rate that was entered by hand.

        An imported rate is refused (409). Entries at the rate stay as they are.
        """
        rates.remove(id)


class Import:
    @endpoint(permission="finance.write", prepare=importing.read)
    def on_post(self, body: ExchangeRateImport, prepared: importing.Days) -> ExchangeRateImportView:
        """Import exchange rates from a file of the European Central Bank.

        The file gives units for 1 euro. A rate is the value of 1 unit in the base currency, rounded to 12 decimals,
        half away from zero; for a base currency other than the euro it is crossed: units of the base currency ÷ units
        of the currency. Equal rates stay, corrected ones are changed, manual ones are kept. Currencies that are no
        longer in use are left out.
        """
        return ExchangeRateImportView.of(importing.run(body, prepared))
