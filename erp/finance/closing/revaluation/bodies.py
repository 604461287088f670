"""Request bodies of revaluations."""

from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.finance.books.periods import AllowFuture
from erp.finance.closing.revaluation.models import Status
from erp.kernel import clock
from erp.web.scalars import Currency, Day, ExchangeRate, Line
from erp.web.schema import Body, RecordQuery


class RevaluationRate(Body):
    """The value of one unit of a currency on the day."""

    currency: Currency
    rate: ExchangeRate


class NewRevaluation(Body, kw_only=True):
    """The day at whose end everything in foreign currencies is revalued."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"date": f"{clock.now() - timedelta(days=40):%Y-%m-%d}"}

    date: Day
    rates: (
        Annotated[
            list[RevaluationRate],
            msgspec.Meta(max_length=200, description="For other currencies, the exchange rates of the day."),
        ]
        | None
    ) = None
    dry_run: Annotated[bool, msgspec.Meta(description="Show the entries, and post nothing.")] = False
    allow_future: AllowFuture = False


class RevaluationVoid(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "The rate was wrong"}

    reason: Line | None = None


class RevaluationFilter(RecordQuery):
    status: Status | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-date"
