-- The control file: the users of the installation, and which workspaces there are.

CREATE TABLE user (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    locale TEXT NOT NULL,
    time_zone TEXT,
    is_instance_admin INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'disabled'))
) STRICT;

CREATE UNIQUE INDEX user_email_key ON user (email_key);

CREATE TABLE preference (
    id TEXT NOT NULL PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    theme TEXT NOT NULL CHECK (theme IN ('system', 'light', 'dark')),
    single_keys INTEGER NOT NULL CHECK (single_keys IN (0, 1)),
    screens TEXT NOT NULL,
    workspace_id TEXT
) STRICT;

CREATE TABLE session (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('session', 'token')),
    name TEXT,
    active_workspace_id TEXT,
    is_read_only INTEGER NOT NULL,
    scopes TEXT,
    last_used_at TEXT NOT NULL,
    expires_at TEXT,
    address TEXT,
    user_agent TEXT,
    is_browser INTEGER NOT NULL CHECK (is_browser IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX session_token_hash ON session (token_hash);
CREATE INDEX session_user_id ON session (user_id);  -- the sessions of a user

-- The secret of a user's app; it counts from when it was confirmed.
CREATE TABLE second_factor (
    id TEXT NOT NULL PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    secret TEXT NOT NULL,
    confirmed_at TEXT,
    last_step INTEGER NOT NULL
) STRICT;

CREATE TABLE recovery_code (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL,
    used_at TEXT
) STRICT;

CREATE INDEX recovery_code_user_id ON recovery_code (user_id);  -- the codes of a user

CREATE TABLE password_reset (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT
) STRICT;

CREATE UNIQUE INDEX password_reset_token_hash ON password_reset (token_hash);
CREATE INDEX password_reset_user_id ON password_reset (user_id);  -- the links of a user

CREATE TABLE calendar_address (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('tasks', 'leave')),
    token_hash TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX calendar_address_token_hash ON calendar_address (token_hash);
CREATE UNIQUE INDEX calendar_address_workspace_id_user_id_kind ON calendar_address (workspace_id, user_id, kind);
CREATE INDEX calendar_address_user_id ON calendar_address (user_id);  -- the addresses of a user

-- Time clocks on a wall.
CREATE TABLE kiosk (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    created_by TEXT NOT NULL,
    name TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    last_used_at TEXT,
    site_id TEXT  -- in the workspace's file; null where people of all sites clock in
) STRICT;

CREATE UNIQUE INDEX kiosk_token_hash ON kiosk (token_hash);
CREATE INDEX kiosk_workspace_id ON kiosk (workspace_id);  -- the kiosks of a workspace

CREATE TABLE workspace (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('creating', 'active', 'archived')),
    fault TEXT,
    status TEXT NOT NULL GENERATED ALWAYS AS (CASE WHEN fault IS NULL THEN state ELSE 'unavailable' END),
    tip_seq INTEGER NOT NULL DEFAULT 0,
    tip_hash TEXT,
    created_by TEXT NOT NULL,
    history TEXT,
    requires_two_factor INTEGER NOT NULL DEFAULT 0 CHECK (requires_two_factor IN (0, 1)),
    is_sample INTEGER NOT NULL DEFAULT 0 CHECK (is_sample IN (0, 1))
) STRICT;

CREATE TABLE member (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
    joined_at TEXT NOT NULL,
    access_ends_at TEXT
) STRICT;

CREATE INDEX member_user_id ON member (user_id);  -- the workspaces of a user
CREATE UNIQUE INDEX member_workspace_id_user_id ON member (workspace_id, user_id);

CREATE TABLE invite (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    role TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'revoked', 'expired')),
    token_hash TEXT NOT NULL,
    invited_by TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    accepted_at TEXT
) STRICT;

CREATE UNIQUE INDEX invite_token_hash ON invite (token_hash);
CREATE INDEX invite_workspace_id ON invite (workspace_id);  -- the invites of a workspace, also former ones
CREATE UNIQUE INDEX invite_pending ON invite (workspace_id, email_key) WHERE status = 'pending';

-- Events on their way to the log of a workspace.
CREATE TABLE outbox (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    event TEXT NOT NULL
) STRICT;

CREATE INDEX outbox_workspace_id ON outbox (workspace_id);  -- what waits for a workspace

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

-- The id of the installation, in one row; a copy and a restored backup have the same. `copied_at`: when a verified backup
-- was last put in another place.
CREATE TABLE installation (
    id TEXT NOT NULL PRIMARY KEY,
    copied_at TEXT
) STRICT;

CREATE TABLE installation_secret (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- How often this file was changed, in one row: noted outside of it as well, so that a loss is detected. Only within a
-- history do numbers compare; a restore begins another.
CREATE TABLE change_count (
    number INTEGER NOT NULL,
    history TEXT NOT NULL
) STRICT;
