"""Views of webhooks and their deliveries."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal, Self

from msgspec import Meta

from erp.kernel import caller
from erp.store.event_types import SENT
from erp.web.paging import page
from erp.web.scalars import Instant
from erp.web.schema import Page, RecordQuery, RecordView, View, show
from erp.webhooks import webhooks
from erp.webhooks.bodies import DeliveryFilter, WrittenType
from erp.webhooks.messages import TEST
from erp.webhooks.models import OffReason, Status, Webhook, WebhookDelivery
from erp.webhooks.posting import Problem

if TYPE_CHECKING:
    SentType = str
else:
    SentType = Literal[tuple(sorted(SENT | {TEST}))]

Action = Literal["redeliver"]


class WebhookView(RecordView):
    """An address to which events are sent; its secret is shown only when it is made."""

    created_by: str | None
    created_by_name: str | None
    url: str
    event_types: list[WrittenType]
    note: str | None
    is_active: bool
    off_at: Annotated[Instant | None, Meta(description="Since when nothing is sent.")]
    off_reason: Annotated[
        OffReason | None,
        Meta(
            description="Reason why it is off: a person; the server, because it failed for 5 days or its address "
            "answered 410; or the server, because this workspace was copied, imported or restored."
        ),
    ]
    failing_since: Annotated[Instant | None, Meta(description="The first of the tries that failed, if the last did.")]
    position: Annotated[int, Meta(description="The `seq` of the last event that was sent, tried or passed over.")]
    old_secret_valid_until: Annotated[
        Instant | None, Meta(description="Until then deliveries are signed with the secret before as well.")
    ]

    @classmethod
    def of(cls, webhook: Webhook, **more: object) -> Self:
        return show(cls, webhook, old_secret_valid_until=webhooks.old_secret_valid_until(webhook.id), **more)


class WebhookSecretView(WebhookView):
    """A webhook with its new secret, which is not shown again."""

    secret: Annotated[str, Meta(description="`whsec_` and 32 bytes in base64.")]


class WebhookDeliveryView(View):
    """An event that was sent to a webhook. `responseStatus`, `problem` and `answer` belong to the last try."""

    id: str
    seq: Annotated[int | None, Meta(description="Its place in the log; null for a test.")]
    event_id: str
    event_type: SentType
    status: Annotated[
        Status,
        Meta(description="`waiting` is tried again at `nextAt`; `given_up` failed too often, or the webhook is off."),
    ]
    tries: int
    first_at: Instant
    last_at: Instant
    next_at: Instant | None
    response_status: int | None
    duration_ms: int
    problem: Problem | None
    answer: Annotated[str | None, Meta(description="The first 1,024 bytes of the response.")]
    can: list[Action]

    @classmethod
    def of(cls, delivery: WebhookDelivery, can: Sequence[Action] = ()) -> "WebhookDeliveryView":
        return show(cls, delivery, can=[] if delivery.seq is None else list(can))


def search(query: RecordQuery) -> Page[WebhookView]:
    """The webhooks of the workspace."""
    return page(Webhook.select(), query, WebhookView.of)


def deliveries(id: str, query: DeliveryFilter) -> Page[WebhookDeliveryView]:
    """The deliveries of a webhook, the latest events first."""
    webhook = Webhook.find(id)
    rows = WebhookDelivery.select().where(WebhookDelivery.webhook == webhook.id)
    if query.status is not None:
        rows = rows.where(WebhookDelivery.status == query.status)
    can = actions(webhook)
    return page(rows, query, lambda row: WebhookDeliveryView.of(row, can))


def actions(webhook: Webhook) -> list[Action]:
    """The caller's actions on the deliveries of a webhook."""
    return ["redeliver"] if webhook.is_active and caller.may_change("workspace.write") else []
