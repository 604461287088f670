"""Deadlines on the home page: returns, pay, batches, locks, the year, and a copy of the data in another place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlencode

from msgspec import Meta

from erp.finance.closing import fiscal_years
from erp.finance.closing.datev import stacks
from erp.finance.contacts.tax_rates import tag_of
from erp.finance.reports.period import Span
from erp.finance.reports.tax import deadlines, queries
from erp.finance.reports.tax.deadlines import IsFree
from erp.finance.reports.tax.ec_sales import KINDS
from erp.finance.reports.tax.forms import GENERIC
from erp.kernel import caller, clock, countries, language
from erp.kernel.days import LONGEST_MONTH, ONE_DAY, is_month_end, month_end, months_between, months_later
from erp.kernel.language import Sentence, Word, month, says
from erp.store import control, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import View

MOST = 6
"""Deadlines shown."""
PERIODS = 3
"""Last periods of a kind that are looked at, so that one kind does not push out the others."""
LOCKED_AFTER = 12
"""Months after which an unlocked month is left to the check-list of its year."""
YEAR_END_MONTHS = 6
"""§ 264 (1) HGB, for small companies."""
LONG = 12
"""Months of a year."""
COPY_DAYS = timedelta(days=7)

Kind = Literal["tax_return", "ec_list", "payroll", "datev", "lock", "backup", "year_end"]


class DeadlineView(View):
    """Work that is due on a day; `href` is its page."""

    kind: Kind
    title: str
    date: date
    days_left: int
    age_days: Annotated[
        int | None, Meta(description="Days since the last copy; null for other kinds, and before the first copy.")
    ]
    href: str


class _Deadline(NamedTuple):
    day: date
    kind: Kind
    title: str
    href: str
    age_days: int | None = None


Finder = Callable[[date], Iterator[_Deadline]]


def shown() -> list[DeadlineView] | None:
    """The deadlines that the caller can meet, the latest at the top; None where they can meet none of any kind."""
    finders = [find for right, several in _finders().items() if caller.may(right) for find in several]
    if caller.current().is_instance_admin:
        finders.append(_of_copies)
    if not finders:
        return None
    today, tongue = workspace_settings.today(), language.spoken(caller.current().locale) or language.ENGLISH
    found = sorted(deadline for find in finders for deadline in find(today))
    return [
        DeadlineView(
            kind=kind,
            title=language.translated(title, tongue),
            date=day,
            days_left=(day - today).days,
            age_days=age_days,
            href=href,
        )
        for day, kind, title, href, age_days in found[:MOST]
    ]


def _finders() -> Mapping[str, Sequence[Finder]]:
    """The kinds of deadlines by the right to meet them."""
    return {
        "finance.read": (_of_returns,),
        "finance.write": (_of_batches, _of_locks, _of_years),
        "payroll.read": (_of_payroll,),
    }


def _titled(subject: Word, span: Span) -> Sentence:
    """A kind of work and its period."""
    if (months := months_between(*span) + 1) == 1:
        return _titled_by_month(subject, span.last)
    if months == LONG:
        return says("{subject} {year}", subject=subject, year=span.last.year)
    quarter = (span.first.month + 2) // 3
    return says("{subject}, quarter {quarter} of {year}", subject=subject, quarter=quarter, year=span.first.year)


def _titled_by_month(subject: Word, day: date) -> Sentence:
    return says("{subject} {month} {year}", subject=subject, month=month(day), year=day.year)


def _month_to_close(span: Span) -> str:
    return f"/close?month={span.first:%Y-%m}"


def _address(path: str, span: Span) -> str:
    return f"{path}?{urlencode({'dateFrom': str(span.first), 'dateTo': str(span.last)})}"


_BEGUN = "SELECT date FROM journal_entry WHERE kind <> 'opening' ORDER BY date LIMIT 1"
_HOLIDAYS = """
SELECT date FROM holiday JOIN site ON site.is_default AND (
    site_ids = '[]' OR site.id IN (SELECT value FROM json_each(site_ids)))
WHERE part = 'day' AND date >= ?
"""


def _ended(count: int, today: date, filing: str) -> Iterator[Span]:
    """The last periods that are over and in which the books had begun."""
    begun = WORKSPACE.memo("day on which the books began", lambda: WORKSPACE.rows(_BEGUN))
    return (span for span in deadlines.ended(filing, today, count) if begun and begun[0][0] <= str(span.last))


def _is_holiday(today: date) -> IsFree:
    since = (today - timedelta(days=LONG * LONGEST_MONTH * 2)).isoformat()
    days = {date.fromisoformat(day) for (day,) in WORKSPACE.rows(_HOLIDAYS, (since,))}
    return days.__contains__


def of_return(form: str, span: Span) -> date | None:
    """The day on which the return of some days is due; None for the form of no country."""
    return None if form == GENERIC else _due(form, span, _is_holiday(span.last))


def _due(form: str, span: Span, is_free: IsFree) -> date:
    settings = workspace_settings.current()
    has_extension = settings.tax_extension
    return deadlines.of_return(form, settings.tax_filing, span.last, has_extension=has_extension, is_free=is_free)


_FILED = "SELECT date_from, date_to FROM tax_return WHERE form = ? AND date_to >= ?"
_EC_SALES = """
SELECT 1 FROM invoice JOIN invoice_line ON invoice_line.invoice_id = invoice.id
WHERE issue_date BETWEEN ? AND ? AND invoice.status NOT IN ('draft', 'void') AND kind NOT LIKE 'purchase%'
    AND tax_rate_id IN (SELECT value FROM json_each(?)) LIMIT 1
"""


def _of_returns(today: date) -> Iterator[_Deadline]:
    settings = workspace_settings.current()
    is_free, filing = _is_holiday(today), settings.tax_filing
    form = queries.form_of(None, today).code
    spans = [*_ended(PERIODS, today, filing)]
    filed = WORKSPACE.rows(_FILED, (form, str(spans[-1].first))) if spans else []
    if form != GENERIC or filed:
        for span in spans:
            if not any(first <= str(span.first) and str(span.last) <= last for first, last in filed):
                day = _due(form, span, is_free)
                yield _Deadline(day, "tax_return", _titled(_return(form), span), _address("/reports/tax", span))
    if settings.country is not None and countries.is_in_eu(settings.country):
        yield from _of_ec_sales(today, filing, is_free)


def _return(form: str) -> Word:
    return Word("UStVA") if form == deadlines.GERMAN else Word("VAT return")


def _of_ec_sales(today: date, filing: str, is_free: IsFree) -> Iterator[_Deadline]:
    """The list of the last period, until its days are locked: nothing tells that it was sent."""
    locked = workspace_settings.lock_date()
    rates = WORKSPACE.rows("SELECT id, category, tax_tag FROM tax_rate")
    listed = sql.array(id for id, category, tag in rates if tag_of(category, tag) in KINDS)
    for span in _ended(1, today, "monthly" if filing == "monthly" else "quarterly"):
        is_due = WORKSPACE.rows(_EC_SALES, (str(span.first), str(span.last), listed))
        if is_due and (locked is None or locked < span.last):
            day = deadlines.of_ec_sales(span.last, is_free)
            yield _Deadline(
                day, "ec_list", _titled(Word("EC sales list"), span), _address("/reports/ec-sales-list", span)
            )


def _of_batches(today: date) -> Iterator[_Deadline]:
    """The months with entries in no batch, when their advance return is due."""
    settings = workspace_settings.current()
    if not (settings.datev_advisor and settings.datev_client and settings.datev_chart):
        return
    rule = partial(deadlines.of_return, deadlines.GERMAN, "monthly", has_extension=settings.tax_extension)
    is_free = _is_holiday(today)
    for span in _ended(PERIODS, today, "monthly"):
        if stacks.has_missing(span.first, span.last):
            title = _titled(Word("DATEV batch"), span)
            yield _Deadline(rule(span.last, is_free=is_free), "datev", title, _month_to_close(span))


def _of_locks(today: date) -> Iterator[_Deadline]:
    """The first month that is not locked, at the end of the next one."""
    locked = workspace_settings.lock_date()
    spans = [span for span in _ended(LOCKED_AFTER, today, "monthly") if locked is None or locked < span.last]
    for span in spans[-1:]:
        day = month_end(span.last + ONE_DAY)
        yield _Deadline(day, "lock", _titled(Word("Lock", "deadline"), span), _month_to_close(span))


def _of_years(today: date) -> Iterator[_Deadline]:
    """The last fiscal year, until it is locked."""
    start = workspace_settings.fiscal_year_start(workspace_settings.fiscal_year_start(today) - ONE_DAY)
    year = fiscal_years.of_start(start)
    if year.entry_count and year.status != "locked":
        day = month_end(months_later(year.end_date, YEAR_END_MONTHS))
        title = says("{subject} {year}", subject=Word("Year end"), year=year.year)
        yield _Deadline(day, "year_end", title, f"/close/year?year={year.year}")


class _Run(NamedTuple):
    id: str
    first: date
    last: date
    pay_date: date
    status: str
    kind: str


_RUNS = """
SELECT id, period_start, period_end, pay_date, status, kind FROM payroll_run
WHERE status IN ('draft', 'approved') OR (status = 'paid' AND kind = 'regular' AND period_end = (
    SELECT max(period_end) FROM payroll_run WHERE kind = 'regular' AND status <> 'reversed'))
ORDER BY period_end, pay_date
"""


def _of_payroll(today: date) -> Iterator[_Deadline]:
    """The runs to pay, and the one after the last regular one, on the pay date that follows from it.

    Each is named for the month in which its period ends: a fortnight or a correction may have days of several.
    """
    days = date.fromisoformat
    runs = [
        _Run(id, days(first), days(last), days(paid), status, kind)
        for id, first, last, paid, status, kind in WORKSPACE.rows(_RUNS)
    ]
    for run in runs:
        if run.status != "paid":
            title = _titled_by_month(Word("Payroll"), run.last)
            yield _Deadline(run.pay_date, "payroll", title, f"/payroll/{run.id}")
    for run in [run for run in runs if run.kind == "regular"][-1:]:
        span, pay_date = _next(run)
        if span.first <= today:
            yield _Deadline(pay_date, "payroll", _titled_by_month(Word("Payroll"), span.last), "/payroll")


def _next(run: _Run) -> tuple[Span, date]:
    """The period after a run's, and its pay date."""
    first = run.last + ONE_DAY
    if run.first.day == 1 and is_month_end(run.last):
        months = months_between(run.first, run.last) + 1
        of_month = LONGEST_MONTH if is_month_end(run.pay_date) else None
        return Span(first, months_later(first, months) - ONE_DAY), months_later(run.pay_date, months, of_month)
    length = first - run.first
    return Span(first, run.last + length), run.pay_date + length


def _of_copies(today: date) -> Iterator[_Deadline]:
    """The next copy of a backup in another place, once the last one is a week old."""
    ((copied_at,),) = control.look_up("SELECT copied_at FROM installation", ())
    copied_on = clock.parse(copied_at).date() if copied_at else None
    day = copied_on + COPY_DAYS if copied_on else today
    if day <= today:
        age_days = (today - copied_on).days if copied_on else None
        yield _Deadline(day, "backup", Word("Backup elsewhere"), "/server/backups", age_days)
