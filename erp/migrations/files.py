"""Files: their bytes once by hash, however many records name them, and those that are attached to records."""

from erp.migrations import Connection, run
from erp.migrations.books import RECORD

TYPES = ("invoice", "payment", "journal_entry", "contact", "project", "task", "employee")
"""The types of records that have files, as their tables are called."""

_PART = 512 << 10

_STORE = f"""
CREATE TABLE stored_file (
    sha256 TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL CHECK (size > 0), media_type TEXT NOT NULL
) STRICT

CREATE TABLE stored_part (
    sha256 TEXT NOT NULL REFERENCES stored_file (sha256) ON DELETE CASCADE,
    number INTEGER NOT NULL CHECK (number >= 0), content BLOB NOT NULL, PRIMARY KEY (sha256, number)
) STRICT

CREATE TRIGGER stored_file_kept BEFORE UPDATE ON stored_file
BEGIN SELECT RAISE(ABORT, 'a file that is kept is never changed'); END

CREATE TRIGGER stored_part_kept BEFORE UPDATE ON stored_part
BEGIN SELECT RAISE(ABORT, 'a file that is kept is never changed'); END

INSERT INTO stored_file (sha256, size, media_type)
SELECT sha256, max(length(content)), max(media_type) FROM (
    SELECT sha256, content, media_type FROM document_file UNION ALL SELECT sha256, content, media_type FROM logo
) AS x GROUP BY sha256

WITH RECURSIVE part (sha256, number, size) AS (
    SELECT sha256, 0, size FROM stored_file
    UNION ALL SELECT sha256, number + 1, size FROM part WHERE (number + 1) * {_PART} < size
)
INSERT INTO stored_part (sha256, number, content)
SELECT sha256, number, substr(coalesce(
    (SELECT content FROM document_file WHERE document_file.sha256 = part.sha256 LIMIT 1),
    (SELECT content FROM logo WHERE logo.sha256 = part.sha256)
), number * {_PART} + 1, {_PART}) FROM part

CREATE TABLE document_file_by_hash ({RECORD},
    invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    form TEXT NOT NULL, name TEXT NOT NULL, media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES stored_file (sha256)
) STRICT

INSERT INTO document_file_by_hash
SELECT id, version, created_at, updated_at, created_by, invoice_id, form, name, media_type, sha256 FROM document_file

DROP TABLE document_file

ALTER TABLE document_file_by_hash RENAME TO document_file

CREATE UNIQUE INDEX document_file_form ON document_file (invoice_id, form)

CREATE INDEX document_file_sha256 ON document_file (sha256)

CREATE TRIGGER document_file_kept BEFORE UPDATE ON document_file
BEGIN SELECT RAISE(ABORT, 'a file that was made of a document is never changed'); END

CREATE TRIGGER document_file_stays BEFORE DELETE ON document_file
WHEN (SELECT status FROM invoice WHERE id = OLD.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'a file that was made of a document is never deleted'); END

CREATE TABLE logo_by_hash (sha256 TEXT NOT NULL PRIMARY KEY REFERENCES stored_file (sha256)) STRICT

INSERT INTO logo_by_hash SELECT sha256 FROM logo

DROP TABLE logo

ALTER TABLE logo_by_hash RENAME TO logo
"""

_ATTACHMENTS = f"""
CREATE TABLE attachment ({RECORD},
    resource_type TEXT CHECK (resource_type IN {TYPES}), resource_id TEXT, name TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES stored_file (sha256), size INTEGER NOT NULL CHECK (size > 0),
    media_type TEXT NOT NULL, CHECK ((resource_type IS NULL) = (resource_id IS NULL))
) STRICT

CREATE INDEX attachment_resource_id ON attachment (resource_id)

CREATE INDEX attachment_sha256 ON attachment (sha256)

CREATE TRIGGER attachment_kept BEFORE UPDATE ON attachment
WHEN OLD.resource_id IS NOT NULL OR NEW.sha256 <> OLD.sha256 OR NEW.name <> OLD.name
BEGIN SELECT RAISE(ABORT, 'a file of a record is never changed'); END

CREATE TRIGGER attachment_stays BEFORE DELETE ON attachment
WHEN OLD.resource_type IN ('payment', 'journal_entry')
    OR OLD.resource_type = 'invoice' AND (SELECT status FROM invoice WHERE id = OLD.resource_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'a file of a posted record is never deleted'); END
"""

_UNNAMED = """
CREATE TRIGGER {table}_unnamed AFTER DELETE ON {table}
BEGIN
    DELETE FROM stored_file WHERE sha256 = OLD.sha256
        AND NOT EXISTS (SELECT 1 FROM attachment WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM document_file WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM logo WHERE sha256 = OLD.sha256);
END
"""

_GOES = """
CREATE TRIGGER {table}_files AFTER DELETE ON {table}
BEGIN DELETE FROM attachment WHERE resource_type = '{table}' AND resource_id = OLD.id; END
"""


def attach(connection: Connection) -> None:
    """Records have files; the papers, e-invoices and logos that were kept before move to the same store."""
    run(connection, _STORE)
    run(connection, _ATTACHMENTS)
    for table in ("attachment", "document_file"):
        run(connection, _UNNAMED.format(table=table))
    for table in TYPES:
        run(connection, _GOES.format(table=table))
