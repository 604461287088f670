"""Webhooks: added, changed, given a new secret, switched off, removed."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from erp.kernel import caller, clock
from erp.kernel.errors import Conflict, Forbidden
from erp.kernel.language import says
from erp.kernel.wire import wire_name
from erp.migrations import Connection
from erp.store import control, events
from erp.store.changes import differing
from erp.store.router import WORKSPACE
from erp.store.sql import array
from erp.webhooks import addresses, signing
from erp.webhooks.bodies import NewWebhook, SecretRotation, WebhookChange
from erp.webhooks.models import OffReason, Webhook, WebhookSecret
from erp.webhooks.waking import BELL

MOST = 20


class TooManyWebhooks(Conflict):
    """A workspace has at most {most} webhooks. Delete one first."""


def add(body: NewWebhook) -> tuple[Webhook, str]:
    """Add a webhook, which gets the events from now on.

    Returns:
        The webhook, and its secret.

    Raises:
        Forbidden: the caller's token has scopes.
        Invalid: no webhook can have its URL.
        SampleData: the workspace's data is made up.
        TooManyWebhooks: the workspace has the most it can have.
    """
    control.refuse_sample()
    _check_unlimited()
    addresses.check(body.url)
    if Webhook.select().count() >= MOST:
        raise TooManyWebhooks(most=MOST)
    webhook = Webhook.add(
        url=body.url,
        event_types=_without_repeats(body.event_types),
        note=body.note,
        position=0,
        **({} if body.is_active else _switched(False)),
    )
    secret = _add_secret(webhook)
    events.write("webhook.created", "webhook", webhook.id, event_data(webhook))
    _begin(webhook)
    return webhook, secret


def change(id: str, body: WebhookChange) -> Webhook:
    """Change a webhook. When it is switched on, it begins with the events from then on.

    Raises:
        Forbidden: the caller's token has scopes.
        Invalid: no webhook can have its URL.
    """
    _check_unlimited()
    webhook = Webhook.find_to_change(id)
    values = body.changes()
    is_active = values.pop("is_active", webhook.is_active)
    is_switched = is_active != webhook.is_active
    if "url" in values:
        addresses.check(values["url"])
    if "event_types" in values:
        values["event_types"] = _without_repeats(values["event_types"])
    values = differing(webhook, values)
    if not values and not is_switched:
        return webhook
    if "event_types" in values:
        _skip(webhook)
    changed = [wire_name(name) for name in values] + ["isActive"] * is_switched
    webhook.change(**values, **(_switched(is_active) if is_switched else {}))
    events.write("webhook.updated", "webhook", id, {**event_data(webhook), "changed": changed})
    if is_switched:
        _begin(webhook) if is_active else _give_up(webhook)
    return webhook


def _check_unlimited() -> None:
    """Refuse a token with scopes: an address is sent the events of every area."""
    if caller.current().scopes is not None:
        raise Forbidden(says("A token with scopes cannot choose where events are sent. Use one without scopes."))


def remove(id: str) -> None:
    """Delete a webhook with its deliveries; a message in progress still arrives."""
    webhook = Webhook.find_to_change(id)
    webhook.delete_instance()
    events.write("webhook.deleted", "webhook", id, event_data(webhook))


def rotate(id: str, body: SecretRotation) -> tuple[Webhook, str]:
    """Replace the secret of a webhook; the previous one signs as well for some hours, older ones stop."""
    webhook = Webhook.find_to_change(id)
    WORKSPACE.run("DELETE FROM webhook_secret WHERE webhook_id = ? AND valid_until IS NOT NULL", (id,))
    if body.old_valid_hours:
        until = clock.stamp(clock.now() + timedelta(hours=body.old_valid_hours))
        WORKSPACE.run("UPDATE webhook_secret SET valid_until = ? WHERE webhook_id = ?", (until, id))
    else:
        WORKSPACE.run("DELETE FROM webhook_secret WHERE webhook_id = ?", (id,))
    secret = _add_secret(webhook)
    webhook.change()
    events.write("webhook.rotated", "webhook", id, event_data(webhook))
    return webhook, secret


_VALID = (
    "SELECT secret FROM webhook_secret WHERE webhook_id = ? AND (valid_until IS NULL OR valid_until > ?)"
    " ORDER BY id DESC"
)


def secrets_of(id: str) -> list[str]:
    """The secrets that sign for a webhook now, the newest first."""
    return [secret for (secret,) in WORKSPACE.rows(_VALID, (id, clock.stamp()))]


def old_secret_valid_until(id: str) -> str | None:
    """Until when the secret before the present one signs as well, if it does."""
    query = "SELECT max(valid_until) FROM webhook_secret WHERE webhook_id = ? AND valid_until > ?"
    ((until,),) = WORKSPACE.rows(query, (id, clock.stamp()))
    return None if until is None else str(until)


def event_data(webhook: Webhook) -> dict[str, Any]:
    """The event of a webhook has only the host of its URL, since the rest may be a secret."""
    return {"host": addresses.parsed(webhook.url).host, "eventTypes": webhook.event_types}


def switch_off(webhook: Webhook, reason: OffReason) -> None:
    """Switch a webhook off because of a response, and log that."""
    webhook.change(**_switched(False, reason))
    _give_up(webhook)
    events.write("webhook.switched_off", "webhook", webhook.id, {**event_data(webhook), "reason": reason})


def switch_off_copies(connection: Connection) -> None:
    """Switch off the webhooks in a copy of a workspace's file: the original may still be sending."""
    connection.execute(
        "UPDATE webhook SET version = version + 1, off_at = ?, off_reason = 'copied', failures = 0,"
        " failing_since = NULL, resting_until = NULL WHERE off_at IS NULL",
        (clock.stamp(),),
    )
    connection.execute(_GIVE_UP)


_GIVE_UP = "UPDATE webhook_delivery SET status = 'given_up', next_at = NULL WHERE next_at IS NOT NULL"


def _give_up(webhook: Webhook) -> None:
    WORKSPACE.run(f"{_GIVE_UP} AND webhook_id = ?", (webhook.id,))


def _switched(is_active: bool, reason: OffReason = "by_hand") -> dict[str, Any]:
    """The columns of a webhook that is switched on or off now."""
    off = (None, None) if is_active else (clock.stamp(), reason)
    return {"off_at": off[0], "off_reason": off[1], "failures": 0, "failing_since": None, "resting_until": None}


def _begin(webhook: Webhook) -> None:
    """Go on from the newest event."""
    newest, _ = events.tip()
    _move_to(webhook, newest)
    watch()


def watch() -> None:
    """Let the sender look at the open workspace once this is committed, and after each write from then on."""
    BELL.watched.add(control.workspace_path(str(caller.current().workspace_id)))


def _move_to(webhook: Webhook, position: int) -> None:
    """Note how far the log was taken up, which is no change of the webhook itself."""
    webhook.position = position
    WORKSPACE.run("UPDATE webhook SET position = ? WHERE id = ?", (position, webhook.id))


def _add_secret(webhook: Webhook) -> str:
    secret = signing.make_secret()
    WebhookSecret.create(webhook=webhook.id, secret=secret)
    return secret


def _without_repeats(types: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(types))


_FIRST_UNSENT = "SELECT min(seq) FROM event WHERE seq > ? AND type IN (SELECT value FROM json_each(?))"


def _skip(webhook: Webhook) -> None:
    """Leave behind the events that are not sent, so that other types count from now on alone."""
    newest, _ = events.tip()
    if webhook.event_types:
        ((unsent,),) = WORKSPACE.rows(_FIRST_UNSENT, (webhook.position, array(webhook.event_types)))
        _move_to(webhook, newest if unsent is None else unsent - 1)
