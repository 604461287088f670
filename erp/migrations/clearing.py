"""The schema of documents that move amounts between accounts without a document of a contact: offsets and transfers."""

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


_TRANSFERS = f"""
CREATE TABLE transfer ({RECORD},
    number TEXT NOT NULL, fiscal_year INTEGER NOT NULL, seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')), date TEXT NOT NULL CHECK (date(date) IS date),
    from_account_id TEXT NOT NULL REFERENCES account (id), to_account_id TEXT NOT NULL REFERENCES account (id),
    amount INTEGER NOT NULL CHECK (amount > 0 AND amount {AMOUNT}), currency TEXT NOT NULL,
    received_amount INTEGER NOT NULL CHECK (received_amount > 0 AND received_amount {AMOUNT}),
    received_currency TEXT NOT NULL, fee_amount INTEGER CHECK (fee_amount > 0 AND fee_amount {AMOUNT}),
    exchange_difference INTEGER NOT NULL CHECK (exchange_difference {AMOUNT}), reference TEXT, note TEXT,
    journal_entry_id TEXT NOT NULL REFERENCES journal_entry (id), voided_at TEXT, void_reason TEXT,
    CHECK (from_account_id <> to_account_id), CHECK (currency <> received_currency OR amount = received_amount)
) STRICT

CREATE UNIQUE INDEX transfer_number ON transfer (number)

CREATE UNIQUE INDEX transfer_fiscal_year_seq ON transfer (fiscal_year, seq)

CREATE INDEX transfer_from_account_id ON transfer (from_account_id)

CREATE INDEX transfer_to_account_id ON transfer (to_account_id)

CREATE UNIQUE INDEX transfer_journal_entry_id ON transfer (journal_entry_id)

CREATE TRIGGER transfer_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, from_account_id, to_account_id,
    amount, currency, received_amount, received_currency, fee_amount, exchange_difference, reference, note,
    journal_entry_id ON transfer
BEGIN SELECT RAISE(ABORT, 'a transfer is never changed'); END

CREATE TRIGGER transfer_status_kept BEFORE UPDATE OF status ON transfer
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void transfer stays void'); END

CREATE TRIGGER transfer_stays BEFORE DELETE ON transfer
BEGIN SELECT RAISE(ABORT, 'a transfer is never deleted'); END
"""


def transfers(connection: Connection) -> None:
    """Money can be moved between own accounts."""
    run(connection, _TRANSFERS)
