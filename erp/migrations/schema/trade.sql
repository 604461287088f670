-- Trade: invoices and other documents, payments, what is written down, and the bank.

CREATE TABLE product (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    name TEXT NOT NULL,
    number TEXT,
    description TEXT,
    unit TEXT,
    unit_price INTEGER,
    currency TEXT NOT NULL,
    price_includes_tax INTEGER NOT NULL,
    tax_rate_id TEXT REFERENCES tax_rate (id),
    account_id TEXT REFERENCES account (id),
    purchase_price INTEGER,
    purchase_tax_rate_id TEXT REFERENCES tax_rate (id),
    purchase_account_id TEXT REFERENCES account (id),
    archived_at TEXT,
    dimensions TEXT
) STRICT;

CREATE UNIQUE INDEX product_number ON product (number);
CREATE INDEX product_account_id ON product (account_id);  -- whether an account is in use
CREATE INDEX product_purchase_account_id ON product (purchase_account_id);

-- What is offered to customers. A quote posts nothing; the revisions of one have the same number.
CREATE TABLE quote (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT,
    fiscal_year INTEGER,
    seq INTEGER,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    status TEXT NOT NULL CHECK (status IN ('draft', 'issued', 'accepted', 'declined', 'superseded', 'closed')),
    contact_id TEXT NOT NULL REFERENCES contact (id),
    contact_name TEXT NOT NULL,
    customer TEXT,
    issue_date TEXT NOT NULL CHECK (date(issue_date) IS issue_date),
    valid_until TEXT NOT NULL CHECK (date(valid_until) IS valid_until),
    subject TEXT,
    currency TEXT NOT NULL,
    prices_include_tax INTEGER NOT NULL,
    tax_rounding TEXT NOT NULL,
    discount_amount INTEGER,
    discount_percent INTEGER,
    reference TEXT,
    project_id TEXT REFERENCES project (id),
    note TEXT,
    intro TEXT,
    closing TEXT,
    service_from TEXT CHECK (date(service_from) IS service_from),
    service_to TEXT CHECK (date(service_to) IS service_to AND service_from <= service_to),
    payment_terms TEXT,
    subtotal INTEGER NOT NULL CHECK (subtotal BETWEEN -9999999999999999 AND 9999999999999999),
    discount_total INTEGER NOT NULL,
    charge_total INTEGER NOT NULL,
    tax_total INTEGER NOT NULL,
    rounding_amount INTEGER NOT NULL,
    total INTEGER NOT NULL CHECK (total BETWEEN -9999999999999999 AND 9999999999999999),
    terms TEXT NOT NULL,
    paper TEXT,
    issued_at TEXT,
    accepted_at TEXT,
    accepted_on TEXT CHECK (date(accepted_on) IS accepted_on),
    accepted_by TEXT,
    accepted_via TEXT CHECK (accepted_via IN ('office', 'link')),
    accepted_note TEXT,
    accepted_paper_sha256 TEXT,
    accepted_net INTEGER,
    accepted_tax INTEGER,
    accepted_total INTEGER,
    is_above INTEGER NOT NULL DEFAULT 0 CHECK (is_above IN (0, 1)),
    declined_at TEXT,
    declined_by TEXT,
    declined_via TEXT CHECK (declined_via IN ('office', 'link')),
    decline_reason TEXT,
    closed_at TEXT,
    close_reason TEXT,
    sent_at TEXT,
    sent_via TEXT CHECK (sent_via IN ('smtp', 'eml', 'post', 'link', 'other')),
    CHECK ((number IS NULL) = (seq IS NULL) AND (number IS NULL) = (fiscal_year IS NULL)),
    CHECK (number IS NOT NULL OR status = 'draft'),
    CHECK ((accepted_net IS NULL) = (status NOT IN ('accepted', 'closed'))),
    CHECK ((accepted_paper_sha256 IS NOT NULL) = (accepted_via IS NOT NULL AND accepted_via = 'link')),
    CHECK ((declined_at IS NULL) = (declined_via IS NULL)),
    CHECK ((accepted_net IS NULL) = (accepted_total IS NULL) AND (accepted_net IS NULL) = (accepted_tax IS NULL)),
    CHECK ((sent_at IS NULL) = (sent_via IS NULL))
) STRICT;

CREATE INDEX quote_contact_id ON quote (contact_id);  -- the quotes of a customer
CREATE UNIQUE INDEX quote_number_revision ON quote (number, revision);
CREATE INDEX quote_project_id ON quote (project_id) WHERE project_id IS NOT NULL;  -- the quotes of a project
CREATE INDEX quote_status ON quote (status, valid_until);  -- drafts, and what expires
-- numbers without a gap
CREATE UNIQUE INDEX quote_fiscal_year_seq_revision ON quote (fiscal_year, seq, revision);

CREATE TRIGGER quote_kept BEFORE UPDATE OF id, number, fiscal_year, seq, revision, contact_id, issue_date,
    currency, prices_include_tax, tax_rounding, discount_amount, discount_percent, service_from, service_to,
    payment_terms, subtotal, discount_total, charge_total, tax_total, rounding_amount, total, terms, paper,
    issued_at ON quote
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued quote is never changed'); END;

CREATE TRIGGER quote_party_kept BEFORE UPDATE OF contact_name, customer, subject, intro, closing ON quote
WHEN OLD.status <> 'draft' AND NOT EXISTS (SELECT 1 FROM erasure WHERE person_id = OLD.contact_id)
BEGIN SELECT RAISE(ABORT, 'an issued quote is never changed'); END;

CREATE TRIGGER quote_status_kept BEFORE UPDATE OF status ON quote
WHEN (OLD.status = 'superseded' AND NEW.status <> 'superseded') OR (OLD.status <> 'draft' AND NEW.status = 'draft')
BEGIN SELECT RAISE(ABORT, 'a quote does not go back to that status'); END;

CREATE TRIGGER quote_stays BEFORE DELETE ON quote
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued quote is never deleted'); END;

-- Lines of a quote. Of an accepted one, accepted_net and accepted_tax are null for what was not chosen.
CREATE TABLE quote_line (
    quote_id TEXT NOT NULL REFERENCES quote (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    option TEXT NOT NULL CHECK (option IN ('included', 'optional', 'alternative')),
    alternative_to INTEGER,
    description TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    unit TEXT,
    unit_price INTEGER NOT NULL,
    price_base_quantity INTEGER NOT NULL,
    discount_amount INTEGER,
    discount_percent INTEGER,
    charge_amount INTEGER,
    charge_percent INTEGER,
    tax_rate_id TEXT REFERENCES tax_rate (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    account_because TEXT NOT NULL,
    project_id TEXT REFERENCES project (id),
    task_id TEXT REFERENCES task (id),
    product_id TEXT REFERENCES product (id),
    dimensions TEXT,
    service_from TEXT CHECK (date(service_from) IS service_from),
    service_to TEXT CHECK (date(service_to) IS service_to AND service_from <= service_to),
    net INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    gross INTEGER NOT NULL,
    accepted_net INTEGER,
    accepted_tax INTEGER,
    CHECK ((alternative_to IS NOT NULL) = (option = 'alternative')),
    CHECK ((accepted_net IS NULL) = (accepted_tax IS NULL)),
    PRIMARY KEY (quote_id, position)
) STRICT;

CREATE UNIQUE INDEX quote_line_id ON quote_line (id);
CREATE INDEX quote_line_project_id ON quote_line (project_id) WHERE project_id IS NOT NULL;  -- whether it is in use
CREATE INDEX quote_line_task_id ON quote_line (task_id) WHERE task_id IS NOT NULL;  -- likewise

CREATE TRIGGER quote_line_kept BEFORE UPDATE OF quote_id, position, id, option, alternative_to, description, quantity,
    unit, unit_price, price_base_quantity, discount_amount, discount_percent, charge_amount, charge_percent,
    tax_rate_id, account_id, account_because, project_id, task_id, product_id, dimensions, service_from, service_to,
    net, tax, gross ON quote_line
WHEN EXISTS (SELECT 1 FROM quote WHERE id IN (OLD.quote_id, NEW.quote_id) AND status <> 'draft')
BEGIN SELECT RAISE(ABORT, 'an issued quote is never changed'); END;

CREATE TRIGGER quote_line_stays BEFORE DELETE ON quote_line
WHEN (SELECT status FROM quote WHERE id = OLD.quote_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued quote is never changed'); END;

CREATE TRIGGER quote_line_late BEFORE INSERT ON quote_line
WHEN (SELECT status FROM quote WHERE id = NEW.quote_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued quote is never changed'); END;

-- Allowances and charges of a whole quote; the accepted amounts are of the lines that were accepted.
CREATE TABLE quote_adjustment (
    quote_id TEXT NOT NULL REFERENCES quote (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    is_charge INTEGER NOT NULL CHECK (is_charge IN (0, 1)),
    description TEXT,
    given_amount INTEGER,
    given_percent INTEGER,
    tax_rate_id TEXT REFERENCES tax_rate (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    dimensions TEXT,
    amount INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    accepted_amount INTEGER,
    accepted_tax INTEGER,
    PRIMARY KEY (quote_id, position)
) STRICT;

CREATE UNIQUE INDEX quote_adjustment_id ON quote_adjustment (id);

CREATE TRIGGER quote_adjustment_kept BEFORE UPDATE OF quote_id, position, id, is_charge, description, given_amount,
    given_percent, tax_rate_id, account_id, dimensions, amount, tax ON quote_adjustment
WHEN EXISTS (SELECT 1 FROM quote WHERE id IN (OLD.quote_id, NEW.quote_id) AND status <> 'draft')
BEGIN SELECT RAISE(ABORT, 'an issued quote is never changed'); END;

CREATE TRIGGER quote_adjustment_stays BEFORE DELETE ON quote_adjustment
WHEN (SELECT status FROM quote WHERE id = OLD.quote_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued quote is never changed'); END;

CREATE TRIGGER quote_adjustment_late BEFORE INSERT ON quote_adjustment
WHEN (SELECT status FROM quote WHERE id = NEW.quote_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued quote is never changed'); END;

-- The papers of a quote, as they were first made: the quote, and the confirmation of each acceptance.
CREATE TABLE quote_file (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    quote_id TEXT NOT NULL REFERENCES quote (id) ON DELETE CASCADE,
    form TEXT NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES stored_file (sha256)
) STRICT;

CREATE UNIQUE INDEX quote_file_form ON quote_file (quote_id, form);
CREATE INDEX quote_file_sha256 ON quote_file (sha256);  -- whether a file is still named

CREATE TRIGGER quote_file_kept BEFORE UPDATE ON quote_file
BEGIN SELECT RAISE(ABORT, 'a file that was made of a quote is never changed'); END;

CREATE TRIGGER quote_file_stays BEFORE DELETE ON quote_file
WHEN NOT EXISTS (SELECT 1 FROM erasure JOIN quote ON contact_id = person_id WHERE quote.id = OLD.quote_id)
BEGIN SELECT RAISE(ABORT, 'a file that was made of a quote is never deleted'); END;

CREATE TRIGGER quote_file_unnamed AFTER DELETE ON quote_file
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

-- Every document that is written or received: invoices, bills, deposits, final invoices and credit notes.
CREATE TABLE invoice (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    kind TEXT NOT NULL CHECK (kind IN (
        'sales_invoice', 'sales_credit_note', 'deposit_invoice', 'final_invoice',
        'purchase_invoice', 'purchase_credit_note'
    )),
    number TEXT,
    fiscal_year INTEGER,
    seq INTEGER,
    status TEXT NOT NULL CHECK (status IN (
        'draft', 'issued', 'partially_paid', 'paid', 'credited', 'void', 'written_off'
    )),
    contact_id TEXT NOT NULL REFERENCES contact (id),
    contact_name TEXT NOT NULL,
    customer TEXT,
    issue_date TEXT NOT NULL CHECK (date(issue_date) IS issue_date),
    due_date TEXT NOT NULL CHECK (date(due_date) IS due_date),
    currency TEXT NOT NULL,
    exchange_rate INTEGER,
    prices_include_tax INTEGER NOT NULL,
    tax_rounding TEXT NOT NULL,
    discount_amount INTEGER,
    discount_percent INTEGER,
    reference TEXT,
    project_id TEXT REFERENCES project (id),
    note TEXT,
    intro TEXT,
    closing TEXT,
    time_sheet INTEGER NOT NULL DEFAULT 0 CHECK (time_sheet IN (0, 1)),
    subtotal INTEGER NOT NULL CHECK (subtotal BETWEEN -9999999999999999 AND 9999999999999999),
    discount_total INTEGER NOT NULL,
    charge_total INTEGER NOT NULL,
    tax_total INTEGER NOT NULL,
    rounding_amount INTEGER NOT NULL,
    total INTEGER NOT NULL CHECK (total BETWEEN -9999999999999999 AND 9999999999999999),
    base_total INTEGER NOT NULL CHECK (base_total BETWEEN -9999999999999999 AND 9999999999999999),
    amount_paid INTEGER NOT NULL,
    amount_credited INTEGER NOT NULL,
    is_adjusted INTEGER NOT NULL DEFAULT 0 CHECK (is_adjusted IN (0, 1)),
    deposit_total INTEGER NOT NULL DEFAULT 0 CHECK (deposit_total BETWEEN 0 AND 9999999999999999),
    prepaid_amount INTEGER CHECK (prepaid_amount BETWEEN 0 AND total),
    journal_entry_id TEXT REFERENCES journal_entry (id),
    credited_invoice_id TEXT REFERENCES invoice (id),
    issued_at TEXT,
    voided_at TEXT,
    void_reason TEXT,
    terms TEXT NOT NULL,
    supplier_number TEXT,
    approval TEXT NOT NULL DEFAULT 'not_needed' CHECK (approval IN ('not_needed', 'pending', 'approved')),
    approved_at TEXT,
    approved_by TEXT,
    service_from TEXT CHECK (date(service_from) IS service_from),
    service_to TEXT CHECK (date(service_to) IS service_to AND service_from <= service_to),
    tax_date TEXT CHECK (date(tax_date) IS tax_date),
    payment_terms TEXT,
    paper TEXT,
    quote_id TEXT REFERENCES quote (id),
    sent_at TEXT,
    sent_via TEXT CHECK (sent_via IN ('smtp', 'eml', 'post', 'link', 'other')),
    CHECK ((sent_at IS NULL) = (sent_via IS NULL)),
    CHECK ((number IS NULL) = (seq IS NULL)),
    CHECK ((number IS NULL) = (fiscal_year IS NULL)),
    CHECK (number IS NOT NULL OR status = 'draft'),
    CHECK (amount_paid >= 0 AND amount_credited >= 0 AND (total < 0 OR amount_paid + amount_credited <= total))
) STRICT;

CREATE INDEX invoice_contact_id ON invoice (contact_id, issue_date, id);  -- the documents of a contact, the last ones first
-- the credit notes of an invoice
CREATE INDEX invoice_credited_invoice_id ON invoice (credited_invoice_id) WHERE credited_invoice_id IS NOT NULL;
CREATE INDEX invoice_issue_date ON invoice (issue_date);  -- documents of some days, and lists by date
CREATE UNIQUE INDEX invoice_number ON invoice (number);
CREATE INDEX invoice_project_id ON invoice (project_id) WHERE project_id IS NOT NULL;  -- the documents of a project
CREATE INDEX invoice_quote_id ON invoice (quote_id) WHERE quote_id IS NOT NULL;  -- what was invoiced of a quote
CREATE INDEX invoice_status ON invoice (status, due_date);  -- drafts, and what is due or overdue
-- numbers without a gap, and lists of a kind
CREATE UNIQUE INDEX invoice_kind_fiscal_year_seq ON invoice (kind, fiscal_year, seq);
-- what counts for tax on another date
CREATE INDEX invoice_tax_date ON invoice (tax_date) WHERE tax_date <> issue_date;

CREATE TRIGGER invoice_kept BEFORE UPDATE OF id, kind, number, fiscal_year, seq, contact_id, issue_date, currency,
    exchange_rate, prices_include_tax, tax_rounding, discount_amount, discount_percent, project_id, time_sheet, subtotal,
    discount_total, charge_total, tax_total, rounding_amount, total, base_total, deposit_total, journal_entry_id,
    credited_invoice_id, issued_at, supplier_number, service_from, service_to, tax_date, payment_terms, paper,
    quote_id ON invoice
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_party_kept BEFORE UPDATE OF contact_name, customer, intro, closing ON invoice
WHEN OLD.status <> 'draft' AND NOT EXISTS (SELECT 1 FROM erasure WHERE person_id = OLD.contact_id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_status_kept BEFORE UPDATE OF status ON invoice
WHEN (OLD.status = 'void' AND NEW.status <> 'void') OR (OLD.status <> 'draft' AND NEW.status = 'draft')
BEGIN SELECT RAISE(ABORT, 'an invoice does not go back to that status'); END;

CREATE TRIGGER invoice_stays BEFORE DELETE ON invoice
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never deleted'); END;

CREATE TRIGGER invoice_files AFTER DELETE ON invoice
BEGIN DELETE FROM attachment WHERE resource_type = 'invoice' AND resource_id = OLD.id; END;

CREATE TABLE invoice_line (
    invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    description TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    unit TEXT,
    unit_price INTEGER NOT NULL,
    price_base_quantity INTEGER NOT NULL,
    discount_amount INTEGER,
    discount_percent INTEGER,
    charge_amount INTEGER,
    charge_percent INTEGER,
    tax_rate_id TEXT REFERENCES tax_rate (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    project_id TEXT REFERENCES project (id),
    task_id TEXT REFERENCES task (id),
    net INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    gross INTEGER NOT NULL,
    credited_line_id TEXT,
    credited_quantity INTEGER,
    deductible_tax_percent INTEGER CHECK (deductible_tax_percent BETWEEN 0 AND 100000000),
    deductible_cost_percent INTEGER CHECK (deductible_cost_percent BETWEEN 0 AND 100000000),
    non_deductible_account_id TEXT REFERENCES account (id),
    non_deductible_tax INTEGER NOT NULL DEFAULT 0,
    non_deductible_cost INTEGER NOT NULL DEFAULT 0,
    service_from TEXT CHECK (date(service_from) IS service_from),
    service_to TEXT CHECK (date(service_to) IS service_to AND service_from <= service_to),
    tax_date TEXT CHECK (date(tax_date) IS tax_date),
    product_id TEXT REFERENCES product (id),
    dimensions TEXT,
    asset TEXT,
    account_because TEXT NOT NULL DEFAULT 'line'
        CHECK (account_because IN ('line', 'product', 'supplier', 'tax_rate', 'default')),
    quote_line_id TEXT,
    quote_part INTEGER,
    CHECK ((quote_line_id IS NULL) = (quote_part IS NULL)),
    PRIMARY KEY (invoice_id, position)
) STRICT;

-- what was invoiced for a project
CREATE INDEX invoice_line_project_id ON invoice_line (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX invoice_line_task_id ON invoice_line (task_id) WHERE task_id IS NOT NULL;  -- whether a task was invoiced
-- what credits a line
CREATE INDEX invoice_line_credited_line_id ON invoice_line (credited_line_id) WHERE credited_line_id IS NOT NULL;
-- lines that count for tax on a date of their own
CREATE INDEX invoice_line_tax_date ON invoice_line (tax_date) WHERE tax_date IS NOT NULL;

CREATE TRIGGER invoice_line_credits BEFORE INSERT ON invoice_line
WHEN NEW.credited_line_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM invoice AS note JOIN invoice_line AS credited ON credited.invoice_id = note.credited_invoice_id
    WHERE note.id = NEW.invoice_id AND credited.id = NEW.credited_line_id)
BEGIN SELECT RAISE(ABORT, 'a line credits a line of the invoice that its document credits'); END;

CREATE TRIGGER invoice_line_kept BEFORE UPDATE ON invoice_line
WHEN EXISTS (SELECT 1 FROM invoice WHERE id IN (OLD.invoice_id, NEW.invoice_id) AND status <> 'draft')
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_line_stays BEFORE DELETE ON invoice_line
WHEN (SELECT status FROM invoice WHERE id = OLD.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_line_late BEFORE INSERT ON invoice_line
WHEN (SELECT status FROM invoice WHERE id = NEW.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TABLE invoice_adjustment (
    id TEXT NOT NULL PRIMARY KEY,
    invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    is_charge INTEGER NOT NULL,
    description TEXT,
    given_amount INTEGER,
    given_percent INTEGER,
    tax_rate_id TEXT REFERENCES tax_rate (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    amount INTEGER NOT NULL,
    tax INTEGER NOT NULL DEFAULT 0,
    dimensions TEXT
) STRICT;

CREATE UNIQUE INDEX invoice_adjustment_invoice_id_position ON invoice_adjustment (invoice_id, position);

CREATE TRIGGER invoice_adjustment_stays BEFORE DELETE ON invoice_adjustment
WHEN (SELECT status FROM invoice WHERE id = OLD.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_adjustment_late BEFORE INSERT ON invoice_adjustment
WHEN (SELECT status FROM invoice WHERE id = NEW.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_adjustment_kept BEFORE UPDATE ON invoice_adjustment
WHEN EXISTS (SELECT 1 FROM invoice WHERE id IN (OLD.invoice_id, NEW.invoice_id) AND status <> 'draft')
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TABLE invoice_tax (
    invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    tax_rate_id TEXT REFERENCES tax_rate (id),
    category TEXT NOT NULL,
    rate INTEGER NOT NULL,
    base INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    own_amount INTEGER,
    reverse_charge INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (invoice_id, position)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER invoice_tax_kept BEFORE UPDATE ON invoice_tax
WHEN EXISTS (SELECT 1 FROM invoice WHERE id IN (OLD.invoice_id, NEW.invoice_id) AND status <> 'draft')
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_tax_stays BEFORE DELETE ON invoice_tax
WHEN (SELECT status FROM invoice WHERE id = OLD.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_tax_late BEFORE INSERT ON invoice_tax
WHEN (SELECT status FROM invoice WHERE id = NEW.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

-- What a final invoice applies of a deposit.
-- The tax of posted expense claims, for tax returns.
CREATE TABLE expense_tax (
    id TEXT NOT NULL PRIMARY KEY,
    entry_id TEXT NOT NULL REFERENCES journal_entry (id),
    tax_rate_id TEXT NOT NULL REFERENCES tax_rate (id),
    base INTEGER NOT NULL,
    tax INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX expense_tax_entry_id ON expense_tax (entry_id, tax_rate_id);

-- Posted expenses that a customer pays: each is on one line at most.
CREATE TABLE billable_expense (
    id TEXT NOT NULL PRIMARY KEY,
    claim_id TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES project (id),
    date TEXT NOT NULL CHECK (date(date) IS date),
    description TEXT NOT NULL,
    net INTEGER NOT NULL,
    invoice_id TEXT REFERENCES invoice (id),
    line_id TEXT,
    CHECK ((invoice_id IS NULL) = (line_id IS NULL))
) STRICT;

CREATE INDEX billable_expense_project_id ON billable_expense (project_id, date);  -- what can be billed
CREATE INDEX billable_expense_claim_id ON billable_expense (claim_id);
CREATE INDEX billable_expense_invoice_id ON billable_expense (invoice_id) WHERE invoice_id IS NOT NULL;

CREATE TABLE invoice_deposit (
    id TEXT NOT NULL PRIMARY KEY,
    invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    deposit_id TEXT NOT NULL REFERENCES invoice (id),
    tax_rate_id TEXT REFERENCES tax_rate (id),
    net INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    base_net INTEGER NOT NULL,
    base_tax INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX invoice_deposit_invoice_id_position ON invoice_deposit (invoice_id, position);
CREATE INDEX invoice_deposit_deposit_id ON invoice_deposit (deposit_id);  -- the final invoices of a deposit

CREATE TRIGGER invoice_deposit_kept BEFORE UPDATE ON invoice_deposit
WHEN EXISTS (SELECT 1 FROM invoice WHERE id IN (OLD.invoice_id, NEW.invoice_id) AND status <> 'draft')
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_deposit_stays BEFORE DELETE ON invoice_deposit
WHEN (SELECT status FROM invoice WHERE id = OLD.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

CREATE TRIGGER invoice_deposit_late BEFORE INSERT ON invoice_deposit
WHEN (SELECT status FROM invoice WHERE id = NEW.invoice_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END;

-- What an allocation received of a deposit, at a rate.
CREATE TABLE deposit_receipt (
    id TEXT NOT NULL PRIMARY KEY,
    invoice_id TEXT NOT NULL REFERENCES invoice (id),
    allocation_id TEXT NOT NULL REFERENCES allocation (id),
    tax_rate_id TEXT REFERENCES tax_rate (id),
    net INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    base_net INTEGER NOT NULL,
    base_tax INTEGER NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    tax_account_id TEXT NOT NULL REFERENCES account (id),
    journal_entry_id TEXT REFERENCES journal_entry (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX deposit_receipt_invoice_id ON deposit_receipt (invoice_id);  -- what was received of a deposit
-- what an allocation received of deposits
CREATE INDEX deposit_receipt_allocation_id ON deposit_receipt (allocation_id);

CREATE TRIGGER deposit_receipt_kept BEFORE UPDATE ON deposit_receipt
BEGIN SELECT RAISE(ABORT, 'what was received of a deposit is never changed'); END;

CREATE TRIGGER deposit_receipt_stays BEFORE DELETE ON deposit_receipt
BEGIN SELECT RAISE(ABORT, 'what was received of a deposit is never deleted'); END;

-- The paper and the e-invoice of a document, as they were first made.
CREATE TABLE document_file (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    invoice_id TEXT NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
    form TEXT NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES stored_file (sha256)
) STRICT;

CREATE UNIQUE INDEX document_file_form ON document_file (invoice_id, form);
CREATE INDEX document_file_sha256 ON document_file (sha256);  -- whether a file is still named

CREATE TRIGGER document_file_kept BEFORE UPDATE ON document_file
BEGIN SELECT RAISE(ABORT, 'a file that was made of a document is never changed'); END;

CREATE TRIGGER document_file_stays BEFORE DELETE ON document_file
WHEN (SELECT status FROM invoice WHERE id = OLD.invoice_id) <> 'draft'
    AND NOT EXISTS (SELECT 1 FROM erasure JOIN invoice ON contact_id = person_id WHERE invoice.id = OLD.invoice_id)
BEGIN SELECT RAISE(ABORT, 'a file that was made of a document is never deleted'); END;

CREATE TRIGGER document_file_unnamed AFTER DELETE ON document_file
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

CREATE TABLE payment (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('received', 'made')),
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')),
    contact_id TEXT NOT NULL REFERENCES contact (id),
    amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9999999999999999),
    currency TEXT NOT NULL,
    exchange_rate INTEGER,
    base_amount INTEGER NOT NULL CHECK (base_amount BETWEEN -9999999999999999 AND 9999999999999999),
    date TEXT NOT NULL CHECK (date(date) IS date),
    method TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    fee_amount INTEGER,
    reference TEXT,
    note TEXT,
    journal_entry_id TEXT REFERENCES journal_entry (id),
    voided_at TEXT,
    void_reason TEXT,
    CHECK (journal_entry_id IS NOT NULL OR base_amount = 0)
) STRICT;

CREATE UNIQUE INDEX payment_number ON payment (number);
CREATE INDEX payment_contact_id ON payment (contact_id);  -- the payments of a contact
CREATE INDEX payment_account_id ON payment (account_id);  -- the payments of an account
CREATE INDEX payment_date ON payment (date);  -- payments of some days

CREATE TRIGGER payment_kept BEFORE UPDATE OF id, number, fiscal_year, seq, direction, contact_id, amount, currency,
    exchange_rate, base_amount, date, method, account_id, fee_amount, journal_entry_id ON payment
BEGIN SELECT RAISE(ABORT, 'a posted payment is never changed'); END;

CREATE TRIGGER payment_status_kept BEFORE UPDATE OF status ON payment
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void payment stays void'); END;

CREATE TRIGGER payment_stays BEFORE DELETE ON payment
BEGIN SELECT RAISE(ABORT, 'a posted payment is never deleted'); END;

CREATE TRIGGER payment_files AFTER DELETE ON payment
BEGIN DELETE FROM attachment WHERE resource_type = 'payment' AND resource_id = OLD.id; END;

-- What was taken off a document, or off an open item without one.
CREATE TABLE deduction (
    id TEXT NOT NULL PRIMARY KEY,
    created_at TEXT NOT NULL,
    created_by TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('cash_discount', 'uncollectable', 'small_difference', 'doubtful', 'recovery')),
    invoice_id TEXT REFERENCES invoice (id),
    of_item_id TEXT REFERENCES open_item (id),
    item_id TEXT REFERENCES open_item (id),
    payment_id TEXT REFERENCES payment (id),
    allocation_id TEXT REFERENCES allocation (id),
    amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9999999999999999),
    base_amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    date TEXT NOT NULL CHECK (date(date) IS date),
    corrects_tax INTEGER NOT NULL,
    is_late INTEGER NOT NULL,
    reason TEXT,
    journal_entry_id TEXT REFERENCES journal_entry (id),
    undone_on TEXT CHECK (date(undone_on) IS undone_on),
    undo_reason TEXT,
    CHECK (undone_on >= date),
    CHECK ((item_id IS NULL) = (kind IN ('doubtful', 'recovery'))),
    CHECK ((invoice_id IS NULL) <> (of_item_id IS NULL)),
    CHECK (kind <> 'recovery' OR payment_id IS NOT NULL),
    CHECK (allocation_id IS NULL OR payment_id IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX deduction_invoice_id ON deduction (invoice_id);  -- what was taken off a document
-- what was taken off an item without a document
CREATE INDEX deduction_of_item_id ON deduction (of_item_id) WHERE of_item_id IS NOT NULL;
-- what was taken off with a payment
CREATE INDEX deduction_payment_id ON deduction (payment_id) WHERE payment_id IS NOT NULL;
-- what was taken off with an allocation
CREATE INDEX deduction_allocation_id ON deduction (allocation_id) WHERE allocation_id IS NOT NULL;
-- the deduction that an item comes from
CREATE INDEX deduction_item_id ON deduction (item_id) WHERE item_id IS NOT NULL;
CREATE INDEX deduction_journal_entry_id ON deduction (journal_entry_id);  -- the deduction that an entry posts
CREATE INDEX deduction_date ON deduction (date);  -- what corrects tax in some days
CREATE INDEX deduction_undone_on ON deduction (undone_on) WHERE undone_on IS NOT NULL;  -- what was undone in some days

CREATE TRIGGER deduction_kept BEFORE UPDATE OF id, created_at, created_by, kind, invoice_id, of_item_id, item_id,
    payment_id, allocation_id, amount, base_amount, currency, date, corrects_tax, is_late, reason, journal_entry_id
    ON deduction
BEGIN SELECT RAISE(ABORT, 'a deduction is never changed'); END;

CREATE TRIGGER deduction_stays BEFORE DELETE ON deduction
BEGIN SELECT RAISE(ABORT, 'a deduction is never deleted'); END;

CREATE TABLE deduction_part (
    id TEXT NOT NULL PRIMARY KEY,
    deduction_id TEXT NOT NULL REFERENCES deduction (id),
    position INTEGER NOT NULL,
    tax_rate_id TEXT REFERENCES tax_rate (id),
    amount INTEGER NOT NULL,
    tax INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX deduction_part_deduction_id_position ON deduction_part (deduction_id, position);

CREATE TRIGGER deduction_part_kept BEFORE UPDATE ON deduction_part
BEGIN SELECT RAISE(ABORT, 'a deduction is never changed'); END;

CREATE TRIGGER deduction_part_stays BEFORE DELETE ON deduction_part
BEGIN SELECT RAISE(ABORT, 'a deduction is never deleted'); END;

CREATE TABLE payment_run (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')),
    date TEXT NOT NULL CHECK (date(date) IS date),
    account_id TEXT NOT NULL REFERENCES account (id),
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount BETWEEN 0 AND 9999999999999999),
    payer TEXT NOT NULL,
    iban TEXT,
    voided_at TEXT,
    void_reason TEXT,
    CHECK (iban IS NOT NULL OR amount = 0)
) STRICT;

CREATE UNIQUE INDEX payment_run_number ON payment_run (number);

CREATE TRIGGER payment_run_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, account_id, currency, amount,
    payer, iban ON payment_run
BEGIN SELECT RAISE(ABORT, 'a payment run is never changed'); END;

CREATE TRIGGER payment_run_status_kept BEFORE UPDATE OF status ON payment_run
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void payment run stays void'); END;

CREATE TRIGGER payment_run_stays BEFORE DELETE ON payment_run
BEGIN SELECT RAISE(ABORT, 'a payment run is never deleted'); END;

CREATE TABLE payment_run_transfer (
    id TEXT NOT NULL PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES payment_run (id),
    payment_id TEXT NOT NULL REFERENCES payment (id),
    bank_account TEXT NOT NULL,
    remittance TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX payment_run_transfer_run_id ON payment_run_transfer (run_id);  -- the transfers of a run
CREATE UNIQUE INDEX payment_run_transfer_payment_id ON payment_run_transfer (payment_id);

CREATE TRIGGER payment_run_transfer_kept BEFORE UPDATE ON payment_run_transfer
BEGIN SELECT RAISE(ABORT, 'a payment run is never changed'); END;

CREATE TRIGGER payment_run_transfer_stays BEFORE DELETE ON payment_run_transfer
BEGIN SELECT RAISE(ABORT, 'a payment run is never deleted'); END;

CREATE TABLE payment_run_credit (
    id TEXT NOT NULL PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES payment_run (id),
    allocation_id TEXT NOT NULL REFERENCES allocation (id),
    deduction_id TEXT REFERENCES deduction (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX payment_run_credit_run_id ON payment_run_credit (run_id);  -- the credit that a run used
CREATE UNIQUE INDEX payment_run_credit_allocation_id ON payment_run_credit (allocation_id);
CREATE UNIQUE INDEX payment_run_credit_deduction_id ON payment_run_credit (deduction_id);

CREATE TRIGGER payment_run_credit_kept BEFORE UPDATE ON payment_run_credit
BEGIN SELECT RAISE(ABORT, 'a payment run is never changed'); END;

CREATE TRIGGER payment_run_credit_stays BEFORE DELETE ON payment_run_credit
BEGIN SELECT RAISE(ABORT, 'a payment run is never deleted'); END;

CREATE TABLE contact_offset (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')),
    date TEXT NOT NULL CHECK (date(date) IS date),
    contact_id TEXT NOT NULL REFERENCES contact (id),
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9999999999999999),
    note TEXT,
    journal_entry_id TEXT NOT NULL REFERENCES journal_entry (id),
    voided_at TEXT,
    void_reason TEXT
) STRICT;

CREATE UNIQUE INDEX contact_offset_number ON contact_offset (number);
CREATE INDEX contact_offset_contact_id ON contact_offset (contact_id);  -- the offsets of a contact

CREATE TRIGGER contact_offset_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, contact_id, currency, amount,
    note, journal_entry_id ON contact_offset
BEGIN SELECT RAISE(ABORT, 'an offset is never changed'); END;

CREATE TRIGGER contact_offset_status_kept BEFORE UPDATE OF status ON contact_offset
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void offset stays void'); END;

CREATE TRIGGER contact_offset_stays BEFORE DELETE ON contact_offset
BEGIN SELECT RAISE(ABORT, 'an offset is never deleted'); END;

CREATE TABLE recurring_document (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('invoice', 'journal')),
    request TEXT NOT NULL,
    every INTEGER NOT NULL CHECK (every > 0),
    unit TEXT NOT NULL CHECK (unit IN ('day', 'week', 'month', 'year')),
    day INTEGER CHECK (day BETWEEN 1 AND 31),
    starts_on TEXT NOT NULL CHECK (date(starts_on) IS starts_on),
    ends_on TEXT CHECK (date(ends_on) IS ends_on),
    times INTEGER CHECK (times > 0),
    mode TEXT NOT NULL CHECK (mode IN ('draft', 'issue')),
    due_days INTEGER,
    remind_days INTEGER NOT NULL,
    next_on TEXT CHECK (date(next_on) IS next_on),
    last_on TEXT CHECK (date(last_on) IS last_on),
    done_through TEXT CHECK (date(done_through) IS done_through),
    paused_at TEXT,
    reminded_on TEXT CHECK (date(reminded_on) IS reminded_on),
    failure TEXT,
    failed_on TEXT CHECK (date(failed_on) IS failed_on),
    CHECK ((failure IS NULL) = (failed_on IS NULL))
) STRICT;

CREATE INDEX recurring_document_next_on ON recurring_document (next_on);  -- what is due to be made

-- What was made for a date, so that nothing is made for it twice.
CREATE TABLE recurring_occurrence (
    id TEXT NOT NULL PRIMARY KEY,
    recurring_id TEXT NOT NULL REFERENCES recurring_document (id),
    date TEXT NOT NULL CHECK (date(date) IS date),
    made_at TEXT NOT NULL,
    document_type TEXT NOT NULL CHECK (document_type IN ('invoice', 'journal_entry')),
    document_id TEXT NOT NULL,
    warning TEXT
) STRICT;

CREATE UNIQUE INDEX recurring_occurrence_date ON recurring_occurrence (recurring_id, date);

CREATE TRIGGER recurring_occurrence_kept BEFORE UPDATE ON recurring_occurrence
BEGIN SELECT RAISE(ABORT, 'what was made for a date is never changed'); END;

CREATE TRIGGER recurring_occurrence_stays BEFORE DELETE ON recurring_occurrence
BEGIN SELECT RAISE(ABORT, 'what was made for a date is never deleted'); END;

CREATE TABLE bank_feed (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    account_id TEXT NOT NULL REFERENCES account (id),
    iban TEXT,
    csv_mapping TEXT
) STRICT;

CREATE UNIQUE INDEX bank_feed_account_id ON bank_feed (account_id);

CREATE TABLE bank_statement (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    account_id TEXT NOT NULL REFERENCES account (id),
    format TEXT NOT NULL CHECK (format IN ('camt053', 'mt940', 'csv')),
    name TEXT,
    number TEXT,
    date_from TEXT NOT NULL CHECK (date(date_from) IS date_from),
    date_to TEXT NOT NULL CHECK (date(date_to) IS date_to),
    currency TEXT NOT NULL,
    opening INTEGER NOT NULL CHECK (opening BETWEEN -9999999999999999 AND 9999999999999999),
    total INTEGER NOT NULL,
    closing INTEGER NOT NULL CHECK (closing BETWEEN -9999999999999999 AND 9999999999999999),
    line_count INTEGER NOT NULL,
    CHECK (opening + total = closing),
    CHECK (date_from <= date_to)
) STRICT;

CREATE INDEX bank_statement_account_id ON bank_statement (account_id, date_to);  -- the statements of an account

CREATE TRIGGER bank_statement_kept BEFORE UPDATE ON bank_statement
BEGIN SELECT RAISE(ABORT, 'a bank statement is never changed'); END;

CREATE TABLE bank_line (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    statement_id TEXT NOT NULL REFERENCES bank_statement (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    line_key TEXT NOT NULL,
    position INTEGER NOT NULL,
    date TEXT NOT NULL CHECK (date(date) IS date),
    value_date TEXT CHECK (date(value_date) IS value_date),
    amount INTEGER NOT NULL CHECK (amount <> 0 AND amount BETWEEN -9999999999999999 AND 9999999999999999),
    currency TEXT NOT NULL,
    text TEXT NOT NULL,
    party TEXT,
    iban TEXT,
    reference TEXT,
    end_to_end TEXT
) STRICT;

CREATE UNIQUE INDEX bank_line_line_key ON bank_line (account_id, line_key);
CREATE INDEX bank_line_statement_id ON bank_line (statement_id);  -- the lines of a statement
CREATE INDEX bank_line_date ON bank_line (account_id, date);  -- the lines of an account, by date

CREATE TRIGGER bank_line_kept BEFORE UPDATE OF statement_id, account_id, line_key, position, date, value_date, amount,
    currency, text, party, iban, reference, end_to_end ON bank_line
BEGIN SELECT RAISE(ABORT, 'what the bank says is never changed'); END;

CREATE TABLE bank_match (
    id TEXT NOT NULL PRIMARY KEY,
    line_id TEXT NOT NULL REFERENCES bank_line (id),
    entry_id TEXT NOT NULL REFERENCES journal_entry (id),
    amount INTEGER NOT NULL CHECK (amount <> 0 AND amount BETWEEN -9999999999999999 AND 9999999999999999),
    made TEXT CHECK (made IN ('payment', 'journal_entry')),
    document_id TEXT,
    reason TEXT NOT NULL,
    rule_id TEXT,  -- the bank rule that it follows, which may be deleted since
    CHECK ((made IS NULL) = (document_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX bank_match_line_id ON bank_match (line_id, entry_id);
CREATE INDEX bank_match_entry_id ON bank_match (entry_id);  -- the lines that an entry matches
CREATE INDEX bank_match_rule_id ON bank_match (rule_id) WHERE rule_id IS NOT NULL;  -- how often a rule was used

CREATE TABLE bank_rule (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    text TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    contact_id TEXT REFERENCES contact (id),
    direction TEXT NOT NULL CHECK (direction IN ('in', 'out', 'any')),
    account_of_bank_id TEXT REFERENCES account (id),
    tax_rate_id TEXT REFERENCES tax_rate (id),
    project_id TEXT REFERENCES project (id),
    dimensions TEXT,
    description TEXT,
    is_automatic INTEGER NOT NULL
) STRICT;

CREATE INDEX bank_rule_project_id ON bank_rule (project_id);  -- whether a project is in use

-- Chapters that the office adds to its process description, in their newest wording.
CREATE TABLE process_chapter (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    valid_from TEXT NOT NULL CHECK (date(valid_from) IS valid_from),
    archived_at TEXT
) STRICT;

-- Every wording that a chapter has had.
CREATE TABLE process_wording (
    chapter_id TEXT NOT NULL REFERENCES process_chapter (id),
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    valid_from TEXT NOT NULL CHECK (date(valid_from) IS valid_from),
    created_at TEXT NOT NULL,
    created_by TEXT,
    PRIMARY KEY (chapter_id, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER process_wording_kept BEFORE UPDATE ON process_wording
BEGIN SELECT RAISE(ABORT, 'a wording is never changed'); END;

CREATE TRIGGER process_wording_stays BEFORE DELETE ON process_wording
BEGIN SELECT RAISE(ABORT, 'a wording is never deleted'); END;

-- The columns of files of other programs, found again by their headings.
CREATE TABLE column_mapping (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    target TEXT NOT NULL CHECK (target IN ('contacts', 'opening_balances')),
    name TEXT NOT NULL,
    headings TEXT NOT NULL,
    headings_key TEXT NOT NULL,
    columns TEXT NOT NULL,
    defaults TEXT NOT NULL,
    decimal_sign TEXT NOT NULL CHECK (decimal_sign IN ('.', ',')),
    date_order TEXT CHECK (date_order IN ('day_first', 'month_first'))
) STRICT;

CREATE UNIQUE INDEX column_mapping_headings ON column_mapping (target, headings_key);

-- Whose IBAN it was: learnt from what was matched.
CREATE TABLE bank_counterparty (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    iban TEXT NOT NULL,
    contact_id TEXT NOT NULL REFERENCES contact (id)
) STRICT;

CREATE UNIQUE INDEX bank_counterparty_iban ON bank_counterparty (iban, contact_id);

-- The account pairs of fixed assets: where depreciation is collected (null: on the account itself), and its expense.
CREATE TABLE asset_account (
    account_id TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
    accumulated_account_id TEXT REFERENCES account (id),
    expense_account_id TEXT NOT NULL REFERENCES account (id)
) STRICT;

CREATE TABLE asset (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT NOT NULL,
    seq INTEGER NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('draft', 'in_use', 'disposed')),
    account_id TEXT NOT NULL REFERENCES account (id),
    cost INTEGER NOT NULL CHECK (cost BETWEEN 1 AND 9999999999999999),
    residual_value INTEGER NOT NULL CHECK (residual_value BETWEEN 0 AND cost),
    acquired_on TEXT NOT NULL CHECK (date(acquired_on) IS acquired_on),
    in_use_on TEXT CHECK (date(in_use_on) IS in_use_on),
    method TEXT NOT NULL CHECK (method IN ('linear', 'declining', 'immediate', 'pool', 'none')),
    life_months INTEGER CHECK (life_months BETWEEN 1 AND 1200),
    declining_percent INTEGER CHECK (declining_percent BETWEEN 1 AND 100000000),
    lives TEXT NOT NULL,
    opening_accumulated INTEGER NOT NULL CHECK (opening_accumulated BETWEEN 0 AND cost - residual_value),
    opening_date TEXT CHECK (date(opening_date) IS opening_date),
    invoice_id TEXT REFERENCES invoice (id),
    line_id TEXT,
    project_id TEXT REFERENCES project (id),
    dimensions TEXT,
    employee_id TEXT REFERENCES employee (id),
    serial_number TEXT,
    location TEXT,
    note TEXT,
    disposed_on TEXT CHECK (date(disposed_on) IS disposed_on),
    disposal_kind TEXT CHECK (disposal_kind IN ('sold', 'scrapped', 'lost', 'private')),
    disposal_reason TEXT,
    proceeds INTEGER CHECK (proceeds BETWEEN -9999999999999999 AND 9999999999999999),
    disposal_book_value INTEGER,
    sale_invoice_id TEXT REFERENCES invoice (id),
    sale_line_id TEXT,
    disposal_entry_id TEXT REFERENCES journal_entry (id),
    CHECK ((invoice_id IS NULL) = (line_id IS NULL)),
    CHECK ((status = 'disposed') = (disposed_on IS NOT NULL)),
    CHECK (status = 'draft' OR in_use_on IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX asset_number ON asset (number);
CREATE INDEX asset_account_id ON asset (account_id);  -- the assets of an account
CREATE INDEX asset_invoice_id ON asset (invoice_id) WHERE invoice_id IS NOT NULL;  -- the assets of a bill
CREATE INDEX asset_line_id ON asset (line_id) WHERE line_id IS NOT NULL;  -- the assets of a line
CREATE INDEX asset_sale_invoice_id ON asset (sale_invoice_id) WHERE sale_invoice_id IS NOT NULL;
CREATE INDEX asset_project_id ON asset (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX asset_employee_id ON asset (employee_id) WHERE employee_id IS NOT NULL;

CREATE TABLE depreciation_run (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('posted', 'void')),
    date TEXT NOT NULL CHECK (date(date) IS date),
    journal_entry_id TEXT NOT NULL REFERENCES journal_entry (id),
    voided_at TEXT,
    void_reason TEXT
) STRICT;

CREATE UNIQUE INDEX depreciation_run_number ON depreciation_run (number);

CREATE TRIGGER depreciation_run_kept BEFORE UPDATE OF id, number, fiscal_year, seq, date, journal_entry_id
    ON depreciation_run
BEGIN SELECT RAISE(ABORT, 'a depreciation run is never changed'); END;

CREATE TRIGGER depreciation_run_status_kept BEFORE UPDATE OF status ON depreciation_run
WHEN OLD.status = 'void' AND NEW.status <> 'void'
BEGIN SELECT RAISE(ABORT, 'a void depreciation run stays void'); END;

CREATE TRIGGER depreciation_run_stays BEFORE DELETE ON depreciation_run
BEGIN SELECT RAISE(ABORT, 'a depreciation run is never deleted'); END;

-- Depreciation of an asset, by a run or by its disposal: it counts while its entry is not reversed.
CREATE TABLE depreciation (
    id TEXT NOT NULL PRIMARY KEY,
    asset_id TEXT NOT NULL REFERENCES asset (id),
    run_id TEXT REFERENCES depreciation_run (id),
    date TEXT NOT NULL CHECK (date(date) IS date),
    amount INTEGER NOT NULL CHECK (amount <> 0 AND amount BETWEEN -9999999999999999 AND 9999999999999999),
    account_id TEXT NOT NULL REFERENCES account (id),
    journal_entry_id TEXT NOT NULL REFERENCES journal_entry (id)
) STRICT;

CREATE INDEX depreciation_asset_id ON depreciation (asset_id, date);  -- the depreciation of an asset
CREATE INDEX depreciation_run_id ON depreciation (run_id) WHERE run_id IS NOT NULL;  -- the assets of a run

CREATE TRIGGER depreciation_kept BEFORE UPDATE ON depreciation
BEGIN SELECT RAISE(ABORT, 'posted depreciation is never changed'); END;

CREATE TRIGGER depreciation_stays BEFORE DELETE ON depreciation
BEGIN SELECT RAISE(ABORT, 'posted depreciation is never deleted'); END;

-- Reminders: the levels by which customers are reminded, the base rates by which interest is counted, and the letters.
CREATE TABLE reminder_level (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 5),
    name TEXT NOT NULL,
    days_after INTEGER NOT NULL CHECK (days_after BETWEEN 1 AND 365),
    pay_within_days INTEGER NOT NULL CHECK (pay_within_days BETWEEN 0 AND 365),
    fee INTEGER NOT NULL CHECK (fee BETWEEN 0 AND 9999999999999999),
    charges_interest INTEGER NOT NULL CHECK (charges_interest IN (0, 1)),
    charges_lump_sum INTEGER NOT NULL CHECK (charges_lump_sum IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX reminder_level_position ON reminder_level (position);

CREATE TABLE base_rate (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    valid_from TEXT NOT NULL CHECK (date(valid_from) IS valid_from),
    rate INTEGER NOT NULL CHECK (rate BETWEEN -100000000 AND 100000000)
) STRICT;

CREATE UNIQUE INDEX base_rate_valid_from ON base_rate (valid_from);

-- A contact or an invoice that is not reminded, until a day or until the block is lifted.
CREATE TABLE reminder_block (
    id TEXT NOT NULL PRIMARY KEY,
    resource_type TEXT NOT NULL CHECK (resource_type IN ('contact', 'invoice')),
    resource_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('disputed', 'agreed', 'other')),
    reason TEXT NOT NULL,
    until TEXT CHECK (date(until) IS until),
    created_at TEXT NOT NULL,
    created_by TEXT
) STRICT;

CREATE UNIQUE INDEX reminder_block_resource ON reminder_block (resource_id);

-- A letter. What it says is kept as it was made; it may be undone, and what it asks may be charged or waived.
CREATE TABLE reminder (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('made', 'undone')),
    contact_id TEXT NOT NULL REFERENCES contact (id),
    contact_name TEXT NOT NULL,
    customer TEXT,
    currency TEXT NOT NULL,
    date TEXT NOT NULL CHECK (date(date) IS date),
    pay_by TEXT NOT NULL CHECK (date(pay_by) IS pay_by),
    level_id TEXT NOT NULL,
    level INTEGER NOT NULL,
    level_name TEXT NOT NULL,
    open INTEGER NOT NULL CHECK (open BETWEEN 1 AND 9999999999999999),
    credit INTEGER NOT NULL CHECK (credit BETWEEN 0 AND 9999999999999999),
    fee INTEGER NOT NULL CHECK (fee BETWEEN 0 AND 9999999999999999),
    interest INTEGER NOT NULL CHECK (interest BETWEEN 0 AND 9999999999999999),
    lump_sum INTEGER NOT NULL CHECK (lump_sum BETWEEN 0 AND 9999999999999999),
    charged_fee INTEGER NOT NULL CHECK (charged_fee BETWEEN 0 AND fee),
    charged_interest INTEGER NOT NULL CHECK (charged_interest BETWEEN 0 AND interest),
    charged_lump_sum INTEGER NOT NULL CHECK (charged_lump_sum BETWEEN 0 AND lump_sum),
    total INTEGER NOT NULL CHECK (
        total = open + fee + interest + lump_sum - charged_fee - charged_interest - charged_lump_sum
    ),
    paper TEXT NOT NULL,
    undone_at TEXT,
    undo_reason TEXT,
    waived_at TEXT,
    waive_reason TEXT,
    sent_at TEXT,
    sent_via TEXT CHECK (sent_via IN ('smtp', 'eml', 'post', 'link', 'other')),
    pdf_sha256 TEXT REFERENCES stored_file (sha256),
    CHECK ((status = 'undone') = (undone_at IS NOT NULL)),
    CHECK ((sent_at IS NULL) = (sent_via IS NULL))
) STRICT;

CREATE UNIQUE INDEX reminder_number ON reminder (number);
CREATE INDEX reminder_contact_id ON reminder (contact_id, date);  -- the letters of a contact
CREATE INDEX reminder_date ON reminder (date);  -- letters of some days
-- whether a file is still named
CREATE INDEX reminder_pdf_sha256 ON reminder (pdf_sha256) WHERE pdf_sha256 IS NOT NULL;

CREATE TRIGGER reminder_kept BEFORE UPDATE OF id, number, fiscal_year, seq, contact_id, currency, date, pay_by, level_id,
    level, level_name, open, credit, fee, interest, lump_sum, charged_fee, charged_interest, charged_lump_sum, total,
    paper ON reminder
BEGIN SELECT RAISE(ABORT, 'a reminder is undone, never changed'); END;

CREATE TRIGGER reminder_party_kept BEFORE UPDATE OF contact_name, customer ON reminder
WHEN NOT EXISTS (SELECT 1 FROM erasure WHERE person_id = OLD.contact_id)
BEGIN SELECT RAISE(ABORT, 'a reminder is undone, never changed'); END;

CREATE TRIGGER reminder_file_unnamed AFTER UPDATE OF pdf_sha256 ON reminder
WHEN OLD.pdf_sha256 IS NOT NULL AND NEW.pdf_sha256 IS NOT OLD.pdf_sha256
BEGIN
    DELETE FROM stored_file WHERE sha256 = OLD.pdf_sha256
        AND NOT EXISTS (SELECT 1 FROM attachment WHERE sha256 = OLD.pdf_sha256)
        AND NOT EXISTS (SELECT 1 FROM document_file WHERE sha256 = OLD.pdf_sha256)
        AND NOT EXISTS (SELECT 1 FROM quote_file WHERE sha256 = OLD.pdf_sha256)
        AND NOT EXISTS (SELECT 1 FROM reminder WHERE pdf_sha256 = OLD.pdf_sha256)
        AND NOT EXISTS (SELECT 1 FROM message_file WHERE sha256 = OLD.pdf_sha256)
        AND NOT EXISTS (SELECT 1 FROM logo WHERE sha256 = OLD.pdf_sha256)
        AND NOT EXISTS (SELECT 1 FROM letterhead WHERE sha256 = OLD.pdf_sha256);
END;

CREATE TRIGGER reminder_status_kept BEFORE UPDATE OF status ON reminder
WHEN OLD.status = 'undone' AND NEW.status <> 'undone'
BEGIN SELECT RAISE(ABORT, 'a reminder does not go back to that status'); END;

CREATE TRIGGER reminder_stays BEFORE DELETE ON reminder
BEGIN SELECT RAISE(ABORT, 'a reminder is undone, never deleted'); END;

CREATE TABLE reminder_item (
    id TEXT NOT NULL PRIMARY KEY,
    reminder_id TEXT NOT NULL REFERENCES reminder (id),
    position INTEGER NOT NULL,
    item_id TEXT NOT NULL REFERENCES open_item (id),
    invoice_id TEXT REFERENCES invoice (id),
    number TEXT NOT NULL,
    date TEXT NOT NULL,
    due_date TEXT NOT NULL,
    days_overdue INTEGER NOT NULL,
    open INTEGER NOT NULL,
    last_level INTEGER NOT NULL,
    level INTEGER NOT NULL,
    interest INTEGER NOT NULL,
    lump_sum INTEGER NOT NULL,
    charged_interest INTEGER NOT NULL CHECK (charged_interest BETWEEN 0 AND interest),
    charged_lump_sum INTEGER NOT NULL CHECK (charged_lump_sum BETWEEN 0 AND lump_sum),
    is_live INTEGER NOT NULL CHECK (is_live IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX reminder_item_position ON reminder_item (reminder_id, position);
-- the letters of an item, the newest first: one a day
CREATE UNIQUE INDEX reminder_item_day ON reminder_item (item_id, date) WHERE is_live;
CREATE INDEX reminder_item_invoice_id ON reminder_item (invoice_id, date) WHERE invoice_id IS NOT NULL;  -- the letters of an invoice

CREATE TRIGGER reminder_item_kept BEFORE UPDATE OF id, reminder_id, position, item_id, invoice_id, number, date, due_date,
    days_overdue, open, last_level, level, interest, lump_sum, charged_interest, charged_lump_sum ON reminder_item
BEGIN SELECT RAISE(ABORT, 'a reminder is undone, never changed'); END;

CREATE TRIGGER reminder_item_stays BEFORE DELETE ON reminder_item
BEGIN SELECT RAISE(ABORT, 'a reminder is undone, never deleted'); END;

-- The invoices that ask for what letters charge.
CREATE TABLE reminder_charge (
    id TEXT NOT NULL PRIMARY KEY,
    invoice_id TEXT NOT NULL REFERENCES invoice (id),
    reminder_id TEXT NOT NULL REFERENCES reminder (id),
    fee INTEGER NOT NULL CHECK (fee >= 0),
    interest INTEGER NOT NULL CHECK (interest >= 0),
    lump_sum INTEGER NOT NULL CHECK (lump_sum >= 0)
) STRICT;

CREATE UNIQUE INDEX reminder_charge_invoice_id ON reminder_charge (invoice_id);
CREATE INDEX reminder_charge_reminder_id ON reminder_charge (reminder_id);  -- the charges of a letter

CREATE TRIGGER reminder_charge_kept BEFORE UPDATE ON reminder_charge
BEGIN SELECT RAISE(ABORT, 'a charge is never changed'); END;

CREATE TRIGGER reminder_charge_stays BEFORE DELETE ON reminder_charge
BEGIN SELECT RAISE(ABORT, 'a charge is never deleted'); END;

-- The parts of a charge by the items that owe them.
CREATE TABLE reminder_charge_item (
    id TEXT NOT NULL PRIMARY KEY,
    charge_id TEXT NOT NULL REFERENCES reminder_charge (id),
    item_id TEXT NOT NULL REFERENCES open_item (id),
    interest INTEGER NOT NULL CHECK (interest >= 0),
    lump_sum INTEGER NOT NULL CHECK (lump_sum >= 0)
) STRICT;

CREATE UNIQUE INDEX reminder_charge_item_of ON reminder_charge_item (charge_id, item_id);

CREATE TRIGGER reminder_charge_item_kept BEFORE UPDATE ON reminder_charge_item
BEGIN SELECT RAISE(ABORT, 'a charge is never changed'); END;

CREATE TRIGGER reminder_charge_item_stays BEFORE DELETE ON reminder_charge_item
BEGIN SELECT RAISE(ABORT, 'a charge is never deleted'); END;
