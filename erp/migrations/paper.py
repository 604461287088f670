"""What leaves the office on paper and as an e-invoice: the office's particulars, what issuing keeps, and the files."""

from erp.migrations import Connection, run
from erp.migrations.books import RECORD

_PAPER = f"""
ALTER TABLE settings ADD COLUMN email TEXT

ALTER TABLE settings ADD COLUMN phone TEXT

ALTER TABLE settings ADD COLUMN contact_name TEXT

ALTER TABLE settings ADD COLUMN bic TEXT

ALTER TABLE settings ADD COLUMN bank_name TEXT

ALTER TABLE settings ADD COLUMN register_entry TEXT

ALTER TABLE settings ADD COLUMN managers TEXT

ALTER TABLE settings ADD COLUMN paper_footer TEXT

ALTER TABLE settings ADD COLUMN paper_language TEXT CHECK (paper_language IN ('en', 'de'))

ALTER TABLE settings ADD COLUMN logo_hash TEXT

ALTER TABLE contact ADD COLUMN buyer_reference TEXT

ALTER TABLE contact ADD COLUMN language TEXT CHECK (language IN ('en', 'de'))

ALTER TABLE invoice ADD COLUMN paper TEXT

CREATE TRIGGER invoice_paper_kept BEFORE UPDATE OF paper ON invoice
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END

CREATE TABLE document_file ({RECORD},
    invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    form TEXT NOT NULL, name TEXT NOT NULL, media_type TEXT NOT NULL, sha256 TEXT NOT NULL, content BLOB NOT NULL
) STRICT

CREATE UNIQUE INDEX document_file_form ON document_file (invoice_id, form)

CREATE TRIGGER document_file_kept BEFORE UPDATE ON document_file
BEGIN SELECT RAISE(ABORT, 'a file that was made of a document is never changed'); END

CREATE TRIGGER document_file_stays BEFORE DELETE ON document_file
WHEN (SELECT status FROM invoice WHERE id = OLD.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'a file that was made of a document is never deleted'); END

CREATE TABLE logo (
    sha256 TEXT PRIMARY KEY, media_type TEXT NOT NULL, content BLOB NOT NULL
) STRICT
"""


def leave_the_office(connection: Connection) -> None:
    """Documents keep what their paper says; those issued before take it from the settings when it is first made."""
    run(connection, _PAPER)
