"""The month to close: its open points, its VAT return, its lock, and what the tax advisor lacks."""

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from erp.desk.home import deadlines
from erp.finance.closing import findings, fiscal_years
from erp.finance.closing.datev import stacks
from erp.finance.closing.findings import LockFinding
from erp.finance.closing.fiscal_years import PeriodStatus
from erp.finance.reports.period import Span
from erp.finance.reports.tax import computing, filed, queries
from erp.finance.reports.tax.deadlines import MONTHS
from erp.finance.reports.tax.models import TaxReturn
from erp.kernel import caller, money
from erp.kernel.days import ONE_DAY, month_end, months_between, months_later
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Instant, Money, Month
from erp.web.schema import Query, View

MOST_MONTHS = 36


class MonthQuery(Query):
    """The month of the books to show."""

    month: Annotated[Month, Meta(description="By default the oldest one that is not locked.")] | None = None


class MonthReturnView(View):
    """The VAT return whose days the month is among: the filed one, else by the rhythm of the settings."""

    form: str
    date_from: date
    date_to: date
    is_over: bool
    due_date: Annotated[date | None, Meta(description="The day on which the tax office expects it.")]
    days_left: Annotated[int | None, Meta(description="Days until then, below zero after it; null once it is filed.")]
    currency: str
    payable: Annotated[Money, Meta(description="As filed, else by the present books; below zero for a refund.")]
    tax_return_id: Annotated[str | None, Meta(description="The return as filed; null until then.")]
    filed_at: Instant | None
    is_changed: Annotated[bool, Meta(description="Whether its figures have changed since it was filed.")]
    can: Annotated[list[Literal["file"]], Meta(description="Actions on the return open to you now.")]


class MonthBatchView(View):
    """The entries of the month for DATEV."""

    missing: Annotated[int, Meta(description="Number of entries of the month that are in no batch.")]
    stack_id: Annotated[str | None, Meta(description="The last batch with days of the month.")]
    made_at: Annotated[Instant | None, Meta(description="The time at which that batch was made.")]


class MonthView(View):
    """A calendar month of the books on its way to its lock."""

    month: Month
    start_date: date
    end_date: date
    is_over: bool
    status: PeriodStatus
    lock_date: date | None
    months: Annotated[
        list[Month],
        Meta(description=f"Months to choose, from the first entry to the present one, the last {MOST_MONTHS} at most."),
    ]
    findings: Annotated[list[LockFinding], Meta(description="The check-list of a lock through the last day.")]
    tax_return: MonthReturnView
    datev: Annotated[MonthBatchView | None, Meta(description="Null without DATEV numbers in the settings.")]
    can: Annotated[list[Literal["lock"]], Meta(description="Actions on the month open to you now.")]


def show(query: MonthQuery) -> MonthView:
    """The month that a query asks for.

    Raises:
        BadParameter: the month is still to come.
    """
    today = workspace_settings.today()
    start = date.fromisoformat(f"{query.month}-01") if query.month else _oldest_open(today)
    if start > today:
        raise BadParameter(says("month: {problem}", problem=says("This month is still to come.")))
    end, status = month_end(start), fiscal_years.status(start, month_end(start))
    is_lockable = status != "locked" and end <= today and caller.may_change("finance.write")
    return MonthView(
        month=_month(start),
        start_date=start,
        end_date=end,
        is_over=end < today,
        status=status,
        lock_date=workspace_settings.current().lock_date,
        months=_months(today),
        findings=findings.through(end),
        tax_return=_tax_return(start, today),
        datev=_batches(start, end),
        can=["lock"] if is_lockable else [],
    )


def _month(day: date) -> str:
    return f"{day:%Y-%m}"


def _oldest_open(today: date) -> date:
    """The first day of the oldest month that is not locked, the present one at the latest."""
    locked = workspace_settings.current().lock_date
    after = date.min if locked is None else (locked + ONE_DAY).replace(day=1)
    return min(max(after, fiscal_years.first_month(today)), today.replace(day=1))


def _months(today: date) -> list[str]:
    count = min(months_between(fiscal_years.first_month(today), today) + 1, MOST_MONTHS)
    return [_month(months_later(today.replace(day=1), -back)) for back in range(count)]


def _tax_return(start: date, today: date) -> MonthReturnView:
    span = _usual_days(start)
    form = queries.form_of(None, span.last)
    others = filed.overlapping(form.code, span)
    span = next((days for days in map(_days_of, others) if days.first <= start <= days.last), span)
    last = filed.latest(form.code, span)
    now = computing.compute(form, span).figures
    is_changed = last is not None and bool(filed.changed(filed.figures_of(last), now.boxes))
    currency = workspace_settings.current().base_currency
    due = deadlines.of_return(form.code, span)
    is_free = all(_days_of(other) == span for other in others)
    can_file = is_free and span.last <= today and (last is None or is_changed) and caller.may_change("finance.write")
    return MonthReturnView(
        form=form.code,
        date_from=span.first,
        date_to=span.last,
        is_over=span.last < today,
        due_date=due,
        days_left=None if due is None or last is not None else (due - today).days,
        currency=currency,
        payable=money.text(now.payable if last is None else last.payable, currency),
        tax_return_id=None if last is None else last.id,
        filed_at=None if last is None else last.created_at,
        is_changed=is_changed,
        can=["file"] if can_file else [],
    )


def _days_of(filed_return: TaxReturn) -> Span:
    return Span(filed_return.date_from, filed_return.date_to)


def _usual_days(start: date) -> Span:
    """The month, the quarter or the year of a month, by the rhythm of VAT returns."""
    months = MONTHS[workspace_settings.current().tax_filing]
    first = start.replace(month=start.month - (start.month - 1) % months)
    return Span(first, month_end(months_later(first, months - 1)))


def _batches(start: date, end: date) -> MonthBatchView | None:
    if workspace_settings.current().datev_client is None:
        return None
    last = stacks.last_sent(start, end)
    return MonthBatchView(
        missing=stacks.count_missing(start, end),
        stack_id=None if last is None else last.id,
        made_at=None if last is None else last.created_at,
    )


class MonthToClose:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: MonthQuery) -> MonthView:
        """Show a month of the books with all that is done before it is locked.

        Its open points, as the check-list has them; the VAT return of the month, the quarter or the year that it is in,
        with the amount, filed or not; its lock; the entries that the tax advisor lacks. Without a month, it is the
        oldest one that is not locked.
        """
        return show(query)
