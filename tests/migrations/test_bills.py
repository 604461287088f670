"""A file from before bills: its documents stay as they are, and need no approval."""

from contextlib import closing
from pathlib import Path

import pytest

from erp.migrations import books, migrate
from erp.migrations.workspace import STEPS
from erp.store import connections
from tests.migrations.test_credits import fill

BEFORE = STEPS[: STEPS.index(books.credit_invoices)]
THROUGH = STEPS[: STEPS.index(books.bills) + 1]


def test_documents_stay_and_need_no_approval(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        fill(file)
        lines = file.execute("SELECT * FROM invoice_line ORDER BY id").fetchall()
        migrate(file, THROUGH)
        assert file.execute("SELECT DISTINCT supplier_number, approval, approved_at FROM invoice").fetchall() == [
            (None, "not_needed", None)
        ]
        after = file.execute("SELECT * FROM invoice_line ORDER BY id").fetchall()
        assert [row[: len(lines[0])] for row in after] == lines
        assert {row[-5:] for row in after} == {(None, None, None, 0, 0)}
        assert file.execute("SELECT bill_approval FROM settings").fetchall() in ([], [(0,)])
        with pytest.raises(connections.sqlite3.IntegrityError, match="an issued invoice is never changed"):
            file.execute("UPDATE invoice SET supplier_number = '7' WHERE seq = 1")
        with pytest.raises(connections.sqlite3.IntegrityError, match="CHECK"):
            file.execute("UPDATE invoice SET approval = 'perhaps'")
