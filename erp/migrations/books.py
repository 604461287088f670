"""The schema of the books: the ledger, its documents, and the rules that the file enforces."""

from erp.migrations import Connection, run

RECORD = """
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT"""
"""The columns that every table of records begins with."""

AMOUNT = "BETWEEN -9999999999999999 AND 9999999999999999"
"""The limits of an amount in minor units."""

_LEDGER = f"""
CREATE TABLE account ({RECORD},
    code TEXT NOT NULL, name TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('asset', 'liability', 'equity', 'income', 'expense')),
    subtype TEXT NOT NULL, parent_id TEXT REFERENCES account (id), is_group INTEGER NOT NULL,
    currency TEXT NOT NULL, description TEXT, archived_at TEXT
) STRICT

CREATE UNIQUE INDEX account_code ON account (code)

CREATE INDEX account_parent_id ON account (parent_id)

CREATE TABLE default_account (
    key TEXT NOT NULL PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id)
) STRICT

CREATE INDEX default_account_account_id ON default_account (account_id)

CREATE TABLE contact ({RECORD},
    kind TEXT NOT NULL CHECK (kind IN ('customer', 'supplier', 'both')), name TEXT NOT NULL, legal_name TEXT,
    email TEXT, phone TEXT, tax_number TEXT, address TEXT, currency TEXT, payment_terms_days INTEGER,
    default_tax_rate_id TEXT REFERENCES tax_rate (id), notes TEXT, archived_at TEXT
) STRICT

CREATE INDEX contact_default_tax_rate_id ON contact (default_tax_rate_id)

CREATE TABLE tax_rate ({RECORD},
    name TEXT NOT NULL, rate INTEGER NOT NULL CHECK (rate BETWEEN 0 AND 100000000),
    category TEXT NOT NULL CHECK (category IN ('S', 'Z', 'E', 'AE', 'K', 'G', 'O')), exemption_reason TEXT,
    sales_account_id TEXT REFERENCES account (id), purchase_account_id TEXT REFERENCES account (id),
    is_default INTEGER NOT NULL, archived_at TEXT
) STRICT

CREATE UNIQUE INDEX tax_rate_default ON tax_rate (is_default) WHERE is_default

CREATE INDEX tax_rate_sales_account_id ON tax_rate (sales_account_id)

CREATE INDEX tax_rate_purchase_account_id ON tax_rate (purchase_account_id)

CREATE TABLE journal_entry (
    id TEXT NOT NULL PRIMARY KEY REFERENCES entry_seal (entry_id) DEFERRABLE INITIALLY DEFERRED,
    number TEXT NOT NULL, fiscal_year INTEGER NOT NULL, seq INTEGER NOT NULL,
    date TEXT NOT NULL CHECK (date(date) IS date), description TEXT NOT NULL, reference TEXT,
    kind TEXT NOT NULL, source_type TEXT, source_id TEXT,
    reverses_id TEXT REFERENCES journal_entry (id), total INTEGER NOT NULL,
    created_at TEXT NOT NULL, created_by TEXT, hash TEXT NOT NULL,
    CHECK ((source_type IS NULL) = (source_id IS NULL)), CHECK ((kind = 'reversal') = (reverses_id IS NOT NULL))
) STRICT

CREATE UNIQUE INDEX journal_entry_number ON journal_entry (number)

CREATE UNIQUE INDEX journal_entry_fiscal_year_seq ON journal_entry (fiscal_year, seq)

CREATE UNIQUE INDEX journal_entry_reverses_id ON journal_entry (reverses_id) WHERE reverses_id IS NOT NULL

CREATE INDEX journal_entry_date ON journal_entry (date)

CREATE INDEX journal_entry_source ON journal_entry (source_id, source_type, kind) WHERE source_id IS NOT NULL

CREATE TABLE posting (
    entry_id TEXT NOT NULL REFERENCES journal_entry (id), line INTEGER NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id), date TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0 AND amount {AMOUNT}),
    contact_id TEXT REFERENCES contact (id), project_id TEXT REFERENCES project (id), description TEXT,
    currency TEXT, foreign_amount INTEGER CHECK (foreign_amount {AMOUNT}),
    PRIMARY KEY (entry_id, line)
) STRICT, WITHOUT ROWID

CREATE INDEX posting_account ON posting (account_id, date, entry_id, line, amount)

CREATE INDEX posting_project_id ON posting (project_id) WHERE project_id IS NOT NULL

CREATE INDEX posting_contact ON posting (contact_id, account_id, amount) WHERE contact_id IS NOT NULL

CREATE TABLE entry_seal (entry_id TEXT NOT NULL PRIMARY KEY REFERENCES journal_entry (id)) STRICT, WITHOUT ROWID

CREATE TABLE balance (
    account_id TEXT NOT NULL REFERENCES account (id), month TEXT NOT NULL,
    debit INTEGER NOT NULL, credit INTEGER NOT NULL, PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID
"""

_LEDGER_RULES = """
CREATE TRIGGER account_kept BEFORE UPDATE OF id, type, subtype, currency, is_group ON account
WHEN (OLD.id <> NEW.id OR OLD.type <> NEW.type OR OLD.currency <> NEW.currency OR OLD.is_group <> NEW.is_group
    OR (OLD.subtype <> NEW.subtype
        AND (OLD.subtype IN ('receivable', 'payable') OR NEW.subtype IN ('receivable', 'payable'))))
    AND EXISTS (SELECT 1 FROM posting WHERE account_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an account with postings stays what it is'); END

CREATE TRIGGER posting_unsealed BEFORE INSERT ON posting
WHEN EXISTS (SELECT 1 FROM entry_seal WHERE entry_id = NEW.entry_id)
BEGIN SELECT RAISE(ABORT, 'a posted entry takes no further postings'); END

CREATE TRIGGER posting_dated BEFORE INSERT ON posting
WHEN NEW.date IS NOT (SELECT date FROM journal_entry WHERE id = NEW.entry_id)
BEGIN SELECT RAISE(ABORT, 'a posting bears the date of its entry'); END

CREATE TRIGGER posting_account_open BEFORE INSERT ON posting
WHEN EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id AND (is_group OR archived_at IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'nothing is posted to a group or an archived account'); END

CREATE TRIGGER posting_contact_named BEFORE INSERT ON posting
WHEN NEW.contact_id IS NULL
    AND EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id AND subtype IN ('receivable', 'payable'))
BEGIN SELECT RAISE(ABORT, 'a posting to receivables or payables names its contact'); END

CREATE TRIGGER posting_balance AFTER INSERT ON posting
BEGIN
    INSERT INTO balance (account_id, month, debit, credit)
    VALUES (NEW.account_id, substr(NEW.date, 1, 7), max(NEW.amount, 0), max(-NEW.amount, 0))
    ON CONFLICT (account_id, month) DO UPDATE
    SET debit = debit + excluded.debit, credit = credit + excluded.credit;
END

CREATE TRIGGER posting_kept BEFORE UPDATE ON posting
BEGIN SELECT RAISE(ABORT, 'a posting is never changed'); END

CREATE TRIGGER posting_stays BEFORE DELETE ON posting
BEGIN SELECT RAISE(ABORT, 'a posting is never deleted'); END

CREATE TRIGGER journal_entry_open BEFORE INSERT ON journal_entry
WHEN NEW.date <= (SELECT lock_date FROM settings)
BEGIN SELECT RAISE(ABORT, 'the period is locked'); END

CREATE TRIGGER journal_entry_gapless BEFORE INSERT ON journal_entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM journal_entry WHERE fiscal_year = NEW.fiscal_year)
BEGIN SELECT RAISE(ABORT, 'an entry takes the next number of its fiscal year'); END

CREATE TRIGGER journal_entry_of_its_year BEFORE INSERT ON journal_entry
WHEN NEW.fiscal_year NOT IN (0, (
    SELECT CAST(substr(NEW.date, 1, 4) AS INTEGER)
        + (fiscal_year_start <> '01-01' AND substr(NEW.date, 6) >= fiscal_year_start)
    FROM settings))
BEGIN SELECT RAISE(ABORT, 'an entry is numbered in the fiscal year of its date'); END

CREATE TRIGGER journal_entry_once BEFORE INSERT ON journal_entry
WHEN NEW.source_id IS NOT NULL AND NEW.reverses_id IS NULL AND EXISTS (
    SELECT 1 FROM journal_entry AS live
    WHERE live.source_id = NEW.source_id AND live.source_type = NEW.source_type AND live.kind = NEW.kind
    AND live.reverses_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = live.id))
BEGIN SELECT RAISE(ABORT, 'a document has one live entry'); END

CREATE TRIGGER journal_entry_mirror BEFORE INSERT ON journal_entry
WHEN NEW.reverses_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM journal_entry AS original WHERE original.id = NEW.reverses_id AND original.reverses_id IS NULL
    AND original.date <= NEW.date AND original.source_id IS NEW.source_id AND original.source_type IS NEW.source_type)
BEGIN SELECT RAISE(ABORT, 'a reversal is of an earlier entry that is none itself, and of the same document'); END

CREATE TRIGGER journal_entry_kept BEFORE UPDATE ON journal_entry
BEGIN SELECT RAISE(ABORT, 'a posted entry is never changed'); END

CREATE TRIGGER journal_entry_stays BEFORE DELETE ON journal_entry
BEGIN SELECT RAISE(ABORT, 'a posted entry is never deleted'); END

CREATE TRIGGER entry_seal_checked BEFORE INSERT ON entry_seal
BEGIN
    SELECT RAISE(ABORT, 'an entry has two postings at least, which sum to zero')
    WHERE (SELECT count(*) < 2 OR sum(amount) <> 0 FROM posting WHERE entry_id = NEW.entry_id);
    SELECT RAISE(ABORT, 'the total of an entry is the sum of its debits')
    WHERE (SELECT sum(max(amount, 0)) FROM posting WHERE entry_id = NEW.entry_id)
        IS NOT (SELECT total FROM journal_entry WHERE id = NEW.entry_id);
    SELECT RAISE(ABORT, 'a reversal is the exact mirror of its entry')
    FROM journal_entry AS mirror WHERE mirror.id = NEW.entry_id AND mirror.reverses_id IS NOT NULL AND EXISTS (
        SELECT 1 FROM (
            SELECT line, account_id, amount, contact_id, project_id, currency, foreign_amount
            FROM posting WHERE entry_id = mirror.id
            EXCEPT SELECT line, account_id, -amount, contact_id, project_id, currency, -foreign_amount
            FROM posting WHERE entry_id = mirror.reverses_id
        ) UNION ALL SELECT 1 FROM (
            SELECT line, account_id, -amount, contact_id, project_id, currency, -foreign_amount
            FROM posting WHERE entry_id = mirror.reverses_id
            EXCEPT SELECT line, account_id, amount, contact_id, project_id, currency, foreign_amount
            FROM posting WHERE entry_id = mirror.id
        ));
END

CREATE TRIGGER entry_seal_kept BEFORE UPDATE ON entry_seal
BEGIN SELECT RAISE(ABORT, 'a posted entry is never changed'); END

CREATE TRIGGER entry_seal_stays BEFORE DELETE ON entry_seal
BEGIN SELECT RAISE(ABORT, 'a posted entry is never deleted'); END
"""

_DOCUMENTS = f"""
CREATE TABLE invoice ({RECORD},
    type TEXT NOT NULL CHECK (
        type IN ('sales_invoice', 'sales_credit_note', 'purchase_invoice', 'purchase_credit_note')),
    number TEXT, fiscal_year INTEGER, seq INTEGER,
    status TEXT NOT NULL CHECK (
        status IN ('draft', 'issued', 'partially_paid', 'paid', 'void', 'written_off')),
    contact_id TEXT NOT NULL REFERENCES contact (id), contact_name TEXT NOT NULL, customer TEXT,
    issue_date TEXT NOT NULL CHECK (date(issue_date) IS issue_date),
    due_date TEXT NOT NULL CHECK (date(due_date) IS due_date),
    currency TEXT NOT NULL, exchange_rate INTEGER, prices_include_tax INTEGER NOT NULL,
    tax_rounding TEXT NOT NULL, discount_amount INTEGER, discount_percent INTEGER,
    reference TEXT, project_id TEXT REFERENCES project (id), notes TEXT,
    subtotal INTEGER NOT NULL CHECK (subtotal {AMOUNT}), discount_total INTEGER NOT NULL,
    charge_total INTEGER NOT NULL, tax_total INTEGER NOT NULL, rounding_amount INTEGER NOT NULL,
    total INTEGER NOT NULL CHECK (total {AMOUNT}), base_total INTEGER NOT NULL CHECK (base_total {AMOUNT}),
    amount_paid INTEGER NOT NULL, amount_credited INTEGER NOT NULL,
    journal_entry_id TEXT REFERENCES journal_entry (id), credited_invoice_id TEXT REFERENCES invoice (id),
    issued_at TEXT, voided_at TEXT, void_reason TEXT, terms TEXT NOT NULL,
    CHECK ((number IS NULL) = (seq IS NULL)), CHECK ((number IS NULL) = (fiscal_year IS NULL)),
    CHECK (number IS NOT NULL OR status = 'draft'),
    CHECK (amount_paid >= 0 AND amount_credited >= 0 AND (total < 0 OR amount_paid + amount_credited <= total))
) STRICT

CREATE UNIQUE INDEX invoice_number ON invoice (number)

CREATE UNIQUE INDEX invoice_type_fiscal_year_seq ON invoice (type, fiscal_year, seq)

CREATE INDEX invoice_contact_id ON invoice (contact_id)

CREATE INDEX invoice_project_id ON invoice (project_id) WHERE project_id IS NOT NULL

CREATE INDEX invoice_status ON invoice (status, due_date)

CREATE INDEX invoice_issue_date ON invoice (issue_date)

CREATE INDEX invoice_journal_entry_id ON invoice (journal_entry_id)

CREATE INDEX invoice_credited_invoice_id ON invoice (credited_invoice_id)

CREATE TABLE invoice_line (
    id TEXT NOT NULL PRIMARY KEY, invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    position INTEGER NOT NULL, description TEXT NOT NULL, quantity INTEGER NOT NULL, unit TEXT,
    unit_price INTEGER NOT NULL, price_base_quantity INTEGER NOT NULL,
    discount_amount INTEGER, discount_percent INTEGER, charge_amount INTEGER, charge_percent INTEGER,
    tax_rate_id TEXT REFERENCES tax_rate (id), account_id TEXT NOT NULL REFERENCES account (id),
    project_id TEXT REFERENCES project (id), task_id TEXT REFERENCES task (id),
    net INTEGER NOT NULL, tax INTEGER NOT NULL, gross INTEGER NOT NULL
) STRICT

CREATE UNIQUE INDEX invoice_line_invoice_id_position ON invoice_line (invoice_id, position)

CREATE INDEX invoice_line_tax_rate_id ON invoice_line (tax_rate_id)

CREATE INDEX invoice_line_project_id ON invoice_line (project_id) WHERE project_id IS NOT NULL

CREATE INDEX invoice_line_task_id ON invoice_line (task_id) WHERE task_id IS NOT NULL

CREATE INDEX invoice_line_account_id ON invoice_line (account_id)

CREATE TABLE invoice_adjustment (
    id TEXT NOT NULL PRIMARY KEY, invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    position INTEGER NOT NULL, is_charge INTEGER NOT NULL, description TEXT,
    given_amount INTEGER, given_percent INTEGER, tax_rate_id TEXT REFERENCES tax_rate (id),
    account_id TEXT NOT NULL REFERENCES account (id), amount INTEGER NOT NULL
) STRICT

CREATE UNIQUE INDEX invoice_adjustment_invoice_id_position ON invoice_adjustment (invoice_id, position)

CREATE INDEX invoice_adjustment_tax_rate_id ON invoice_adjustment (tax_rate_id)

CREATE INDEX invoice_adjustment_account_id ON invoice_adjustment (account_id)

CREATE TABLE invoice_tax (
    id TEXT NOT NULL PRIMARY KEY, invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    position INTEGER NOT NULL, tax_rate_id TEXT REFERENCES tax_rate (id), category TEXT NOT NULL,
    rate INTEGER NOT NULL, base INTEGER NOT NULL, amount INTEGER NOT NULL
) STRICT

CREATE UNIQUE INDEX invoice_tax_invoice_id_position ON invoice_tax (invoice_id, position)

CREATE INDEX invoice_tax_tax_rate_id ON invoice_tax (tax_rate_id)

CREATE TABLE payment ({RECORD},
    number TEXT NOT NULL, fiscal_year INTEGER NOT NULL, seq INTEGER NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('received', 'made')),
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')),
    contact_id TEXT NOT NULL REFERENCES contact (id), amount INTEGER NOT NULL CHECK (amount > 0 AND amount {AMOUNT}),
    currency TEXT NOT NULL, exchange_rate INTEGER, base_amount INTEGER NOT NULL CHECK (base_amount {AMOUNT}),
    date TEXT NOT NULL CHECK (date(date) IS date), method TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id), fee_amount INTEGER, reference TEXT, note TEXT,
    allocated_amount INTEGER NOT NULL CHECK (allocated_amount BETWEEN 0 AND amount),
    journal_entry_id TEXT NOT NULL REFERENCES journal_entry (id), voided_at TEXT, void_reason TEXT
) STRICT

CREATE UNIQUE INDEX payment_number ON payment (number)

CREATE UNIQUE INDEX payment_fiscal_year_seq ON payment (fiscal_year, seq)

CREATE INDEX payment_contact_id ON payment (contact_id)

CREATE INDEX payment_account_id ON payment (account_id)

CREATE INDEX payment_date ON payment (date)

CREATE INDEX payment_journal_entry_id ON payment (journal_entry_id)

CREATE TABLE allocation (
    id TEXT NOT NULL PRIMARY KEY, created_at TEXT NOT NULL, created_by TEXT,
    payment_id TEXT REFERENCES payment (id), credit_note_id TEXT REFERENCES invoice (id),
    invoice_id TEXT NOT NULL REFERENCES invoice (id),
    amount INTEGER NOT NULL CHECK (amount > 0), date TEXT NOT NULL CHECK (date(date) IS date),
    base_received INTEGER NOT NULL, base_relieved INTEGER NOT NULL,
    journal_entry_id TEXT REFERENCES journal_entry (id), released_on TEXT CHECK (date(released_on) IS released_on),
    CHECK ((payment_id IS NULL) <> (credit_note_id IS NULL))
) STRICT

CREATE INDEX allocation_payment_id ON allocation (payment_id)

CREATE INDEX allocation_credit_note_id ON allocation (credit_note_id)

CREATE INDEX allocation_invoice_id ON allocation (invoice_id)

CREATE INDEX allocation_journal_entry_id ON allocation (journal_entry_id)
"""

_ISSUED = (
    "id type number fiscal_year seq contact_id contact_name customer issue_date currency exchange_rate "
    "prices_include_tax tax_rounding discount_amount discount_percent project_id subtotal discount_total "
    "charge_total tax_total rounding_amount total base_total credited_invoice_id issued_at journal_entry_id"
).replace(" ", ", ")

_PARTS_KEPT = "\n\n".join(
    f"""
CREATE TRIGGER {part}_kept BEFORE UPDATE ON {part}
WHEN EXISTS (SELECT 1 FROM invoice WHERE id IN (OLD.invoice_id, NEW.invoice_id) AND status <> 'draft')
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END

CREATE TRIGGER {part}_stays BEFORE DELETE ON {part}
WHEN (SELECT status FROM invoice WHERE id = OLD.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END

CREATE TRIGGER {part}_late BEFORE INSERT ON {part}
WHEN (SELECT status FROM invoice WHERE id = NEW.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END
""".strip()
    for part in ("invoice_line", "invoice_adjustment", "invoice_tax")
)

_PAYMENT_RULES = """
CREATE TRIGGER payment_kept
BEFORE UPDATE OF id, number, fiscal_year, seq, direction, contact_id, amount, currency, exchange_rate, base_amount,
    date, method, account_id, fee_amount, journal_entry_id ON payment
BEGIN SELECT RAISE(ABORT, 'a posted payment is never changed'); END

CREATE TRIGGER payment_status_kept BEFORE UPDATE OF status ON payment
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void payment stays void'); END

CREATE TRIGGER payment_stays BEFORE DELETE ON payment
BEGIN SELECT RAISE(ABORT, 'a posted payment is never deleted'); END
""".strip()

_DOCUMENT_RULES = f"""
CREATE TRIGGER invoice_kept BEFORE UPDATE OF {_ISSUED} ON invoice
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END

CREATE TRIGGER invoice_status_kept BEFORE UPDATE OF status ON invoice
WHEN (OLD.status = 'void' AND NEW.status <> 'void') OR (OLD.status <> 'draft' AND NEW.status = 'draft')
BEGIN SELECT RAISE(ABORT, 'an invoice does not go back to that status'); END

CREATE TRIGGER invoice_stays BEFORE DELETE ON invoice
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never deleted'); END

{_PARTS_KEPT}

{_PAYMENT_RULES}

CREATE TRIGGER allocation_kept BEFORE UPDATE OF id, payment_id, credit_note_id, invoice_id, amount, date, base_received,
    base_relieved, journal_entry_id ON allocation
BEGIN SELECT RAISE(ABORT, 'an allocation is released, never changed'); END

CREATE TRIGGER allocation_stays BEFORE DELETE ON allocation
BEGIN SELECT RAISE(ABORT, 'an allocation is released, never deleted'); END
"""

FIRST = (_LEDGER, _LEDGER_RULES, _DOCUMENTS, _DOCUMENT_RULES)
"""The scripts of the first version, in order."""

_DATED_LATER = """
CREATE INDEX allocation_date ON allocation (date) WHERE released_on IS NULL

DROP INDEX posting_contact

CREATE INDEX posting_contact ON posting (contact_id, account_id, date, amount) WHERE contact_id IS NOT NULL
"""

_WORTH_NOTHING = f"""
CREATE TABLE payment_worth_nothing ({RECORD},
    number TEXT NOT NULL, fiscal_year INTEGER NOT NULL, seq INTEGER NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('received', 'made')),
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')),
    contact_id TEXT NOT NULL REFERENCES contact (id), amount INTEGER NOT NULL CHECK (amount > 0 AND amount {AMOUNT}),
    currency TEXT NOT NULL, exchange_rate INTEGER, base_amount INTEGER NOT NULL CHECK (base_amount {AMOUNT}),
    date TEXT NOT NULL CHECK (date(date) IS date), method TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id), fee_amount INTEGER, reference TEXT, note TEXT,
    allocated_amount INTEGER NOT NULL CHECK (allocated_amount BETWEEN 0 AND amount),
    journal_entry_id TEXT REFERENCES journal_entry (id), voided_at TEXT, void_reason TEXT,
    CHECK (journal_entry_id IS NOT NULL OR base_amount = 0)
) STRICT

INSERT INTO payment_worth_nothing SELECT * FROM payment

DROP TABLE payment

ALTER TABLE payment_worth_nothing RENAME TO payment

CREATE UNIQUE INDEX payment_number ON payment (number)

CREATE UNIQUE INDEX payment_fiscal_year_seq ON payment (fiscal_year, seq)

CREATE INDEX payment_contact_id ON payment (contact_id)

CREATE INDEX payment_account_id ON payment (account_id)

CREATE INDEX payment_date ON payment (date)

CREATE INDEX payment_journal_entry_id ON payment (journal_entry_id)

{_PAYMENT_RULES}
"""

DATED_LATER = (_DATED_LATER,)
"""What is settled after today, and what a contact owes today, are found by index."""

WORTH_NOTHING = (_WORTH_NOTHING,)
"""A payment that is worth nothing in the base currency has no journal entry."""
_TAXES = """
ALTER TABLE tax_rate RENAME COLUMN sales_account_id TO output_tax_account_id

ALTER TABLE tax_rate RENAME COLUMN purchase_account_id TO input_tax_account_id

ALTER TABLE tax_rate ADD COLUMN income_account_id TEXT REFERENCES account (id)

ALTER TABLE tax_rate ADD COLUMN expense_account_id TEXT REFERENCES account (id)

DROP INDEX tax_rate_sales_account_id

DROP INDEX tax_rate_purchase_account_id

CREATE INDEX tax_rate_output_tax_account_id ON tax_rate (output_tax_account_id)

CREATE INDEX tax_rate_input_tax_account_id ON tax_rate (input_tax_account_id)

CREATE INDEX tax_rate_income_account_id ON tax_rate (income_account_id)

CREATE INDEX tax_rate_expense_account_id ON tax_rate (expense_account_id)

ALTER TABLE contact ADD COLUMN vat_id TEXT

ALTER TABLE settings ADD COLUMN vat_id TEXT
"""


def name_tax_accounts_and_vat_ids(connection: Connection) -> None:
    """Tax rates name four accounts by what they are for; contacts and the workspace have a VAT id."""
    run(connection, _TAXES)


def index_foreign_amounts(connection: Connection) -> None:
    """Accounts in a foreign currency show their balance in it: summed from the index alone."""
    run(connection, _FOREIGN_AMOUNTS)


_FOREIGN_AMOUNTS = """
CREATE INDEX posting_foreign ON posting (account_id, currency, date, foreign_amount) WHERE currency IS NOT NULL
"""


_CREDITED = """
ALTER TABLE invoice_line ADD COLUMN credited_line_id TEXT REFERENCES invoice_line (id)

ALTER TABLE invoice_line ADD COLUMN credited_quantity INTEGER

ALTER TABLE invoice_adjustment ADD COLUMN tax INTEGER NOT NULL DEFAULT 0

CREATE INDEX invoice_line_credited_line_id ON invoice_line (credited_line_id) WHERE credited_line_id IS NOT NULL

UPDATE invoice SET status = 'credited'
WHERE kind = 'sales_invoice' AND status = 'paid' AND amount_paid = 0 AND amount_credited > 0
"""


def credit_invoices(connection: Connection) -> None:
    """An invoice can be `credited`, lines say which line they credit, and adjustments have their tax."""
    replace_in_table(connection, "invoice", "'paid', 'void'", "'paid', 'credited', 'void'")
    run(connection, _CREDITED)
    _fill_adjustment_taxes(connection)


_OPEN_ITEMS = f"""
CREATE TABLE open_item (
    id TEXT NOT NULL PRIMARY KEY, entry_id TEXT REFERENCES journal_entry (id), line INTEGER NOT NULL,
    document_type TEXT NOT NULL CHECK (document_type IN ('invoice', 'payment', 'journal_entry')),
    document_id TEXT NOT NULL, number TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id), contact_id TEXT NOT NULL REFERENCES contact (id),
    date TEXT NOT NULL CHECK (date(date) IS date),
    document_date TEXT NOT NULL CHECK (date(document_date) IS document_date),
    due_date TEXT NOT NULL CHECK (date(due_date) IS due_date), tax_rate_id TEXT REFERENCES tax_rate (id),
    currency TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount <> 0 AND amount {AMOUNT}),
    base_amount INTEGER NOT NULL CHECK (base_amount {AMOUNT}),
    open INTEGER NOT NULL, open_base INTEGER NOT NULL, settled_on TEXT, released_on TEXT,
    CHECK ((entry_id IS NULL) = (line < 0)),
    CHECK (open BETWEEN min(amount, 0) AND max(amount, 0)),
    CHECK (open_base BETWEEN min(base_amount, 0) AND max(base_amount, 0)), CHECK (open <> 0 OR open_base = 0)
) STRICT, WITHOUT ROWID

INSERT INTO open_item
SELECT substr(e.id, 1, 32) || printf('%04x', p.line), e.id, p.line,
    CASE WHEN e.source_type IN ('invoice', 'payment') THEN e.source_type ELSE 'journal_entry' END,
    CASE WHEN e.source_type IN ('invoice', 'payment') THEN e.source_id ELSE e.id END,
    coalesce(i.number, y.number, e.number), p.account_id, p.contact_id, p.date, p.date,
    CASE WHEN e.kind = 'invoice' AND i.kind IN ('sales_invoice', 'purchase_invoice') THEN i.due_date ELSE p.date END,
    NULL,
    CASE WHEN p.foreign_amount <> 0 THEN p.currency ELSE s.base_currency END,
    CASE WHEN p.foreign_amount <> 0 THEN p.foreign_amount ELSE p.amount END, p.amount,
    CASE WHEN p.foreign_amount <> 0 THEN p.foreign_amount ELSE p.amount END, p.amount, NULL, NULL
FROM posting AS p JOIN account AS a ON a.id = p.account_id JOIN journal_entry AS e ON e.id = p.entry_id
CROSS JOIN settings AS s
LEFT JOIN invoice AS i ON e.source_type = 'invoice' AND i.id = e.source_id
LEFT JOIN payment AS y ON e.source_type = 'payment' AND y.id = e.source_id
WHERE a.subtype IN ('receivable', 'payable') AND p.contact_id IS NOT NULL
    AND coalesce(e.source_type, '') <> 'allocation'

INSERT INTO open_item
SELECT substr(y.id, 1, 32) || 'ffff', NULL, -1, 'payment', y.id, y.number, d.account_id, y.contact_id, y.date, y.date,
    y.date, NULL, y.currency, y.amount * y.sign, 0, y.amount * y.sign, 0, NULL, NULL
FROM (SELECT *, CASE direction WHEN 'received' THEN -1 ELSE 1 END AS sign FROM payment) AS y
JOIN default_account AS d ON d.key = CASE WHEN (
        SELECT kind FROM allocation AS l JOIN invoice ON invoice.id = l.invoice_id WHERE l.payment_id = y.id LIMIT 1
    ) IN ('purchase_invoice', 'purchase_credit_note') THEN 'payable' ELSE 'receivable' END
WHERE NOT EXISTS (SELECT 1 FROM open_item WHERE document_id = y.id)

INSERT INTO open_item
SELECT substr(i.id, 1, 32) || 'ffff', NULL, -1, 'invoice', i.id, i.number, d.account_id, i.contact_id, i.issue_date,
    i.issue_date, CASE WHEN i.kind IN ('sales_invoice', 'purchase_invoice') THEN i.due_date ELSE i.issue_date END,
    NULL, i.currency, i.total * i.sign, 0, i.total * i.sign, 0, NULL, NULL
FROM (
    SELECT *, CASE WHEN kind IN ('sales_invoice', 'purchase_credit_note') THEN 1 ELSE -1 END AS sign FROM invoice
) AS i JOIN default_account AS d ON d.key = CASE WHEN i.kind LIKE 'sales%' THEN 'receivable' ELSE 'payable' END
WHERE i.number IS NOT NULL AND i.total <> 0 AND NOT EXISTS (SELECT 1 FROM open_item WHERE document_id = i.id)

INSERT INTO open_item
SELECT substr(id, 1, 32) || 'fffe', NULL, -2, document_type, document_id, number, account_id, contact_id, voided_on,
    voided_on, voided_on, NULL, currency, -amount, 0, -amount, 0, NULL, NULL
FROM (
    SELECT item.*, max(item.date, substr(coalesce(y.voided_at, i.voided_at), 1, 10)) AS voided_on FROM open_item AS item
    LEFT JOIN payment AS y ON y.id = document_id LEFT JOIN invoice AS i ON i.id = document_id
    WHERE item.line = -1 AND coalesce(y.status, i.status) = 'void'
) AS void

CREATE TABLE allocation_of_items (
    id TEXT NOT NULL PRIMARY KEY, created_at TEXT NOT NULL, created_by TEXT,
    from_item_id TEXT NOT NULL REFERENCES open_item (id), to_item_id TEXT NOT NULL REFERENCES open_item (id),
    amount INTEGER NOT NULL CHECK (amount > 0), date TEXT NOT NULL CHECK (date(date) IS date),
    from_base INTEGER NOT NULL, to_base INTEGER NOT NULL,
    journal_entry_id TEXT REFERENCES journal_entry (id), released_on TEXT CHECK (date(released_on) IS released_on),
    CHECK (from_item_id <> to_item_id)
) STRICT

CREATE INDEX open_item_document_id ON open_item (document_id)

INSERT INTO allocation_of_items
SELECT id, created_at, created_by,
    (SELECT min(id) FROM open_item WHERE document_id = coalesce(payment_id, credit_note_id) AND {{original}}),
    (SELECT min(id) FROM open_item WHERE document_id = invoice_id AND {{original}}),
    amount, date, base_received, base_relieved, journal_entry_id, released_on
FROM allocation

INSERT INTO allocation_of_items
SELECT mirror.id, e.created_at, e.created_by, mirror.id, item.id, abs(item.amount), mirror.date,
    abs(item.base_amount), abs(item.base_amount), NULL, NULL
FROM open_item AS mirror JOIN journal_entry AS e ON e.id = mirror.entry_id
JOIN open_item AS item ON item.entry_id = e.reverses_id AND item.line = mirror.line

INSERT INTO allocation_of_items
SELECT mirror.id, coalesce(y.voided_at, i.voided_at), NULL, mirror.id, item.id, abs(item.amount), mirror.date, 0, 0,
    NULL, NULL
FROM open_item AS mirror JOIN open_item AS item ON item.document_id = mirror.document_id AND item.line = -1
LEFT JOIN payment AS y ON y.id = mirror.document_id LEFT JOIN invoice AS i ON i.id = mirror.document_id
WHERE mirror.line = -2

DROP TABLE allocation

ALTER TABLE allocation_of_items RENAME TO allocation

CREATE INDEX allocation_from_item_id ON allocation (from_item_id)

CREATE INDEX allocation_to_item_id ON allocation (to_item_id)

CREATE INDEX allocation_journal_entry_id ON allocation (journal_entry_id)

CREATE INDEX allocation_date ON allocation (date) WHERE released_on IS NULL

UPDATE open_item SET
    open = amount - (amount / abs(amount)) * {{settled_amount}},
    open_base = base_amount - (amount / abs(amount)) * {{settled_base}},
    settled_on = (SELECT max(date) FROM allocation WHERE from_item_id = open_item.id OR to_item_id = open_item.id),
    released_on = (
        SELECT max(released_on) FROM allocation
        WHERE (from_item_id = open_item.id OR to_item_id = open_item.id) AND released_on > date)

CREATE INDEX open_item_entry_id ON open_item (entry_id)

CREATE INDEX open_item_account_id ON open_item (account_id)

CREATE INDEX open_item_tax_rate_id ON open_item (tax_rate_id) WHERE tax_rate_id IS NOT NULL

CREATE INDEX open_item_contact_id ON open_item (contact_id, account_id)

CREATE INDEX open_item_settled_on ON open_item (settled_on, date)

CREATE INDEX open_item_released_on ON open_item (released_on) WHERE released_on IS NOT NULL

CREATE INDEX open_item_open ON open_item (due_date) WHERE open <> 0

ALTER TABLE payment DROP COLUMN allocated_amount

CREATE TRIGGER allocation_kept BEFORE UPDATE OF id, from_item_id, to_item_id, amount, date, from_base, to_base,
    journal_entry_id ON allocation
BEGIN SELECT RAISE(ABORT, 'an allocation is released, never changed'); END

CREATE TRIGGER allocation_stays BEFORE DELETE ON allocation
BEGIN SELECT RAISE(ABORT, 'an allocation is released, never deleted'); END

CREATE TRIGGER open_item_kept BEFORE UPDATE OF id, entry_id, line, document_type, document_id, number, account_id,
    contact_id, date, currency, amount, base_amount ON open_item
BEGIN SELECT RAISE(ABORT, 'an open item is settled, never changed'); END

CREATE TRIGGER open_item_stays BEFORE DELETE ON open_item
BEGIN SELECT RAISE(ABORT, 'an open item is settled, never deleted'); END
"""
_ORIGINAL = "coalesce((SELECT reverses_id FROM journal_entry WHERE id = entry_id), '') = '' AND line <> -2"


def _settled_in(source: str, target: str) -> str:
    """What allocations that stand have settled of an open item, by a column for either end."""
    ends = ((source, "from_item_id"), (target, "to_item_id"))
    return (
        "("
        + " + ".join(
            f"coalesce((SELECT sum({column}) FROM allocation WHERE {end} = open_item.id AND released_on IS NULL), 0)"
            for column, end in ends
        )
        + ")"
    )


def open_items(connection: Connection) -> None:
    """Every posting to a receivable or payable is an open item, and allocations link two of them."""
    statements = _OPEN_ITEMS.replace("{original}", _ORIGINAL)
    statements = statements.replace("{settled_amount}", _settled_in("amount", "amount"))
    run(connection, statements.replace("{settled_base}", _settled_in("from_base", "to_base")))


def replace_in_table(connection: Connection, table: str, old: str, new: str) -> None:
    """Make a table again with other words in its definition; its rows, indexes and triggers stay."""
    query = "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'table' DESC, name"
    (definition,), *others = connection.execute(query, (table,)).fetchall()
    assert old in definition, definition
    connection.execute(f"CREATE TABLE {table}_before AS SELECT * FROM {table}")
    connection.execute(f"DROP TABLE {table}")
    connection.execute(definition.replace(old, new))
    connection.execute(f"INSERT INTO {table} SELECT * FROM {table}_before")
    connection.execute(f"DROP TABLE {table}_before")
    for (statement,) in others:
        connection.execute(statement)


_ADJUSTMENTS_IN_ORDER = """
SELECT a.id, CASE WHEN is_charge THEN 1 ELSE -1 END, a.amount,
    a.invoice_id, coalesce(r.category, 'O'), coalesce(r.rate, 0)
FROM invoice_adjustment AS a LEFT JOIN tax_rate AS r ON r.id = a.tax_rate_id
ORDER BY a.invoice_id, a.position
"""

_TAX_OF_NO_LINE = """
SELECT t.amount - coalesce(sum(l.tax), 0) FROM invoice_tax AS t
LEFT JOIN tax_rate AS r ON r.category = t.category AND r.rate = t.rate
LEFT JOIN invoice_line AS l ON l.invoice_id = t.invoice_id AND l.tax_rate_id = r.id
WHERE t.invoice_id = ? AND t.category = ? AND t.rate = ? GROUP BY t.id
"""
"""What of the tax of a category and rate is not on the lines."""


def _fill_adjustment_taxes(connection: Connection) -> None:
    """Divide the tax that is on no line among the allowances and charges of its rate, by their amounts."""
    groups: dict[tuple[str, str, int], list[tuple[str, int, int]]] = {}
    for id, sign, amount, *group in connection.execute(_ADJUSTMENTS_IN_ORDER):
        groups.setdefault(tuple(group), []).append((id, sign, sign * amount))
    (rule,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'invoice_adjustment_kept'").fetchone()
    connection.execute("DROP TRIGGER invoice_adjustment_kept")
    for group, members in groups.items():
        (left,) = connection.execute(_TAX_OF_NO_LINE, group).fetchone() or (0,)
        amounts = sum(amount for *_, amount in members)
        for id, sign, amount in members:
            part = left * amount // amounts if amounts else left
            connection.execute("UPDATE invoice_adjustment SET tax = ? WHERE id = ?", (sign * part, id))
            left, amounts = left - part, amounts - amount
    connection.execute(rule)


_BILLS = """
ALTER TABLE invoice ADD COLUMN supplier_number TEXT

ALTER TABLE invoice ADD COLUMN approval TEXT NOT NULL DEFAULT 'not_needed'
    CHECK (approval IN ('not_needed', 'pending', 'approved'))

ALTER TABLE invoice ADD COLUMN approved_at TEXT

ALTER TABLE invoice ADD COLUMN approved_by TEXT

CREATE INDEX invoice_supplier_number ON invoice (contact_id, supplier_number) WHERE supplier_number IS NOT NULL

CREATE TRIGGER invoice_supplier_number_kept BEFORE UPDATE OF supplier_number ON invoice
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END

ALTER TABLE invoice_line ADD COLUMN deductible_tax_percent INTEGER
    CHECK (deductible_tax_percent BETWEEN 0 AND 100000000)

ALTER TABLE invoice_line ADD COLUMN deductible_cost_percent INTEGER
    CHECK (deductible_cost_percent BETWEEN 0 AND 100000000)

ALTER TABLE invoice_line ADD COLUMN non_deductible_account_id TEXT REFERENCES account (id)

ALTER TABLE invoice_line ADD COLUMN non_deductible_tax INTEGER NOT NULL DEFAULT 0

ALTER TABLE invoice_line ADD COLUMN non_deductible_cost INTEGER NOT NULL DEFAULT 0

CREATE INDEX invoice_line_non_deductible_account_id ON invoice_line (non_deductible_account_id)
    WHERE non_deductible_account_id IS NOT NULL

ALTER TABLE invoice_tax ADD COLUMN own_amount INTEGER

ALTER TABLE invoice_tax ADD COLUMN reverse_charge INTEGER NOT NULL DEFAULT 0

ALTER TABLE settings ADD COLUMN bill_approval INTEGER NOT NULL DEFAULT 0
"""


def bills(connection: Connection) -> None:
    """Bills have their supplier's number and an approval, lines what cannot be deducted, taxes what was printed."""
    run(connection, _BILLS)


_PAYMENT_RUNS = f"""
ALTER TABLE contact ADD COLUMN bank_account TEXT

CREATE TABLE payment_run ({RECORD},
    number TEXT NOT NULL, fiscal_year INTEGER NOT NULL, seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')), date TEXT NOT NULL CHECK (date(date) IS date),
    account_id TEXT NOT NULL REFERENCES account (id), currency TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0 AND amount {AMOUNT}), payer TEXT NOT NULL, iban TEXT NOT NULL,
    voided_at TEXT, void_reason TEXT
) STRICT

CREATE UNIQUE INDEX payment_run_number ON payment_run (number)

CREATE UNIQUE INDEX payment_run_fiscal_year_seq ON payment_run (fiscal_year, seq)

CREATE INDEX payment_run_account_id ON payment_run (account_id)

CREATE TABLE payment_run_transfer (
    id TEXT NOT NULL PRIMARY KEY, run_id TEXT NOT NULL REFERENCES payment_run (id),
    payment_id TEXT NOT NULL REFERENCES payment (id), bank_account TEXT NOT NULL, remittance TEXT NOT NULL
) STRICT, WITHOUT ROWID

CREATE INDEX payment_run_transfer_run_id ON payment_run_transfer (run_id)

CREATE UNIQUE INDEX payment_run_transfer_payment_id ON payment_run_transfer (payment_id)

CREATE TRIGGER payment_run_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, account_id, currency, amount,
    payer, iban ON payment_run
BEGIN SELECT RAISE(ABORT, 'a payment run is never changed'); END

CREATE TRIGGER payment_run_status_kept BEFORE UPDATE OF status ON payment_run
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void payment run stays void'); END

CREATE TRIGGER payment_run_stays BEFORE DELETE ON payment_run
BEGIN SELECT RAISE(ABORT, 'a payment run is never deleted'); END

CREATE TRIGGER payment_run_transfer_kept BEFORE UPDATE ON payment_run_transfer
BEGIN SELECT RAISE(ABORT, 'a payment run is never changed'); END

CREATE TRIGGER payment_run_transfer_stays BEFORE DELETE ON payment_run_transfer
BEGIN SELECT RAISE(ABORT, 'a payment run is never deleted'); END
"""


def payment_runs(connection: Connection) -> None:
    """Contacts have a bank account, and bills are paid by runs."""
    run(connection, _PAYMENT_RUNS)


_RUNS_WITH_CREDIT = f"""
CREATE TABLE payment_run_with_credit ({RECORD},
    number TEXT NOT NULL, fiscal_year INTEGER NOT NULL, seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')), date TEXT NOT NULL CHECK (date(date) IS date),
    account_id TEXT NOT NULL REFERENCES account (id), currency TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0 AND amount {AMOUNT}), payer TEXT NOT NULL, iban TEXT,
    voided_at TEXT, void_reason TEXT, CHECK (iban IS NOT NULL OR amount = 0)
) STRICT

INSERT INTO payment_run_with_credit (id, version, created_at, updated_at, created_by, number, fiscal_year, seq, status,
    date, account_id, currency, amount, payer, iban, voided_at, void_reason)
SELECT id, version, created_at, updated_at, created_by, number, fiscal_year, seq, status,
    date, account_id, currency, amount, payer, iban, voided_at, void_reason FROM payment_run

DROP TABLE payment_run

ALTER TABLE payment_run_with_credit RENAME TO payment_run

CREATE UNIQUE INDEX payment_run_number ON payment_run (number)

CREATE UNIQUE INDEX payment_run_fiscal_year_seq ON payment_run (fiscal_year, seq)

CREATE INDEX payment_run_account_id ON payment_run (account_id)

CREATE TRIGGER payment_run_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, account_id, currency, amount,
    payer, iban ON payment_run
BEGIN SELECT RAISE(ABORT, 'a payment run is never changed'); END

CREATE TRIGGER payment_run_status_kept BEFORE UPDATE OF status ON payment_run
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void payment run stays void'); END

CREATE TRIGGER payment_run_stays BEFORE DELETE ON payment_run
BEGIN SELECT RAISE(ABORT, 'a payment run is never deleted'); END

CREATE TABLE payment_run_credit (
    id TEXT NOT NULL PRIMARY KEY, run_id TEXT NOT NULL REFERENCES payment_run (id),
    allocation_id TEXT NOT NULL REFERENCES allocation (id), deduction_id TEXT REFERENCES deduction (id)
) STRICT, WITHOUT ROWID

CREATE INDEX payment_run_credit_run_id ON payment_run_credit (run_id)

CREATE UNIQUE INDEX payment_run_credit_allocation_id ON payment_run_credit (allocation_id)

CREATE UNIQUE INDEX payment_run_credit_deduction_id ON payment_run_credit (deduction_id)

CREATE TRIGGER payment_run_credit_kept BEFORE UPDATE ON payment_run_credit
BEGIN SELECT RAISE(ABORT, 'a payment run is never changed'); END

CREATE TRIGGER payment_run_credit_stays BEFORE DELETE ON payment_run_credit
BEGIN SELECT RAISE(ABORT, 'a payment run is never deleted'); END
"""


def runs_with_credit(connection: Connection) -> None:
    """Payment runs use the credit of suppliers, and may transfer nothing."""
    run(connection, _RUNS_WITH_CREDIT)


_COMPARISONS = f"""
CREATE TABLE comparison_balance (
    id TEXT NOT NULL PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id),
    month TEXT NOT NULL CHECK (date(month || '-01') IS month || '-01'),
    base_amount INTEGER NOT NULL CHECK (base_amount {AMOUNT})
) STRICT, WITHOUT ROWID

CREATE UNIQUE INDEX comparison_balance_account_id_month ON comparison_balance (account_id, month)

CREATE INDEX comparison_balance_month ON comparison_balance (month)
"""


def comparisons(connection: Connection) -> None:
    """Balances of the program before, by month, for reports to compare with."""
    run(connection, _COMPARISONS)
