"""Views of open items and allocations."""

from datetime import date as Date  # noqa: N812
from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.books.models import Allocation, DocumentType
from erp.finance.items import settlement, store
from erp.finance.items.documents import Side
from erp.kernel import money
from erp.kernel.language import Sentence
from erp.store import workspace_settings
from erp.web.scalars import Money
from erp.web.schema import View

Signed = Annotated[Money, Meta(description="A debit above zero, a credit below.")]


class OpenItemView(View):
    """A posting to a receivable or payable with its open amount.

    `amount` and `open` are in the currency of the document, `baseAmount` and `openBase` in the base currency.
    """

    IN_BASE = ("base_amount", "open_base", "revaluation")

    id: str
    side: Side
    contact_id: str
    contact_name: str
    account_id: str
    account_code: str
    account_name: str
    document_type: DocumentType
    document_id: Annotated[str, Meta(description="The invoice, payment or journal entry.")]
    number: str
    entry_id: Annotated[str | None, Meta(description="Null where it rounds to 0.00 in the base currency.")]
    entry_number: str | None
    date: Annotated[Date, Meta(description="Of the posting.")]
    document_date: Annotated[Date, Meta(description="The date of the posting, except for an opening item.")]
    due_date: Annotated[Date, Meta(description="Its own date, except for invoices and bills.")]
    days_overdue: int
    currency: str
    amount: Signed
    open: Signed
    base_amount: Signed
    open_base: Annotated[Money, Meta(description="The amount on the account: with `asOf`, including `revaluation`.")]
    revaluation: Annotated[
        Money,
        Meta(description="The part of `openBase` that the revaluation of the day `asOf` added, a gain above zero."),
    ]


class AllocationView(View):
    """The use of an open item against another.

    `exchangeDifference` is in the base currency, a gain above zero. A released allocation no longer counts.
    """

    id: str
    from_item_id: str
    to_item_id: str
    amount: Money
    date: str
    exchange_difference: Money
    released_on: str | None


class AllocationWarning(View):
    """A warning before an allocation; it prevents nothing."""

    code: Literal["filed_return_changes"]
    message: Sentence


class AllocationDayView(View):
    """The day on which two open items would be allocated, and the reason."""

    date: Date
    reason: Annotated[Literal["items", "locked"], Meta(description="The later date of both, or the first open day.")]
    message: Sentence
    warnings: list[AllocationWarning]


class ItemAllocationView(AllocationView):
    """An allocation with the numbers of both documents."""

    from_number: str
    to_number: str
    currency: str

    @classmethod
    def of(cls, allocation: Allocation) -> "ItemAllocationView":
        source, target = store.items(allocation)
        gain = settlement.gain(target, allocation.from_base, allocation.to_base)
        return cls(
            id=allocation.id,
            from_item_id=source.id,
            to_item_id=target.id,
            from_number=source.number,
            to_number=target.number,
            currency=target.currency,
            amount=money.text(allocation.amount, target.currency),
            date=str(allocation.date),
            exchange_difference=money.text(gain, workspace_settings.current().base_currency),
            released_on=None if allocation.released_on is None else str(allocation.released_on),
        )
