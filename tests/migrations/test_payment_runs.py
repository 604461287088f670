"""A file from before runs used credit: its runs stay as they are, and from then on one may transfer nothing."""

from contextlib import closing
from pathlib import Path

import pytest

from erp.migrations import books, migrate
from erp.migrations.workspace import STEPS
from erp.store import connections
from tests.migrations.test_credits import fill

BEFORE = STEPS[: STEPS.index(books.credit_invoices)]
RUNS = STEPS[: STEPS.index(books.runs_with_credit)]
THROUGH = STEPS[: STEPS.index(books.runs_with_credit) + 1]
COLUMNS = (
    "(id, version, created_at, updated_at, number, fiscal_year, seq, status, date, account_id, currency, amount, payer,"
    " iban)"
)
RUN = "?, 1, '2026-01-31', '2026-01-31', ?, 2026, ?, 'posted', '2026-01-31', ?, 'EUR', ?, 'Acme', ?"
PAYMENT = (
    "(id, version, created_at, updated_at, number, fiscal_year, seq, direction, status, contact_id, amount, currency,"
    " base_amount, date, method, account_id) VALUES ('p', 1, '', '', 'PAY-1', 2026, 1, 'made', 'posted', 'globex', 500,"
    " 'EUR', 0, '2026-01-31', 'bank_transfer', ?)"
)


def test_runs_stay_and_may_transfer_nothing(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        fill(file)
        migrate(file, RUNS)
        (account,) = file.execute("SELECT min(id) FROM account").fetchone()
        file.execute(f"INSERT INTO payment {PAYMENT}", (account,))
        file.execute(f"INSERT INTO payment_run {COLUMNS} VALUES ({RUN})", ("a", "RUN-1", 1, account, 500, "DE1"))
        file.execute("INSERT INTO payment_run_transfer VALUES ('t', 'a', 'p', '{}', 'M-1')")
        before = file.execute("SELECT * FROM payment_run").fetchall()
        migrate(file, THROUGH)
        assert file.execute("SELECT * FROM payment_run").fetchall() == before
        assert file.execute("SELECT run_id FROM payment_run_transfer").fetchall() == [("a",)]
        file.execute(f"INSERT INTO payment_run {COLUMNS} VALUES ({RUN})", ("b", "RUN-2", 2, account, 0, None))
        with pytest.raises(connections.sqlite3.IntegrityError, match="CHECK"):
            file.execute(f"INSERT INTO payment_run {COLUMNS} VALUES ({RUN})", ("c", "RUN-3", 3, account, 1, None))
        with pytest.raises(connections.sqlite3.IntegrityError, match="a payment run is never changed"):
            file.execute("UPDATE payment_run SET amount = 700")
        with pytest.raises(connections.sqlite3.IntegrityError, match="a payment run is never deleted"):
            file.execute("DELETE FROM payment_run")
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []
