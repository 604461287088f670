"""The schema of a workspace's file, step by step.

The file itself enforces what must never break: posted entries, issued documents and events cannot be changed, and
an entry without the seal that checks it cannot be committed.
"""

import secrets

from erp.migrations import (
    Connection,
    Step,
    bank,
    books,
    clearing,
    deductions,
    deposits,
    exchange,
    files,
    names,
    paper,
    people,
    recurring,
    run,
    tax,
    trade,
    work,
)

APPLICATION_ID = 0x45525002


def first(connection: Connection) -> None:
    """Settings, the log of changes, the books, projects, tasks and time, people."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for script in (_SETTINGS, _EVENTS, *books.FIRST, *work.FIRST, *people.FIRST):
        run(connection, script)


_SETTINGS = """
CREATE TABLE workspace_meta (id TEXT NOT NULL PRIMARY KEY) STRICT

CREATE TABLE settings (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    legal_name TEXT, tax_number TEXT, address TEXT, base_currency TEXT NOT NULL, country TEXT,
    time_zone TEXT NOT NULL, fiscal_year_start TEXT NOT NULL,
    tax_rounding TEXT NOT NULL CHECK (tax_rounding IN ('document', 'line')), cash_rounding INTEGER,
    prices_include_tax INTEGER NOT NULL, payment_terms_days INTEGER NOT NULL, proration_basis TEXT NOT NULL,
    punch_rounding TEXT, number_formats TEXT NOT NULL, weekend TEXT NOT NULL, iban TEXT,
    lock_date TEXT CHECK (date(lock_date) IS lock_date)
) STRICT

CREATE TABLE number_counter (
    series TEXT NOT NULL, fiscal_year INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (series, fiscal_year)
) STRICT, WITHOUT ROWID

CREATE TABLE idempotency (
    user_id TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, status INTEGER NOT NULL,
    headers TEXT NOT NULL, body BLOB NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID

CREATE INDEX idempotency_created_at ON idempotency (created_at)

CREATE TABLE person (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID
"""

_EVENTS = """
CREATE TABLE event (
    seq INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, occurred_at TEXT NOT NULL,
    actor TEXT NOT NULL, resource_type TEXT NOT NULL, resource_id TEXT NOT NULL, data TEXT NOT NULL,
    previous_hash TEXT NOT NULL, hash TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX event_id ON event (id)

CREATE INDEX event_resource ON event (resource_type, resource_id)

CREATE TRIGGER event_chained BEFORE INSERT ON event
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event)
    OR NEW.previous_hash IS NOT coalesce(
        (SELECT hash FROM event ORDER BY seq DESC LIMIT 1), printf('%064d', 0))
BEGIN SELECT RAISE(ABORT, 'an event takes the next place in the chain'); END

CREATE TRIGGER event_kept BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END

CREATE TRIGGER event_stays BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END
"""


def dated_later(connection: Connection) -> None:
    """What is dated after today is found by index."""
    for script in books.DATED_LATER:
        run(connection, script)


def worth_nothing(connection: Connection) -> None:
    """Payments without a journal entry."""
    for script in books.WORTH_NOTHING:
        run(connection, script)


def record_rows(connection: Connection) -> None:
    """What events record of rows, and the key of what they may not quote; older events record nothing of them."""
    run(connection, _RECORDED)
    connection.execute("UPDATE workspace_meta SET seal_key = ?", (secrets.token_hex(32),))


_RECORDED = """
ALTER TABLE event ADD COLUMN recorded TEXT

ALTER TABLE workspace_meta ADD COLUMN seal_key TEXT NOT NULL DEFAULT ''
"""


def tell_others(connection: Connection) -> None:
    """Webhooks: where events are sent, the secrets they are signed with, and what came of each."""
    run(connection, _WEBHOOKS)


_WEBHOOKS = f"""
CREATE TABLE webhook ({books.RECORD},
    url TEXT NOT NULL, event_types TEXT NOT NULL, note TEXT, position INTEGER NOT NULL CHECK (position >= 0),
    failures INTEGER NOT NULL CHECK (failures >= 0), failing_since TEXT, resting_until TEXT, off_at TEXT,
    off_reason TEXT CHECK (off_reason IN ('by_hand', 'failing', 'gone', 'copied')),
    CHECK ((failures = 0) = (failing_since IS NULL)), CHECK ((off_at IS NULL) = (off_reason IS NULL))
) STRICT

CREATE TABLE webhook_secret (
    id TEXT NOT NULL PRIMARY KEY, webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    secret TEXT NOT NULL, valid_until TEXT
) STRICT

CREATE INDEX webhook_secret_webhook_id ON webhook_secret (webhook_id)

CREATE TABLE webhook_delivery (
    id TEXT NOT NULL PRIMARY KEY, webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    seq INTEGER, event_id TEXT NOT NULL, event_type TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('delivered', 'waiting', 'given_up')), tries INTEGER NOT NULL,
    first_at TEXT NOT NULL, last_at TEXT NOT NULL, next_at TEXT, response_status INTEGER, duration_ms INTEGER NOT NULL,
    problem TEXT, answer TEXT, CHECK ((status = 'waiting') = (next_at IS NOT NULL))
) STRICT

CREATE UNIQUE INDEX webhook_delivery_seq ON webhook_delivery (webhook_id, seq)

CREATE INDEX webhook_delivery_next_at ON webhook_delivery (webhook_id, next_at) WHERE next_at IS NOT NULL
"""

STEPS: list[Step] = [
    first,
    books.name_tax_accounts_and_vat_ids,
    dated_later,
    worth_nothing,
    books.index_foreign_amounts,
    people.part_time_and_attendance,
    people.payroll_care,
    record_rows,
    names.workspace,
    books.credit_invoices,
    books.open_items,
    exchange.exchange_rates,
    recurring.recurring_documents,
    books.bills,
    books.payment_runs,
    trade.date_services,
    trade.keep_terms,
    trade.offer_products,
    deposits.deduct_deposits,
    clearing.offsets,
    clearing.transfers,
    exchange.revaluations,
    deductions.deductions,
    deductions.discounts_by_rate,
    books.runs_with_credit,
    deductions.of_items,
    books.comparisons,
    deductions.mark_adjusted,
    paper.leave_the_office,
    files.attach,
    tax.returns,
    tax.datev,
    bank.read_statements,
    work.find_places_on_the_board,
    tell_others,
    tax.datev_received,
    trade.number_contacts,
]
