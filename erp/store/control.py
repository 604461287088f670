"""The control file: users, sessions, workspaces, members and invites.

Everything about a workspace except its name, status and people is in the workspace's own file. A change here that
belongs in the workspace's log leaves its event in `Outbox` in the same transaction; `erp.store.events` moves it there.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from peewee import BlobField, BooleanField, CompositeKey, ForeignKeyField, IntegerField, JSONField, Model, TextField

from erp.kernel import caller, clock, config
from erp.kernel.errors import SampleData
from erp.kernel.language import Noun
from erp.store.records import ControlRecord
from erp.store.router import CONTROL, WORKSPACE
from erp.store.tips import Tip


class User(ControlRecord):
    """A person who can sign in; without a time zone of their own, the workspace's applies."""

    noun = Noun("user")

    email = TextField()
    email_key = TextField()
    name = TextField()
    password_hash = TextField()
    locale = TextField(default="en")
    time_zone = TextField(null=True)
    is_instance_admin = BooleanField(default=False)
    status = TextField(default="active")


class Preference(ControlRecord):
    """A user's preferences: a row for each user, with the user's id; `screens` is JSON.

    `workspace_id` is the workspace that they have selected last, if any; they may have left it since.
    """

    noun = Noun("user")

    theme = TextField(default="system")
    single_keys = BooleanField(default=True)
    screens = TextField(default="{}")
    workspace_id = TextField(null=True)


class Workspace(ControlRecord):
    """A tenant, with a file of its own.

    If its file cannot be used, `fault` says why and `status` is `unavailable`; else `status` is `state`. The tip is
    the seq and the hash of the newest event in the file when last noted; it shows if later events were cut off.
    A restore begins another `history`: backups of the one before do not vouch for the file any more. Anyone who enters
    a workspace that `requires_two_factor` must have a second factor. One that `is_sample` has made-up data: nothing
    leaves it, no backup has it, and its owner can delete it.
    """

    noun = Noun("workspace")

    name = TextField()
    state = TextField(default="creating")
    fault = TextField(null=True)
    status = TextField()  # derived by the database
    tip_seq = IntegerField(default=0)
    tip_hash = TextField(null=True)
    created_by = TextField()
    history = TextField(null=True)
    requires_two_factor = BooleanField(default=False)
    is_sample = BooleanField(default=False)

    @property
    def tip(self) -> tuple[int, str] | None:
        """The noted event, if any."""
        return (self.tip_seq, self.tip_hash) if self.tip_hash else None


class Session(ControlRecord):
    """A signed-in browser, or a script's named token; only the SHA-256 of the token is stored."""

    noun = Noun("session")

    token_hash = TextField()
    user = ForeignKeyField(User, lazy_load=False, on_delete="CASCADE")
    user_id: str
    kind = TextField(default="session")
    name = TextField(null=True)
    active_workspace_id = TextField(null=True)
    is_read_only = BooleanField(default=False)
    scopes = JSONField(null=True)
    last_used_at = TextField()
    expires_at = TextField(null=True)
    address = TextField(null=True)
    user_agent = TextField(null=True)
    is_browser = BooleanField(default=False)


class Member(ControlRecord):
    """A user in a workspace, with a role."""

    noun = Noun("member")

    workspace = ForeignKeyField(Workspace, lazy_load=False, on_delete="CASCADE")
    workspace_id: str
    user = ForeignKeyField(User, lazy_load=False, on_delete="CASCADE")
    user_id: str
    role = TextField()
    status = TextField(default="active")
    joined_at = TextField()
    access_ends_at = TextField(null=True)

    @classmethod
    def has_access(cls) -> Any:
        """The condition that a member may enter the workspace now."""
        now = clock.stamp()
        return (cls.status == "active") & (cls.access_ends_at.is_null() | (cls.access_ends_at > now))


MAY_ENTER = "(m.status = 'active' AND (m.access_ends_at IS NULL OR m.access_ends_at > ?))"
"""The same in SQL, of the member `m`; its parameter is the present time."""


class Invite(ControlRecord):
    """An offer to join a workspace, bound to an e-mail address; only the SHA-256 of its token is stored."""

    noun = Noun("invite")

    workspace = ForeignKeyField(Workspace, lazy_load=False, on_delete="CASCADE")
    workspace_id: str
    email = TextField()
    email_key = TextField()
    role = TextField()
    status = TextField(default="pending")
    token_hash = TextField()
    invited_by = TextField()
    expires_at = TextField()
    accepted_at = TextField(null=True)


class PasswordReset(ControlRecord):
    """A one-time link by which a user sets a new password."""

    user = ForeignKeyField(User, lazy_load=False, on_delete="CASCADE")
    user_id: str
    token_hash = TextField()
    expires_at = TextField()
    used_at = TextField(null=True)


class SecondFactor(ControlRecord):
    """The setup key of a user's authenticator: a row for a user, with the user's id; it counts once it is confirmed.

    The secret is in base 32. `last_step` is the step of time of the last code that was used, so that none counts twice.
    """

    noun = Noun("user")

    secret = TextField()
    confirmed_at = TextField(null=True)
    last_step = IntegerField(default=0)


class RecoveryCode(ControlRecord):
    """A code that counts once, for a user who has lost the app; only its SHA-256 is stored."""

    user = ForeignKeyField(User, lazy_load=False, on_delete="CASCADE")
    user_id: str
    code_hash = TextField()
    used_at = TextField(null=True)


LACKS_TWO_FACTOR = (
    "w.requires_two_factor AND NOT EXISTS"
    " (SELECT 1 FROM second_factor AS f WHERE f.id = m.user_id AND f.confirmed_at IS NOT NULL)"
)
"""SQL condition: a member `m` of a workspace `w` may not enter it yet."""


class CalendarAddress(ControlRecord):
    """A secret address at which a calendar program reads a user's tasks in a workspace, or who is on leave there.

    Only the SHA-256 of the secret is stored; `kind` is `tasks` or `leave`.
    """

    noun = Noun("calendar address")

    workspace = ForeignKeyField(Workspace, lazy_load=False, on_delete="CASCADE")
    workspace_id: str
    user = ForeignKeyField(User, lazy_load=False, on_delete="CASCADE")
    user_id: str
    kind = TextField()
    token_hash = TextField()


class Kiosk(ControlRecord):
    """A time clock on a wall, at which the people of a workspace clock in and out; its token is stored as SHA-256."""

    noun = Noun("kiosk")

    workspace = ForeignKeyField(Workspace, lazy_load=False, on_delete="CASCADE")
    workspace_id: str
    created_by = TextField()
    name = TextField()
    token_hash = TextField()
    last_used_at = TextField(null=True)
    site_id = TextField(null=True)


class Outbox(Model):
    """An event of the control file on its way into a workspace's log."""

    id = TextField(primary_key=True)
    workspace_id = TextField()
    event = TextField()

    class Meta:
        database = CONTROL
        legacy_table_names = False


class Idempotency(Model):
    """The first answer that a user got under an Idempotency-Key."""

    user_id = TextField()
    key = TextField()
    fingerprint = TextField()
    status = IntegerField()
    headers = TextField()
    body = BlobField()
    created_at = TextField()

    class Meta:
        database = CONTROL
        legacy_table_names = False
        primary_key = CompositeKey("user_id", "key")


def email_key(email: str) -> str:
    """An e-mail address in canonical form: equal texts for equal addresses."""
    return unicodedata.normalize("NFC", email).casefold()


def read() -> AbstractContextManager[None]:
    """Open the control file to read one consistent snapshot."""
    return CONTROL.scope(config.current().control_path, write=False)


def look_up(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of one query of the control file, which is not open."""
    return CONTROL.look_up(config.current().control_path, sql, parameters)


@contextmanager
def write() -> Iterator[None]:
    """Open the control file to change it in one transaction."""
    with note():
        connection = CONTROL.connection()
        before = connection.total_changes
        yield
        if connection.total_changes != before:
            connection.execute("UPDATE change_count SET number = number + 1")


def note() -> AbstractContextManager[None]:
    """Open the control file to note what no one is told of.

    It does not count as a change: if it is lost, the file is still whole.
    """
    return CONTROL.scope(config.current().control_path, write=True)


def newest_change() -> Tip:
    """The number of changes of the open control file, and its history."""
    return CONTROL.tip() or (0, "")


def loss(noted: Tip, noted_by: str = "") -> str | None:
    """The message if the open control file lacks a change that was noted outside of the file; else None.

    Args:
        noted: the number of the change, and the history of the file.
        noted_by: where, as a clause such as ", as the backup of Monday notes".
    """
    (number, history), (noted_number, noted_history) = newest_change(), noted
    if history != noted_history:
        return f"It is not the file that was there before{noted_by}."
    if number >= noted_number:
        return None
    return (
        f"It has {number} changes, but {noted_number} were there before{noted_by}. The newest changes were cut off, or "
        "the file was replaced by an older one."
    )


def refuse_sample() -> None:
    """Refuse something that leaves the caller's workspace, if that has made-up data.

    Raises:
        SampleData: it has.
    """
    find = look_up if CONTROL.is_closed() else CONTROL.rows
    if find("SELECT 1 FROM workspace WHERE id = ? AND is_sample", (caller.current().workspace_id,)):
        raise SampleData


def workspace_path(workspace_id: str) -> Path:
    """The path of a workspace's file."""
    return _in_folder(config.current().workspaces_dir, workspace_id)


@lru_cache(maxsize=256)
def _in_folder(folder: Path, workspace_id: str) -> Path:
    return folder / f"{workspace_id}.db"


def open_workspace(workspace_id: str, *, write: bool) -> AbstractContextManager[None]:
    """Open a workspace's file for one transaction."""
    return WORKSPACE.scope(workspace_path(workspace_id), write=write)


def reading_own() -> AbstractContextManager[None]:
    """Open the file of the workspace that the caller acts in, to read it outside of the request's transaction."""
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    return open_workspace(workspace_id, write=False)
