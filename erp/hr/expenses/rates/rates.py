"""The rates of a day: the office's own from their day on, else its country's."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from erp.finance.books.exchange_rates import rates as exchange
from erp.hr.expenses.models import ExpenseRate
from erp.hr.expenses.per_diem import Place, Rate
from erp.hr.expenses.rates import tables
from erp.hr.expenses.rates.bodies import NewExpenseRate
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.kernel.language import says
from erp.kernel.money import MICRO
from erp.store import changes, events, workspace_settings

MILES = ("GB", "US")
"""Countries whose distances are in miles."""


class NoRate(Refusal):
    """There is no rate for {country} on {day}. Ask HR to add one."""

    status = 422


class UnknownRegion(Refusal):
    """{region} has no per diem of its own. Choose the country without a city or region."""

    status = 422


def home() -> str:
    """The office's country; none in a workspace without one."""
    return workspace_settings.current().country or ""


def of_distance(country: str, vehicle: str, day: date) -> int:
    """The rate of a kilometre or mile, in millionths of the base currency.

    Raises:
        NoRate: there is none.
    """
    own = _own("kind = 'mileage' AND country = ? AND vehicle = ?", (country, vehicle), day)
    if own is not None:
        assert own.rate is not None
        return _in_base(own.rate, own.currency, day)
    table = tables.of(country)
    rows = [row for row in table.mileage if row.vehicle == vehicle and row.valid_from <= day] if table else []
    if table is None or not rows:
        raise NoRate(field="vehicle", country=country, day=day)
    return _in_base(money.scaled(Decimal(rows[-1].rate), MICRO), table.currency, day)


def of_day(place: Place, day: date) -> Rate:
    """The rates of a day in a place, in minor units of the base currency.

    A region that has none on that day has the country's.

    Args:
        place: its region as `known_region` spells it.

    Raises:
        NoRate: there are none.
    """
    rates_here = ExpenseRate.fetch(_PER_DIEMS, place.country, day.isoformat())
    for region in dict.fromkeys((place.region, None)):
        own = next((rate for rate in rates_here if _is_same(rate.region, region)), None)
        if own is not None:
            return _amounts(own.full_amount or 0, own.partial_amount or 0, own.currency, day)
    table = tables.of(home())
    known = table.of_place(place.country, day) if table else []
    for region in dict.fromkeys((place.region, None)):
        rows = [row for row in known if row.region == region]
        if rows and table is not None:
            full, partial = (money.minor(Decimal(text), table.currency) for text in (rows[-1].full, rows[-1].partial))
            return _amounts(full, partial, table.currency, day)
    raise NoRate(field="country", country=place.country, day=day)


_PER_DIEMS = """
SELECT * FROM expense_rate WHERE kind = 'per_diem' AND country = ? AND valid_from <= ? ORDER BY valid_from DESC
"""


def _is_same(region: str | None, other: str | None) -> bool:
    return (region and region.casefold()) == (other and other.casefold())


def known_region(country: str, region: str | None, field: str) -> str | None:
    """A region that a request names, as the table spells it, or the office.

    Raises:
        UnknownRegion: neither names it for that country, on any day.
    """
    if region is None:
        return None
    table = tables.of(home())
    own = (row.region for row in ExpenseRate.fetch(_REGIONS) if row.country == country)
    spelled = (table and table.spelled(country, region)) or next((name for name in own if _is_same(name, region)), None)
    if spelled is None:
        raise UnknownRegion(field=field, region=region)
    return spelled


def places() -> Mapping[str, Sequence[str]]:
    """The regions and cities with per diems of their own on any day, by country: of the office, and of the table."""
    table = tables.of(home())
    own = [(row.country, row.region or "") for row in ExpenseRate.fetch(_REGIONS)]
    found = {(country, region.casefold()): region for country, region in own}
    found |= {(country, region.casefold()): region for country, region in (table.regions() if table else ())}
    by_country: dict[str, list[str]] = {}
    for (country, _), region in sorted(found.items()):
        by_country.setdefault(country, []).append(region)
    return by_country


_REGIONS = "SELECT * FROM expense_rate WHERE kind = 'per_diem' AND region IS NOT NULL ORDER BY id DESC"


def _own(condition: str, values: tuple[Any, ...], day: date) -> ExpenseRate | None:
    query = f"SELECT * FROM expense_rate WHERE {condition} AND valid_from <= ? ORDER BY valid_from DESC LIMIT 1"
    rows = ExpenseRate.fetch(query, *values, day.isoformat())
    return rows[0] if rows else None


def _amounts(full: int, partial: int, currency: str, day: date) -> Rate:
    return Rate(_in_base(full, currency, day), _in_base(partial, currency, day))


def _in_base(amount: int, currency: str, day: date) -> int:
    complaints = Complaints()
    _, rate = exchange.read_rate(currency, None, complaints, day=day)
    complaints.refuse()
    return exchange.in_base(amount, currency, rate)


def add(new: NewExpenseRate) -> ExpenseRate:
    """Add a rate of the office's own, which wins from its day on.

    Raises:
        Invalid: an amount is missing, or has too many decimals.
    """
    complaints, currency = Complaints(), new.currency or workspace_settings.current().base_currency
    columns = new.changes() | {"currency": currency}
    full, partial = columns.pop("full"), columns.pop("partial")
    columns["rate"] = None if new.rate is None else money.scaled(new.rate, MICRO)
    columns["full_amount"] = None if full is None else complaints.minor(full, currency, "full")
    columns["partial_amount"] = None if partial is None else complaints.minor(partial, currency, "partial")
    complaints.refuse()
    rate = ExpenseRate.add(**columns)
    events.write("expense_rate.created", "expense_rate", rate.id, _event_data(rate))
    return rate


def remove(id: str) -> None:
    """Delete a rate; claims keep what they have."""
    changes.delete(ExpenseRate.find_to_change(id), says("The rate is in use."), _event_data)


def _event_data(rate: ExpenseRate) -> Mapping[str, Any]:
    return {"kind": rate.kind, "country": rate.country, "validFrom": rate.valid_from.isoformat()}
