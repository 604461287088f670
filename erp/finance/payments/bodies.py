"""The bodies of requests about payments."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.finance.books.periods import AllowFuture
from erp.finance.items.documents import Direction
from erp.kernel import clock
from erp.web.scalars import Currency, Day, Id, Line, Note, NotNegativeAmount, PositiveAmount
from erp.web.schema import Body

Method = Literal["cash", "bank_transfer", "card", "check", "direct_debit", "other"]
InvoiceName = Annotated[str, msgspec.Meta(min_length=1, max_length=64, description="An invoice's id or its number.")]
DayOrToday = Annotated[Day, msgspec.Meta(description="Today when absent.")]

FIRST_OF_YEAR = f"INV-{clock.now():%Y}-00001"
"""The number of this year's first invoice, for examples."""


DiscountTaken = Annotated[
    bool,
    msgspec.Meta(
        description="Settle the rest with the discount of its terms, in time or not; of an open item, its contact's."
    ),
]
DiscountAmount = Annotated[PositiveAmount, msgspec.Meta(description="A cash discount of this amount beside it.")]
SettleDifference = Annotated[
    bool, msgspec.Meta(description="Settle the rest as a small difference, up to `smallDifferenceLimit`.")
]


CostDimensions = Annotated[
    Dimensions, msgspec.Meta(description="Of the fee, the cash discounts and the small differences.")
]
_SETTLES = msgspec.Meta(max_length=500, description="Settled items other than invoices: repaid credits, old items.")


class NewAllocation(Body):
    """The part of a payment that settles an invoice, and the deductions from the invoice with it."""

    invoice_id: InvoiceName
    amount: PositiveAmount
    discount_taken: DiscountTaken = False
    discount_amount: DiscountAmount | None = None
    settle_difference: SettleDifference = False


class RepaidCredit(Body, kw_only=True):
    """A settled item other than an invoice: exactly one of payment, credit note and open item.

    An open item that is owed can have a discount or a small difference, like an invoice.
    """

    payment_id: (
        Annotated[str, msgspec.Meta(max_length=64, description="The id or number of a payment that is repaid.")] | None
    ) = None
    credit_note_id: InvoiceName | None = None
    item_id: Annotated[Id, msgspec.Meta(description="Of any open item, such as an opening item.")] | None = None
    amount: PositiveAmount
    discount_taken: DiscountTaken = False
    discount_amount: DiscountAmount | None = None
    settle_difference: SettleDifference = False


class NewPayment(Body, kw_only=True):
    """Money received or paid; `invoiceId` is short for one allocation of the whole amount."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "invoiceId": FIRST_OF_YEAR,
        "amount": "100.00",
        "method": "bank_transfer",
        "reference": "Statement 7",
    }

    direction: Direction = "received"
    contact_id: Annotated[Id, msgspec.Meta(description="The invoice's when absent.")] | None = None
    invoice_id: InvoiceName | None = None
    discount_taken: Annotated[bool, msgspec.Meta(description="With `invoiceId`: as in an allocation.")] = False
    discount_amount: (
        Annotated[PositiveAmount, msgspec.Meta(description="With `invoiceId`: as in an allocation.")] | None
    ) = None
    settle_difference: Annotated[bool, msgspec.Meta(description="With `invoiceId`: as in an allocation.")] = False
    allocations: Annotated[list[NewAllocation], msgspec.Meta(max_length=500)] | None = None
    settles: (
        Annotated[
            list[RepaidCredit],
            _SETTLES,
        ]
        | None
    ) = None
    amount: PositiveAmount
    currency: Annotated[Currency, msgspec.Meta(description="The invoice's when absent.")] | None = None
    exchange_rate: RateOrLatest | None = None
    date: DayOrToday | None = None
    method: Method = "bank_transfer"
    account_id: AccountIdOrCode | None = None
    fee_amount: (
        Annotated[
            NotNegativeAmount,
            msgspec.Meta(description="The bank's fee: deducted from a payment received, added to a payment made."),
        ]
        | None
    ) = None
    reference: Line | None = None
    note: Note | None = None
    dimensions: CostDimensions | None = None
    allow_future: AllowFuture = False


class PaymentBatch(Body):
    """Payments that are recorded together."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"payments": [NewPayment.EXAMPLE, {"invoiceId": FIRST_OF_YEAR, "amount": "9"}]}

    payments: Annotated[list[NewPayment], msgspec.Meta(min_length=1, max_length=200)]
    dry_run: Annotated[bool, msgspec.Meta(description="Check and add up the payments, and record none.")] = False


class NewAllocations(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"allocations": [{"invoiceId": FIRST_OF_YEAR, "amount": "25.00"}]}

    allocations: Annotated[list[NewAllocation], msgspec.Meta(max_length=500)] = []
    settles: Annotated[list[RepaidCredit], _SETTLES] = []
    date: (
        Annotated[
            Day,
            msgspec.Meta(
                description="When absent, of each the later date of both documents, or the first open day if that is"
                " locked."
            ),
        ]
        | None
    ) = None
    dimensions: CostDimensions | None = None
    allow_future: AllowFuture = False


class AllocationRelease(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {}

    date: DayOrToday | None = None
    allow_future: AllowFuture = False


class PaymentVoid(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Entered twice"}

    date: DayOrToday | None = None
    reason: Line | None = None
    allow_future: AllowFuture = False
