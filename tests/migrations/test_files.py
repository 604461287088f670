"""A file from before there was one store for files keeps its papers, e-invoices and logos, byte for byte."""

import hashlib
from contextlib import closing
from pathlib import Path

import pytest

from erp.migrations import files, migrate
from erp.migrations.workspace import STEPS
from erp.store import connections
from tests.migrations.test_credits import fill

BEFORE = STEPS[: STEPS.index(files.attach)]
PAPER, LOGO = bytes(range(256)) * 5000, b"\x89PNG"
"""A paper of 1,280,000 bytes, which are three parts of 512 KiB."""
DIGESTS = [hashlib.sha256(content).hexdigest() for content in (PAPER, LOGO)]


def keep(file, id: str, invoice_id: str, form: str, content: bytes) -> None:
    digest = hashlib.sha256(content).hexdigest()
    row = (id, 1, "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", None, invoice_id, form, f"{form}.pdf")
    file.execute(
        f"INSERT INTO document_file VALUES ({', '.join('?' * 11)})", (*row, "application/pdf", digest, content)
    )


def test_what_was_kept_moves_to_the_store(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        fill(file)
        (one,), (two,) = file.execute("SELECT id FROM invoice WHERE status <> 'draft' ORDER BY seq LIMIT 2").fetchall()
        keep(file, "f1", one, "pdf", PAPER)
        keep(file, "f2", two, "pdf", PAPER)
        file.execute("INSERT INTO logo VALUES (?, 'image/png', ?)", (DIGESTS[1], LOGO))
        migrate(file, STEPS)
        rows = file.execute("SELECT id, invoice_id, form, name, sha256 FROM document_file ORDER BY id").fetchall()
        assert rows == [("f1", one, "pdf", "pdf.pdf", DIGESTS[0]), ("f2", two, "pdf", "pdf.pdf", DIGESTS[0])]
        stored = file.execute("SELECT sha256, size, media_type FROM stored_file ORDER BY size DESC").fetchall()
        assert stored == [(DIGESTS[0], 1_280_000, "application/pdf"), (DIGESTS[1], 4, "image/png")]
        for digest, content in zip(DIGESTS, (PAPER, LOGO), strict=True):
            parts = file.execute(
                "SELECT content FROM stored_part WHERE sha256 = ? ORDER BY number", (digest,)
            ).fetchall()
            assert b"".join(part for (part,) in parts) == content
        assert file.execute("SELECT count(*) FROM stored_part").fetchone() == (4,)
        assert file.execute("SELECT sha256 FROM logo").fetchall() == [(DIGESTS[1],)]
        with pytest.raises(connections.sqlite3.IntegrityError, match="never deleted"):
            file.execute("DELETE FROM document_file")
        with pytest.raises(connections.sqlite3.IntegrityError, match="never changed"):
            file.execute("UPDATE document_file SET name = 'x'")
