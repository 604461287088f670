"""The control file: users, sessions, workspaces, members, invites; who may come in, and to what.

Everything of a workspace but its name, status and people is in the workspace's own file. A change here that the
workspace's log must tell of leaves its event in `Outbox` in the same transaction; `erp.store.events` moves it over.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from peewee import BlobField, BooleanField, CompositeKey, ForeignKeyField, IntegerField, Model, TextField

from erp.kernel import config
from erp.store.records import ControlRecord
from erp.store.router import CONTROL, WORKSPACE


class User(ControlRecord):
    """A person who can sign in; one without a time zone of her own lives by that of the workspace she is in."""

    noun = "user"

    email = TextField()
    email_key = TextField(unique=True)
    name = TextField()
    password_hash = TextField()
    locale = TextField(default="en")
    time_zone = TextField(null=True)
    is_instance_admin = BooleanField(default=False)
    status = TextField(default="active")


class Workspace(ControlRecord):
    """A tenant: one file of its own.

    `fault` says why its file cannot be used, if so; `status` is then `unavailable`, else it is `state`. The tip is
    the newest event of the file (its seq and hash) as last noted: by it a tail that was cut off is found out.
    """

    noun = "workspace"

    name = TextField()
    state = TextField(default="creating")
    fault = TextField(null=True)
    status = TextField()  # SQLite derives it
    tip_seq = IntegerField(default=0)
    tip_hash = TextField(null=True)
    created_by = TextField()


class Session(ControlRecord):
    """A signed-in browser, or a named token of a script; the token itself is not kept, only its SHA-256."""

    noun = "session"

    token_hash = TextField(unique=True)
    user = ForeignKeyField(User, lazy_load=False, on_delete="CASCADE")
    user_id: str
    kind = TextField(default="session")
    name = TextField(null=True)
    active_workspace_id = TextField(null=True)
    read_only = BooleanField(default=False)
    last_used_at = TextField()
    expires_at = TextField(null=True)
    address = TextField(null=True)
    user_agent = TextField(null=True)


class Member(ControlRecord):
    """A user in a workspace, with a role."""

    noun = "member"

    workspace = ForeignKeyField(Workspace, lazy_load=False, on_delete="CASCADE")
    workspace_id: str
    user = ForeignKeyField(User, lazy_load=False, on_delete="CASCADE")
    user_id: str
    role = TextField()
    status = TextField(default="active")
    joined_at = TextField()

    class Meta:
        indexes = ((("workspace", "user"), True),)


class Invite(ControlRecord):
    """An offer to join a workspace, bound to an e-mail address; its token is kept only as SHA-256."""

    noun = "invite"

    workspace = ForeignKeyField(Workspace, lazy_load=False, on_delete="CASCADE")
    workspace_id: str
    email = TextField()
    email_key = TextField()
    role = TextField()
    status = TextField(default="pending")
    token_hash = TextField(unique=True)
    invited_by = TextField()
    expires_at = TextField()
    accepted_at = TextField(null=True)


class PasswordReset(ControlRecord):
    """A one-time link with which a user sets a new password."""

    user = ForeignKeyField(User, lazy_load=False, on_delete="CASCADE")
    user_id: str
    token_hash = TextField(unique=True)
    expires_at = TextField()
    used_at = TextField(null=True)


class CalendarAddress(ControlRecord):
    """A secret address under which a calendar program reads what a user has to do in a workspace, or who is out.

    The secret is kept only as SHA-256; `kind` says which calendar, of `tasks` and `leave`.
    """

    noun = "calendar address"

    workspace = ForeignKeyField(Workspace, lazy_load=False, on_delete="CASCADE")
    workspace_id: str
    user = ForeignKeyField(User, lazy_load=False, on_delete="CASCADE")
    user_id: str
    kind = TextField()
    token_hash = TextField(unique=True)

    class Meta:
        indexes = ((("workspace", "user", "kind"), True),)


class Outbox(Model):
    """An event of the control file on its way into a workspace's log."""

    id = TextField(primary_key=True)
    workspace_id = TextField(index=True)
    event = TextField()

    class Meta:
        database = CONTROL
        legacy_table_names = False


class Idempotency(Model):
    """The first answer given to a user under an Idempotency-Key."""

    user_id = TextField()
    key = TextField()
    fingerprint = TextField()
    status = IntegerField()
    headers = TextField()
    body = BlobField()
    created_at = TextField(index=True)

    class Meta:
        database = CONTROL
        legacy_table_names = False
        primary_key = CompositeKey("user_id", "key")


def email_key(email: str) -> str:
    """The form of an e-mail address by which two are the same."""
    return unicodedata.normalize("NFC", email).casefold()


@contextmanager
def read() -> Iterator[None]:
    """Open the control file for a consistent look."""
    with CONTROL.scope(config.current().control_path, write=False):
        yield


@contextmanager
def write() -> Iterator[None]:
    """Open the control file for a change, as one transaction."""
    with CONTROL.scope(config.current().control_path, write=True):
        yield


def workspace_path(workspace_id: str) -> Path:
    """Where a workspace's file lies."""
    return config.current().workspaces_dir / f"{workspace_id}.db"


@contextmanager
def open_workspace(workspace_id: str, *, write: bool) -> Iterator[None]:
    """Open a workspace's file, as one transaction."""
    with WORKSPACE.scope(workspace_path(workspace_id), write=write):
        yield
