"""The fiscal years of the books, and their locks."""

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from erp.kernel.errors import NotFound
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import View

PeriodStatus = Literal["open", "partly_locked", "locked"]


class FiscalYearView(View):
    """A fiscal year, named by the year in which it ends."""

    year: int
    start_date: date
    end_date: date
    status: PeriodStatus
    entry_count: int
    is_opening: Annotated[bool, Meta(description="Whether it has opening balances alone.")]


def shown() -> list[FiscalYearView]:
    """The fiscal years, the latest first; the present one, and years with entries."""
    today = workspace_settings.today()
    years = [of_start(start) for start in _starts(today)]
    return [year for year in years if year.entry_count or year.start_date <= today <= year.end_date]


def find(year: str) -> FiscalYearView:
    """The fiscal year of a number in an address.

    Raises:
        NotFound: there is none, or it is before the first entry or after the last.
    """
    for start in _starts(workspace_settings.today()):
        if str(workspace_settings.fiscal_year(start)) == year:
            return of_start(start)
    raise NotFound


_DAYS_OF_ENTRIES = "SELECT min(date), max(date) FROM journal_entry"
_ENTRIES_BETWEEN = "SELECT count(*) FROM journal_entry WHERE date BETWEEN ? AND ?"


_FIRST_OWN = """
SELECT min(entry.date) FROM journal_entry AS entry
LEFT JOIN journal_entry AS original ON original.id = entry.reverses_id
WHERE coalesce(original.kind, entry.kind) <> 'opening'
"""
"""The opening balances are dated on the last day of the program before, which has closed its month and year."""


def first_month(today: date) -> date:
    """The first day of the month of the first entry but opening balances, of today's without an earlier one."""
    return min(_first_own(), today).replace(day=1)


def _first_own() -> date:
    ((first,),) = WORKSPACE.rows(_FIRST_OWN)
    return date.fromisoformat(first) if first else date.max


def _days_with_entries(today: date) -> list[date]:
    (ends,) = WORKSPACE.rows(_DAYS_OF_ENTRIES)
    return [today, *(date.fromisoformat(day) for day in ends if day)]


def _starts(today: date) -> Iterator[date]:
    """The first days of the fiscal years, from the latest back to the first entry's."""
    days = _days_with_entries(today)
    start = workspace_settings.fiscal_year_start(max(days))
    while start > workspace_settings.fiscal_year_start(min(days)):
        yield start
        start = start.replace(year=start.year - 1)
    yield start


def of_start(start: date) -> FiscalYearView:
    """The fiscal year that begins on a day."""
    end = workspace_settings.fiscal_year_end(start)
    ((count,),) = WORKSPACE.rows(_ENTRIES_BETWEEN, (start.isoformat(), end.isoformat()))
    return FiscalYearView(
        year=workspace_settings.fiscal_year(start),
        start_date=start,
        end_date=end,
        status=status(start, end),
        entry_count=count,
        is_opening=count > 0 and end < _first_own(),
    )


def status(start: date, end: date) -> PeriodStatus:
    """The lock status of some days."""
    lock_date = workspace_settings.current().lock_date
    if lock_date is None or lock_date < start:
        return "open"
    return "locked" if lock_date >= end else "partly_locked"
