"""What is taken off documents: cash discounts, write-offs and small differences."""

from erp.migrations import Connection, run
from erp.migrations.books import AMOUNT

_DEDUCTIONS = f"""
CREATE TABLE deduction (
    id TEXT NOT NULL PRIMARY KEY, created_at TEXT NOT NULL, created_by TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('cash_discount', 'uncollectable', 'small_difference', 'doubtful', 'recovery')),
    invoice_id TEXT NOT NULL REFERENCES invoice (id), item_id TEXT REFERENCES open_item (id),
    payment_id TEXT REFERENCES payment (id), allocation_id TEXT REFERENCES allocation (id),
    amount INTEGER NOT NULL CHECK (amount > 0 AND amount {AMOUNT}), base_amount INTEGER NOT NULL,
    currency TEXT NOT NULL, date TEXT NOT NULL CHECK (date(date) IS date),
    corrects_tax INTEGER NOT NULL, is_late INTEGER NOT NULL, reason TEXT,
    journal_entry_id TEXT REFERENCES journal_entry (id),
    undone_on TEXT CHECK (date(undone_on) IS undone_on), undo_reason TEXT,
    CHECK (undone_on >= date), CHECK ((item_id IS NULL) = (kind IN ('doubtful', 'recovery'))),
    CHECK (kind <> 'recovery' OR payment_id IS NOT NULL), CHECK (allocation_id IS NULL OR payment_id IS NOT NULL)
) STRICT, WITHOUT ROWID

CREATE INDEX deduction_invoice_id ON deduction (invoice_id)

CREATE INDEX deduction_payment_id ON deduction (payment_id) WHERE payment_id IS NOT NULL

CREATE INDEX deduction_allocation_id ON deduction (allocation_id) WHERE allocation_id IS NOT NULL

CREATE INDEX deduction_item_id ON deduction (item_id) WHERE item_id IS NOT NULL

CREATE INDEX deduction_journal_entry_id ON deduction (journal_entry_id)

CREATE TABLE deduction_part (
    id TEXT NOT NULL PRIMARY KEY, deduction_id TEXT NOT NULL REFERENCES deduction (id), position INTEGER NOT NULL,
    tax_rate_id TEXT REFERENCES tax_rate (id), amount INTEGER NOT NULL, tax INTEGER NOT NULL
) STRICT, WITHOUT ROWID

CREATE UNIQUE INDEX deduction_part_deduction_id_position ON deduction_part (deduction_id, position)

CREATE INDEX deduction_part_tax_rate_id ON deduction_part (tax_rate_id)

CREATE TRIGGER deduction_kept BEFORE UPDATE OF id, created_at, created_by, kind, invoice_id, item_id, payment_id,
    allocation_id, amount, base_amount, currency, date, corrects_tax, is_late, reason, journal_entry_id ON deduction
BEGIN SELECT RAISE(ABORT, 'a deduction is never changed'); END

CREATE TRIGGER deduction_stays BEFORE DELETE ON deduction
BEGIN SELECT RAISE(ABORT, 'a deduction is never deleted'); END

CREATE TRIGGER deduction_part_kept BEFORE UPDATE ON deduction_part
BEGIN SELECT RAISE(ABORT, 'a deduction is never changed'); END

CREATE TRIGGER deduction_part_stays BEFORE DELETE ON deduction_part
BEGIN SELECT RAISE(ABORT, 'a deduction is never deleted'); END

ALTER TABLE settings ADD COLUMN small_difference_limit INTEGER NOT NULL DEFAULT 100

ALTER TABLE settings ADD COLUMN discount_grace_days INTEGER NOT NULL DEFAULT 0
"""


_BY_RATE = """
ALTER TABLE tax_rate ADD COLUMN discounts_given_account_id TEXT REFERENCES account (id)

ALTER TABLE tax_rate ADD COLUMN discounts_received_account_id TEXT REFERENCES account (id)

CREATE INDEX tax_rate_discounts_given_account_id ON tax_rate (discounts_given_account_id)

CREATE INDEX tax_rate_discounts_received_account_id ON tax_rate (discounts_received_account_id)
"""


_OF_ITEMS = f"""
DROP TRIGGER deduction_kept

DROP TRIGGER deduction_stays

CREATE TABLE deduction_of_items (
    id TEXT NOT NULL PRIMARY KEY, created_at TEXT NOT NULL, created_by TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('cash_discount', 'uncollectable', 'small_difference', 'doubtful', 'recovery')),
    invoice_id TEXT REFERENCES invoice (id), of_item_id TEXT REFERENCES open_item (id),
    item_id TEXT REFERENCES open_item (id),
    payment_id TEXT REFERENCES payment (id), allocation_id TEXT REFERENCES allocation (id),
    amount INTEGER NOT NULL CHECK (amount > 0 AND amount {AMOUNT}), base_amount INTEGER NOT NULL,
    currency TEXT NOT NULL, date TEXT NOT NULL CHECK (date(date) IS date),
    corrects_tax INTEGER NOT NULL, is_late INTEGER NOT NULL, reason TEXT,
    journal_entry_id TEXT REFERENCES journal_entry (id),
    undone_on TEXT CHECK (date(undone_on) IS undone_on), undo_reason TEXT,
    CHECK (undone_on >= date), CHECK ((item_id IS NULL) = (kind IN ('doubtful', 'recovery'))),
    CHECK ((invoice_id IS NULL) <> (of_item_id IS NULL)),
    CHECK (kind <> 'recovery' OR payment_id IS NOT NULL), CHECK (allocation_id IS NULL OR payment_id IS NOT NULL)
) STRICT, WITHOUT ROWID

INSERT INTO deduction_of_items SELECT id, created_at, created_by, kind, invoice_id, NULL, item_id, payment_id,
    allocation_id, amount, base_amount, currency, date, corrects_tax, is_late, reason, journal_entry_id, undone_on,
    undo_reason FROM deduction

DROP TABLE deduction

ALTER TABLE deduction_of_items RENAME TO deduction

CREATE INDEX deduction_invoice_id ON deduction (invoice_id)

CREATE INDEX deduction_of_item_id ON deduction (of_item_id) WHERE of_item_id IS NOT NULL

CREATE INDEX deduction_payment_id ON deduction (payment_id) WHERE payment_id IS NOT NULL

CREATE INDEX deduction_allocation_id ON deduction (allocation_id) WHERE allocation_id IS NOT NULL

CREATE INDEX deduction_item_id ON deduction (item_id) WHERE item_id IS NOT NULL

CREATE INDEX deduction_journal_entry_id ON deduction (journal_entry_id)

CREATE TRIGGER deduction_kept BEFORE UPDATE OF id, created_at, created_by, kind, invoice_id, of_item_id, item_id,
    payment_id, allocation_id, amount, base_amount, currency, date, corrects_tax, is_late, reason, journal_entry_id
    ON deduction
BEGIN SELECT RAISE(ABORT, 'a deduction is never changed'); END

CREATE TRIGGER deduction_stays BEFORE DELETE ON deduction
BEGIN SELECT RAISE(ABORT, 'a deduction is never deleted'); END
"""


def of_items(connection: Connection) -> None:
    """Open items without a document, as those taken over, are written off and settled with a discount too."""
    run(connection, _OF_ITEMS)


def discounts_by_rate(connection: Connection) -> None:
    """A tax rate says where discounts at it are posted."""
    run(connection, _BY_RATE)


def deductions(connection: Connection) -> None:
    """Documents are written off and settled with a discount, and the workspace says how small a difference is."""
    run(connection, _DEDUCTIONS)


_MARK_ADJUSTED = """
ALTER TABLE invoice ADD COLUMN is_adjusted INTEGER NOT NULL DEFAULT 0 CHECK (is_adjusted IN (0, 1))

UPDATE invoice SET is_adjusted = 1 WHERE id IN (SELECT invoice_id FROM deduction)
    OR id IN (SELECT credited_invoice_id FROM invoice)
"""


def mark_adjusted(connection: Connection) -> None:
    """Documents say by themselves whether anything was ever taken off them or credits them."""
    run(connection, _MARK_ADJUSTED)
