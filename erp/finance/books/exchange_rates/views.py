"""Views of exchange rates."""

from datetime import date
from typing import Annotated

from msgspec import Meta

from erp.finance.books.exchange_rates.importing import Outcome
from erp.finance.books.exchange_rates.models import ExchangeRate, Source
from erp.kernel import money
from erp.kernel.money import RATE_SCALE
from erp.web.scalars import Figure
from erp.web.schema import RecordView, View, show


class ExchangeRateView(RecordView):
    """The value of 1 unit of a currency in the base currency on a day."""

    created_by: str | None
    created_by_name: str | None
    base_currency: str
    currency: str
    date: date
    rate: Figure
    source: Source

    @classmethod
    def of(cls, rate: ExchangeRate) -> "ExchangeRateView":
        return show(cls, rate, rate=money.plain(rate.rate, RATE_SCALE))


class ExchangeRateImportView(View):
    """The result of an import: numbers of rates, one for each currency and day."""

    new: int
    known: Annotated[int, Meta(description="Already there, with the same rate.")]
    changed: Annotated[int, Meta(description="Already there from a file, and corrected by this one.")]
    kept: Annotated[int, Meta(description="Entered by hand, and kept although the file differs.")]
    currencies: list[str]
    date_from: str
    date_to: str
    dry_run: bool

    @classmethod
    def of(cls, outcome: Outcome) -> "ExchangeRateImportView":
        days = [day for _, day in outcome.rates]
        return cls(
            new=outcome.counts.get("new", 0),
            known=outcome.counts.get("known", 0),
            changed=outcome.counts.get("changed", 0),
            kept=outcome.counts.get("kept", 0),
            currencies=sorted({currency for currency, _ in outcome.rates}),
            date_from=min(days),
            date_to=max(days),
            dry_run=outcome.is_dry_run,
        )
