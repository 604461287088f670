"""Request bodies of exchange rates."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.finance.books.exchange_rates.models import Source
from erp.kernel.language import Sentence, says
from erp.web.scalars import Currency, Day, ExchangeRate
from erp.web.schema import Body, RecordQuery, Unset

RateOrLatest = Annotated[
    ExchangeRate,
    Meta(description="Base currency for one unit of the foreign one; when absent, the exchange rate of the date."),
]
"""The rate of a document, at most 12 decimals."""


class NewExchangeRate(Body):
    """A rate entered by hand."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"currency": "USD", "date": "2026-01-22", "rate": "0.92"}

    currency: Currency
    date: Day
    rate: ExchangeRate


class ExchangeRateChange(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"rate": "0.921"}

    rate: ExchangeRate | Unset = UNSET


class ExchangeRateFilter(RecordQuery):
    """Filter for exchange rates."""

    currency: Currency | None = None
    source: Annotated[Source, Meta(description="Entered by hand, or from a file of the ECB.")] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["date", "-date", "currency", "-currency", "createdAt", "-createdAt"] = "-date"


class ExchangeRateImport(Body):
    """A file of the European Central Bank's reference rates."""

    SMALLER: ClassVar[Sentence | None] = says(
        "The body is larger than 1 MiB. Send the ECB's zip file of the history (eurofxref-hist.zip) in base64, which is"
        " smaller than the XML or CSV in it."
    )
    EXAMPLE: ClassVar[dict[str, Any]] = {"file": "Date, USD, CHF,\n22 January 2026, 1.0870, 0.9400,\n"}

    FILES: ClassVar[dict[str, str]] = {"text/csv": "file", "application/xml": "file", "application/zip": "file"}

    file: Annotated[
        str,
        Meta(
            min_length=1,
            description="The text of an XML or CSV file (eurofxref-daily, eurofxref-hist-90d, eurofxref-hist), or the "
            "zip file of a CSV file in base64.",
        ),
    ]
    date_from: Annotated[
        Day | None,
        Meta(description="First day to import; by default the first day of the last fiscal year."),
    ] = None
    dry_run: Annotated[bool, Meta(description="Read and count, and store nothing.")] = False
