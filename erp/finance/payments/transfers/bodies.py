"""The bodies of requests about transfers."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.finance.books.periods import AllowFuture
from erp.finance.payments.bodies import DayOrToday, PaymentVoid
from erp.finance.payments.models import Status
from erp.web.scalars import Currency, Day, Line, Note, NotNegativeAmount, PositiveAmount
from erp.web.schema import Body, RecordQuery


class NewTransfer(Body, kw_only=True):
    """Money moved from one own account to another."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "fromAccountId": "1010",
        "toAccountId": "1000",
        "amount": "50.00",
        "reference": "Petty cash",
    }

    from_account_id: AccountIdOrCode
    to_account_id: AccountIdOrCode
    amount: Annotated[PositiveAmount, msgspec.Meta(description="In the currency of the first account.")]
    currency: Annotated[Currency, msgspec.Meta(description="Always the first account's, also when absent.")] | None = (
        None
    )
    received_amount: (
        Annotated[
            PositiveAmount,
            msgspec.Meta(
                description="In the currency of the second account. When absent, the amount; between two currencies,"
                " its value by the exchange rates."
            ),
        ]
        | None
    ) = None
    exchange_rate: RateOrLatest | None = None
    fee_amount: (
        Annotated[
            NotNegativeAmount, msgspec.Meta(description="The bank's fee, which leaves the first account in addition.")
        ]
        | None
    ) = None
    date: DayOrToday | None = None
    reference: Line | None = None
    note: Note | None = None
    allow_future: AllowFuture = False


class TransferVoid(PaymentVoid):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Entered twice"}


class TransferFilter(RecordQuery):
    status: Status | None = None
    account_id: Annotated[AccountIdOrCode, msgspec.Meta(description="On either side.")] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-createdAt"
