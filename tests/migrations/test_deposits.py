"""A file from before deposit invoices: its documents stay as they are, and deduct nothing."""

from contextlib import closing
from pathlib import Path

import pytest

from erp.migrations import deposits, migrate
from erp.migrations.workspace import STEPS
from erp.store import connections
from tests.migrations.test_credits import INVOICE, fill

BEFORE = STEPS[: STEPS.index(deposits.deduct_deposits)]


def test_documents_stay_and_deduct_nothing(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, STEPS[:9])
        fill(file)
        migrate(file, BEFORE)
        rows = file.execute("SELECT * FROM invoice ORDER BY seq").fetchall()
        lines = file.execute("SELECT * FROM invoice_line ORDER BY id").fetchall()
        migrate(file, STEPS)
        now = file.execute("SELECT * FROM invoice ORDER BY seq").fetchall()
        assert [row[: len(rows[0])] for row in now] == rows  # later steps add columns at the end
        assert file.execute("SELECT DISTINCT deposit_total FROM invoice").fetchall() == [(0,)]
        assert file.execute("SELECT * FROM invoice_line ORDER BY id").fetchall() == lines
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []
        with pytest.raises(connections.sqlite3.IntegrityError, match="an issued invoice is never changed"):
            file.execute("UPDATE invoice SET deposit_total = 1 WHERE status <> 'draft'")
        with pytest.raises(connections.sqlite3.IntegrityError, match="CHECK"):
            file.execute(INVOICE.replace("'sales_invoice'", "'quote'"), ("Q-1", 9, 0, 0))
        file.execute(INVOICE.replace("'sales_invoice'", "'final_invoice'"), ("F-1", 9, 0, 0))
