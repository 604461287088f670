"""The table of share links."""

from typing import Literal

from peewee import IntegerField, TextField

from erp.kernel import clock
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord

SubjectType = Literal["invoice", "quote"]


class ShareLink(WorkspaceRecord):
    """A secret that opens one document; only its SHA-256 is stored, and of a PIN the argon2 hash.

    `wrong_pins` counts all wrong PINs, `wrong_in_row` those since the last right one or the last wait.
    `message_id` names the message that brings it.
    """

    noun = Noun("share link")
    derived = frozenset(
        {"token_hash", "pin_hash", "last_seen_at", "seen_count", "wrong_pins", "wrong_in_row", "locked_until"}
        | {"message_id", "revoked_at"}
    )
    """No event has a hash; a copy of the workspace has none, and its links are revoked."""

    subject_type = TextField()
    subject_id = TextField()
    message_id = TextField(null=True)
    token_hash = TextField()
    pin_hash = TextField(null=True)
    expires_at = TextField()
    first_seen_at = TextField(null=True)
    last_seen_at = TextField(null=True)
    seen_count = IntegerField(default=0)
    wrong_pins = IntegerField(default=0)
    wrong_in_row = IntegerField(default=0)
    locked_until = TextField(null=True)
    revoked_at = TextField(null=True)

    @property
    def is_live(self) -> bool:
        """Whether it opens its document now, given its PIN if it has one."""
        return self.revoked_at is None and clock.stamp() < self.expires_at
