"""The bodies of requests to write documents and open items off."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.books.periods import AllowFuture
from erp.web.scalars import Day, Line, PositiveAmount
from erp.web.schema import Body

Category = Literal["uncollectable", "small_difference", "doubtful"]
_DAY = "Today when absent, or the day on which something of it was last released."


class WriteOff(Body, kw_only=True):
    EXAMPLE: ClassVar[dict[str, Any]] = {"category": "uncollectable", "reason": "Insolvent"}

    category: Annotated[
        Category,
        msgspec.Meta(
            description="`uncollectable` and `small_difference` settle the amount; `doubtful` moves all that is due to"
            " doubtful receivables, where it stays open."
        ),
    ]
    reason: Line
    amount: Annotated[PositiveAmount, msgspec.Meta(description="All that is due when absent.")] | None = None
    date: Annotated[Day, msgspec.Meta(description=_DAY)] | None = None
    correct_tax: (
        Annotated[
            bool,
            msgspec.Meta(description="Whether its tax is corrected: true when absent, but for doubtful."),
        ]
        | None
    ) = None
    dimensions: Dimensions | None = None
    allow_future: AllowFuture = False


class WriteOffUndo(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Paid after all"}

    date: Annotated[Day, msgspec.Meta(description="Today when absent; not before the write-off.")] | None = None
    reason: Line | None = None
    allow_future: AllowFuture = False
