-- The workspace itself: its settings, the log of everything that happened, files and webhooks.
--
-- In every text of a workspace's file: amounts are in minor units of their currency, percentages and exchange rates in
-- millionths. A trigger called …_kept or …_stays refuses to change or to delete what must last.
--
-- Beside an index stands what it finds; a UNIQUE one is a rule. None is there only for deleting an account, a tax rate
-- or a product, which reads all that could name it: 0.1 s among 100,000 documents. Where two indexes serve a query
-- alike, SQLite takes the one that was made last, so their order matters.

-- Whose file it is, and the key of what events may not quote.
CREATE TABLE workspace_meta (
    id TEXT NOT NULL PRIMARY KEY,
    seal_key TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE settings (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    legal_name TEXT,
    vat_id TEXT,
    tax_number TEXT,
    address TEXT,
    base_currency TEXT NOT NULL,
    country TEXT,
    time_zone TEXT NOT NULL,
    fiscal_year_start TEXT NOT NULL,
    tax_rounding TEXT NOT NULL CHECK (tax_rounding IN ('document', 'line')),
    cash_rounding INTEGER,
    prices_include_tax INTEGER NOT NULL,
    payment_terms_days INTEGER NOT NULL,
    proration_basis TEXT NOT NULL,
    leave_payout TEXT NOT NULL DEFAULT 'year_days' CHECK (leave_payout IN ('year_days', 'last_13_weeks')),
    punch_rounding TEXT,
    time_billing TEXT,
    lateness_grace_minutes INTEGER NOT NULL DEFAULT 5,
    time_approval TEXT NOT NULL DEFAULT 'off' CHECK (time_approval IN ('off', 'week', 'week_in_month')),
    bill_approved_time_only INTEGER NOT NULL DEFAULT 0,
    time_lock TEXT,
    managers_see_margin INTEGER NOT NULL DEFAULT 0,
    nacha TEXT,
    number_formats TEXT NOT NULL,
    weekend TEXT NOT NULL,
    iban TEXT,
    lock_date TEXT CHECK (date(lock_date) IS lock_date),
    payroll_four_eyes INTEGER NOT NULL DEFAULT 0,
    bill_approval INTEGER NOT NULL DEFAULT 0,
    bills_need_account INTEGER NOT NULL DEFAULT 0,
    share_links INTEGER NOT NULL DEFAULT 0,
    small_difference_limit INTEGER NOT NULL DEFAULT 100,
    low_value_limit INTEGER NOT NULL DEFAULT 80000,
    discount_grace_days INTEGER NOT NULL DEFAULT 0,
    expense_payment_days INTEGER NOT NULL DEFAULT 14,
    quote_valid_days INTEGER NOT NULL DEFAULT 30,
    minutes_per_day INTEGER NOT NULL DEFAULT 480,
    remittance TEXT NOT NULL DEFAULT 'split' CHECK (remittance IN ('split', 'shorten')),
    email TEXT,
    phone TEXT,
    contact_name TEXT,
    bic TEXT,
    bank_name TEXT,
    register_entry TEXT,
    managers TEXT,
    paper_footer TEXT,
    paper_language TEXT CHECK (paper_language IN ('en', 'de')),
    logo_hash TEXT,
    paper_design TEXT,
    tax_form TEXT,
    tax_method TEXT NOT NULL DEFAULT 'effective' CHECK (tax_method IN ('effective', 'net_rate')),
    tax_basis TEXT NOT NULL DEFAULT '[]',
    tax_filing TEXT NOT NULL DEFAULT 'monthly' CHECK (tax_filing IN ('monthly', 'quarterly', 'yearly')),
    tax_extension INTEGER NOT NULL DEFAULT 0,
    tax_office_state TEXT,
    datev_advisor INTEGER,
    datev_client INTEGER,
    datev_chart TEXT CHECK (datev_chart IN ('skr03', 'skr04')),
    retention TEXT,
    reminders TEXT,
    first_steps TEXT
) STRICT;

-- The last number of each series.
CREATE TABLE number_counter (
    series TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (series, fiscal_year)
) STRICT, WITHOUT ROWID;

-- Former members, and people who are known from an import alone.
CREATE TABLE person (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    is_erased INTEGER NOT NULL DEFAULT 0 CHECK (is_erased IN (0, 1))
) STRICT, WITHOUT ROWID;

-- The log: each event has the hash of the one before.
CREATE TABLE event (
    seq INTEGER NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    occurred_at TEXT NOT NULL,
    actor TEXT NOT NULL,
    resource_type TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    data TEXT NOT NULL,
    recorded TEXT,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX event_id ON event (id);
CREATE INDEX event_resource ON event (resource_type, resource_id);  -- the history of a record

CREATE TRIGGER event_chained BEFORE INSERT ON event
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event)
    OR NEW.previous_hash IS NOT coalesce(
        (SELECT hash FROM event ORDER BY seq DESC LIMIT 1), printf('%064d', 0))
BEGIN SELECT RAISE(ABORT, 'an event takes the next place in the chain'); END;

CREATE TRIGGER event_kept BEFORE UPDATE OF seq, id, type, occurred_at, resource_type, resource_id, previous_hash, hash
    ON event
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;

CREATE TRIGGER event_content_kept BEFORE UPDATE OF actor, data, recorded ON event
WHEN NOT EXISTS (SELECT 1 FROM erasure_event WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;

CREATE TRIGGER event_stays BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;

-- The person whom a transaction erases: its row lets it change what is otherwise kept of that person, and blank personal
-- values of events. It can only be committed with the next event, which must be the one that says so and ends it.
CREATE TABLE erasure (
    person_id TEXT NOT NULL PRIMARY KEY,
    event_seq INTEGER NOT NULL REFERENCES event (seq) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

-- The events that the erasing transaction blanks: no other may change, and the event that ends it names each of them.
CREATE TABLE erasure_event (
    seq INTEGER NOT NULL PRIMARY KEY REFERENCES event (seq)
) STRICT;

CREATE TRIGGER erasure_event_begun BEFORE INSERT ON erasure_event
WHEN NOT EXISTS (SELECT 1 FROM erasure)
BEGIN SELECT RAISE(ABORT, 'only an erasure blanks events'); END;

CREATE TRIGGER erasure_event_kept BEFORE UPDATE ON erasure_event
BEGIN SELECT RAISE(ABORT, 'an erasure is never changed'); END;

CREATE TRIGGER erasure_event_stays BEFORE DELETE ON erasure_event
WHEN NOT EXISTS (SELECT 1 FROM erasure JOIN event ON event.seq = event_seq)
BEGIN SELECT RAISE(ABORT, 'an erasure is ended by its event'); END;

CREATE TRIGGER erasure_next BEFORE INSERT ON erasure
WHEN NEW.event_seq <= (SELECT coalesce(max(seq), 0) FROM event)
BEGIN SELECT RAISE(ABORT, 'an erasure is told by the next event'); END;

CREATE TRIGGER erasure_kept BEFORE UPDATE ON erasure
BEGIN SELECT RAISE(ABORT, 'an erasure is never changed'); END;

CREATE TRIGGER erasure_stays BEFORE DELETE ON erasure
WHEN NOT EXISTS (SELECT 1 FROM event WHERE seq = OLD.event_seq)
BEGIN SELECT RAISE(ABORT, 'an erasure is ended by its event'); END;

CREATE TRIGGER erasure_told BEFORE INSERT ON event
WHEN NEW.type <> 'person.erased' AND EXISTS (SELECT 1 FROM erasure)
BEGIN SELECT RAISE(ABORT, 'an erasure is told by its own event'); END;

CREATE TRIGGER erasure_names_events BEFORE INSERT ON event
WHEN NEW.type = 'person.erased' AND EXISTS (
    SELECT seq FROM erasure_event EXCEPT SELECT value ->> 'seq' FROM json_each(NEW.data, '$.redactions'))
BEGIN SELECT RAISE(ABORT, 'an erasure names the events that it blanks'); END;

CREATE TRIGGER erasure_ends AFTER INSERT ON event
WHEN NEW.type = 'person.erased'
BEGIN
    DELETE FROM erasure_event;
    DELETE FROM erasure;
END;

-- Answers to requests that may be sent again.
CREATE TABLE idempotency (
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body BLOB NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_created_at ON idempotency (created_at);  -- old answers, to be dropped

-- Files by their content: its bytes are there once, however many records name them.
CREATE TABLE stored_file (
    sha256 TEXT NOT NULL PRIMARY KEY,
    size INTEGER NOT NULL CHECK (size > 0),
    media_type TEXT NOT NULL
) STRICT;

CREATE TRIGGER stored_file_kept BEFORE UPDATE ON stored_file
BEGIN SELECT RAISE(ABORT, 'a file that is kept is never changed'); END;

CREATE TABLE stored_part (
    sha256 TEXT NOT NULL REFERENCES stored_file (sha256) ON DELETE CASCADE,
    number INTEGER NOT NULL CHECK (number >= 0),
    content BLOB NOT NULL,
    PRIMARY KEY (sha256, number)
) STRICT;

CREATE TRIGGER stored_part_kept BEFORE UPDATE ON stored_part
BEGIN SELECT RAISE(ABORT, 'a file that is kept is never changed'); END;

CREATE TABLE logo (
    sha256 TEXT NOT NULL PRIMARY KEY REFERENCES stored_file (sha256)
) STRICT;

CREATE TABLE letterhead (
    sha256 TEXT NOT NULL PRIMARY KEY REFERENCES stored_file (sha256)
) STRICT;

-- The texts of papers and mail that the office has changed.
CREATE TABLE office_text (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    kind TEXT NOT NULL,
    language TEXT NOT NULL,
    mail_subject TEXT,
    mail_text TEXT,
    intro TEXT,
    closing TEXT
) STRICT;

CREATE UNIQUE INDEX office_text_kind ON office_text (kind, language);  -- one of a kind and language

CREATE TABLE attachment (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    resource_type TEXT CHECK (resource_type IN (
        'invoice', 'payment', 'journal_entry', 'contact', 'project', 'task', 'employee', 'employee_document',
        'expense_claim', 'fiscal_year'
    )),
    resource_id TEXT,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES stored_file (sha256),
    size INTEGER NOT NULL CHECK (size > 0),
    media_type TEXT NOT NULL,
    CHECK ((resource_type IS NULL) = (resource_id IS NULL))
) STRICT;

CREATE INDEX attachment_resource_id ON attachment (resource_id);  -- the files of a record
CREATE INDEX attachment_sha256 ON attachment (sha256);  -- whether a file is still named

CREATE TRIGGER attachment_kept BEFORE UPDATE ON attachment
WHEN OLD.resource_id IS NOT NULL AND NOT (OLD.resource_type = 'employee'
        AND NEW.resource_type IS NOT DISTINCT FROM 'employee_document'
        AND EXISTS (SELECT 1 FROM employee_document WHERE id = NEW.resource_id AND employee_id = OLD.resource_id))
    AND NOT (NEW.resource_id IS NULL AND (OLD.resource_type IN ('contact', 'project', 'task')
        OR OLD.resource_type = 'invoice'
            AND (SELECT status FROM invoice WHERE id = OLD.resource_id) IS NOT DISTINCT FROM 'draft'
        OR OLD.resource_type = 'expense_claim'
            AND (SELECT status FROM expense_claim WHERE id = OLD.resource_id) IS NOT DISTINCT FROM 'draft'))
    OR NEW.sha256 <> OLD.sha256 OR NEW.name <> OLD.name
BEGIN SELECT RAISE(ABORT, 'a file of a record is never changed'); END;

CREATE TRIGGER attachment_stays BEFORE DELETE ON attachment
WHEN OLD.resource_type IN ('payment', 'journal_entry', 'fiscal_year')
    OR OLD.resource_type = 'invoice' AND (SELECT status FROM invoice WHERE id = OLD.resource_id) <> 'draft'
    AND NOT EXISTS (SELECT 1 FROM erasure JOIN invoice ON contact_id = person_id WHERE invoice.id = OLD.resource_id)
    OR OLD.resource_type = 'expense_claim'
    AND (SELECT status FROM expense_claim WHERE id = OLD.resource_id) <> 'draft' AND NOT EXISTS (
        SELECT 1 FROM erasure JOIN expense_claim AS claim ON employee_id = person_id WHERE claim.id = OLD.resource_id)
BEGIN SELECT RAISE(ABORT, 'a file of a posted record is never deleted'); END;

CREATE TRIGGER attachment_unnamed AFTER DELETE ON attachment
BEGIN
    DELETE FROM stored_file WHERE sha256 = OLD.sha256
        AND NOT EXISTS (SELECT 1 FROM attachment WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM document_file WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM quote_file WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM reminder WHERE pdf_sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM message_file WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM logo WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM letterhead WHERE sha256 = OLD.sha256);
END;

CREATE TABLE webhook (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    url TEXT NOT NULL,
    event_types TEXT NOT NULL,
    note TEXT,
    position INTEGER NOT NULL CHECK (position >= 0),
    failures INTEGER NOT NULL CHECK (failures >= 0),
    failing_since TEXT,
    resting_until TEXT,
    off_at TEXT,
    off_reason TEXT CHECK (off_reason IN ('by_hand', 'failing', 'gone', 'copied')),
    CHECK ((failures = 0) = (failing_since IS NULL)),
    CHECK ((off_at IS NULL) = (off_reason IS NULL))
) STRICT;

CREATE TABLE webhook_secret (
    id TEXT NOT NULL PRIMARY KEY,
    webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    valid_until TEXT
) STRICT;

CREATE INDEX webhook_secret_webhook_id ON webhook_secret (webhook_id);  -- the secrets of a webhook

CREATE TABLE webhook_delivery (
    id TEXT NOT NULL PRIMARY KEY,
    webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    seq INTEGER,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('delivered', 'waiting', 'given_up')),
    tries INTEGER NOT NULL,
    first_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    next_at TEXT,
    response_status INTEGER,
    duration_ms INTEGER NOT NULL,
    problem TEXT,
    answer TEXT,
    CHECK ((status = 'waiting') = (next_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX webhook_delivery_seq ON webhook_delivery (webhook_id, seq);
-- what is to be sent again
CREATE INDEX webhook_delivery_next_at ON webhook_delivery (webhook_id, next_at) WHERE next_at IS NOT NULL;

-- Views of lists; `created_by` is the owner.
CREATE TABLE list_view (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    page TEXT NOT NULL,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    columns TEXT NOT NULL,
    sort TEXT,
    is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
    is_default_for_all INTEGER NOT NULL CHECK (is_default_for_all IN (0, 1)),
    CHECK (is_shared OR NOT is_default_for_all)
) STRICT;

-- The view with which a list opens for a user.
CREATE TABLE list_view_default (
    user_id TEXT NOT NULL,
    page TEXT NOT NULL,
    view_id TEXT NOT NULL REFERENCES list_view (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, page)
) STRICT;

-- What a user is told: the newest event of a kind about a record. `count` events are told by one that is unread.
CREATE TABLE notice (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    resource_type TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    event_seq INTEGER NOT NULL REFERENCES event (seq),
    count INTEGER NOT NULL CHECK (count > 0),
    created_at TEXT NOT NULL,
    read_at TEXT,
    mailed_at TEXT
) STRICT;

CREATE UNIQUE INDEX notice_unread ON notice (user_id, kind, resource_id) WHERE read_at IS NULL;
CREATE INDEX notice_user_id ON notice (user_id, id);  -- the notices of a user, the newest first
CREATE INDEX notice_resource_id ON notice (resource_id, kind);  -- what a record that is done or gone has told

-- Kinds of notices that a user does not want.
CREATE TABLE muted_notice (
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (user_id, kind)
) STRICT;

-- Kinds of notices that a user wants by mail, and the time of the daily one.
CREATE TABLE notice_mail (
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    mail TEXT NOT NULL CHECK (mail IN ('now', 'daily')),
    PRIMARY KEY (user_id, kind)
) STRICT;

CREATE TABLE notice_schedule (
    user_id TEXT NOT NULL PRIMARY KEY,
    daily_at TEXT NOT NULL,
    days TEXT NOT NULL,
    mailed_on TEXT
) STRICT;

-- The mail server of a workspace: at most one row. Its password is in sealed_secret.
CREATE TABLE mail_settings (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    host TEXT NOT NULL,
    port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
    security TEXT NOT NULL CHECK (security IN ('starttls', 'tls', 'none')),
    user_name TEXT,
    from_address TEXT NOT NULL,
    from_name TEXT,
    reply_to TEXT,
    copy_to TEXT,
    certificate TEXT,
    per_hour INTEGER NOT NULL CHECK (per_hour > 0),
    pause_reason TEXT
) STRICT;

-- Passwords that the program itself must know, encrypted under a key of the installation, by what they are of.
CREATE TABLE sealed_secret (
    owner_id TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Outgoing mail. `recipients` are frozen as the content is; `outcomes` says by address how it went.
CREATE TABLE message (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    kind TEXT NOT NULL CHECK (kind IN (
        'invoice', 'quote', 'reminder', 'statement', 'payslip', 'invite', 'password_reset', 'notice', 'test'
    )),
    resource_type TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    resource_number TEXT,
    via TEXT NOT NULL CHECK (via IN ('smtp', 'eml')),
    status TEXT NOT NULL CHECK (status IN (
        'queued', 'sending', 'waiting', 'sent', 'failed', 'unsure', 'cancelled', 'prepared', 'handed_over', 'discarded'
    )),
    sender TEXT NOT NULL,
    recipients TEXT NOT NULL,
    outcomes TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    has_link INTEGER NOT NULL CHECK (has_link IN (0, 1)),
    message_id TEXT NOT NULL,
    once_key TEXT,
    tries INTEGER NOT NULL CHECK (tries >= 0),
    next_at TEXT,
    began_at TEXT,
    problem TEXT,
    reply TEXT,
    sent_at TEXT,
    retry_of_id TEXT,
    CHECK ((status IN ('queued', 'waiting')) = (next_at IS NOT NULL)),
    CHECK ((status IN ('sent', 'handed_over')) = (sent_at IS NOT NULL))
) STRICT;

CREATE INDEX message_resource_id ON message (resource_id);  -- the messages of a record
CREATE INDEX message_next_at ON message (next_at) WHERE next_at IS NOT NULL;  -- what is to be sent
CREATE INDEX message_began_at ON message (began_at) WHERE began_at IS NOT NULL;  -- how many went in an hour
CREATE UNIQUE INDEX message_once_key ON message (once_key) WHERE once_key IS NOT NULL;
CREATE UNIQUE INDEX message_retry_of_id ON message (retry_of_id) WHERE retry_of_id IS NOT NULL;

CREATE TRIGGER message_kept BEFORE UPDATE OF
    kind, resource_type, resource_id, resource_number, via, sender, recipients, subject, text, has_link, message_id,
    retry_of_id
    ON message
WHEN NOT EXISTS (SELECT 1 FROM erasure)
BEGIN SELECT RAISE(ABORT, 'a message is never changed'); END;

CREATE TRIGGER message_stays BEFORE DELETE ON message
WHEN NOT EXISTS (SELECT 1 FROM erasure)
BEGIN SELECT RAISE(ABORT, 'a message is never deleted'); END;

-- One document by one secret, of which only the hash is here. The link of a message has another at each try.
CREATE TABLE share_link (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    subject_type TEXT NOT NULL CHECK (subject_type IN ('invoice', 'quote')),
    subject_id TEXT NOT NULL,
    message_id TEXT REFERENCES message (id),
    token_hash TEXT NOT NULL,
    pin_hash TEXT,
    expires_at TEXT NOT NULL,
    first_seen_at TEXT,
    last_seen_at TEXT,
    seen_count INTEGER NOT NULL CHECK (seen_count >= 0),
    wrong_pins INTEGER NOT NULL CHECK (wrong_pins >= 0),
    wrong_in_row INTEGER NOT NULL CHECK (wrong_in_row >= 0),
    locked_until TEXT,
    revoked_at TEXT,
    CHECK ((first_seen_at IS NULL) = (last_seen_at IS NULL) AND (first_seen_at IS NULL) = (seen_count = 0))
) STRICT;

CREATE UNIQUE INDEX share_link_token_hash ON share_link (token_hash);
CREATE INDEX share_link_subject_id ON share_link (subject_id);  -- the links of a document
CREATE UNIQUE INDEX share_link_message_id ON share_link (message_id) WHERE message_id IS NOT NULL;

CREATE TABLE message_file (
    id TEXT NOT NULL PRIMARY KEY,
    message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL CHECK (size > 0),
    sha256 TEXT NOT NULL REFERENCES stored_file (sha256)
) STRICT;

CREATE INDEX message_file_message_id ON message_file (message_id);  -- the files of a message
CREATE INDEX message_file_sha256 ON message_file (sha256);  -- whether a file is still named

CREATE TRIGGER message_file_unnamed AFTER DELETE ON message_file
BEGIN
    DELETE FROM stored_file WHERE sha256 = OLD.sha256
        AND NOT EXISTS (SELECT 1 FROM attachment WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM document_file WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM quote_file WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM reminder WHERE pdf_sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM message_file WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM logo WHERE sha256 = OLD.sha256)
        AND NOT EXISTS (SELECT 1 FROM letterhead WHERE sha256 = OLD.sha256);
END;
