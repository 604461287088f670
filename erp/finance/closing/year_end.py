"""The end of a fiscal year: its result, its months with their open points, its tax returns, and closing it.

Nothing is posted when a year is closed: income and expense begin at zero in the next one by computation. To close a
year is to lock the books through its last day.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.finance.books import years
from erp.finance.books.years import RESULT_TYPES
from erp.finance.closing import findings, fiscal_years, kept_reports, lock
from erp.finance.closing.findings import Days, FindingCount, LockFinding
from erp.finance.closing.fiscal_years import FiscalYearView, PeriodStatus
from erp.finance.closing.kept_reports import Drawn
from erp.finance.closing.lock import ReasonNeeded
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.tax.models import TaxReturn
from erp.finance.reports.tax.views import is_locked
from erp.kernel import caller, money
from erp.kernel.days import ONE_DAY, month_end
from erp.kernel.errors import InvalidTransition, NotFound
from erp.store import control, workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Line, Money
from erp.web.schema import Body, View, show


class YearClose(Body):
    reason: Annotated[Line, Meta(description="The reason, needed while the check-list has findings.")] | None = None

    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "The annual accounts are filed"}


class YearNotOver(InvalidTransition):
    """The fiscal year ends on {end}. It can be closed after that date."""


class YearClosed(InvalidTransition):
    """The fiscal year is closed already: the books are locked through {lock_date}."""


def draw_reports(body: YearClose, year: str) -> Drawn:
    """Draw the reports of a fiscal year before any lock is taken.

    Raises:
        YearNotOver, YearClosed, ReasonNeeded: it cannot be closed.
    """
    with control.reading_own():
        shown = fiscal_years.find(year)
        _check_closable(shown)
        lock.check_reason(shown.end_date, body.reason, findings.through(shown.end_date))
        return kept_reports.draw(shown)


def close(year: FiscalYearView, reason: str | None, reports: Drawn) -> None:
    """Lock the books through the end of a fiscal year, and keep its reports as files.

    Raises:
        YearNotOver: its last day is still to come.
        YearClosed: it is locked already.
        ReasonNeeded: something is open, and no reason is given.
        Busy: the books of the year have changed since the reports were drawn.
    """
    _check_closable(year)
    kept_reports.keep(year, reports)
    lock.lock_through(year.end_date, reason, findings.through(year.end_date))


def _check_closable(year: FiscalYearView) -> None:
    if year.end_date > workspace_settings.today():
        raise YearNotOver(end=year.end_date)
    if year.status == "locked":
        raise YearClosed(lock_date=workspace_settings.current().lock_date)


class YearMonth(View):
    """A calendar month of the year, or a part of one."""

    month: Annotated[str, Meta(description="As `2026-01`.")]
    start_date: date
    end_date: date
    status: PeriodStatus
    findings: list[FindingCount]
    can: Annotated[list[Literal["lock"]], Meta(description="Actions on the month open to you now.")]


class YearTaxReturn(View):
    """A tax return whose last day lies in the year."""

    id: str
    form: str
    date_from: str
    date_to: str
    correction: int
    payable: Money
    reference: str | None
    created_at: Annotated[str, Meta(description="Time of filing.")]
    is_locked: Annotated[bool, Meta(description="Whether the books are locked through its last day.")]


class YearView(FiscalYearView):
    """A fiscal year before and after it is closed."""

    currency: str
    result: Annotated[Money, Meta(description="Income less expenses of the year so far, computed; never posted.")]
    is_over: bool
    lock_date: date | None
    months: list[YearMonth]
    findings: Annotated[list[LockFinding], Meta(description="The check-list of a lock through the last day.")]
    needs_reason: Annotated[bool, Meta(description="Whether a lock through the last day needs a reason.")]
    tax_returns: list[YearTaxReturn]
    can: Annotated[list[Literal["close"]], Meta(description="Actions on the year open to you now.")]

    @classmethod
    def of(cls, year: FiscalYearView) -> "YearView":
        """Show a fiscal year."""
        currency = workspace_settings.current().base_currency
        open_points = findings.through(year.end_date)
        return show(
            cls,
            year,
            currency=currency,
            result=money.text(_result(year), currency),
            is_over=year.end_date < workspace_settings.today(),
            lock_date=workspace_settings.current().lock_date,
            months=[*_months(year)],
            findings=open_points,
            needs_reason=bool(open_points),
            tax_returns=[_tax_return(row, currency) for row in TaxReturn.fetch(_RETURNS, *_bounds(year))],
            can=caller.allowed("finance.write", {"close": lambda: _check_closable(year)}),
        )


def _result(year: FiscalYearView) -> int:
    """Income less expenses of a year: a profit is above zero."""
    types = {account.id: account.type for account in chart.accounts()}
    balances = years.balances(types, year.end_date, year.start_date)
    return -sum(amount for id, amount in balances.of.items() if types[id] in RESULT_TYPES)


def _months(year: FiscalYearView) -> Iterator[YearMonth]:
    counts = findings.by_month(Days(year.start_date, year.end_date))
    start = year.start_date
    while start <= year.end_date:
        end = min(month_end(start), year.end_date)
        yield _month(start, end, counts)
        start = end + ONE_DAY


def _month(start: date, end: date, counts: Mapping[str, Sequence[FindingCount]]) -> YearMonth:
    month, status = start.isoformat()[:7], fiscal_years.status(start, end)
    is_lockable = status != "locked" and end <= workspace_settings.today()
    return YearMonth(
        month=month,
        start_date=start,
        end_date=end,
        status=status,
        findings=list(counts.get(month, ())),
        can=["lock"] if is_lockable and caller.may_change("finance.write") else [],
    )


_RETURNS = "SELECT * FROM tax_return WHERE date_to BETWEEN ? AND ? ORDER BY date_to, correction, id"


def _bounds(year: FiscalYearView) -> tuple[str, str]:
    return str(year.start_date), str(year.end_date)


def _tax_return(row: TaxReturn, currency: str) -> YearTaxReturn:
    return show(
        YearTaxReturn,
        row,
        date_from=str(row.date_from),
        date_to=str(row.date_to),
        payable=money.text(row.payable, currency),
        is_locked=is_locked(row),
    )


class Item:
    @endpoint(permission="finance.read", refuses=(NotFound,))
    def on_get(self, year: str) -> YearView:
        """Show a fiscal year by the year in which it ends.

        With its result, its months for the lock, its open points, and the tax returns filed in it. The result is
        computed from income and expenses; nothing is posted for it.
        """
        return YearView.of(fiscal_years.find(year))


class Close:
    @endpoint(
        permission="finance.write", refuses=(NotFound, YearNotOver, YearClosed, ReasonNeeded), prepare=draw_reports
    )
    def on_post(self, year: str, body: YearClose, prepared: Drawn) -> YearView:
        """Close a fiscal year: lock the books through its last day.

        Nothing is posted: income and expenses begin at zero in the next year by computation. While something is open
        in the year, it needs a `reason`, which is kept in the log. An owner can unlock it again. The balance sheet,
        profit and loss, the trial balance and the movements of fixed assets are kept as PDF files of the year: `GET
        /workspace/attachments?resourceType=fiscal_year&resourceId=2026`. They stay when the year is unlocked.
        """
        close(fiscal_years.find(year), body.reason, prepared)
        return YearView.of(fiscal_years.find(year))
