"""What requests about DATEV say."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from erp.web.scalars import Day
from erp.web.schema import Body, Query

_LAST = Annotated[Day, Meta(description="The last day, in the same fiscal year.")]


class DatevRange(Query):
    """The first and the last day, both included."""

    date_from: Day
    date_to: _LAST


class NewDatevStack(Body):
    """The days whose journal entries go to the tax advisor."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}

    date_from: Day
    date_to: _LAST
