"""Exchange rates: the one that applies on a day, amounts at a rate, and the rules of entering one by hand."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from erp.finance.books.exchange_rates.bodies import ExchangeRateChange, NewExchangeRate
from erp.finance.books.exchange_rates.models import ExchangeRate
from erp.kernel import money
from erp.kernel.complaints import Complaints, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import AlreadyExists, Conflict
from erp.kernel.language import Digits, Sentence, says
from erp.kernel.money import RATE_SCALE
from erp.store import changes, events, workspace_settings
from erp.store.router import WORKSPACE

LONGEST_GAP = 10
"""Days for which a rate stays in force: longer than any holidays of the ECB, too short for a forgotten import."""

_LATEST = (
    "SELECT rate FROM exchange_rate WHERE base_currency = ? AND currency = ? AND date BETWEEN ? AND ?"
    " ORDER BY date DESC LIMIT 1"
)


def first_day(day: date) -> date:
    """The first day of which a rate still serves on a day."""
    return day - timedelta(days=LONGEST_GAP)


def latest(currency: str, day: date) -> int | None:
    """The rate of a foreign currency on a day, times `RATE_SCALE`: the last known one, unless too old."""
    base = workspace_settings.current().base_currency
    rows = WORKSPACE.rows(_LATEST, (base, currency, first_day(day).isoformat(), day.isoformat()))
    return rows[0][0] if rows else None


def missing(currency: str, day: date) -> Sentence:
    """Message for a missing exchange rate."""
    base = workspace_settings.current().base_currency
    return says(
        "There is no exchange rate of {currency} from {first} to {day}. Enter the value of 1 "
        "{currency} in {base}, or an exchange rate for that date.",
        currency=currency,
        first=first_day(day),
        day=day,
        base=base,
    )


def add(new: NewExchangeRate) -> ExchangeRate:
    """Enter the rate of a day by hand.

    Raises:
        Invalid: the currency or the day does not fit.
        AlreadyExists: the currency has a rate on that day.
    """
    base = workspace_settings.current().base_currency
    _check(new, base)
    present = ExchangeRate.find_by(base_currency=base, currency=new.currency, date=new.date.isoformat())
    if present is not None:
        known = Digits(money.plain(present.rate, RATE_SCALE))
        raise AlreadyExists(
            says("{currency} has a rate of {known} on {date}.", currency=new.currency, known=known, date=new.date),
            field="date",
        )
    rate = ExchangeRate.add(
        base_currency=base, currency=new.currency, date=new.date, rate=money.scaled(new.rate, RATE_SCALE)
    )
    events.write("exchange_rate.created", "exchange_rate", rate.id, event_data(rate))
    return rate


def change(id: str, body: ExchangeRateChange) -> ExchangeRate:
    """Change a rate that was entered by hand; documents keep their rates.

    Raises:
        Conflict: it comes from a file.
    """
    rate = _find_manual(id)
    sent = {name: money.scaled(value, RATE_SCALE) for name, value in body.changes().items()}
    if values := changes.differing(rate, sent):
        rate.change(**values)
        events.write("exchange_rate.updated", "exchange_rate", id, event_data(rate))
    return rate


def remove(id: str) -> None:
    """Delete a rate that was entered by hand; documents keep their rates.

    Raises:
        Conflict: it comes from a file.
    """
    changes.delete(_find_manual(id), says("The exchange rate is in use."), event_data)


def event_data(rate: ExchangeRate) -> dict[str, Any]:
    return {"currency": rate.currency, "date": rate.date.isoformat(), "rate": money.plain(rate.rate, RATE_SCALE)}


def _check(new: NewExchangeRate, base: str) -> None:
    complaints = Complaints()
    if new.currency not in DIGITS:
        complaints.items.append(unknown_currency("currency"))
    if new.currency == base:
        complaints.add(
            "currency", "base_currency", says("{base} is the base currency and needs no exchange rate.", base=base)
        )
    today = workspace_settings.today()
    if new.date > today:
        complaints.add(
            "date",
            "in_future",
            says("The date is after today, {today}. Enter the exchange rate on that date.", today=today),
        )
    complaints.refuse()


def _find_manual(id: str) -> ExchangeRate:
    rate = ExchangeRate.find_to_change(id)
    if rate.source != "manual":
        raise Conflict(says("Exchange rates of the ECB cannot be changed. Enter another rate in the document."))
    return rate


def scaled(rate: Decimal | None) -> int | None:
    """A rate of a request times `RATE_SCALE`."""
    return None if rate is None else money.scaled(rate, RATE_SCALE)


def read_rate(
    currency: str, exchange_rate: int | None, complaints: Complaints, *, day: date, field: str = "currency"
) -> tuple[str, int | None]:
    """The currency of a document, and the exchange rate of a foreign one times `RATE_SCALE`.

    Without a given rate, the exchange rate of the document's day is taken. An unknown currency gives a
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
        return currency, exchange_rate
    rate = latest(currency, day)
    if rate is None:
        complaints.add("exchangeRate", "required", missing(currency, day))
    return currency, rate


def in_base(amount: int, currency: str, exchange_rate: int | None) -> int:
    """An amount of a document in the base currency, in minor units."""
    if exchange_rate is None:
        return amount
    return money.convert(amount, exchange_rate, currency, workspace_settings.current().base_currency)
