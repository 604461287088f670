"""The bodies of requests about payment runs."""

from typing import Annotated, Any, ClassVar

import msgspec

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.periods import AllowFuture
from erp.finance.payments.bodies import DayOrToday, PaymentVoid
from erp.kernel import clock
from erp.web.scalars import Day
from erp.web.schema import Body

BillName = Annotated[str, msgspec.Meta(min_length=1, max_length=64, description="A bill's id or its number.")]


class NewPaymentRun(Body):
    """Either `billIds` or `dueThrough` says which bills are paid, all that is due on each."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"billIds": [f"BILL-{clock.now():%Y}-00001"]}

    bill_ids: Annotated[list[BillName], msgspec.Meta(min_length=1, max_length=500)] | None = None
    due_through: (
        Annotated[Day, msgspec.Meta(description="All bills in the base currency that are due by then and approved.")]
        | None
    ) = None
    date: DayOrToday | None = None
    account_id: AccountIdOrCode | None = None
    allow_future: AllowFuture = False


class PaymentRunVoid(PaymentVoid):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "The bank refused the file"}
