"""The currency of a document, its exchange rate, and amounts in the base currency."""

from datetime import date
from decimal import Decimal

from erp.finance.books.exchange_rates import rates
from erp.kernel import money
from erp.kernel.complaints import Complaints, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.language import says
from erp.kernel.money import RATE_SCALE
from erp.store import workspace_settings


def read_rate(
    currency: str, exchange_rate: Decimal | None, complaints: Complaints, *, day: date, field: str = "currency"
) -> tuple[str, int | None]:
    """The currency of a document, and the exchange rate of a foreign one times `RATE_SCALE`.

    Where no rate is given, that of the document's day is taken from the exchange rates. An unknown currency gives a
    complaint about the field and the base currency, so that other checks can go on.
    """
    base: str = workspace_settings.current().base_currency
    if currency not in DIGITS:
        complaints.items.append(unknown_currency(field))
        return base, None
    if currency == base:
        if exchange_rate is not None:
            complaints.add(
                "exchangeRate", "not_needed", says("{base} is the base currency. Clear the exchange rate.", base=base)
            )
        return base, None
    if exchange_rate is not None:
        return currency, money.scaled(exchange_rate, RATE_SCALE)
    rate = rates.latest(currency, day)
    if rate is None:
        complaints.add("exchangeRate", "required", rates.missing(currency, day))
    return currency, rate


def in_base(amount: int, currency: str, exchange_rate: int | None) -> int:
    """An amount of a document in the base currency, in minor units."""
    if exchange_rate is None:
        return amount
    return money.convert(amount, exchange_rate, currency, workspace_settings.current().base_currency)
