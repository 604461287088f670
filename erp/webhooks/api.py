"""Webhooks over HTTP."""

import threading

from erp.kernel import caller
from erp.kernel.errors import Busy, InvalidTransition, SampleData
from erp.store import control
from erp.web.endpoint import endpoint
from erp.web.schema import Page, RecordQuery
from erp.webhooks import deliveries, messages, posting, views, webhooks
from erp.webhooks.bodies import DeliveryFilter, NewWebhook, SecretRotation, WebhookChange
from erp.webhooks.models import Webhook
from erp.webhooks.views import WebhookDeliveryView, WebhookSecretView, WebhookView
from erp.webhooks.webhooks import TooManyWebhooks

_TESTING = threading.Semaphore(2)
"""Each test keeps a thread of the server for up to 15 s, and the office needs the others."""


class Collection:
    @endpoint(permission="workspace.write")
    def on_get(self, query: RecordQuery) -> Page[WebhookView]:
        """List the addresses to which events of the workspace are sent.

        Owners and admins can read the list. It shows which of them fail, and since when, but no secrets.
        """
        return views.search(query)

    @endpoint(permission="workspace.write", status=201, shows_secret=True, refuses=(TooManyWebhooks, SampleData))
    def on_post(self, body: NewWebhook) -> WebhookSecretView:
        """Send the events of the workspace to an address, from now on and in their order.

        Each is a POST of `{type, timestamp, data}`, where `data` is the event as `GET /workspace/events` shows it,
        signed by Standard Webhooks with `secret`, which is shown only once. An answer from 200 to 299 within 15 s
        accepts it. Otherwise it is sent again after 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, with the same
        `webhook-id`; the events after it are not held up. An event can arrive twice: keep the ids. An address that
        fails for 5 days, or answers 410, is switched off. Nothing is sent while the workspace is archived. A token with
        scopes is refused, as it is when it changes a webhook: events are of every area.
        /api/docs/webhooks.html shows a receiver.
        """
        webhook, secret = webhooks.add(body)
        return WebhookSecretView.of(webhook, secret=secret)


class Item:
    @endpoint(permission="workspace.write")
    def on_get(self, id: str) -> WebhookView:
        """Show a webhook, without its secret.

        The secret is shown only when a webhook is created or its secret rotated.
        """
        return WebhookView.of(Webhook.find(id))

    @endpoint(permission="workspace.write")
    def on_patch(self, id: str, body: WebhookChange) -> WebhookView:
        """Change a webhook.

        While it is off, nothing is sent, and waiting retries are given up. When it is on again, it begins with the
        events from then on: `GET /workspace/events?after=` with its earlier `position` lists the ones between.
        """
        return WebhookView.of(webhooks.change(id, body))

    @endpoint(permission="workspace.write")
    def on_delete(self, id: str) -> None:
        """Delete a webhook, with the list of its deliveries.

        Deliveries that wait for a retry are dropped.
        """
        webhooks.remove(id)


class Rotate:
    @endpoint(permission="workspace.write", shows_secret=True)
    def on_post(self, id: str, body: SecretRotation) -> WebhookSecretView:
        """Replace the secret of a webhook.

        For 24 hours, or the given number, deliveries carry a signature by the old secret as well.
        """
        webhook, secret = webhooks.rotate(id, body)
        return WebhookSecretView.of(webhook, secret=secret)


class Test:
    @endpoint(permission="workspace.write", store=None, refuses=(Busy,))
    def on_post(self, id: str) -> WebhookDeliveryView:
        """Send a message of the type `webhook.test` now, and show the response.

        It is sent once, even while the webhook is off.
        """
        workspace_id = str(caller.current().workspace_id)
        with control.open_workspace(workspace_id, write=False):
            webhook, keys = Webhook.find(id), webhooks.secrets_of(id)
        message = messages.of_test()
        if not _TESTING.acquire(blocking=False):
            raise Busy
        try:
            outcome = posting.post(webhook.url, message.headers(keys), message.body)
        finally:
            _TESTING.release()
        with control.open_workspace(workspace_id, write=True):
            return WebhookDeliveryView.of(deliveries.note_test(id, message, outcome))


class Deliveries:
    @endpoint(permission="workspace.write")
    def on_get(self, id: str, query: DeliveryFilter) -> Page[WebhookDeliveryView]:
        """List the deliveries of a webhook in the last 30 days, and those that wait for a retry: the latest first.

        Each has its event, the number of tries, and the last answer of the receiver.
        """
        return views.deliveries(id, query)


class Redeliver:
    @endpoint(permission="workspace.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> WebhookDeliveryView:
        """Send an event again, as soon as possible and with the same `webhook-id`.

        A receiver that remembers that id can ignore what it has. A test is refused (409), as is a webhook that is
        turned off.
        """
        webhook, delivery = deliveries.redeliver(id)
        return WebhookDeliveryView.of(delivery, views.actions(webhook))
