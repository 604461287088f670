"""Messages: an event as `GET /workspace/events` shows it, in the envelope of Standard Webhooks."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from erp.kernel import clock
from erp.store.events import Event
from erp.store.records import new_id
from erp.web.event_view import EventView
from erp.web.schema import enc_hook
from erp.webhooks import signing

TEST = "webhook.test"
"""The type of a test message; no event of the log has it."""

_ENCODER = msgspec.json.Encoder(enc_hook=enc_hook)


class Message(NamedTuple):
    """A message. Its id is the event's in every try, so that a receiver recognises it."""

    id: str
    type: str
    body: bytes

    def headers(self, keys: Sequence[str]) -> dict[str, str]:
        """The headers of a try made now."""
        now = int(clock.now().timestamp())
        return {
            "webhook-id": self.id,
            "webhook-timestamp": str(now),
            "webhook-signature": signing.signatures(keys, self.id, now, self.body),
        }


def of_event(event: Event) -> Message:
    return _message(event.id, event.type, event.occurred_at, EventView.of(event))


def of_test() -> Message:
    """A message without an event."""
    return _message(new_id(), TEST, clock.stamp(), {"message": "This is a test of a webhook."})


def _message(id: str, type: str, timestamp: str, data: Any) -> Message:
    return Message(id, type, _ENCODER.encode({"type": type, "timestamp": timestamp, "data": data}))
