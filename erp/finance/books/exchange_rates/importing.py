"""Exchange rates from a file of the European Central Bank: new ones are added, corrected ones changed.

A rate that was entered by hand stays. The same file again changes nothing.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from erp.finance.books.exchange_rates import ecb
from erp.finance.books.exchange_rates.bodies import ExchangeRateImport
from erp.finance.books.exchange_rates.models import ExchangeRate
from erp.kernel import caller, clock
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.store import events, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE

MOST = 50_000
"""The most rates that are imported at once, so that others wait for a few seconds at most."""


class Present(NamedTuple):
    """A known rate."""

    id: str
    rate: int
    source: str


Key = tuple[str, str]
"""A currency and a day."""


class Outcome(NamedTuple):
    """The result of an import or its dry run."""

    counts: Mapping[str, int]
    rates: Mapping[Key, int]
    is_dry_run: bool


Days = Mapping[date, ecb.Units]


def read(body: ExchangeRateImport) -> Days:
    """Read the file of a request, which takes no lock.

    Raises:
        Invalid: it is no file of the ECB.
    """
    return ecb.read(body.file)


def run(body: ExchangeRateImport, days: Days) -> Outcome:
    """Import the days of a file, or only count them.

    Raises:
        Invalid: it has no rates of the base currency, or none of the days asked for.
    """
    base = workspace_settings.current().base_currency
    rates = _rates(body, days, base)
    present = _present(base, min(day for _, day in rates))
    fates = {key: _fate(present.get(key), rate) for key, rate in rates.items()}
    if not body.dry_run:
        _store(base, {key: rate for key, rate in rates.items() if fates[key] == "new"})
        _correct({present[key].id: rate for key, rate in rates.items() if fates[key] == "changed"})
        _log(rates, fates)
    return Outcome(Counter(fates.values()), rates, body.dry_run)


def _rates(body: ExchangeRateImport, days: Days, base: str) -> dict[Key, int]:
    first = body.date_from or _last_year()
    if max(days) < first:
        raise Invalid.one(
            "file",
            "too_old",
            says(
                "The last date in the file is {last}. Set dateFrom to import dates before {first}.",
                last=max(days),
                first=first,
            ),
        )
    rates = {
        (currency, day.isoformat()): rate
        for day, units in days.items()
        if day >= first
        for currency, rate in ecb.in_base(units, base).items()
    }
    if not rates:
        message = says("The file has no rate of the base currency, {base}. Enter exchange rates manually.", base=base)
        raise Invalid.one("file", "no_base_currency", message)
    if len(rates) > MOST:
        message = says(
            "There are {count:,} rates from {first} on. Choose a later date; at most {most:,} can be imported.",
            count=len(rates),
            first=first,
            most=MOST,
        )
        raise Invalid.one("dateFrom", "too_many", message)
    return rates


def _last_year() -> date:
    """The first day of the fiscal year before the present one."""
    start = workspace_settings.fiscal_year_start(workspace_settings.today())
    return workspace_settings.fiscal_year_start(start - timedelta(days=1))


_PRESENT = "SELECT currency, date, id, rate, source FROM exchange_rate WHERE base_currency = ? AND date >= ?"


def _present(base: str, first: str) -> dict[Key, Present]:
    rows = WORKSPACE.rows(_PRESENT, (base, first))
    return {(currency, day): Present(id, rate, source) for currency, day, id, rate, source in rows}


def _fate(present: Present | None, rate: int) -> str:
    if present is None:
        return "new"
    if present.rate == rate:
        return "known"
    return "kept" if present.source == "manual" else "changed"


_INSERT = (
    "INSERT INTO exchange_rate (id, version, created_at, updated_at, created_by, base_currency, currency, date, rate,"
    " source) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, 'ecb')"
)


def _store(base: str, rates: Mapping[Key, int]) -> None:
    now, created_by = clock.stamp(), caller.current().user_id
    rows = [(new_id(), now, now, created_by, base, currency, day, rate) for (currency, day), rate in rates.items()]
    WORKSPACE.run_many(_INSERT, rows)
    for id, *_, currency, day, rate in rows:
        columns = {"base_currency": base, "currency": currency, "date": day, "rate": rate, "source": "ecb"}
        ExchangeRate.record_columns(id, columns)


_CORRECT = "UPDATE exchange_rate SET rate = ?, version = version + 1, updated_at = ? WHERE id = ?"


def _correct(rates: Mapping[str, int]) -> None:
    now = clock.stamp()
    WORKSPACE.run_many(_CORRECT, [(rate, now, id) for id, rate in rates.items()])
    for id, rate in rates.items():
        ExchangeRate.record_columns(id, {"rate": rate})


def _log(rates: Mapping[Key, int], fates: Mapping[Key, str]) -> None:
    counts = Counter(fates.values())
    if not counts["new"] and not counts["changed"]:
        return
    days = [day for _, day in rates]
    data: dict[str, Any] = {"new": counts["new"], "changed": counts["changed"]}
    data |= {"dateFrom": min(days), "dateTo": max(days)}
    events.write("exchange_rate.imported", "exchange_rate_import", new_id(), data)
