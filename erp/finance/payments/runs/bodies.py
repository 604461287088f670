"""The bodies of requests about payment runs."""

from typing import Annotated, Any, ClassVar

import msgspec

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.finance.books.periods import AllowFuture
from erp.finance.payments.bodies import DayOrToday, PaymentVoid
from erp.finance.payments.runs.due import DueThrough
from erp.kernel import clock
from erp.web.scalars import Currency, Day
from erp.web.schema import Body, Query
from erp.web.text_scalars import Iban

BillName = Annotated[str, msgspec.Meta(min_length=1, max_length=64, description="A bill's id or its number.")]
ClaimName = Annotated[
    str, msgspec.Meta(min_length=1, max_length=64, description="The id or number of a posted expense claim.")
]
RunCurrency = Annotated[
    Currency,
    msgspec.Meta(description="When absent, the currency of `billIds`; with `dueThrough`, the base currency."),
]

DeductCredit = Annotated[
    bool, msgspec.Meta(description="Whether a supplier's open credit is used before money is transferred.")
]


MOST = 1000
"""Documents that a run can name: others can write again after about two seconds. A page sends more in several runs."""


class NewPaymentRun(Body):
    """`dueThrough`, or `billIds` and `claimIds`, select what is paid: each in full, a bill less its discount."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"billIds": [f"BILL-{clock.now():%Y}-00001"]}

    bill_ids: Annotated[list[BillName], msgspec.Meta(min_length=1, max_length=MOST)] | None = None
    claim_ids: Annotated[list[ClaimName], msgspec.Meta(min_length=1, max_length=MOST)] | None = None
    due_through: DueThrough | None = None
    currency: RunCurrency | None = None
    without_discount: Annotated[
        list[BillName],
        msgspec.Meta(max_length=MOST, description="Bills that are paid in full, although a discount is in time."),
    ] = []
    deduct_credit: DeductCredit = True
    date: DayOrToday | None = None
    account_id: AccountIdOrCode | None = None
    iban: Annotated[Iban, msgspec.Meta(description="IBAN to pay from. The workspace's when absent.")] | None = None
    exchange_rate: RateOrLatest | None = None
    allow_future: AllowFuture = False


class PaymentRunVoid(PaymentVoid):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "The bank refused the file"}


class ProposalFilter(Query):
    due_through: DueThrough | None = None
    currency: (
        Annotated[str, msgspec.Meta(description="The currency of the bills; the base currency when absent.")] | None
    ) = None
    deduct_credit: DeductCredit = True
    date: Annotated[Day, msgspec.Meta(description="The day of the run. Today when absent.")] | None = None
