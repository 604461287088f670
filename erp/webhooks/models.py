"""The tables of webhooks."""

from typing import Literal

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id

OffReason = Literal["by_hand", "failing", "gone", "copied"]
"""Why a webhook is off: switched off by a person; it failed too long; its address answered 410 Gone; or the workspace
is a copy, which must not repeat the original's messages.
"""

Status = Literal["delivered", "waiting", "given_up"]


class Webhook(WorkspaceRecord):
    """An address to which the events of the workspace are sent; no `event_types` are all.

    `position` is the `seq` of the last event of the log that was handled: sent, tried, or skipped. `failures` counts
    the failed tries since the last success; after a few, nothing is tried before `resting_until`.
    """

    noun = Noun("webhook")
    sealed = frozenset({"url"})
    derived = frozenset({"position", "failures", "failing_since", "resting_until", "off_at", "off_reason"})

    url = TextField()
    event_types = JSONField()
    note = TextField(null=True)
    position = IntegerField()
    failures = IntegerField(default=0)
    failing_since = TextField(null=True)
    resting_until = TextField(null=True)
    off_at = TextField(null=True)
    off_reason = TextField(null=True)

    @property
    def is_active(self) -> bool:
        """Whether events are sent."""
        return self.off_at is None


class WebhookSecret(WorkspaceTable):
    """A key that signs the deliveries of a webhook; a replaced one signs too, until `valid_until`."""

    is_recorded = False

    id = TextField(primary_key=True, default=new_id)
    webhook = ForeignKeyField(Webhook, lazy_load=False)
    secret = TextField()
    valid_until = TextField(null=True)

    webhook_id: str


class WebhookDelivery(WorkspaceTable):
    """An event that was sent to a webhook, with the last response; a test has no `seq`."""

    is_recorded = False

    id = TextField(primary_key=True, default=new_id)
    webhook = ForeignKeyField(Webhook, lazy_load=False)
    seq = IntegerField(null=True)
    event_id = TextField()
    event_type = TextField()
    status = TextField()
    tries = IntegerField()
    first_at = TextField()
    last_at = TextField()
    next_at = TextField(null=True)
    response_status = IntegerField(null=True)
    duration_ms = IntegerField()
    problem = TextField(null=True)
    answer = TextField(null=True)

    webhook_id: str
