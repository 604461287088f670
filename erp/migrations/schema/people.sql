-- Employees, attendance, leave and payroll. Days of leave are in hundredths of a day.

-- The places where people work; the default site has the values of the workspace.
CREATE TABLE site (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    name TEXT NOT NULL COLLATE NOCASE,
    country TEXT,
    subdivision TEXT,
    time_zone TEXT,
    currency TEXT,
    weekend TEXT,
    is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    CHECK (is_default OR country IS NOT NULL AND time_zone IS NOT NULL AND currency IS NOT NULL AND weekend IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX site_name ON site (name);
CREATE UNIQUE INDEX site_default ON site (is_default) WHERE is_default;

CREATE TABLE employee (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    employee_number TEXT NOT NULL,
    payroll_number INTEGER CHECK (payroll_number BETWEEN 1 AND 99999),
    name TEXT NOT NULL,
    email TEXT,
    phone TEXT,
    user_id TEXT,
    job_title TEXT,
    department TEXT,
    manager_employee_id TEXT REFERENCES employee (id),
    employment_type TEXT NOT NULL CHECK (employment_type IN (
        'full_time', 'part_time', 'contractor', 'intern', 'temporary'
    )),
    hire_date TEXT NOT NULL CHECK (date(hire_date) IS hire_date),
    termination_date TEXT CHECK (date(termination_date) IS termination_date),
    termination_reason TEXT,
    successor_employee_id TEXT REFERENCES employee (id),
    keeps_attendance INTEGER NOT NULL DEFAULT 1 CHECK (keeps_attendance IN (0, 1)),
    expects_time INTEGER NOT NULL DEFAULT 1 CHECK (expects_time IN (0, 1)),
    site_id TEXT NOT NULL REFERENCES site (id),
    time_zone TEXT,
    bank_account TEXT,
    tax_number TEXT,
    address TEXT,
    contract_end TEXT CHECK (date(contract_end) IS contract_end),
    probation_end TEXT CHECK (date(probation_end) IS probation_end),
    birthday TEXT CHECK (date(birthday) IS birthday),
    emergency_contact TEXT,
    iban_changed_at TEXT,
    iban_changed_by TEXT,
    payslip_mail TEXT NOT NULL DEFAULT 'notice' CHECK (payslip_mail IN ('notice', 'attached', 'none')),
    CHECK (manager_employee_id <> id)
) STRICT;

CREATE UNIQUE INDEX employee_employee_number ON employee (employee_number);
CREATE UNIQUE INDEX employee_payroll_number ON employee (payroll_number) WHERE payroll_number IS NOT NULL;
CREATE UNIQUE INDEX employee_user_id ON employee (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX employee_manager_employee_id ON employee (manager_employee_id);  -- who reports to someone

CREATE INDEX employee_successor ON employee (successor_employee_id);  -- who takes over the reports of a leaver
CREATE INDEX employee_site_id ON employee (site_id);  -- whether people work at a site
CREATE INDEX employee_email ON employee (lower(email)) WHERE email IS NOT NULL;  -- who is hired already

CREATE TRIGGER employee_files AFTER DELETE ON employee
BEGIN DELETE FROM attachment WHERE resource_type = 'employee' AND resource_id = OLD.id; END;

-- Contracts, permits and other papers of a person; their files are attachments of the document.
CREATE TABLE employee_document (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    kind TEXT NOT NULL CHECK (kind IN (
        'contract', 'permit', 'certificate', 'licence', 'sick_note', 'training', 'other'
    )),
    title TEXT NOT NULL,
    valid_from TEXT CHECK (date(valid_from) IS valid_from),
    valid_until TEXT CHECK (date(valid_until) IS valid_until),
    remind_days INTEGER NOT NULL CHECK (remind_days BETWEEN 0 AND 365),
    visibility TEXT NOT NULL CHECK (visibility IN ('hr', 'person')),
    done_at TEXT,
    replaced_by_id TEXT REFERENCES employee_document (id),
    archived_at TEXT,
    CHECK (valid_from <= valid_until),
    CHECK (kind <> 'sick_note' OR visibility = 'hr')
) STRICT;

CREATE INDEX employee_document_employee_id ON employee_document (employee_id);  -- the documents of a person
CREATE INDEX employee_document_valid_until ON employee_document (valid_until);  -- what expires
CREATE INDEX employee_document_replaced_by_id ON employee_document (replaced_by_id);  -- what a document has replaced

CREATE TRIGGER employee_document_files AFTER DELETE ON employee_document
BEGIN DELETE FROM attachment WHERE resource_type = 'employee_document' AND resource_id = OLD.id; END;

-- The periods in which a person was employed.
CREATE TABLE employment (
    id TEXT NOT NULL PRIMARY KEY,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    starts_on TEXT NOT NULL CHECK (date(starts_on) IS starts_on),
    ends_on TEXT CHECK (date(ends_on) IS ends_on),
    CHECK (starts_on <= ends_on)
) STRICT;

CREATE UNIQUE INDEX employment_employee_id_starts_on ON employment (employee_id, starts_on);

CREATE TABLE work_schedule (
    id TEXT NOT NULL PRIMARY KEY,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    effective_from TEXT NOT NULL CHECK (date(effective_from) IS effective_from),
    mon INTEGER NOT NULL CHECK (mon BETWEEN 0 AND 1440),
    tue INTEGER NOT NULL CHECK (tue BETWEEN 0 AND 1440),
    wed INTEGER NOT NULL CHECK (wed BETWEEN 0 AND 1440),
    thu INTEGER NOT NULL CHECK (thu BETWEEN 0 AND 1440),
    fri INTEGER NOT NULL CHECK (fri BETWEEN 0 AND 1440),
    sat INTEGER NOT NULL CHECK (sat BETWEEN 0 AND 1440),
    sun INTEGER NOT NULL CHECK (sun BETWEEN 0 AND 1440),
    hours TEXT NOT NULL DEFAULT '{}'
) STRICT;

CREATE UNIQUE INDEX work_schedule_employee_id_effective_from ON work_schedule (employee_id, effective_from);

CREATE TABLE checklist (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('onboarding', 'offboarding', 'other')),
    items TEXT NOT NULL
) STRICT;

-- The days for which a checklist was started for a person.
CREATE TABLE checklist_start (
    checklist_id TEXT NOT NULL REFERENCES checklist (id) ON DELETE CASCADE,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    date TEXT NOT NULL CHECK (date(date) IS date),
    PRIMARY KEY (checklist_id, employee_id, date)
) STRICT, WITHOUT ROWID;

CREATE INDEX checklist_start_employee_id ON checklist_start (employee_id);  -- what was started for a person

-- The PINs of people at a kiosk.
CREATE TABLE kiosk_pin (
    employee_id TEXT NOT NULL PRIMARY KEY REFERENCES employee (id),
    pin_hash TEXT NOT NULL,
    set_at TEXT NOT NULL
) STRICT;

CREATE TABLE compensation (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    effective_from TEXT NOT NULL CHECK (date(effective_from) IS effective_from),
    pay_type TEXT NOT NULL CHECK (pay_type IN ('salary', 'hourly')),
    amount INTEGER NOT NULL CHECK (amount >= 0),
    currency TEXT NOT NULL,
    frequency TEXT NOT NULL CHECK (frequency IN ('monthly', 'semimonthly', 'biweekly', 'weekly')),
    components TEXT NOT NULL,
    replaced_by_id TEXT REFERENCES compensation (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX compensation_in_force ON compensation (employee_id, effective_from) WHERE replaced_by_id IS NULL;
CREATE INDEX compensation_employee_id ON compensation (employee_id);  -- the pay of an employee, replaced rows too
CREATE INDEX compensation_replaced_by_id ON compensation (replaced_by_id);  -- what a row has replaced

-- What an hour of an employee costs from a day on: a given amount, or one worked out from pay and schedule.
CREATE TABLE cost_rate (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    effective_from TEXT NOT NULL CHECK (date(effective_from) IS effective_from),
    method TEXT NOT NULL CHECK (method IN ('given', 'from_pay')),
    hourly_cost INTEGER CHECK (hourly_cost >= 0),
    employer_percent INTEGER CHECK (employer_percent >= 0),
    CHECK ((method = 'given') = (hourly_cost IS NOT NULL)),
    CHECK (method = 'from_pay' OR employer_percent IS NULL)
) STRICT;

CREATE UNIQUE INDEX cost_rate_employee_id ON cost_rate (employee_id, effective_from);

CREATE TABLE attendance_record (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    date TEXT NOT NULL CHECK (date(date) IS date),
    status TEXT NOT NULL CHECK (status IN ('present', 'absent', 'half_day', 'remote', 'on_leave', 'holiday')),
    punches TEXT NOT NULL,
    open_since TEXT,
    break_minutes INTEGER NOT NULL CHECK (break_minutes BETWEEN 0 AND 1440),
    note TEXT,
    source TEXT NOT NULL CHECK (source IN ('clock', 'kiosk', 'manual', 'import', 'leave')),
    worked_minutes INTEGER NOT NULL CHECK (worked_minutes >= 0),
    time_zone TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX attendance_record_employee_id_date ON attendance_record (employee_id, date);
CREATE UNIQUE INDEX attendance_record_open ON attendance_record (employee_id) WHERE open_since IS NOT NULL;
CREATE INDEX attendance_record_date ON attendance_record (date);  -- the records of some days

CREATE TABLE attendance_correction (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    date TEXT NOT NULL CHECK (date(date) IS date),
    proposed TEXT NOT NULL,
    reason TEXT,
    status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled')),
    decided_by TEXT,
    decided_at TEXT,
    decision_note TEXT,
    replaced TEXT,
    CHECK ((decided_at IS NULL) = (status = 'pending'))
) STRICT;

-- the corrections of an employee
CREATE INDEX attendance_correction_employee_id ON attendance_correction (employee_id, date);
CREATE INDEX attendance_correction_status ON attendance_correction (status);  -- what waits for a decision

CREATE TABLE leave_type (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    name TEXT NOT NULL,
    code TEXT NOT NULL,
    is_paid INTEGER NOT NULL,
    allowance_days INTEGER NOT NULL CHECK (allowance_days >= 0),
    accrual TEXT NOT NULL CHECK (accrual IN ('none', 'yearly', 'monthly')),
    allowance_basis TEXT NOT NULL DEFAULT 'calendar' CHECK (allowance_basis IN ('own_week', 'calendar')),
    carry_forward_max_days INTEGER NOT NULL CHECK (carry_forward_max_days >= 0),
    carry_forward_expires_after_months INTEGER CHECK (carry_forward_expires_after_months BETWEEN 1 AND 12),
    allow_negative INTEGER NOT NULL,
    interrupts_leave INTEGER NOT NULL DEFAULT 0 CHECK (interrupts_leave IN (0, 1)),
    max_consecutive_days INTEGER,
    min_notice_days INTEGER,
    color TEXT,
    position INTEGER NOT NULL,
    archived_at TEXT
) STRICT;

CREATE UNIQUE INDEX leave_type_code ON leave_type (code);

CREATE TABLE leave_application (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    leave_type_id TEXT NOT NULL REFERENCES leave_type (id),
    start_date TEXT NOT NULL CHECK (date(start_date) IS start_date),
    end_date TEXT NOT NULL CHECK (date(end_date) IS end_date),
    start_half INTEGER NOT NULL,
    end_half INTEGER NOT NULL,
    reason TEXT,
    days INTEGER NOT NULL CHECK (days > 0),
    day_details TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled')),
    decided_by TEXT,
    decided_at TEXT,
    decision_note TEXT,
    balance_before INTEGER NOT NULL,
    balance_after INTEGER NOT NULL,
    CHECK (start_date <= end_date)
) STRICT;

CREATE INDEX leave_application_employee_id ON leave_application (employee_id, start_date);  -- the leave of an employee
-- the applications for a type of leave
CREATE INDEX leave_application_leave_type_id ON leave_application (leave_type_id);
-- what waits for a decision, and who is on leave
CREATE INDEX leave_application_status ON leave_application (status, start_date);

CREATE TABLE leave_day (
    application_id TEXT NOT NULL REFERENCES leave_application (id) ON DELETE CASCADE,
    date TEXT NOT NULL CHECK (date(date) IS date),
    employee_id TEXT NOT NULL REFERENCES employee (id),
    part TEXT NOT NULL CHECK (part IN ('day', 'morning', 'afternoon')),
    days INTEGER NOT NULL CHECK (days BETWEEN 0 AND 100),
    PRIMARY KEY (application_id, date)
) STRICT, WITHOUT ROWID;

CREATE INDEX leave_day_employee_id ON leave_day (employee_id, date);  -- the days of leave of an employee

-- The leave ledger: a balance is a sum over it.
CREATE TABLE leave_entry (
    id TEXT NOT NULL PRIMARY KEY,
    created_at TEXT NOT NULL,
    created_by TEXT,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    leave_type_id TEXT NOT NULL REFERENCES leave_type (id),
    year INTEGER NOT NULL,
    date TEXT NOT NULL CHECK (date(date) IS date),
    kind TEXT NOT NULL CHECK (kind IN (
        'allocation', 'accrual', 'taken', 'returned', 'adjustment', 'carried_out', 'carried_in', 'carry_corrected',
        'expired'
    )),
    days INTEGER NOT NULL CHECK (days <> 0),
    application_id TEXT REFERENCES leave_application (id),
    note TEXT
) STRICT;

-- the balance of leave, read from the index alone
CREATE INDEX leave_entry_balance ON leave_entry (employee_id, leave_type_id, year, date, days);
CREATE INDEX leave_entry_leave_type_id ON leave_entry (leave_type_id);  -- whether a type of leave has entries
CREATE INDEX leave_entry_application_id ON leave_entry (application_id);  -- the entries of an application

CREATE TRIGGER leave_entry_kept BEFORE UPDATE ON leave_entry
BEGIN SELECT RAISE(ABORT, 'an entry of the leave ledger is never changed'); END;

CREATE TRIGGER leave_entry_stays BEFORE DELETE ON leave_entry
WHEN NOT EXISTS (SELECT 1 FROM erasure WHERE person_id = OLD.employee_id)
BEGIN SELECT RAISE(ABORT, 'an entry of the leave ledger is never deleted'); END;

-- The years of leave that are closed.
CREATE TABLE leave_year (
    year INTEGER NOT NULL PRIMARY KEY,
    closed_at TEXT NOT NULL,
    closed_by TEXT NOT NULL
) STRICT;

CREATE TABLE holiday (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    date TEXT NOT NULL CHECK (date(date) IS date),
    name TEXT NOT NULL,
    part TEXT NOT NULL DEFAULT 'day' CHECK (part IN ('day', 'morning', 'afternoon')),
    site_ids TEXT NOT NULL DEFAULT '[]'
) STRICT;

CREATE INDEX holiday_date ON holiday (date);  -- the holidays of some days

CREATE TABLE holiday_import (
    id TEXT NOT NULL PRIMARY KEY,
    year INTEGER NOT NULL,
    country TEXT NOT NULL,
    subdivision TEXT,
    language TEXT,
    half_days INTEGER NOT NULL DEFAULT 0 CHECK (half_days IN (0, 1)),
    site_id TEXT REFERENCES site (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE pay_component (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('earning', 'deduction', 'employer_contribution')),
    calculation TEXT NOT NULL CHECK (calculation IN (
        'fixed', 'percent_of_base', 'percent_of_gross', 'per_hour', 'overtime', 'brackets'
    )),
    currency TEXT,
    amount INTEGER,
    percent INTEGER,
    brackets TEXT,
    bracket_period TEXT NOT NULL CHECK (bracket_period IN ('period', 'year')),
    method TEXT NOT NULL CHECK (method IN ('period', 'cumulative')),
    base_cap INTEGER,
    amount_cap INTEGER,
    overtime TEXT,
    rounding TEXT NOT NULL CHECK (rounding IN ('half_up', 'half_down', 'down')),
    is_taxable INTEGER NOT NULL,
    is_pre_tax INTEGER NOT NULL,
    is_prorated INTEGER NOT NULL,
    expense_account_id TEXT REFERENCES account (id),
    liability_account_id TEXT REFERENCES account (id),
    applies_to_all INTEGER NOT NULL,
    position INTEGER NOT NULL,
    source TEXT,
    template TEXT,
    archived_at TEXT
) STRICT;

CREATE UNIQUE INDEX pay_component_code ON pay_component (code);

-- That the figures of a pay template were checked for a year.
CREATE TABLE pay_template_check (
    template TEXT NOT NULL,
    year INTEGER NOT NULL,
    acknowledged_at TEXT NOT NULL,
    acknowledged_by TEXT NOT NULL,
    note TEXT,
    PRIMARY KEY (template, year)
) STRICT, WITHOUT ROWID;

CREATE TABLE payroll_run (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT NOT NULL,
    fiscal_year INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    period_start TEXT NOT NULL CHECK (date(period_start) IS period_start),
    period_end TEXT NOT NULL CHECK (date(period_end) IS period_end),
    pay_date TEXT NOT NULL CHECK (date(pay_date) IS pay_date),
    status TEXT NOT NULL CHECK (status IN ('draft', 'approved', 'paid', 'reversed')),
    kind TEXT NOT NULL DEFAULT 'regular' CHECK (kind IN ('regular', 'correction')),
    includes_differences INTEGER NOT NULL DEFAULT 1,
    employee_ids TEXT,
    of_run_ids TEXT,
    rules TEXT,
    currency TEXT NOT NULL,
    exchange_rate INTEGER CHECK (exchange_rate > 0),
    gross INTEGER NOT NULL,
    deductions INTEGER NOT NULL,
    employer_contributions INTEGER NOT NULL,
    net INTEGER NOT NULL,
    payable INTEGER NOT NULL DEFAULT 0,
    payable_base INTEGER,
    carried_base INTEGER,
    warnings TEXT NOT NULL,
    variance TEXT NOT NULL,
    approved_on TEXT,
    approved_by TEXT,
    paid_on TEXT,
    paid_by TEXT,
    reversed_on TEXT,
    reversed_by TEXT,
    reverse_reason TEXT,
    money_returned_on TEXT CHECK (date(money_returned_on) IS money_returned_on),
    prepared_by TEXT NOT NULL DEFAULT '[]',
    accrual_entry_id TEXT REFERENCES journal_entry (id),
    payment_entry_id TEXT REFERENCES journal_entry (id),
    payable_account_id TEXT REFERENCES account (id),
    bank_account_id TEXT REFERENCES account (id),
    CHECK (period_start <= period_end)
) STRICT;

CREATE UNIQUE INDEX payroll_run_number ON payroll_run (number);

CREATE TRIGGER payroll_run_kept BEFORE UPDATE OF id, number, fiscal_year, seq, period_start, period_end, currency, gross,
    deductions, employer_contributions, net, payable, kind ON payroll_run
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an approved payroll run is never changed'); END;

CREATE TRIGGER payroll_run_status_kept BEFORE UPDATE OF status ON payroll_run
WHEN OLD.status = 'reversed' AND NEW.status <> 'reversed' OR OLD.status <> 'draft' AND NEW.status = 'draft'
BEGIN SELECT RAISE(ABORT, 'a payroll run does not go back to that status'); END;

CREATE TRIGGER payroll_run_stays BEFORE DELETE ON payroll_run
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an approved payroll run is never deleted'); END;

CREATE TABLE opening_year (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    year INTEGER NOT NULL,
    through_date TEXT NOT NULL CHECK (date(through_date) IS through_date AND substr(through_date, 1, 4) = CAST(year AS TEXT)),
    currency TEXT NOT NULL,
    taxable INTEGER NOT NULL,
    lines TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX opening_year_employee_id ON opening_year (employee_id, year);

CREATE TABLE payslip (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    run_id TEXT NOT NULL REFERENCES payroll_run (id) ON DELETE CASCADE,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    pay_date TEXT NOT NULL CHECK (date(pay_date) IS pay_date),
    snapshot TEXT NOT NULL,
    working_days INTEGER NOT NULL,
    paid_days INTEGER NOT NULL,
    unpaid_leave_days INTEGER NOT NULL,
    paid_leave_days INTEGER NOT NULL,
    worked_minutes INTEGER NOT NULL,
    gross INTEGER NOT NULL,
    deductions INTEGER NOT NULL,
    employer_contributions INTEGER NOT NULL,
    net INTEGER NOT NULL,
    base INTEGER NOT NULL,
    taxable INTEGER NOT NULL,
    carried_in INTEGER NOT NULL DEFAULT 0 CHECK (carried_in <= 0),
    reimbursements INTEGER NOT NULL DEFAULT 0,
    payable INTEGER NOT NULL DEFAULT 0 CHECK (payable >= 0),
    time_source TEXT CHECK (time_source IN ('attendance', 'time_logs', 'none')),
    parts TEXT NOT NULL,
    earlier TEXT,
    year_to_date TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX payslip_run_id_employee_id ON payslip (run_id, employee_id);
CREATE INDEX payslip_employee_id ON payslip (employee_id, pay_date);  -- the payslips of an employee

CREATE TRIGGER payslip_kept BEFORE UPDATE OF id, created_at, created_by, run_id, employee_id,
    pay_date, working_days, paid_days, unpaid_leave_days, paid_leave_days, worked_minutes, gross, deductions,
    employer_contributions, net, base, taxable, carried_in, reimbursements, payable, time_source, parts, earlier,
    year_to_date ON payslip
WHEN (SELECT status FROM payroll_run WHERE id = OLD.run_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an approved payslip is never changed'); END;

CREATE TRIGGER payslip_name_kept BEFORE UPDATE OF snapshot ON payslip
WHEN (SELECT status FROM payroll_run WHERE id = OLD.run_id) <> 'draft'
    AND NOT EXISTS (SELECT 1 FROM erasure WHERE person_id = OLD.employee_id)
BEGIN SELECT RAISE(ABORT, 'an approved payslip is never changed'); END;

CREATE TRIGGER payslip_stays BEFORE DELETE ON payslip
WHEN (SELECT status FROM payroll_run WHERE id = OLD.run_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an approved payslip is never deleted'); END;

CREATE TABLE payslip_line (
    payslip_id TEXT NOT NULL REFERENCES payslip (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    component_id TEXT REFERENCES pay_component (id),
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    quantity INTEGER,
    rate INTEGER,
    amount INTEGER NOT NULL,
    computed_amount INTEGER NOT NULL,
    override_reason TEXT,
    line_id TEXT,
    reason TEXT,
    origin_payslip_id TEXT REFERENCES payslip (id),
    claim_id TEXT REFERENCES expense_claim (id),
    explanation TEXT NOT NULL,
    expense_account_id TEXT REFERENCES account (id),
    liability_account_id TEXT REFERENCES account (id),
    PRIMARY KEY (payslip_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX payslip_line_origin_payslip_id ON payslip_line (origin_payslip_id)
    WHERE origin_payslip_id IS NOT NULL;  -- what has corrected a payslip
CREATE INDEX payslip_line_claim_id ON payslip_line (claim_id)
    WHERE claim_id IS NOT NULL;  -- the payslips that pay a claim
CREATE INDEX payslip_line_component_id ON payslip_line (component_id);  -- what was paid of a component

CREATE TRIGGER payslip_line_kept BEFORE UPDATE ON payslip_line
WHEN (SELECT status FROM payroll_run JOIN payslip ON payslip.run_id = payroll_run.id
    WHERE payslip.id = OLD.payslip_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an approved payslip is never changed'); END;

CREATE TRIGGER payslip_line_stays BEFORE DELETE ON payslip_line
WHEN (SELECT status FROM payroll_run JOIN payslip ON payslip.run_id = payroll_run.id
    WHERE payslip.id = OLD.payslip_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an approved payslip is never changed'); END;

CREATE TRIGGER payslip_line_late BEFORE INSERT ON payslip_line
WHEN (SELECT status FROM payroll_run JOIN payslip ON payslip.run_id = payroll_run.id
    WHERE payslip.id = NEW.payslip_id) <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an approved payslip is never changed'); END;

-- No day of an employee is paid twice.
CREATE TABLE paid_day (
    employee_id TEXT NOT NULL REFERENCES employee (id),
    date TEXT NOT NULL CHECK (date(date) IS date),
    payslip_id TEXT NOT NULL REFERENCES payslip (id) ON DELETE CASCADE,
    PRIMARY KEY (employee_id, date)
) STRICT, WITHOUT ROWID;

CREATE INDEX paid_day_payslip_id ON paid_day (payslip_id);  -- the days that a payslip pays

CREATE TABLE expense_category (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    expense_account_id TEXT REFERENCES account (id),
    tax_rate_id TEXT REFERENCES tax_rate (id),
    limit_amount INTEGER CHECK (limit_amount > 0),
    limit_per TEXT CHECK (limit_per IN ('line', 'day', 'month')),
    limit_mode TEXT NOT NULL CHECK (limit_mode IN ('warn', 'block')),
    receipt_from INTEGER NOT NULL CHECK (receipt_from >= 0),
    deductible_cost_percent INTEGER NOT NULL,
    deductible_tax_percent INTEGER NOT NULL,
    archived_at TEXT,
    CHECK ((limit_amount IS NULL) = (limit_per IS NULL))
) STRICT;

CREATE UNIQUE INDEX expense_category_code ON expense_category (code);

CREATE TABLE expense_rate (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('per_diem', 'mileage')),
    country TEXT NOT NULL,
    region TEXT,
    vehicle TEXT,
    valid_from TEXT NOT NULL CHECK (date(valid_from) IS valid_from),
    full_amount INTEGER,
    partial_amount INTEGER,
    rate INTEGER,
    currency TEXT NOT NULL,
    CHECK ((kind = 'mileage') = (vehicle IS NOT NULL AND rate IS NOT NULL)),
    CHECK ((kind = 'per_diem') = (full_amount IS NOT NULL AND partial_amount IS NOT NULL))
) STRICT;

CREATE TABLE expense_claim (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number TEXT,
    fiscal_year INTEGER,
    seq INTEGER,
    employee_id TEXT NOT NULL REFERENCES employee (id),
    title TEXT NOT NULL,
    note TEXT,
    status TEXT NOT NULL CHECK (status IN ('draft', 'submitted', 'approved', 'rejected', 'posted', 'void')),
    total INTEGER NOT NULL,
    own_total INTEGER NOT NULL,
    card_total INTEGER NOT NULL,
    tax_total INTEGER NOT NULL,
    submitted_at TEXT,
    decided_by TEXT,
    decided_at TEXT,
    decision_note TEXT,
    contact_id TEXT REFERENCES contact (id),
    journal_entry_id TEXT REFERENCES journal_entry (id),
    posted_on TEXT CHECK (date(posted_on) IS posted_on),
    due_date TEXT CHECK (date(due_date) IS due_date),
    pay_by TEXT NOT NULL DEFAULT 'payment_run' CHECK (pay_by IN ('payment_run', 'payslip')),
    voided_at TEXT,
    void_reason TEXT,
    CHECK (total = own_total + card_total),
    CHECK ((journal_entry_id IS NULL) = (status NOT IN ('posted', 'void')))
) STRICT;

CREATE UNIQUE INDEX expense_claim_number ON expense_claim (number) WHERE number IS NOT NULL;
CREATE INDEX expense_claim_employee_id ON expense_claim (employee_id);  -- the claims of a person
CREATE INDEX expense_claim_status ON expense_claim (status);  -- the claims that wait for someone

CREATE TRIGGER expense_claim_kept BEFORE UPDATE OF id, number, fiscal_year, seq, employee_id, total, own_total,
    card_total, tax_total, journal_entry_id, posted_on ON expense_claim
WHEN OLD.status IN ('posted', 'void')
BEGIN SELECT RAISE(ABORT, 'a posted claim is never changed'); END;

CREATE TRIGGER expense_claim_stays BEFORE DELETE ON expense_claim
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'a submitted claim is never deleted'); END;

CREATE TRIGGER expense_claim_files AFTER DELETE ON expense_claim
BEGIN DELETE FROM attachment WHERE resource_type = 'expense_claim' AND resource_id = OLD.id; END;

CREATE TABLE expense_line (
    id TEXT NOT NULL PRIMARY KEY,
    claim_id TEXT NOT NULL REFERENCES expense_claim (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('receipt', 'mileage', 'per_diem')),
    date TEXT NOT NULL CHECK (date(date) IS date),
    category_id TEXT NOT NULL REFERENCES expense_category (id),
    description TEXT,
    project_id TEXT REFERENCES project (id),
    task_id TEXT,
    is_billable INTEGER NOT NULL,
    paid_by TEXT NOT NULL CHECK (paid_by IN ('employee', 'company_card')),
    account_id TEXT REFERENCES account (id),
    attachment_ids TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    exchange_rate INTEGER,
    tax_rate_id TEXT REFERENCES tax_rate (id),
    tax_amount INTEGER,
    supplier_name TEXT,
    receipt_number TEXT,
    trip TEXT,
    days TEXT NOT NULL,
    explanation TEXT,
    amount_base INTEGER NOT NULL,
    net INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    CHECK (amount_base = net + tax)
) STRICT;

CREATE INDEX expense_line_claim_id ON expense_line (claim_id, position);
CREATE INDEX expense_line_category_id ON expense_line (category_id, date);  -- what was spent of a limit

-- Its texts are not among them: they are erased with a person.
CREATE TRIGGER expense_line_kept BEFORE UPDATE OF id, claim_id, position, kind, date, category_id, project_id, task_id,
    is_billable, paid_by, account_id, amount, currency, exchange_rate, tax_rate_id, tax_amount, days, amount_base, net,
    tax ON expense_line
WHEN EXISTS (SELECT 1 FROM expense_claim WHERE id IN (OLD.claim_id, NEW.claim_id) AND status IN ('posted', 'void'))
BEGIN SELECT RAISE(ABORT, 'a posted claim is never changed'); END;

CREATE TRIGGER expense_line_stays BEFORE DELETE ON expense_line
WHEN (SELECT status FROM expense_claim WHERE id = OLD.claim_id) IN ('posted', 'void')
BEGIN SELECT RAISE(ABORT, 'a posted claim is never changed'); END;

CREATE TRIGGER expense_line_late BEFORE INSERT ON expense_line
WHEN (SELECT status FROM expense_claim WHERE id = NEW.claim_id) IN ('posted', 'void')
BEGIN SELECT RAISE(ABORT, 'a posted claim is never changed'); END;

-- The numbers under which an external payroll provider takes figures.
CREATE TABLE wage_type (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    source TEXT NOT NULL CHECK (source IN (
        'worked_hours', 'overtime_hours', 'leave_days', 'sick_days', 'unpaid_days', 'holiday_days', 'base_pay', 'component'
    )),
    component_id TEXT REFERENCES pay_component (id),
    wage_type INTEGER NOT NULL CHECK (wage_type BETWEEN 1 AND 9999),
    unit TEXT NOT NULL CHECK (unit IN ('hours', 'days', 'amount')),
    processing_key INTEGER,
    CHECK ((source = 'component') = (component_id IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX wage_type_source ON wage_type (source, coalesce(component_id, ''), wage_type);
CREATE INDEX wage_type_component_id ON wage_type (component_id);  -- whether a pay component is in use

-- The files of wage data; each figure is in one of them, and later ones hold what has changed.
CREATE TABLE wage_export (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    number INTEGER NOT NULL,
    month TEXT NOT NULL,
    format TEXT NOT NULL CHECK (format IN ('lodas', 'lohn_und_gehalt', 'csv')),
    employee_ids TEXT NOT NULL,
    wage_type_ids TEXT NOT NULL,
    rows TEXT NOT NULL,
    warnings TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX wage_export_number ON wage_export (number);

CREATE TRIGGER wage_export_kept BEFORE UPDATE OF id, created_at, created_by, number, month, format,
    employee_ids, wage_type_ids ON wage_export
BEGIN SELECT RAISE(ABORT, 'a wage export is never changed'); END;

CREATE TRIGGER wage_export_names_kept BEFORE UPDATE OF rows, warnings ON wage_export
WHEN NOT EXISTS (SELECT 1 FROM erasure JOIN json_each(OLD.employee_ids) AS paid ON paid.value = person_id)
BEGIN SELECT RAISE(ABORT, 'a wage export is never changed'); END;

CREATE TRIGGER wage_export_stays BEFORE DELETE ON wage_export
BEGIN SELECT RAISE(ABORT, 'a wage export is never deleted'); END;
