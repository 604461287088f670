"""The day or the days that a report covers."""

from typing import Annotated, Literal

from msgspec import Meta

from erp.kernel.errors import BadParameter
from erp.web.scalars import Day
from erp.web.schema import Query


class ReportDate(Query):
    """The last day that counts."""

    date: Annotated[Day, Meta(description="The last day that counts; today when absent.")] | None = None
    format: Literal["json", "csv"] = "json"


class ReportPeriod(Query):
    """The first and the last day, both included. Without them, everything posted before or after counts."""

    date_from: Day | None = None
    date_to: Day | None = None
    format: Literal["json", "csv"] = "json"


def bounds(period: ReportPeriod) -> tuple[str, str]:
    """Both days as ISO text; where one is absent, a text that sorts before or after every day.

    Raises:
        BadParameter: the period ends before it begins.
    """
    start, end = str(period.date_from or ""), str(period.date_to or "9999")
    if end < start:
        raise BadParameter("dateTo: Must not be before dateFrom.")
    return start, end
