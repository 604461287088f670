"""Request bodies of offsets."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.finance.books.periods import AllowFuture
from erp.finance.items.offsets.models import Status
from erp.kernel import clock
from erp.web.scalars import Day, Id, Line, Note, PositiveAmount
from erp.web.schema import Body, RecordQuery

_YEAR = f"{clock.now():%Y}"


class OffsetPart(Body):
    """An amount of an open item to offset; `itemId`, `invoiceId` or `paymentId` names it."""

    amount: PositiveAmount
    item_id: Annotated[Id, msgspec.Meta(description="An open item, such as a manual entry's.")] | None = None
    invoice_id: (
        Annotated[
            str, msgspec.Meta(min_length=1, max_length=64, description="An invoice, bill or credit note: id or number.")
        ]
        | None
    ) = None
    payment_id: (
        Annotated[str, msgspec.Meta(min_length=1, max_length=64, description="A payment's id or its number.")] | None
    ) = None


class NewOffset(Body):
    """Receivables and payables of a contact in one currency, with equal sums on both sides."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "contactId": "0198f1f2-7c3a-7000-8000-000000000000",
        "items": [
            {"invoiceId": f"INV-{_YEAR}-00001", "amount": "300.00"},
            {"invoiceId": f"BILL-{_YEAR}-00001", "amount": "300.00"},
        ],
    }

    contact_id: Annotated[Id, msgspec.Meta(description="A contact's id.")]
    items: Annotated[list[OffsetPart], msgspec.Meta(min_length=2, max_length=500)]
    date: (
        Annotated[Day, msgspec.Meta(description="Today when absent, or the latest date of the items if later.")] | None
    ) = None
    note: Note | None = None
    allow_future: AllowFuture = False


class OffsetVoid(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "The customer did not agree"}

    date: Annotated[Day, msgspec.Meta(description="Today when absent.")] | None = None
    reason: Line | None = None
    allow_future: AllowFuture = False


class OffsetFilter(RecordQuery):
    status: Status | None = None
    contact_id: Annotated[Id, msgspec.Meta(description="A contact's id.")] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-createdAt"
