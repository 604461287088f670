-- Projects, tasks and time.

CREATE TABLE project (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    code TEXT NOT NULL CHECK (length(code) BETWEEN 2 AND 8),
    name TEXT NOT NULL,
    description TEXT,
    customer_id TEXT REFERENCES contact (id),
    owner_user_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('planned', 'active', 'on_hold', 'completed', 'cancelled')),
    start_date TEXT CHECK (date(start_date) IS start_date),
    due_date TEXT CHECK (date(due_date) IS due_date),
    billing TEXT NOT NULL CHECK (billing IN ('non_billable', 'hourly', 'fixed')),
    hourly_rate INTEGER CHECK (hourly_rate >= 0),
    fixed_price INTEGER CHECK (fixed_price >= 0),
    budget_minutes INTEGER CHECK (budget_minutes >= 0),
    budget_amount INTEGER CHECK (budget_amount >= 0),
    expense_markup_percent INTEGER NOT NULL DEFAULT 0 CHECK (expense_markup_percent >= 0),
    time_billing TEXT,
    tags TEXT NOT NULL,
    archived_at TEXT,
    last_task INTEGER NOT NULL CHECK (last_task >= 0)
) STRICT;

CREATE UNIQUE INDEX project_code ON project (code);
CREATE INDEX project_customer_id ON project (customer_id);  -- the projects of a contact

CREATE TRIGGER project_files AFTER DELETE ON project
BEGIN DELETE FROM attachment WHERE resource_type = 'project' AND resource_id = OLD.id; END;

CREATE TABLE project_member (
    project_id TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    PRIMARY KEY (project_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX project_member_user_id ON project_member (user_id);  -- the projects of a user

CREATE TABLE task (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    key TEXT NOT NULL,
    project_id TEXT REFERENCES project (id),
    title TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL CHECK (status IN ('todo', 'in_progress', 'review', 'blocked', 'done', 'cancelled')),
    priority TEXT NOT NULL CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
    reporter_user_id TEXT,
    tags TEXT NOT NULL,
    parent_id TEXT REFERENCES task (id),
    start_date TEXT CHECK (date(start_date) IS start_date),
    due_date TEXT CHECK (date(due_date) IS due_date),
    estimate_minutes INTEGER CHECK (estimate_minutes >= 0),
    is_billable INTEGER,
    hourly_rate INTEGER CHECK (hourly_rate >= 0),
    repeat TEXT,
    successor_id TEXT REFERENCES task (id) ON DELETE SET NULL,
    position INTEGER NOT NULL,
    left_status TEXT,
    left_position INTEGER,
    completed_at TEXT,
    archived_at TEXT,
    employee_id TEXT REFERENCES employee (id),
    CHECK ((status = 'done') = (completed_at IS NOT NULL)),
    CHECK (archived_at IS NULL OR status IN ('done', 'cancelled')),
    CHECK (parent_id <> id)
) STRICT;

CREATE UNIQUE INDEX task_key ON task (key);
CREATE INDEX task_project_id ON task (project_id, status);  -- the tasks of a project
CREATE INDEX task_parent_id ON task (parent_id);  -- the subtasks of a task
CREATE INDEX task_employee_id ON task (employee_id);  -- the tasks about an employee
CREATE INDEX task_successor_id ON task (successor_id);  -- what names a task that is deleted
CREATE INDEX task_due_date ON task (due_date) WHERE due_date IS NOT NULL;  -- tasks that are due
CREATE UNIQUE INDEX task_board ON task (coalesce(project_id, ''), status, position);

CREATE TRIGGER task_files AFTER DELETE ON task
BEGIN DELETE FROM attachment WHERE resource_type = 'task' AND resource_id = OLD.id; END;

-- The hourly rate that a project or a task had before the present one, for time dated before a day.
CREATE TABLE past_rate (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    project_id TEXT REFERENCES project (id) ON DELETE CASCADE,
    task_id TEXT REFERENCES task (id) ON DELETE CASCADE,
    until TEXT NOT NULL CHECK (date(until) IS until),
    hourly_rate INTEGER CHECK (hourly_rate >= 0),
    CHECK ((project_id IS NULL) <> (task_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX past_rate_project_id ON past_rate (project_id, until) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX past_rate_task_id ON past_rate (task_id, until) WHERE task_id IS NOT NULL;

CREATE TABLE task_assignee (
    task_id TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    PRIMARY KEY (task_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_assignee_user_id ON task_assignee (user_id);  -- the tasks of a user

CREATE TABLE task_dependency (
    task_id TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    depends_on_id TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    PRIMARY KEY (task_id, depends_on_id),
    CHECK (task_id <> depends_on_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_dependency_depends_on_id ON task_dependency (depends_on_id);  -- what waits for a task

CREATE TABLE task_comment (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    task_id TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX task_comment_task_id ON task_comment (task_id);  -- the comments on a task

CREATE TABLE time_log (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    task_id TEXT NOT NULL REFERENCES task (id),
    project_id TEXT REFERENCES project (id),
    user_id TEXT NOT NULL,
    date TEXT NOT NULL CHECK (date(date) IS date),
    started_at TEXT,
    ended_at TEXT,
    minutes INTEGER NOT NULL CHECK (minutes BETWEEN 1 AND 1440),
    note TEXT,
    is_billable INTEGER NOT NULL,
    hourly_rate INTEGER CHECK (hourly_rate >= 0),
    amount INTEGER NOT NULL CHECK (amount >= 0),
    cost_rate INTEGER CHECK (cost_rate >= 0),
    cost INTEGER CHECK (cost >= 0),
    invoice_id TEXT REFERENCES invoice (id),
    invoice_line INTEGER,
    billed_minutes INTEGER CHECK (billed_minutes >= 0),
    CHECK ((cost_rate IS NULL) = (cost IS NULL)),
    CHECK ((started_at IS NULL) = (ended_at IS NULL)),
    CHECK (started_at < ended_at),
    CHECK (ended_at < strftime('%Y-%m-%dT%H:%M:%fZ', started_at, '+2 days')),
    CHECK ((invoice_id IS NULL) = (invoice_line IS NULL)),
    CHECK (is_billable OR amount = 0)
) STRICT;

-- sums by task, read from the index alone
CREATE INDEX time_log_task_id ON time_log (task_id, date, id, is_billable, invoice_id, minutes, amount);
-- sums by project, likewise
CREATE INDEX time_log_project_id ON time_log (project_id, date, id, is_billable, invoice_id, minutes, amount);
-- sums by user, likewise
CREATE INDEX time_log_user_id ON time_log (user_id, date, id, is_billable, invoice_id, minutes, amount);
-- whether two spans of a user overlap
CREATE INDEX time_log_span ON time_log (user_id, started_at, ended_at) WHERE started_at IS NOT NULL;
CREATE INDEX time_log_date ON time_log (date, id, is_billable, invoice_id, minutes, amount);  -- sums by day, likewise
-- the time on an invoice
CREATE INDEX time_log_invoice_id ON time_log (invoice_id, invoice_line) WHERE invoice_id IS NOT NULL;

CREATE TRIGGER time_log_invoiced BEFORE UPDATE OF id, task_id, project_id, user_id, date, started_at, ended_at, minutes,
    note, is_billable, hourly_rate, amount, billed_minutes ON time_log
WHEN OLD.invoice_id IS NOT NULL AND NEW.invoice_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'invoiced time is never changed'); END;

CREATE TRIGGER time_log_stays BEFORE DELETE ON time_log
WHEN OLD.invoice_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'invoiced time is never deleted'); END;

CREATE TRIGGER time_log_apart BEFORE INSERT ON time_log
WHEN NEW.started_at IS NOT NULL AND EXISTS (
    SELECT 1 FROM time_log
    WHERE user_id = NEW.user_id AND started_at < NEW.ended_at AND ended_at > NEW.started_at
    AND started_at > strftime('%Y-%m-%dT%H:%M:%fZ', NEW.started_at, '-2 days'))
BEGIN SELECT RAISE(ABORT, 'two time entries of one person overlap'); END;

CREATE TRIGGER time_log_kept_apart BEFORE UPDATE OF user_id, started_at, ended_at ON time_log
WHEN NEW.started_at IS NOT NULL AND EXISTS (
    SELECT 1 FROM time_log
    WHERE user_id = NEW.user_id AND started_at < NEW.ended_at AND ended_at > NEW.started_at
    AND started_at > strftime('%Y-%m-%dT%H:%M:%fZ', NEW.started_at, '-2 days') AND id <> OLD.id)
BEGIN SELECT RAISE(ABORT, 'two time entries of one person overlap'); END;

-- A person's week of time, or its part in a month, since it was first submitted or asked for.
CREATE TABLE time_week (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    created_by TEXT,
    user_id TEXT NOT NULL,
    date_from TEXT NOT NULL CHECK (date(date_from) IS date_from),
    date_to TEXT NOT NULL CHECK (date(date_to) IS date_to),
    status TEXT NOT NULL CHECK (status IN ('open', 'submitted', 'approved')),
    note TEXT,
    logged_minutes INTEGER,
    billable_minutes INTEGER,
    submitted_at TEXT,
    decided_by TEXT,
    decided_at TEXT,
    CHECK ((submitted_at IS NULL) = (logged_minutes IS NULL)),
    CHECK ((submitted_at IS NULL) = (billable_minutes IS NULL)),
    CHECK (date_from <= date_to AND date_to <= date(date_from, '+6 days')),
    CHECK ((status = 'open') = (submitted_at IS NULL)),
    CHECK (status <> 'approved' OR decided_at IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX time_week_user_id ON time_week (user_id, date_from, date_to);
CREATE INDEX time_week_status ON time_week (status, date_from);  -- the weeks to decide on

CREATE TRIGGER time_log_not_added BEFORE INSERT ON time_log
WHEN EXISTS (
    SELECT 1 FROM time_week
    WHERE user_id = NEW.user_id AND NEW.date BETWEEN date_from AND date_to AND status <> 'open')
BEGIN SELECT RAISE(ABORT, 'a submitted week takes no time'); END;

CREATE TRIGGER time_log_kept BEFORE UPDATE OF id, task_id, user_id, date, started_at, ended_at, minutes, note,
    is_billable, hourly_rate ON time_log
WHEN EXISTS (
    SELECT 1 FROM time_week WHERE status <> 'open' AND (
        (user_id = OLD.user_id AND OLD.date BETWEEN date_from AND date_to)
        OR (user_id = NEW.user_id AND NEW.date BETWEEN date_from AND date_to)))
BEGIN SELECT RAISE(ABORT, 'the time of a submitted week is never changed'); END;

CREATE TRIGGER time_log_not_removed BEFORE DELETE ON time_log
WHEN EXISTS (
    SELECT 1 FROM time_week
    WHERE user_id = OLD.user_id AND OLD.date BETWEEN date_from AND date_to AND status <> 'open')
BEGIN SELECT RAISE(ABORT, 'the time of a submitted week is never deleted'); END;

CREATE TRIGGER time_log_cost_kept BEFORE UPDATE OF cost_rate, cost ON time_log
WHEN OLD.cost_rate IS NOT NULL AND EXISTS (
    SELECT 1 FROM time_week
    WHERE user_id = OLD.user_id AND OLD.date BETWEEN date_from AND date_to AND status = 'approved')
BEGIN SELECT RAISE(ABORT, 'the cost of approved time is never changed'); END;

CREATE TABLE timer (
    user_id TEXT NOT NULL PRIMARY KEY,
    task_id TEXT NOT NULL REFERENCES task (id),
    started_at TEXT NOT NULL,
    note TEXT,
    is_billable INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX timer_task_id ON timer (task_id);  -- the timers on a task
