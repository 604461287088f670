"""Tax returns: how rates are tagged, which form and basis apply, what was filed; and what the tax advisor gets."""

from erp.migrations import Connection, run
from erp.migrations.books import AMOUNT, RECORD

_TAX = f"""
ALTER TABLE tax_rate ADD COLUMN tax_tag TEXT

ALTER TABLE settings ADD COLUMN tax_form TEXT

ALTER TABLE settings ADD COLUMN tax_basis TEXT NOT NULL DEFAULT '[]'

CREATE INDEX invoice_tax_date ON invoice (tax_date)

CREATE INDEX invoice_line_tax_date ON invoice_line (tax_date) WHERE tax_date IS NOT NULL

CREATE INDEX deduction_date ON deduction (date)

CREATE INDEX deduction_undone_on ON deduction (undone_on) WHERE undone_on IS NOT NULL

CREATE INDEX allocation_on_date ON allocation (date)

CREATE INDEX allocation_released_on ON allocation (released_on) WHERE released_on IS NOT NULL

CREATE TABLE tax_return ({RECORD},
    form TEXT NOT NULL, date_from TEXT NOT NULL CHECK (date(date_from) IS date_from),
    date_to TEXT NOT NULL CHECK (date(date_to) IS date_to AND date_from <= date_to),
    basis TEXT NOT NULL CHECK (basis IN ('accrual', 'cash')), correction INTEGER NOT NULL CHECK (correction >= 0),
    boxes TEXT NOT NULL, payable INTEGER NOT NULL CHECK (payable {AMOUNT}), reference TEXT, note TEXT,
    journal_entry_id TEXT REFERENCES journal_entry (id)
) STRICT

CREATE UNIQUE INDEX tax_return_period ON tax_return (form, date_from, date_to, correction)

CREATE INDEX tax_return_journal_entry_id ON tax_return (journal_entry_id)

CREATE TRIGGER tax_return_kept BEFORE UPDATE OF id, created_at, created_by, form, date_from, date_to, basis, correction,
    boxes, payable ON tax_return
BEGIN SELECT RAISE(ABORT, 'a filed tax return is never changed'); END

CREATE TRIGGER tax_return_stays BEFORE DELETE ON tax_return
BEGIN SELECT RAISE(ABORT, 'a filed tax return is never deleted'); END
"""

_DATEV = f"""
ALTER TABLE settings ADD COLUMN datev_advisor INTEGER

ALTER TABLE settings ADD COLUMN datev_client INTEGER

ALTER TABLE settings ADD COLUMN datev_chart TEXT CHECK (datev_chart IN ('skr03', 'skr04'))

CREATE TABLE datev_stack ({RECORD},
    date_from TEXT NOT NULL CHECK (date(date_from) IS date_from),
    date_to TEXT NOT NULL CHECK (date(date_to) IS date_to), entries INTEGER NOT NULL CHECK (entries > 0)
) STRICT

CREATE TABLE datev_entry (
    stack_id TEXT NOT NULL REFERENCES datev_stack (id), entry_id TEXT NOT NULL REFERENCES journal_entry (id),
    PRIMARY KEY (stack_id, entry_id)
) STRICT

CREATE UNIQUE INDEX datev_entry_entry_id ON datev_entry (entry_id)

CREATE TRIGGER datev_entry_stays BEFORE DELETE ON datev_entry
BEGIN SELECT RAISE(ABORT, 'an entry that went to DATEV stays marked'); END

CREATE TABLE datev_account (
    contact_id TEXT NOT NULL REFERENCES contact (id), side TEXT NOT NULL CHECK (side IN ('receivable', 'payable')),
    number INTEGER NOT NULL CHECK (number > 0), PRIMARY KEY (contact_id, side)
) STRICT

CREATE UNIQUE INDEX datev_account_side_number ON datev_account (side, number)
"""


_RECEIVED = "ALTER TABLE datev_stack ADD COLUMN received_as TEXT"


def returns(connection: Connection) -> None:
    """Rates can bear a tag, and returns are filed; before, rates count by their category, and all tax by accrual."""
    run(connection, _TAX)


def datev(connection: Connection) -> None:
    """Journal entries go to DATEV, each once."""
    run(connection, _DATEV)


def datev_received(connection: Connection) -> None:
    """Stacks that the tax advisor sends back have the name of their file."""
    run(connection, _RECEIVED)
