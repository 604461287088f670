-- The books: accounts, tax rates and contacts, the journal, open items, and what closes a period.

CREATE TABLE account (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('asset', 'liability', 'equity', 'income', 'expense')),
    subtype TEXT NOT NULL,
    parent_id TEXT REFERENCES account (id),
    is_group INTEGER NOT NULL,
    currency TEXT NOT NULL,
    description TEXT,
    archived_at TEXT,
    dimensions TEXT,
    is_intercompany INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX account_code ON account (code);
CREATE INDEX account_parent_id ON account (parent_id);  -- the accounts of a group

CREATE TRIGGER account_kept BEFORE UPDATE OF id, type, subtype, currency, is_group ON account
WHEN (OLD.id <> NEW.id OR OLD.type <> NEW.type OR OLD.currency <> NEW.currency OR OLD.is_group <> NEW.is_group
    OR (OLD.subtype <> NEW.subtype
        AND (OLD.subtype IN ('receivable', 'payable') OR NEW.subtype IN ('receivable', 'payable'))))
    AND EXISTS (SELECT 1 FROM posting WHERE account_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an account with postings stays what it is'); END;

CREATE TABLE default_account (
    key TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id)
) STRICT;

CREATE INDEX default_account_account_id ON default_account (account_id);  -- what an account is the default for

-- Ways to analyse income and expenses, such as by cost centre; `dimensions` of other tables are JSON of their codes.
CREATE TABLE dimension (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    datev TEXT CHECK (datev IN ('kost1', 'kost2')),
    required_for TEXT NOT NULL,
    archived_at TEXT
) STRICT;

CREATE UNIQUE INDEX dimension_code ON dimension (code);
CREATE UNIQUE INDEX dimension_datev ON dimension (datev) WHERE archived_at IS NULL;

CREATE TRIGGER dimension_kept BEFORE UPDATE OF id, code ON dimension
BEGIN SELECT RAISE(ABORT, 'a dimension keeps its code'); END;

CREATE TRIGGER dimension_stays BEFORE DELETE ON dimension
BEGIN SELECT RAISE(ABORT, 'a dimension is archived, never deleted'); END;

CREATE TABLE dimension_value (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    dimension_id TEXT NOT NULL REFERENCES dimension (id),
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    parent_id TEXT REFERENCES dimension_value (id),
    departments TEXT NOT NULL DEFAULT '[]',
    archived_at TEXT
) STRICT;

CREATE UNIQUE INDEX dimension_value_code ON dimension_value (dimension_id, code);
CREATE INDEX dimension_value_parent_id ON dimension_value (parent_id);  -- the values below another one

CREATE TRIGGER dimension_value_kept BEFORE UPDATE OF id, dimension_id, code ON dimension_value
BEGIN SELECT RAISE(ABORT, 'a value of a dimension keeps its code'); END;

CREATE TRIGGER dimension_value_stays BEFORE DELETE ON dimension_value
BEGIN SELECT RAISE(ABORT, 'a value of a dimension is archived, never deleted'); END;

CREATE TABLE tax_rate (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    name TEXT NOT NULL,
    rate INTEGER NOT NULL CHECK (rate BETWEEN 0 AND 100000000),
    category TEXT NOT NULL CHECK (category IN ('S', 'Z', 'E', 'AE', 'K', 'G', 'O')),
    side TEXT NOT NULL CHECK (side IN ('both', 'sale', 'purchase')),
    tax_tag TEXT,
    country TEXT,
    region TEXT,
    components TEXT,
    net_tax_rate INTEGER CHECK (net_tax_rate BETWEEN 0 AND 100000000),
    exemption_reason TEXT,
    output_tax_account_id TEXT REFERENCES account (id),
    input_tax_account_id TEXT REFERENCES account (id),
    income_account_id TEXT REFERENCES account (id),
    expense_account_id TEXT REFERENCES account (id),
    discounts_given_account_id TEXT REFERENCES account (id),
    discounts_received_account_id TEXT REFERENCES account (id),
    is_default INTEGER NOT NULL,
    archived_at TEXT
) STRICT;

CREATE UNIQUE INDEX tax_rate_default ON tax_rate (is_default) WHERE is_default;

CREATE TABLE contact (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('customer', 'supplier', 'both', 'employee')),
    name TEXT NOT NULL,
    legal_name TEXT,
    email TEXT,
    phone TEXT,
    vat_id TEXT,
    tax_number TEXT,
    address TEXT,
    currency TEXT,
    payment_terms_days INTEGER,
    payment_terms TEXT,
    default_tax_rate_id TEXT REFERENCES tax_rate (id),
    note TEXT,
    archived_at TEXT,
    bank_account TEXT,
    buyer_reference TEXT,
    language TEXT CHECK (language IN ('en', 'de')),
    debtor_number TEXT,
    creditor_number TEXT,
    dimensions TEXT,
    employee_id TEXT,
    paper_intro TEXT,
    paper_closing TEXT,
    time_billing TEXT,
    group_workspace_id TEXT,
    buyer_kind TEXT NOT NULL DEFAULT 'business' CHECK (buyer_kind IN ('business', 'consumer')),
    recipients TEXT,
    -- Of a duplicate: the contact that its amounts count for now, the one it was merged into (which may have been merged
    -- since), and what was moved and filled, for undoing it.
    head_id TEXT REFERENCES contact (id),
    merged_into_id TEXT REFERENCES contact (id),
    merged_parts TEXT CHECK (json_type(merged_parts) = 'object'),
    CHECK ((kind = 'employee') = (employee_id IS NOT NULL)),
    CHECK ((head_id IS NULL) = (merged_into_id IS NULL) AND (head_id IS NULL) = (merged_parts IS NULL)),
    CHECK (head_id IS NULL OR (archived_at IS NOT NULL AND head_id <> id AND merged_into_id <> id))
) STRICT;

CREATE UNIQUE INDEX contact_employee_id ON contact (employee_id) WHERE employee_id IS NOT NULL;
CREATE INDEX contact_head_id ON contact (head_id) WHERE head_id IS NOT NULL;  -- the duplicates of a contact
-- contacts with the same VAT number or e-mail address
CREATE INDEX contact_vat_id ON contact (vat_id) WHERE vat_id IS NOT NULL;
CREATE INDEX contact_email ON contact (lower(email)) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX contact_debtor_number ON contact (debtor_number);
CREATE UNIQUE INDEX contact_creditor_number ON contact (creditor_number);

CREATE TRIGGER contact_files AFTER DELETE ON contact
BEGIN DELETE FROM attachment WHERE resource_type = 'contact' AND resource_id = OLD.id; END;

CREATE TRIGGER contact_debtor_number_kept BEFORE UPDATE OF debtor_number ON contact
WHEN OLD.debtor_number IS NOT NULL AND NEW.debtor_number IS NOT OLD.debtor_number
BEGIN SELECT RAISE(ABORT, 'a contact keeps its number'); END;

CREATE TRIGGER contact_creditor_number_kept BEFORE UPDATE OF creditor_number ON contact
WHEN OLD.creditor_number IS NOT NULL AND NEW.creditor_number IS NOT OLD.creditor_number
BEGIN SELECT RAISE(ABORT, 'a contact keeps its number'); END;

-- An entry says which line is its last. That posting exists when the transaction ends, and is only taken once the entry
-- is complete and balanced: so no other entry can be committed, and nothing can be added to one.
CREATE TABLE journal_entry (
    id TEXT NOT NULL PRIMARY KEY,
    number TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    date TEXT NOT NULL CHECK (date(date) IS date),
    description TEXT NOT NULL,
    reference TEXT,
    kind TEXT NOT NULL,
    source_type TEXT,
    source_id TEXT,
    reverses_id TEXT REFERENCES journal_entry (id),
    total INTEGER NOT NULL,
    last_line INTEGER NOT NULL CHECK (last_line > 0),
    created_at TEXT NOT NULL,
    created_by TEXT,
    hash TEXT NOT NULL,
    CHECK ((source_type IS NULL) = (source_id IS NULL)),
    CHECK ((kind = 'reversal') = (reverses_id IS NOT NULL)),
    FOREIGN KEY (id, last_line) REFERENCES posting (entry_id, line) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX journal_entry_number ON journal_entry (number);
CREATE UNIQUE INDEX journal_entry_fiscal_year_seq ON journal_entry (fiscal_year, seq);
CREATE UNIQUE INDEX journal_entry_reverses_id ON journal_entry (reverses_id) WHERE reverses_id IS NOT NULL;
CREATE INDEX journal_entry_date ON journal_entry (date);  -- entries of some days
-- the live entry of a document
CREATE INDEX journal_entry_source ON journal_entry (source_id, source_type, kind) WHERE source_id IS NOT NULL;

CREATE TRIGGER journal_entry_open BEFORE INSERT ON journal_entry
WHEN NEW.date <= (SELECT lock_date FROM settings)
BEGIN SELECT RAISE(ABORT, 'the period is locked'); END;

CREATE TRIGGER journal_entry_gapless BEFORE INSERT ON journal_entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM journal_entry WHERE fiscal_year = NEW.fiscal_year)
BEGIN SELECT RAISE(ABORT, 'an entry takes the next number of its fiscal year'); END;

CREATE TRIGGER journal_entry_of_its_year BEFORE INSERT ON journal_entry
WHEN NEW.fiscal_year NOT IN (0, (
    SELECT CAST(substr(NEW.date, 1, 4) AS INTEGER)
        + (fiscal_year_start <> '01-01' AND substr(NEW.date, 6) >= fiscal_year_start)
    FROM settings))
BEGIN SELECT RAISE(ABORT, 'an entry is numbered in the fiscal year of its date'); END;

CREATE TRIGGER journal_entry_once BEFORE INSERT ON journal_entry
WHEN NEW.source_id IS NOT NULL AND NEW.reverses_id IS NULL AND EXISTS (
    SELECT 1 FROM journal_entry AS live
    WHERE live.source_id = NEW.source_id AND live.source_type = NEW.source_type AND live.kind = NEW.kind
    AND live.reverses_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = live.id))
BEGIN SELECT RAISE(ABORT, 'a document has one live entry'); END;

CREATE TRIGGER journal_entry_mirror BEFORE INSERT ON journal_entry
WHEN NEW.reverses_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM journal_entry AS original WHERE original.id = NEW.reverses_id AND original.reverses_id IS NULL
    AND original.date <= NEW.date AND original.source_id IS NEW.source_id AND original.source_type IS NEW.source_type)
BEGIN SELECT RAISE(ABORT, 'a reversal is of an earlier entry that is none itself, and of the same document'); END;

CREATE TRIGGER journal_entry_kept BEFORE UPDATE ON journal_entry
BEGIN SELECT RAISE(ABORT, 'a posted entry is never changed'); END;

CREATE TRIGGER journal_entry_stays BEFORE DELETE ON journal_entry
BEGIN SELECT RAISE(ABORT, 'a posted entry is never deleted'); END;

CREATE TRIGGER journal_entry_files AFTER DELETE ON journal_entry
BEGIN DELETE FROM attachment WHERE resource_type = 'journal_entry' AND resource_id = OLD.id; END;

CREATE TABLE posting (
    entry_id TEXT NOT NULL REFERENCES journal_entry (id),
    line INTEGER NOT NULL CHECK (line >= 0),
    account_id TEXT NOT NULL REFERENCES account (id),
    date TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0 AND amount BETWEEN -9999999999999999 AND 9999999999999999),
    contact_id TEXT REFERENCES contact (id),
    project_id TEXT REFERENCES project (id),
    description TEXT,
    currency TEXT,
    foreign_amount INTEGER CHECK (foreign_amount BETWEEN -9999999999999999 AND 9999999999999999),
    dimensions TEXT CHECK (json_type(dimensions) = 'object'),
    PRIMARY KEY (entry_id, line)
) STRICT, WITHOUT ROWID;

-- general ledger and balances, read from the index alone
CREATE INDEX posting_account ON posting (account_id, date, entry_id, line, amount);
CREATE INDEX posting_project_id ON posting (project_id) WHERE project_id IS NOT NULL;  -- what was posted for a project
-- what was posted of a contact, read from the index alone
CREATE INDEX posting_contact ON posting (contact_id, account_id, date, amount) WHERE contact_id IS NOT NULL;
-- balances in a foreign currency, read from the index alone
CREATE INDEX posting_foreign ON posting (account_id, currency, date, foreign_amount) WHERE currency IS NOT NULL;

-- income and expenses by dimensions, read from the index alone
CREATE INDEX posting_dimensions ON posting (dimensions, account_id, project_id, date, amount)
    WHERE dimensions IS NOT NULL;

CREATE TRIGGER posting_late BEFORE INSERT ON posting
WHEN NEW.line > (SELECT last_line FROM journal_entry WHERE id = NEW.entry_id)
BEGIN SELECT RAISE(ABORT, 'a posted entry takes no further postings'); END;

CREATE TRIGGER posting_dated BEFORE INSERT ON posting
WHEN NEW.date IS NOT (SELECT date FROM journal_entry WHERE id = NEW.entry_id)
BEGIN SELECT RAISE(ABORT, 'a posting bears the date of its entry'); END;

CREATE TRIGGER posting_account_open BEFORE INSERT ON posting
WHEN EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id AND (is_group OR archived_at IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'nothing is posted to a group or an archived account'); END;

CREATE TRIGGER posting_contact_named BEFORE INSERT ON posting
WHEN NEW.contact_id IS NULL
    AND EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id AND subtype IN ('receivable', 'payable'))
BEGIN SELECT RAISE(ABORT, 'a posting to receivables or payables names its contact'); END;

CREATE TRIGGER posting_analysed BEFORE INSERT ON posting
WHEN NEW.dimensions IS NOT NULL
    AND EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id AND type NOT IN ('income', 'expense'))
BEGIN SELECT RAISE(ABORT, 'income and expenses alone have dimensions'); END;

CREATE TRIGGER posting_balance AFTER INSERT ON posting
BEGIN
    INSERT INTO balance (account_id, month, debit, credit)
    VALUES (NEW.account_id, substr(NEW.date, 1, 7), max(NEW.amount, 0), max(-NEW.amount, 0))
    ON CONFLICT (account_id, month) DO UPDATE
    SET debit = debit + excluded.debit, credit = credit + excluded.credit;
END;

CREATE TRIGGER posting_completes AFTER INSERT ON posting
WHEN NEW.line = (SELECT last_line FROM journal_entry WHERE id = NEW.entry_id)
BEGIN
    SELECT RAISE(ABORT, 'an entry has as many postings as it says, which sum to zero')
    WHERE (SELECT count(*) <> NEW.line + 1 OR sum(amount) <> 0 FROM posting WHERE entry_id = NEW.entry_id);
    SELECT RAISE(ABORT, 'the total of an entry is the sum of its debits')
    WHERE (SELECT sum(max(amount, 0)) FROM posting WHERE entry_id = NEW.entry_id)
        IS NOT (SELECT total FROM journal_entry WHERE id = NEW.entry_id);
    SELECT RAISE(ABORT, 'a reversal is the exact mirror of its entry')
    FROM journal_entry AS mirror WHERE mirror.id = NEW.entry_id AND mirror.reverses_id IS NOT NULL AND EXISTS (
        SELECT 1 FROM (
            SELECT line, account_id, amount, contact_id, project_id, currency, foreign_amount, dimensions
            FROM posting WHERE entry_id = mirror.id
            EXCEPT SELECT line, account_id, -amount, contact_id, project_id, currency, -foreign_amount, dimensions
            FROM posting WHERE entry_id = mirror.reverses_id
        ) UNION ALL SELECT 1 FROM (
            SELECT line, account_id, -amount, contact_id, project_id, currency, -foreign_amount, dimensions
            FROM posting WHERE entry_id = mirror.reverses_id
            EXCEPT SELECT line, account_id, amount, contact_id, project_id, currency, foreign_amount, dimensions
            FROM posting WHERE entry_id = mirror.id
        ));
END;

CREATE TRIGGER posting_kept BEFORE UPDATE ON posting
BEGIN SELECT RAISE(ABORT, 'a posting is never changed'); END;

CREATE TRIGGER posting_stays BEFORE DELETE ON posting
BEGIN SELECT RAISE(ABORT, 'a posting is never deleted'); END;

-- What was posted to an account in a month, kept by a trigger of posting: a balance is a sum over months.
CREATE TABLE balance (
    account_id TEXT NOT NULL REFERENCES account (id),
    month TEXT NOT NULL,
    debit INTEGER NOT NULL,
    credit INTEGER NOT NULL,
    PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;

-- Balances of the program before this one, for reports to compare with.
CREATE TABLE comparison_balance (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    month TEXT NOT NULL CHECK (date(month || '-01') IS month || '-01'),
    base_amount INTEGER NOT NULL CHECK (base_amount BETWEEN -9999999999999999 AND 9999999999999999)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX comparison_balance_account_id_month ON comparison_balance (account_id, month);
CREATE INDEX comparison_balance_month ON comparison_balance (month);  -- balances to compare with, by month

-- What is left of a posting to a receivable or payable. A document that is worth nothing in the base currency has no
-- entry; its item has line -1, and the item of its reversal line -2.
CREATE TABLE open_item (
    id TEXT NOT NULL PRIMARY KEY,
    entry_id TEXT REFERENCES journal_entry (id),
    line INTEGER NOT NULL,
    document_type TEXT NOT NULL CHECK (document_type IN ('invoice', 'payment', 'journal_entry')),
    document_id TEXT NOT NULL,
    number TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    contact_id TEXT NOT NULL REFERENCES contact (id),
    date TEXT NOT NULL CHECK (date(date) IS date),
    document_date TEXT NOT NULL CHECK (date(document_date) IS document_date),
    due_date TEXT NOT NULL CHECK (date(due_date) IS due_date),
    tax_rate_id TEXT REFERENCES tax_rate (id),
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0 AND amount BETWEEN -9999999999999999 AND 9999999999999999),
    base_amount INTEGER NOT NULL CHECK (base_amount BETWEEN -9999999999999999 AND 9999999999999999),
    open INTEGER NOT NULL,
    open_base INTEGER NOT NULL,
    settled_on TEXT,
    released_on TEXT,
    CHECK ((entry_id IS NULL) = (line < 0)),
    CHECK (open BETWEEN min(amount, 0) AND max(amount, 0)),
    CHECK (open_base BETWEEN min(base_amount, 0) AND max(base_amount, 0)),
    CHECK (open <> 0 OR open_base = 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_item_document_id ON open_item (document_id);  -- the items of a document or of an entry
-- whether a tax rate is in use
CREATE INDEX open_item_tax_rate_id ON open_item (tax_rate_id) WHERE tax_rate_id IS NOT NULL;
CREATE INDEX open_item_contact_id ON open_item (contact_id, account_id);  -- the items of a contact
-- what was still open on an earlier day
CREATE INDEX open_item_settled_on ON open_item (settled_on, date) WHERE settled_on IS NOT NULL;
-- what was open again on an earlier day
CREATE INDEX open_item_released_on ON open_item (released_on) WHERE released_on IS NOT NULL;
CREATE INDEX open_item_open ON open_item (due_date) WHERE open <> 0;  -- what is open, by due date

CREATE TRIGGER open_item_kept BEFORE UPDATE OF id, entry_id, line, document_type, document_id, number, account_id,
    contact_id, date, currency, amount, base_amount ON open_item
BEGIN SELECT RAISE(ABORT, 'an open item is settled, never changed'); END;

CREATE TRIGGER open_item_stays BEFORE DELETE ON open_item
BEGIN SELECT RAISE(ABORT, 'an open item is settled, never deleted'); END;

-- One open item used against another.
CREATE TABLE allocation (
    id TEXT NOT NULL PRIMARY KEY,
    created_at TEXT NOT NULL,
    created_by TEXT,
    from_item_id TEXT NOT NULL REFERENCES open_item (id),
    to_item_id TEXT NOT NULL REFERENCES open_item (id),
    amount INTEGER NOT NULL CHECK (amount > 0),
    date TEXT NOT NULL CHECK (date(date) IS date),
    from_base INTEGER NOT NULL,
    to_base INTEGER NOT NULL,
    journal_entry_id TEXT REFERENCES journal_entry (id),
    released_on TEXT CHECK (date(released_on) IS released_on),
    CHECK (from_item_id <> to_item_id)
) STRICT;

CREATE INDEX allocation_from_item_id ON allocation (from_item_id);  -- what an item was used for
CREATE INDEX allocation_to_item_id ON allocation (to_item_id);  -- what has settled an item
CREATE INDEX allocation_date ON allocation (date);  -- what was settled in some days, or after a day
-- what was released in some days
CREATE INDEX allocation_released_on ON allocation (released_on) WHERE released_on IS NOT NULL;

CREATE TRIGGER allocation_kept BEFORE UPDATE OF id, from_item_id, to_item_id, amount, date, from_base, to_base,
    journal_entry_id ON allocation
BEGIN SELECT RAISE(ABORT, 'an allocation is released, never changed'); END;

CREATE TRIGGER allocation_stays BEFORE DELETE ON allocation
BEGIN SELECT RAISE(ABORT, 'an allocation is released, never deleted'); END;

CREATE TABLE exchange_rate (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    base_currency TEXT NOT NULL,
    currency TEXT NOT NULL CHECK (currency <> base_currency),
    date TEXT NOT NULL CHECK (date(date) IS date),
    rate INTEGER NOT NULL CHECK (rate > 0),
    source TEXT NOT NULL CHECK (source IN ('manual', 'ecb'))
) STRICT;

CREATE UNIQUE INDEX exchange_rate_day ON exchange_rate (base_currency, currency, date);

CREATE TABLE revaluation (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')),
    date TEXT NOT NULL CHECK (date(date) IS date),
    rates TEXT NOT NULL,
    lines TEXT NOT NULL,
    journal_entry_id TEXT REFERENCES journal_entry (id),
    reversal_entry_id TEXT REFERENCES journal_entry (id),
    voided_at TEXT,
    void_reason TEXT,
    CHECK ((journal_entry_id IS NULL) = (reversal_entry_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX revaluation_number ON revaluation (number);
CREATE UNIQUE INDEX revaluation_date ON revaluation (date) WHERE status = 'posted';

CREATE TRIGGER revaluation_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, rates, lines, journal_entry_id,
    reversal_entry_id ON revaluation
BEGIN SELECT RAISE(ABORT, 'a revaluation is never changed'); END;

CREATE TRIGGER revaluation_status_kept BEFORE UPDATE OF status ON revaluation
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void revaluation stays void'); END;

CREATE TRIGGER revaluation_stays BEFORE DELETE ON revaluation
BEGIN SELECT RAISE(ABORT, 'a revaluation is never deleted'); END;

CREATE TABLE transfer (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')),
    date TEXT NOT NULL CHECK (date(date) IS date),
    from_account_id TEXT NOT NULL REFERENCES account (id),
    to_account_id TEXT NOT NULL REFERENCES account (id),
    amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9999999999999999),
    currency TEXT NOT NULL,
    received_amount INTEGER NOT NULL CHECK (received_amount BETWEEN 1 AND 9999999999999999),
    received_currency TEXT NOT NULL,
    fee_amount INTEGER CHECK (fee_amount BETWEEN 1 AND 9999999999999999),
    exchange_difference INTEGER NOT NULL CHECK (exchange_difference BETWEEN -9999999999999999 AND 9999999999999999),
    reference TEXT,
    note TEXT,
    journal_entry_id TEXT NOT NULL REFERENCES journal_entry (id),
    voided_at TEXT,
    void_reason TEXT,
    CHECK (from_account_id <> to_account_id),
    CHECK (currency <> received_currency OR amount = received_amount)
) STRICT;

CREATE UNIQUE INDEX transfer_number ON transfer (number);
CREATE INDEX transfer_from_account_id ON transfer (from_account_id);  -- the transfers of an account
CREATE INDEX transfer_to_account_id ON transfer (to_account_id);  -- the transfers of an account

CREATE TRIGGER transfer_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, from_account_id, to_account_id,
    amount, currency, received_amount, received_currency, fee_amount, exchange_difference, reference, note,
    journal_entry_id ON transfer
BEGIN SELECT RAISE(ABORT, 'a transfer is never changed'); END;

CREATE TRIGGER transfer_status_kept BEFORE UPDATE OF status ON transfer
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void transfer stays void'); END;

CREATE TRIGGER transfer_stays BEFORE DELETE ON transfer
BEGIN SELECT RAISE(ABORT, 'a transfer is never deleted'); END;

CREATE TABLE tax_return (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    form TEXT NOT NULL,
    date_from TEXT NOT NULL CHECK (date(date_from) IS date_from),
    date_to TEXT NOT NULL CHECK (date(date_to) IS date_to AND date_from <= date_to),
    basis TEXT NOT NULL CHECK (basis IN ('accrual', 'cash')),
    correction INTEGER NOT NULL CHECK (correction >= 0),
    boxes TEXT NOT NULL,
    payable INTEGER NOT NULL CHECK (payable BETWEEN -9999999999999999 AND 9999999999999999),
    reference TEXT,
    note TEXT,
    journal_entry_id TEXT REFERENCES journal_entry (id)
) STRICT;

CREATE UNIQUE INDEX tax_return_period ON tax_return (form, date_from, date_to, correction);

CREATE TRIGGER tax_return_kept BEFORE UPDATE OF id, created_at, created_by, form, date_from, date_to, basis, correction,
    boxes, payable ON tax_return
BEGIN SELECT RAISE(ABORT, 'a filed tax return is never changed'); END;

CREATE TRIGGER tax_return_stays BEFORE DELETE ON tax_return
BEGIN SELECT RAISE(ABORT, 'a filed tax return is never deleted'); END;

CREATE TABLE datev_stack (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    date_from TEXT NOT NULL CHECK (date(date_from) IS date_from),
    date_to TEXT NOT NULL CHECK (date(date_to) IS date_to),
    entries INTEGER NOT NULL CHECK (entries > 0),
    received_as TEXT
) STRICT;

-- An entry goes to DATEV once.
CREATE TABLE datev_entry (
    stack_id TEXT NOT NULL REFERENCES datev_stack (id),
    entry_id TEXT NOT NULL REFERENCES journal_entry (id),
    PRIMARY KEY (stack_id, entry_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX datev_entry_entry_id ON datev_entry (entry_id);

CREATE TRIGGER datev_entry_stays BEFORE DELETE ON datev_entry
BEGIN SELECT RAISE(ABORT, 'an entry that went to DATEV stays marked'); END;

-- The income and expenses that the office plans for a fiscal year.
CREATE TABLE budget (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    year INTEGER NOT NULL,
    name TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX budget_year_name ON budget (year, name);

-- The months of an account in a budget: an array of twelve amounts.
CREATE TABLE budget_line (
    id TEXT NOT NULL PRIMARY KEY,
    budget_id TEXT NOT NULL REFERENCES budget (id),
    position INTEGER NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    project_id TEXT REFERENCES project (id),
    dimensions TEXT,
    months TEXT NOT NULL CHECK (json_array_length(months) = 12)
) STRICT;

CREATE UNIQUE INDEX budget_line_position ON budget_line (budget_id, position);
CREATE INDEX budget_line_account_id ON budget_line (account_id);  -- whether an account is in use
CREATE INDEX budget_line_project_id ON budget_line (project_id);  -- whether a project is in use
