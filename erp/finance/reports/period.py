"""The days that a ledger or a statement covers."""

from typing import Literal

from erp.kernel.errors import BadParameter
from erp.web.scalars import Day
from erp.web.schema import Query


class ReportPeriod(Query):
    """The first and the last day, both included; all of the past and of what is posted ahead when absent."""

    date_from: Day | None = None
    date_to: Day | None = None
    format: Literal["json", "csv"] = "json"


def bounds(period: ReportPeriod) -> tuple[str, str]:
    """Both days as the file keeps them, below and above all others where there is none.

    Raises:
        BadParameter: the period ends before it begins.
    """
    start, end = str(period.date_from or ""), str(period.date_to or "9999")
    if end < start:
        raise BadParameter("dateTo: Must not be before dateFrom.")
    return start, end
