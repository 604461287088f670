"""The days on which returns are due to the tax office.

Sources: § 18 (1) UStG, §§ 46 to 48 UStDV and § 108 (3) AO for the advance return, § 149 (2) AO for the yearly one;
§ 18a UStG for the EC sales list; VAT Notice 700, section 21.3, for the United Kingdom. Other forms: 30 days.
"""

from collections.abc import Callable, Iterator
from datetime import date, timedelta

from erp.finance.reports.period import Span
from erp.kernel.days import ONE_DAY, month_end, months_later

MONTHS = {"monthly": 1, "quarterly": 3, "yearly": 12}
"""The months of a period, by the rhythm of returns."""

USUAL_DAYS = timedelta(days=30)
GERMAN, BRITISH = "de-ustva", "uk-vat100"

IsFree = Callable[[date], bool]
"""Whether a day is a holiday."""


def ended(filing: str, today: date, count: int) -> Iterator[Span]:
    """The last periods of a rhythm that are over, the latest first."""
    months = MONTHS[filing]
    start = date(today.year, (today.month - 1) // months * months + 1, 1)
    for back in range(1, count + 1):
        first = months_later(start, -months * back)
        yield Span(first, months_later(first, months) - ONE_DAY)


def of_return(form: str, filing: str, last: date, *, has_extension: bool, is_free: IsFree) -> date:
    """The day on which the return of a period is due.

    Args:
        last: the last day of the period.
        has_extension: whether the office has a month more (Germany).
    """
    if form == GERMAN:
        if filing == "yearly":
            return working_day(month_end(months_later(last, 7)), is_free)
        return working_day(months_later(last, 2 if has_extension else 1, 10), is_free)
    if form == BRITISH:
        return month_end(months_later(last, 1)) + timedelta(days=7) if filing != "yearly" else months_later(last, 2, 31)
    return last + USUAL_DAYS


def of_ec_sales(last: date, is_free: IsFree) -> date:
    """The day on which the EC sales list of a period is due; it has no extension."""
    return working_day(months_later(last, 1, 25), is_free)


def working_day(day: date, is_free: IsFree) -> date:
    """The day itself, or the next one that is no Saturday, Sunday or holiday."""
    while day.weekday() >= 5 or is_free(day):
        day += ONE_DAY
    return day
