"""A file from before deductions: its documents stay as they are, and what is taken off them is never changed."""

from contextlib import closing
from pathlib import Path

import pytest

from erp.migrations import books, deductions, migrate
from erp.migrations.workspace import STEPS
from erp.store import connections
from tests.migrations.test_credits import fill

BEFORE = STEPS[: STEPS.index(books.credit_invoices)]
THROUGH = STEPS[: STEPS.index(deductions.deductions) + 1]


def test_documents_stay_and_nothing_is_taken_off_them(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        fill(file)
        before = file.execute("SELECT id, total, amount_paid, amount_credited FROM invoice ORDER BY id").fetchall()
        migrate(file, THROUGH)
        query = "SELECT id, total, amount_paid, amount_credited FROM invoice ORDER BY id"
        assert file.execute(query).fetchall() == before
        assert file.execute("SELECT count(*) FROM deduction").fetchall() == [(0,)]
        limits = file.execute("SELECT small_difference_limit, discount_grace_days FROM settings").fetchall()
        assert limits in ([], [(100, 0)])


def test_a_deduction_is_only_undone(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        fill(file)
        migrate(file, THROUGH)
        (invoice,) = file.execute("SELECT min(id) FROM invoice").fetchone()
        columns = "(id, created_at, kind, invoice_id, amount, base_amount, currency, date, corrects_tax, is_late)"
        values = "'d', '2026-01-31', 'doubtful', ?, 100, 100, 'EUR', '2026-01-31', 0, 0"
        file.execute(f"INSERT INTO deduction {columns} VALUES ({values})", (invoice,))
        with pytest.raises(connections.sqlite3.IntegrityError, match="a deduction is never changed"):
            file.execute("UPDATE deduction SET amount = 200")
        with pytest.raises(connections.sqlite3.IntegrityError, match="a deduction is never deleted"):
            file.execute("DELETE FROM deduction")
        file.execute("UPDATE deduction SET undone_on = '2026-02-01'")


OLD = (
    "INSERT INTO deduction (id, created_at, kind, invoice_id, amount, base_amount, currency, date, corrects_tax,"
    " is_late) VALUES ('d', '2026-01-31', 'doubtful', ?, 100, 100, 'EUR', '2026-01-31', 0, 0)"
)
NEW = OLD.replace("'d'", "'e'").replace("invoice_id", "invoice_id, of_item_id").replace("?", "?, ?")


def test_deductions_from_documents_stay_when_open_items_have_them_too(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        fill(file)
        migrate(file, THROUGH)
        (invoice,) = file.execute("SELECT min(id) FROM invoice").fetchone()
        file.execute(OLD, (invoice,))
        file.execute("UPDATE deduction SET undone_on = '2026-02-01', undo_reason = 'Paid'")
        file.execute(
            "INSERT INTO deduction_part (id, deduction_id, position, amount, tax) VALUES ('p', 'd', 0, 100, 16)"
        )
        file.commit()
        migrate(file, STEPS)
        query = "SELECT kind, invoice_id, of_item_id, amount, date, undone_on, undo_reason FROM deduction"
        kept = ("doubtful", invoice, None, 100, "2026-01-31", "2026-02-01", "Paid")
        assert file.execute(query).fetchall() == [kept]
        assert file.execute("SELECT deduction_id, amount FROM deduction_part").fetchall() == [("d", 100)]
        for change in ("UPDATE deduction SET amount = 200", "DELETE FROM deduction"):
            with pytest.raises(connections.sqlite3.IntegrityError, match="a deduction is never"):
                file.execute(change)
        for of in ((None, None), (invoice, "item")):
            with pytest.raises(connections.sqlite3.IntegrityError, match="CHECK constraint failed"):
                file.execute(NEW, of)
