"""Request bodies of open items and allocations."""

from typing import Annotated, Any, ClassVar

import msgspec

from erp.finance.books.periods import AllowFuture
from erp.web.scalars import Day, Id, PositiveAmount
from erp.web.schema import Body

_ITEM = "0198f1f2-7c3a-7000-8000-000000000000"


class NewItemAllocation(Body, kw_only=True):
    """The use of an open item against another of the same contact, account and currency."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"fromItemId": _ITEM, "toItemId": f"{_ITEM[:-1]}1", "amount": "100.00"}

    from_item_id: Annotated[Id, msgspec.Meta(description="The item that settles, such as a credit.")]
    to_item_id: Annotated[Id, msgspec.Meta(description="The settled item, such as a receivable.")]
    amount: PositiveAmount
    date: (
        Annotated[Day, msgspec.Meta(description="When absent, the later date of both, or the first open day.")] | None
    ) = None
    allow_future: AllowFuture = False


class ItemAllocationRelease(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {}

    date: Annotated[Day, msgspec.Meta(description="Today when absent.")] | None = None
    allow_future: AllowFuture = False
