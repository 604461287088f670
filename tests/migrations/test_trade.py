"""A file from before documents had services, terms and products keeps what it has."""

from contextlib import closing
from pathlib import Path

import pytest

from erp.migrations import migrate, trade
from erp.migrations.workspace import STEPS
from erp.store import connections
from tests.migrations.test_credits import LINE, fill

BEFORE = STEPS[: STEPS.index(trade.date_services)]


def test_older_documents_count_for_tax_on_their_own_date(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        fill(file)
        rows = file.execute("SELECT * FROM invoice ORDER BY seq").fetchall()
        migrate(file, STEPS)
        now = file.execute("SELECT * FROM invoice ORDER BY seq").fetchall()
        assert [after[: len(row)] for after, row in zip(now, rows, strict=True)] == rows
        services = file.execute("SELECT DISTINCT service_from, service_to, tax_date FROM invoice").fetchall()
        assert services == [(None, None, "2026-01-01")]
        assert file.execute("SELECT count(*) FROM invoice_line WHERE tax_date IS NOT NULL").fetchone() == (0,)
        for change in ("tax_date = '2026-02-01'", "service_to = '2026-02-01'", "payment_terms = '{}'"):
            with pytest.raises(connections.sqlite3.IntegrityError, match="an issued invoice is never changed"):
                file.execute(f"UPDATE invoice SET {change}")
        with pytest.raises(connections.sqlite3.IntegrityError, match="an issued invoice is never changed"):
            file.execute(LINE, ("x", 9, "full", 0))
