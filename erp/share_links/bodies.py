"""Request bodies and views of share links."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.kernel import config
from erp.share_links.models import ShareLink
from erp.web import hosts
from erp.web.scalars import Instant, Moment, Money
from erp.web.schema import Body, RecordView, TableQuery, Unset, View, show

SharePin = Annotated[str, Meta(pattern="^[0-9]{4,12}$", description="4 to 12 digits that the receiver must enter.")]
Secret = Annotated[str, Meta(max_length=200, description="The part of the link's address behind `#`.")]
Reach = Literal["this_computer", "lan", "public"]
Form = Literal["pdf", "xml", "order_confirmation"]


class NewShareLink(Body):
    """A share link of a document."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"pin": "4711"}

    expires_at: (
        Annotated[Moment, Meta(description="At most 365 days from now; by default 30 days after the document is due.")]
        | None
    ) = None
    pin: SharePin | None = None


class ShareLinkQuery(TableQuery):
    """The form of a list of share links."""


class ShareLinkView(RecordView):
    """A share link, without its secret."""

    created_by: str | None
    created_by_name: str | None
    reach: Annotated[Reach, Meta(description="Where its address can be opened: set the public URL for everywhere.")]
    expires_at: Instant
    has_pin: bool
    first_seen_at: Instant | None
    last_seen_at: Instant | None
    seen_count: Annotated[int, Meta(description="At most one in ten minutes is counted.")]
    locked_until: Annotated[Instant | None, Meta(description="After five wrong PINs, for 15 minutes.")]
    revoked_at: Instant | None
    is_live: bool
    url: Annotated[str | Unset, Meta(description="With the secret; shown only when it is made.")] = UNSET

    @classmethod
    def of(cls, link: ShareLink, url: str | Unset = UNSET) -> "ShareLinkView":
        return show(cls, link, reach=reach(), has_pin=link.pin_hash is not None, url=url)


def reach() -> Reach:
    """Where the addresses of this server can be opened."""
    settings = config.current()
    if settings.public_url is not None:
        return "public"
    return "lan" if hosts.shared_url(settings) is not None else "this_computer"


class SharedRequest(Body):
    """The secret of a share link, with its PIN if it has one."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "secret": "0199d6a2-7c00-7000-8000-000000000001.3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    }

    secret: Secret
    pin: Annotated[str, Meta(max_length=12, description="The PIN of the link.")] | None = None


class SharedFileRequest(SharedRequest):
    """A form of the document, to download."""

    form: Form = "pdf"


class SharedPayment(View):
    """Where and how to pay; `qrText` is the text of a QR code (EPC069-12)."""

    holder: str
    iban: str
    bic: str | None
    reference: str
    qr_text: str | None


class SharedLine(View):
    """A line of a quote."""

    id: str
    position: int
    description: str
    quantity: str
    unit: str | None
    unit_price: Money
    net: Money
    option: Literal["included", "optional", "alternative"]


class SharedDocument(View):
    """A document as its receiver sees it: no costs, no other documents, no staff."""

    office: str
    kind: str
    number: str
    issue_date: str
    due_date: Annotated[str | None, Meta(description="Of a quote, its last valid day.")]
    currency: str
    total: Money
    amount_due: Money
    state: Annotated[str, Meta(description="The status of the document, or `overdue` or `expired`.")]
    payment: Annotated[SharedPayment | None, Meta(description="While an amount is due.")]
    lines: Annotated[list[SharedLine] | None, Meta(description="Of a quote.")]
    revision: Annotated[int | None, Meta(description="Of a quote.")]
    forms: Annotated[list[Form], Meta(description="The files that there are.")]
    can: Annotated[list[Literal["accept", "decline"]], Meta(description="Answers that the receiver can give now.")]
