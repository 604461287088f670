"""A file from before invoices could be credited: nothing of it changes but what it says from now on."""

from contextlib import closing
from pathlib import Path

import pytest

from erp.migrations import books, migrate
from erp.migrations.workspace import STEPS as ALL_STEPS
from erp.store import connections

STEPS = ALL_STEPS[: ALL_STEPS.index(books.credit_invoices) + 1]
BEFORE = STEPS[:-1]

RECORD = "id, version, created_at, updated_at"
TAX_RATE = f"INSERT INTO tax_rate ({RECORD}, name, rate, category, is_default) VALUES (?1, 1, '', '', ?1, ?2, 'S', 0)"
INVOICE = f"""
INSERT INTO invoice ({RECORD}, kind, number, fiscal_year, seq, status, contact_id, contact_name, issue_date, due_date,
    currency, prices_include_tax, tax_rounding, subtotal, discount_total, charge_total, tax_total, rounding_amount,
    total, base_total, amount_paid, amount_credited, terms)
VALUES (?1, 1, '', '', 'sales_invoice', ?1, 2026, ?2, 'draft', 'globex', 'Globex', '2026-01-01', '2026-01-15', 'EUR', 0,
    'document', 0, 0, 0, 0, 0, 100, 100, ?3, ?4, '{{}}')
"""
LINE = """
INSERT INTO invoice_line (id, invoice_id, position, description, quantity, unit_price, price_base_quantity, tax_rate_id,
    account_id, net, tax, gross)
VALUES (?1, 'INV-1', ?2, ?1, 1, 1, 1, ?3, 'sales', 0, ?4, 0)
"""
ADJUSTMENT = """
INSERT INTO invoice_adjustment (id, invoice_id, position, is_charge, tax_rate_id, account_id, amount)
VALUES (?1, 'INV-1', ?2, ?3, ?4, 'sales', ?5)
"""
TAX = """
INSERT INTO invoice_tax (id, invoice_id, position, tax_rate_id, category, rate, base, amount)
VALUES (?1, 'INV-1', ?2, ?3, 'S', ?4, 0, ?5)
"""


def fill(file):
    file.execute(f"INSERT INTO contact ({RECORD}, kind, name) VALUES ('globex', 1, '', '', 'customer', 'Globex')")
    file.execute(
        f"INSERT INTO account ({RECORD}, code, name, type, subtype, is_group, currency)"
        " VALUES ('sales', 1, '', '', '4000', 'Sales', 'income', 'income', 0, 'EUR')"
    )
    for rate in (("full", 19), ("reduced", 7)):
        file.execute(TAX_RATE, rate)
    for seq, sums in enumerate(((0, 0), (0, 100), (60, 40)), 1):
        file.execute(INVOICE, (f"INV-{seq}", seq, *sums))
    for line in (("a", 0, "full", 1900), ("b", 1, "full", 38), ("c", 2, "reduced", 70)):
        file.execute(LINE, line)
    for adjustment in (("d", 0, 0, "full", 300), ("e", 1, 1, "full", 100), ("f", 2, 0, "reduced", 100)):
        file.execute(ADJUSTMENT, adjustment)
    for tax in (("g", 0, "full", 19, 1900), ("h", 1, "reduced", 7, 63)):
        file.execute(TAX, tax)
    file.execute("UPDATE invoice SET status = 'issued' WHERE seq = 1")
    file.execute("UPDATE invoice SET status = 'paid' WHERE seq > 1")
    file.commit()


def schema(file, kind):
    return file.execute("SELECT name FROM sqlite_schema WHERE type = ? ORDER BY name", (kind,)).fetchall()


def test_a_file_with_documents_is_brought_up_to_date(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        fill(file)
        rows = file.execute("SELECT * FROM invoice ORDER BY seq").fetchall()
        triggers, indexes = schema(file, "trigger"), schema(file, "index")
        migrate(file, STEPS)
        now = file.execute("SELECT * FROM invoice ORDER BY seq").fetchall()
        assert (now[0], now[2]) == (rows[0], rows[2])
        assert [after for before, after in zip(rows[1], now[1], strict=True) if before != after] == ["credited"]
        assert file.execute("SELECT id, tax FROM invoice_adjustment ORDER BY id").fetchall() == [
            ("d", 57),
            ("e", 19),
            ("f", 7),
        ]
        assert schema(file, "trigger") == triggers
        assert schema(file, "index") == sorted([*indexes, ("invoice_line_credited_line_id",)])
        with pytest.raises(connections.sqlite3.IntegrityError, match="an issued invoice is never changed"):
            file.execute("UPDATE invoice SET total = 1 WHERE seq = 1")
        with pytest.raises(connections.sqlite3.IntegrityError, match="an issued invoice is never changed"):
            file.execute("UPDATE invoice_adjustment SET amount = 1")
        with pytest.raises(connections.sqlite3.IntegrityError, match="FOREIGN KEY"):
            file.execute(LINE.replace("'INV-1'", "'nothing'"), ("x", 0, "full", 0))
