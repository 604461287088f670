"""The tables of webhooks."""

from typing import Literal

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id

OffReason = Literal["by_hand", "failing", "gone", "copied"]
"""Why a webhook is off: switched off by a person; for it failed too long; for its address answered 410 Gone; or because
the workspace is a copy, which must not send what the original sends.
"""

Status = Literal["delivered", "waiting", "given_up"]


class Webhook(WorkspaceRecord):
    """An address to which the events of the workspace are sent; no `event_types` are all.

    `position` is the `seq` of the last event of the log that was taken up: sent, tried, or passed over. `failures`
    counts the tries that failed since the last that did not; after a few, nothing is tried before `resting_until`.
    """

    noun = "webhook"
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
    """What deliveries of a webhook are signed with; one that was replaced signs too, `valid_until` then."""

    is_recorded = False

    id = TextField(primary_key=True, default=new_id)
    webhook = ForeignKeyField(Webhook, lazy_load=False)
    secret = TextField()
    valid_until = TextField(null=True)

    webhook_id: str


class WebhookDelivery(WorkspaceTable):
    """An event that was sent to a webhook, and what came back the last time; a test has no `seq`."""

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
