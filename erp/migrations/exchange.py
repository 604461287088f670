"""The schema of exchange rates."""

from erp.migrations import Connection, run
from erp.migrations.books import RECORD


def exchange_rates(connection: Connection) -> None:
    """Exchange rates by day, each in the base currency that it was entered for."""
    run(connection, _RATES)


_RATES = f"""
CREATE TABLE exchange_rate ({RECORD},
    base_currency TEXT NOT NULL, currency TEXT NOT NULL CHECK (currency <> base_currency),
    date TEXT NOT NULL CHECK (date(date) IS date), rate INTEGER NOT NULL CHECK (rate > 0),
    source TEXT NOT NULL CHECK (source IN ('manual', 'ecb'))
) STRICT

CREATE UNIQUE INDEX exchange_rate_day ON exchange_rate (base_currency, currency, date)
"""
