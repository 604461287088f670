"""The schema of deposit invoices and of the final invoices that deduct them."""

from erp.migrations import Connection, run
from erp.migrations.books import AMOUNT, replace_in_table


def deduct_deposits(connection: Connection) -> None:
    """Invoices may be deposits and finals; what was received of a deposit, and what is deducted, is kept by rate."""
    before, after = "'sales_credit_note', 'purchase_invoice'", "'deposit_invoice', 'final_invoice', 'purchase_invoice'"
    replace_in_table(connection, "invoice", before, f"'sales_credit_note', {after}")
    run(connection, _DEPOSITS)


_KEPT = "BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END"

_DEPOSITS = f"""
ALTER TABLE invoice ADD COLUMN deposit_total INTEGER NOT NULL DEFAULT 0
    CHECK (deposit_total >= 0 AND deposit_total {AMOUNT})

CREATE TRIGGER invoice_deposit_total_kept BEFORE UPDATE OF deposit_total ON invoice
WHEN OLD.status <> 'draft'
{_KEPT}

CREATE TABLE deposit_receipt (
    id TEXT NOT NULL PRIMARY KEY, invoice_id TEXT NOT NULL REFERENCES invoice (id),
    allocation_id TEXT NOT NULL REFERENCES allocation (id), tax_rate_id TEXT REFERENCES tax_rate (id),
    net INTEGER NOT NULL, tax INTEGER NOT NULL, base_net INTEGER NOT NULL, base_tax INTEGER NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id), tax_account_id TEXT NOT NULL REFERENCES account (id),
    journal_entry_id TEXT REFERENCES journal_entry (id)
) STRICT, WITHOUT ROWID

CREATE INDEX deposit_receipt_invoice_id ON deposit_receipt (invoice_id)

CREATE INDEX deposit_receipt_allocation_id ON deposit_receipt (allocation_id)

CREATE INDEX deposit_receipt_tax_rate_id ON deposit_receipt (tax_rate_id) WHERE tax_rate_id IS NOT NULL

CREATE INDEX deposit_receipt_account_id ON deposit_receipt (account_id)

CREATE INDEX deposit_receipt_tax_account_id ON deposit_receipt (tax_account_id)

CREATE INDEX deposit_receipt_journal_entry_id ON deposit_receipt (journal_entry_id)

CREATE TRIGGER deposit_receipt_kept BEFORE UPDATE ON deposit_receipt
BEGIN SELECT RAISE(ABORT, 'what was received of a deposit is never changed'); END

CREATE TRIGGER deposit_receipt_stays BEFORE DELETE ON deposit_receipt
BEGIN SELECT RAISE(ABORT, 'what was received of a deposit is never deleted'); END

CREATE TABLE invoice_deposit (
    id TEXT NOT NULL PRIMARY KEY, invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    position INTEGER NOT NULL, deposit_id TEXT NOT NULL REFERENCES invoice (id),
    tax_rate_id TEXT REFERENCES tax_rate (id),
    net INTEGER NOT NULL, tax INTEGER NOT NULL, base_net INTEGER NOT NULL, base_tax INTEGER NOT NULL
) STRICT, WITHOUT ROWID

CREATE UNIQUE INDEX invoice_deposit_invoice_id_position ON invoice_deposit (invoice_id, position)

CREATE INDEX invoice_deposit_deposit_id ON invoice_deposit (deposit_id)

CREATE INDEX invoice_deposit_tax_rate_id ON invoice_deposit (tax_rate_id) WHERE tax_rate_id IS NOT NULL

CREATE TRIGGER invoice_deposit_kept BEFORE UPDATE ON invoice_deposit
WHEN EXISTS (SELECT 1 FROM invoice WHERE id IN (OLD.invoice_id, NEW.invoice_id) AND status <> 'draft')
{_KEPT}

CREATE TRIGGER invoice_deposit_stays BEFORE DELETE ON invoice_deposit
WHEN (SELECT status FROM invoice WHERE id = OLD.invoice_id) <> 'draft'
{_KEPT}

CREATE TRIGGER invoice_deposit_late BEFORE INSERT ON invoice_deposit
WHEN (SELECT status FROM invoice WHERE id = NEW.invoice_id) <> 'draft'
{_KEPT}
"""
