"""The schema of exchange rates and of revaluations."""

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


def revaluations(connection: Connection) -> None:
    """What is open and held in foreign currencies can be revalued."""
    run(connection, _REVALUATIONS)


_REVALUATIONS = f"""
CREATE TABLE revaluation ({RECORD},
    number TEXT NOT NULL, fiscal_year INTEGER NOT NULL, seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')), date TEXT NOT NULL CHECK (date(date) IS date),
    rates TEXT NOT NULL, lines TEXT NOT NULL, journal_entry_id TEXT REFERENCES journal_entry (id),
    reversal_entry_id TEXT REFERENCES journal_entry (id), voided_at TEXT, void_reason TEXT,
    CHECK ((journal_entry_id IS NULL) = (reversal_entry_id IS NULL))
) STRICT

CREATE UNIQUE INDEX revaluation_number ON revaluation (number)

CREATE UNIQUE INDEX revaluation_fiscal_year_seq ON revaluation (fiscal_year, seq)

CREATE UNIQUE INDEX revaluation_date ON revaluation (date) WHERE status = 'posted'

CREATE INDEX revaluation_journal_entry_id ON revaluation (journal_entry_id)

CREATE INDEX revaluation_reversal_entry_id ON revaluation (reversal_entry_id)

CREATE TRIGGER revaluation_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, rates, lines, journal_entry_id,
    reversal_entry_id ON revaluation
BEGIN SELECT RAISE(ABORT, 'a revaluation is never changed'); END

CREATE TRIGGER revaluation_status_kept BEFORE UPDATE OF status ON revaluation
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void revaluation stays void'); END

CREATE TRIGGER revaluation_stays BEFORE DELETE ON revaluation
BEGIN SELECT RAISE(ABORT, 'a revaluation is never deleted'); END
"""
