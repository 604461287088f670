"""Deliveries: the next event of a webhook, the notes of a try, and the time of the next one.

Events are sent in the order of the log. One that fails is kept with the time of its next try and holds up no other.
Where several tries in a row have failed, whichever events they were about, nothing is tried for a while: an address
that does not answer is asked every few minutes, not for each event.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from erp.delivery import waits
from erp.kernel import clock
from erp.kernel.errors import InvalidTransition, NotFound
from erp.kernel.language import says
from erp.store.events import Event
from erp.store.router import WORKSPACE
from erp.store.sql import array
from erp.webhooks import webhooks
from erp.webhooks.messages import Message
from erp.webhooks.models import Webhook, WebhookDelivery
from erp.webhooks.posting import Outcome

PATIENCE = timedelta(days=5)
"""The time of failing tries after which a webhook is switched off."""

FAILURES_BEFORE_REST = 3
SHORTEST_REST, LONGEST_REST = timedelta(seconds=5), timedelta(minutes=5)

KEPT = timedelta(days=30)
"""The time for which finished deliveries are kept."""

GONE = 410

log = logging.getLogger("erp.webhooks")


class Job(NamedTuple):
    """An event to send now, signed with these keys."""

    webhook_id: str
    url: str
    keys: list[str]
    event: Event
    is_retry: bool


class State(NamedTuple):
    """The state of an active webhook.

    Nothing is tried before `not_before`; its earliest retry is at `retry_at`.
    """

    id: str
    changed_at: str
    position: int
    not_before: str | None
    retry_at: str | None

    @property
    def is_resting(self) -> bool:
        """Whether nothing is tried now."""
        return self.not_before is not None and self.not_before > clock.stamp()

    @property
    def is_retry_due(self) -> bool:
        """Whether an event is to be tried again now."""
        return self.retry_at is not None and self.retry_at <= clock.stamp()


_STATES = (
    "SELECT id, updated_at, position, resting_until,"
    " (SELECT min(next_at) FROM webhook_delivery WHERE webhook_id = webhook.id AND next_at IS NOT NULL)"
    " FROM webhook WHERE off_at IS NULL"
)


def states() -> list[State]:
    """The active webhooks of the open workspace."""
    return [State(*row) for row in WORKSPACE.rows(f"{_STATES} ORDER BY id")]


def state(id: str) -> State | None:
    """An active webhook."""
    rows = WORKSPACE.rows(f"{_STATES} AND id = ?", (id,))
    return State(*rows[0]) if rows else None


_DUE = (
    "SELECT seq FROM webhook_delivery WHERE webhook_id = ? AND next_at IS NOT NULL AND next_at <= ?"
    " ORDER BY next_at, id LIMIT 1"
)
_NEXT = "SELECT seq FROM event WHERE seq > ? AND resource_type <> 'view' ORDER BY seq LIMIT 1"
_NEXT_OF_TYPES = "SELECT seq FROM event WHERE seq > ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT 1"


def next_job(id: str, after: int) -> Job | None:
    """The next job of an active webhook: a due retry, else the next event of the log.

    Args:
        after: the `seq` up to which no event remains to be sent.
    """
    webhook = Webhook.find(id)
    due = WORKSPACE.rows(_DUE, (id, clock.stamp()))
    seq = due[0][0] if due else _next_seq(webhook, after)
    event = None if seq is None else Event.find_by(seq=seq)
    if event is None:
        return None
    return Job(id, webhook.url, webhooks.secrets_of(id), event, is_retry=bool(due))


def _next_seq(webhook: Webhook, after: int) -> int | None:
    if webhook.event_types:
        rows = WORKSPACE.rows(_NEXT_OF_TYPES, (after, array(webhook.event_types)))
    else:
        rows = WORKSPACE.rows(_NEXT, (after,))
    return int(rows[0][0]) if rows else None


def note(job: Job, outcome: Outcome) -> None:
    """Note the outcome of a try, in the workspace that is open for writing.

    The webhook may have been deleted meanwhile, or the workspace's file replaced by one without the event.
    """
    webhook = Webhook.find_or_none(job.webhook_id)
    event = Event.find_by(seq=job.event.seq, id=job.event.id)
    if webhook is None or event is None:
        return
    position = webhook.position if job.is_retry else max(webhook.position, job.event.seq)
    delivery = _noted(webhook, job, outcome)
    failures = webhook.failures + 1 if outcome.problem else 0
    now = clock.now()
    since = (webhook.failing_since or clock.stamp(now)) if failures and webhook.is_active else None
    resting_until = clock.stamp(now + _rest(failures)) if since and failures >= FAILURES_BEFORE_REST else None
    WORKSPACE.run(
        "UPDATE webhook SET position = ?, failures = ?, failing_since = ?, resting_until = ? WHERE id = ?",
        (position, failures if since else 0, since, resting_until, webhook.id),
    )
    if outcome.problem and webhook.is_active:
        _log_failure(job, delivery)
        _switch_off_if_hopeless(webhook.id, outcome, now)


def _noted(webhook: Webhook, job: Job, outcome: Outcome) -> WebhookDelivery:
    """The delivery with the outcome of the try."""
    before = WebhookDelivery.find_by(webhook_id=webhook.id, seq=job.event.seq)
    tries = 1 if before is None else before.tries + 1
    next_at = _next_try(tries) if outcome.problem and webhook.is_active else None
    values = _result(outcome) | {"status": _status(outcome, next_at), "tries": tries, "next_at": next_at}
    if before is None:
        return _add(webhook.id, job.event.seq, (job.event.id, job.event.type), values)
    columns = ", ".join(f"{name} = ?" for name in values)
    WORKSPACE.run(f"UPDATE webhook_delivery SET {columns} WHERE id = ?", (*values.values(), before.id))
    return find(before.id)


def _next_try(tries: int) -> str | None:
    at = waits.next_try(tries, clock.now())
    return None if at is None else clock.stamp(at)


def _status(outcome: Outcome, next_at: str | None) -> str:
    if outcome.problem is None:
        return "delivered"
    return "given_up" if next_at is None else "waiting"


def _result(outcome: Outcome) -> dict[str, object]:
    """The columns of an outcome, just now."""
    return {
        "last_at": clock.stamp(),
        "response_status": outcome.status,
        "duration_ms": outcome.duration_ms,
        "problem": outcome.problem,
        "answer": outcome.answer,
    }


def _add(webhook_id: str, seq: int | None, event: tuple[str, str], values: Mapping[str, object]) -> WebhookDelivery:
    """The first try of an event, given by its id and its type."""
    id, type = event
    delivery: WebhookDelivery = WebhookDelivery.create(
        webhook=webhook_id, seq=seq, event_id=id, event_type=type, first_at=clock.stamp(), **values
    )
    return delivery


def _rest(failures: int) -> timedelta:
    doubled: timedelta = SHORTEST_REST * 2 ** min(failures - FAILURES_BEFORE_REST, 10)
    return min(doubled, LONGEST_REST)


def _log_failure(job: Job, delivery: WebhookDelivery) -> None:
    """Log a failure without the URL, which may be a secret."""
    then = f"it is tried again at {delivery.next_at}" if delivery.next_at else "it is given up"
    why = f"{delivery.problem} ({delivery.response_status})" if delivery.response_status else delivery.problem
    log.warning("event %s could not be sent to webhook %s: %s; %s", job.event.id, job.webhook_id, why, then)


def _switch_off_if_hopeless(id: str, outcome: Outcome, now: datetime) -> None:
    webhook = Webhook.find(id)
    is_gone = outcome.status == GONE
    if is_gone or now - clock.parse(str(webhook.failing_since)) >= PATIENCE:
        webhooks.switch_off(webhook, "gone" if is_gone else "failing")
        log.warning("webhook %s is switched off: %s", id, "its address is gone" if is_gone else "it failed for 5 days")


def note_test(webhook_id: str, message: Message, outcome: Outcome) -> WebhookDelivery:
    """Note the outcome of a test, which is not tried again."""
    Webhook.find(webhook_id)
    values = _result(outcome) | {"status": _status(outcome, None), "tries": 1, "next_at": None}
    return _add(webhook_id, None, (message.id, message.type), values)


def find(id: str) -> WebhookDelivery:
    """The delivery with that id.

    Raises:
        NotFound: there is none.
    """
    delivery = WebhookDelivery.find_by(id=id)
    if delivery is None:
        raise NotFound(says("There is no such delivery."))
    return delivery


def redeliver(id: str) -> tuple[Webhook, WebhookDelivery]:
    """Send an event again as soon as possible, with the same id.

    Raises:
        InvalidTransition: the webhook is off, or it was a test.
    """
    delivery = find(id)
    webhook = Webhook.find(delivery.webhook_id)
    if delivery.seq is None:
        raise InvalidTransition(says("This was a test. Send another one."))
    if not webhook.is_active:
        raise InvalidTransition(says("The webhook is turned off. Turn it on first."))
    WORKSPACE.run("UPDATE webhook_delivery SET status = 'waiting', next_at = ? WHERE id = ?", (clock.stamp(), id))
    WORKSPACE.run("UPDATE webhook SET resting_until = NULL WHERE id = ?", (webhook.id,))
    webhooks.watch()
    return webhook, find(id)


def skip(state: State, seq: int) -> None:
    """Note that the log has no event to send up to this one."""
    query = "UPDATE webhook SET position = ? WHERE id = ? AND updated_at = ? AND position < ?"
    WORKSPACE.run(query, (seq, state.id, state.changed_at, seq))


_OLD = "status <> 'waiting' AND last_at < ?"


def forget_old() -> None:
    """Delete deliveries that finished long ago."""
    WORKSPACE.run(f"DELETE FROM webhook_delivery WHERE {_OLD}", (_bound(),))


def has_old() -> bool:
    return bool(WORKSPACE.rows(f"SELECT 1 FROM webhook_delivery WHERE {_OLD} LIMIT 1", (_bound(),)))


def _bound() -> str:
    return clock.stamp(clock.now() - KEPT)
