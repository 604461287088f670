"""The schema of documents that move amounts between accounts without a bank statement: offsets."""

from erp.migrations import Connection, run
from erp.migrations.books import AMOUNT, RECORD

_OFFSETS = f"""
CREATE TABLE contact_offset ({RECORD},
    number TEXT NOT NULL, fiscal_year INTEGER NOT NULL, seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')), date TEXT NOT NULL CHECK (date(date) IS date),
    contact_id TEXT NOT NULL REFERENCES contact (id), currency TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0 AND amount {AMOUNT}), note TEXT,
    journal_entry_id TEXT NOT NULL REFERENCES journal_entry (id), voided_at TEXT, void_reason TEXT
) STRICT

CREATE UNIQUE INDEX contact_offset_number ON contact_offset (number)

CREATE UNIQUE INDEX contact_offset_fiscal_year_seq ON contact_offset (fiscal_year, seq)

CREATE INDEX contact_offset_contact_id ON contact_offset (contact_id)

CREATE UNIQUE INDEX contact_offset_journal_entry_id ON contact_offset (journal_entry_id)

CREATE TRIGGER contact_offset_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, contact_id, currency, amount,
    note, journal_entry_id ON contact_offset
BEGIN SELECT RAISE(ABORT, 'an offset is never changed'); END

CREATE TRIGGER contact_offset_status_kept BEFORE UPDATE OF status ON contact_offset
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void offset stays void'); END

CREATE TRIGGER contact_offset_stays BEFORE DELETE ON contact_offset
BEGIN SELECT RAISE(ABORT, 'an offset is never deleted'); END
"""


def offsets(connection: Connection) -> None:
    """What a contact owes can be set against what it is owed."""
    run(connection, _OFFSETS)
