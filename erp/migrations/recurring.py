"""The schema of recurring documents."""

from erp.migrations import Connection, run
from erp.migrations.books import RECORD


def recurring_documents(connection: Connection) -> None:
    """What is made again and again, and what was made for which date."""
    run(connection, _RECURRING)


_RECURRING = f"""
CREATE TABLE recurring_document ({RECORD},
    name TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('invoice', 'journal')), request TEXT NOT NULL,
    every INTEGER NOT NULL CHECK (every > 0), unit TEXT NOT NULL CHECK (unit IN ('day', 'week', 'month', 'year')),
    day INTEGER CHECK (day BETWEEN 1 AND 31), starts_on TEXT NOT NULL CHECK (date(starts_on) IS starts_on),
    ends_on TEXT CHECK (date(ends_on) IS ends_on), times INTEGER CHECK (times > 0),
    mode TEXT NOT NULL CHECK (mode IN ('draft', 'issue')), due_days INTEGER, remind_days INTEGER NOT NULL,
    next_on TEXT CHECK (date(next_on) IS next_on), last_on TEXT CHECK (date(last_on) IS last_on),
    done_through TEXT CHECK (date(done_through) IS done_through), paused_at TEXT,
    reminded_on TEXT CHECK (date(reminded_on) IS reminded_on),
    failure TEXT, failed_on TEXT CHECK (date(failed_on) IS failed_on),
    CHECK ((failure IS NULL) = (failed_on IS NULL))
) STRICT

CREATE INDEX recurring_document_next_on ON recurring_document (next_on)

CREATE TABLE recurring_occurrence (
    id TEXT NOT NULL PRIMARY KEY, recurring_id TEXT NOT NULL REFERENCES recurring_document (id),
    date TEXT NOT NULL CHECK (date(date) IS date), made_at TEXT NOT NULL,
    document_type TEXT NOT NULL CHECK (document_type IN ('invoice', 'journal_entry')), document_id TEXT NOT NULL,
    warning TEXT
) STRICT

CREATE UNIQUE INDEX recurring_occurrence_date ON recurring_occurrence (recurring_id, date)

CREATE TRIGGER recurring_occurrence_kept BEFORE UPDATE ON recurring_occurrence
BEGIN SELECT RAISE(ABORT, 'what was made for a date is never changed'); END

CREATE TRIGGER recurring_occurrence_stays BEFORE DELETE ON recurring_occurrence
BEGIN SELECT RAISE(ABORT, 'what was made for a date is never deleted'); END
"""
