"""The days of a report, and the days of its comparison."""

import datetime
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from erp.kernel.days import is_month_end, month_end, months_between, months_later
from erp.kernel.errors import Complaint
from erp.kernel.language import Language, month_and_year, says
from erp.store import workspace_settings
from erp.web.scalars import Day
from erp.web.schema import Query, are_reversed


class FileQuery(Query):
    """The form of a report."""

    format: Annotated[
        Literal["json", "csv", "xlsx", "pdf"],
        Meta(description="`csv`, `xlsx` (with formulas) and `pdf` are files; an `Accept` header may request them too."),
    ] = "json"
    separator: Annotated[
        Literal["comma", "semicolon"],
        Meta(description="For CSV. With `semicolon`, decimals have a comma, and Excel opens the file directly."),
    ] = "comma"
    language: Annotated[Language, Meta(description="Of labels; the user's own when absent.")] | None = None


class ReportDate(FileQuery):
    """The last day that counts."""

    date: Annotated[Day, Meta(description="The last day that counts; today when absent.")] | None = None


class ReportPeriod(FileQuery):
    """The first and the last day, both included. Without them, everything posted before or after counts."""

    date_from: Day | None = None
    date_to: Day | None = None

    def check(self) -> Iterator[Complaint]:
        return reversed_days(self.date_from, self.date_to)


def reversed_days(first: object, last: object) -> Iterator[Complaint]:
    """The complaint about days that end before they begin."""
    if are_reversed(first, last):
        yield Complaint("dateTo", "too_early", says("Must not be before dateFrom."))


class RangeQuery(FileQuery):
    """The first and the last day, both included."""

    date_from: (
        Annotated[Day, Meta(description="The first day; by default the first of the fiscal year of the last day.")]
        | None
    ) = None
    date_to: Annotated[Day, Meta(description="The last day; today when absent.")] | None = None

    def check(self) -> Iterator[Complaint]:
        return reversed_days(self.date_from, self.date_to)


class ComparedQuery(RangeQuery):
    """A range of days, and another to compare it with."""

    compare: (
        Annotated[
            Literal["previous_period", "previous_year"],
            Meta(description="The comparison: as many months or days right before, or the same days a year ago."),
        ]
        | None
    ) = None
    compare_from: Annotated[Day, Meta(description="The first day to compare with, in place of `compare`.")] | None = (
        None
    )
    compare_to: Annotated[Day, Meta(description="The last day to compare with.")] | None = None

    def check(self) -> Iterator[Complaint]:
        yield from super().check()
        if (self.compare_from is None) != (self.compare_to is None):
            yield Complaint("compareTo", "both_or_none", says("Give both compareFrom and compareTo, or neither."))
        if are_reversed(self.compare_from, self.compare_to):
            yield Complaint("compareTo", "too_early", says("Must not be before compareFrom."))


class Span(NamedTuple):
    """The days from a first to a last, both included."""

    first: date
    last: date

    @property
    def before(self) -> date:
        """The day before the first."""
        return self.first - timedelta(days=1)

    @property
    def label(self) -> str:
        """`January 2026` and `2026` for whole months and calendar years, else both days."""
        if self.first.day == 1 and is_month_end(self.last):
            if (self.first.year, self.first.month) == (self.last.year, self.last.month):
                return month_and_year(self.first)
            if self.first.month == 1 and self.last.month == 12 and self.first.year == self.last.year:
                return f"{self.first:%Y}"
        return says("{from_date} – {until}", from_date=self.first, until=self.last)


def bounds(period: ReportPeriod) -> tuple[str, str]:
    """Both days as ISO text; where one is absent, a text that sorts before or after every day."""
    return str(period.date_from or ""), str(period.date_to or "9999")


def span_of(query: RangeQuery) -> Span:
    """The days that a query asks for."""
    last = query.date_to or max(workspace_settings.today(), query.date_from or date.min)
    first = query.date_from or workspace_settings.fiscal_year_start(last)
    return Span(plain(first), plain(last))


def compared(query: ComparedQuery, span: Span) -> Span | None:
    """The days to compare with, if a query asks for any."""
    first, last = query.compare_from, query.compare_to
    if first is None or last is None:
        return _shifted(span, query.compare) if query.compare else None
    return Span(plain(first), plain(last))


def _shifted(span: Span, by: Literal["previous_period", "previous_year"]) -> Span:
    months = 12
    if by == "previous_period":
        if not (span.first.day == 1 and is_month_end(span.last)):
            return Span(span.first - (span.last - span.before), span.before)
        months = months_between(span.first, span.last) + 1
    last = months_later(span.last, -months)
    return Span(months_later(span.first, -months), month_end(last) if is_month_end(span.last) else last)


def plain(day: datetime.date) -> date:
    """A day as a plain `date` of the standard library."""
    return date(day.year, day.month, day.day)
