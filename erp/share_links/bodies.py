"""Request bodies and views of share links."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.kernel import config
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.share_links.models import ShareLink
from erp.web import hosts
from erp.web.scalars import Figure, Id, Instant, Line, Moment, Money, Note, shaped
from erp.web.schema import Body, RecordView, TableQuery, Unset, View, show

SharePin = Annotated[
    str,
    shaped(
        "^[0-9]{4,12}$", says("Must be 4 to 12 digits."), description="4 to 12 digits that the receiver must enter."
    ),
]
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
    message_id: Annotated[str | None, Meta(description="The message that brings it, with another secret at each try.")]
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


class SharedViewRequest(SharedRequest):
    """The secret of a share link, and of a quote the options that its receiver is thinking of."""

    chosen_line_ids: Annotated[
        list[Id],
        Meta(max_length=500, description="Of a quote that is open: show the total with these options."),
    ] = []


class SharedFileRequest(SharedRequest):
    """A form of the document, to download."""

    form: Form = "pdf"


class SharedAnswer(SharedRequest, kw_only=True):
    """The part that a yes and a no have in common."""

    revision: Annotated[int, Meta(ge=1, description="The revision that the receiver has seen.")]
    name: Annotated[str, Meta(min_length=2, max_length=200, description="The person who answers.")]

    def check(self) -> Iterable[Complaint]:
        if len(str(self.name).strip()) < 2:  # unset where it is wrong by itself
            yield Complaint("name", "too_short", says("Enter your name."))


class SharedAcceptance(SharedAnswer):
    """The yes of a quote's receiver."""

    EXAMPLE: ClassVar[dict[str, Any]] = {**SharedRequest.EXAMPLE, "revision": 1, "name": "Petra Lindt"}

    chosen_line_ids: Annotated[
        list[Id], Meta(max_length=500, description="The optional and alternative lines that are chosen.")
    ] = []
    note: Note | None = None


class SharedDecline(SharedAnswer):
    """The no of a quote's receiver."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        **SharedRequest.EXAMPLE,
        "revision": 1,
        "name": "Petra Lindt",
        "reason": "Another offer was cheaper",
    }

    reason: Line | None = None


class SharedCode(View):
    """A QR code, ready to be drawn."""

    size: Annotated[int, Meta(description="Squares on a side, with the quiet zone of 4 around the code.")]
    path: Annotated[str, Meta(description="The dark squares as the path of an SVG, one unit a square.")]


class SharedPayment(View):
    """Where and how to pay; `qrText` is the text of a QR code (EPC069-12), for amounts in euros."""

    holder: str
    iban: str
    bic: str | None
    reference: str
    qr_text: str | None
    qr_code: SharedCode | None


class SharedLine(View):
    """A line of a quote."""

    id: str
    position: Annotated[int, Meta(description="From 1.")]
    description: str
    quantity: Figure
    unit: str | None
    unit_price: Figure
    price_base_quantity: Figure
    net: Annotated[Money, Meta(description="Without a share of the quote's discount.")]
    option: Literal["included", "optional", "alternative"]
    alternative_to: Annotated[
        int | None, Meta(description="Of an alternative: the position of the line that it would replace.")
    ]
    is_accepted: bool


class SharedDocument(View):
    """A document as its receiver sees it: no costs, no other documents, no staff."""

    office: str
    kind: str
    number: str
    issue_date: str
    due_date: Annotated[str | None, Meta(description="Of a quote, its last valid day.")]
    currency: str
    total: Annotated[Money, Meta(description="Of a quote, with the options that are chosen, or were accepted.")]
    net_total: Annotated[Money | None, Meta(description="Of a quote: the total without tax.")]
    tax_total: Annotated[Money | None, Meta(description="Of a quote: the tax in the total.")]
    amount_due: Money
    state: Annotated[
        str,
        Meta(description="The status of the document, or `overdue` or `expired`; it says nothing of other documents."),
    ]
    payment: Annotated[SharedPayment | None, Meta(description="While an amount is due.")]
    lines: Annotated[list[SharedLine] | None, Meta(description="Of a quote.")]
    prices_include_tax: Annotated[bool | None, Meta(description="Of the lines of a quote.")]
    revision: Annotated[int | None, Meta(description="Of a quote.")]
    forms: Annotated[list[Form], Meta(description="The files that there are.")]
    can: Annotated[list[Literal["accept", "decline"]], Meta(description="Answers that the receiver can give now.")]
