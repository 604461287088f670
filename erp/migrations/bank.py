"""The schema of bank statements: their lines, what of the books each line is, and what was learned from them."""

from erp.migrations import Connection, run
from erp.migrations.books import AMOUNT, RECORD

_BANK = f"""
CREATE TABLE bank_feed ({RECORD},
    account_id TEXT NOT NULL REFERENCES account (id), iban TEXT, csv_mapping TEXT
) STRICT

CREATE UNIQUE INDEX bank_feed_account_id ON bank_feed (account_id)

CREATE TABLE bank_statement ({RECORD},
    account_id TEXT NOT NULL REFERENCES account (id),
    format TEXT NOT NULL CHECK (format IN ('camt053', 'mt940', 'csv')), name TEXT, number TEXT,
    date_from TEXT NOT NULL CHECK (date(date_from) IS date_from),
    date_to TEXT NOT NULL CHECK (date(date_to) IS date_to), currency TEXT NOT NULL,
    opening INTEGER NOT NULL CHECK (opening {AMOUNT}), total INTEGER NOT NULL,
    closing INTEGER NOT NULL CHECK (closing {AMOUNT}), line_count INTEGER NOT NULL,
    CHECK (opening + total = closing), CHECK (date_from <= date_to)
) STRICT

CREATE INDEX bank_statement_account_id ON bank_statement (account_id, date_to)

CREATE TRIGGER bank_statement_kept BEFORE UPDATE ON bank_statement
BEGIN SELECT RAISE(ABORT, 'a bank statement is never changed'); END

CREATE TABLE bank_line ({RECORD},
    statement_id TEXT NOT NULL REFERENCES bank_statement (id), account_id TEXT NOT NULL REFERENCES account (id),
    line_key TEXT NOT NULL, position INTEGER NOT NULL, date TEXT NOT NULL CHECK (date(date) IS date),
    value_date TEXT CHECK (date(value_date) IS value_date),
    amount INTEGER NOT NULL CHECK (amount <> 0 AND amount {AMOUNT}), currency TEXT NOT NULL, text TEXT NOT NULL,
    party TEXT, iban TEXT, reference TEXT, end_to_end TEXT
) STRICT

CREATE UNIQUE INDEX bank_line_line_key ON bank_line (account_id, line_key)

CREATE INDEX bank_line_statement_id ON bank_line (statement_id)

CREATE INDEX bank_line_date ON bank_line (account_id, date)

CREATE TRIGGER bank_line_kept BEFORE UPDATE OF statement_id, account_id, line_key, position, date, value_date, amount,
    currency, text, party, iban, reference, end_to_end ON bank_line
BEGIN SELECT RAISE(ABORT, 'what the bank says is never changed'); END

CREATE TABLE bank_match (
    id TEXT NOT NULL PRIMARY KEY, line_id TEXT NOT NULL REFERENCES bank_line (id),
    entry_id TEXT NOT NULL REFERENCES journal_entry (id),
    amount INTEGER NOT NULL CHECK (amount <> 0 AND amount {AMOUNT}),
    made TEXT CHECK (made IN ('payment', 'journal_entry')), document_id TEXT, reason TEXT NOT NULL,
    CHECK ((made IS NULL) = (document_id IS NULL))
) STRICT

CREATE UNIQUE INDEX bank_match_line_id ON bank_match (line_id, entry_id)

CREATE INDEX bank_match_entry_id ON bank_match (entry_id)

CREATE TABLE bank_rule ({RECORD},
    text TEXT NOT NULL, account_id TEXT NOT NULL REFERENCES account (id),
    tax_rate_id TEXT REFERENCES tax_rate (id), description TEXT, is_automatic INTEGER NOT NULL
) STRICT

CREATE TABLE bank_counterparty ({RECORD},
    iban TEXT NOT NULL, contact_id TEXT NOT NULL REFERENCES contact (id)
) STRICT

CREATE UNIQUE INDEX bank_counterparty_iban ON bank_counterparty (iban, contact_id)

CREATE INDEX bank_counterparty_contact_id ON bank_counterparty (contact_id)
"""


def read_statements(connection: Connection) -> None:
    """Bank statements, and what of the books their lines are."""
    run(connection, _BANK)
