"""Request bodies of webhooks."""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.store.event_types import SENT
from erp.web.scalars import Note
from erp.web.schema import Body, ListQuery, Unset
from erp.webhooks.models import Status

if TYPE_CHECKING:
    WrittenType = str
else:
    WrittenType = Literal[tuple(sorted(SENT))]

OLD_VALID_HOURS = 24

Url = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2000,
        description="Where events are sent: https, without a user name, at an address of the internet. With "
        "`--webhooks-private` the server also sends to private networks and to itself, also over http.",
    ),
]
EventTypes = Annotated[
    list[WrittenType],
    Meta(max_length=200, description="Which events are sent; all, if there are none."),
]


class NewWebhook(Body, kw_only=True):
    """An address to which events are sent."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "url": "https://example.com/hooks/erp",
        "eventTypes": ["invoice.issued", "payment.posted"],
        "note": "Web shop",
    }

    url: Url
    event_types: EventTypes = []
    note: Note | None = None
    is_active: bool = True


class WebhookChange(Body, kw_only=True):
    """The fields to change."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"eventTypes": ["invoice.issued"]}

    url: Url | Unset = UNSET
    event_types: EventTypes | Unset = UNSET
    note: Note | Unset | None = UNSET
    is_active: bool | Unset = UNSET


class SecretRotation(Body, kw_only=True):
    """A new secret."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    old_valid_hours: Annotated[
        int,
        Meta(ge=0, le=72, description="Hours for which the old secret signs deliveries too; 0 if others know it."),
    ] = OLD_VALID_HOURS


class DeliveryFilter(ListQuery):
    """Filter for deliveries."""

    status: Status | None = None
