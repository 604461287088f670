"""Postings to accounts in spans of days, read from whole months where possible.

An amount is in minor units of the base currency: debit above zero, credit below.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from erp.finance.books import account_balances
from erp.finance.books.account_balances import span_of_days
from erp.finance.reports.period import Span
from erp.kernel.days import ONE_DAY
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE


def of_spans(spans: Sequence[Span]) -> dict[str, list[int]]:
    """By account id, the postings of each of some spans; accounts without postings by then are left out."""
    days = sorted({day for span in spans for day in (span.before, span.last)})
    places = {day: index for index, day in enumerate(days)}
    return {
        id: [amounts[places[span.last]] - amounts[places[span.before]] for span in spans]
        for id, amounts in account_balances.of_all(*days).items()
    }


class Turnover(NamedTuple):
    """The debits and the credits of an account, both of them above zero or zero."""

    debit: int
    credit: int


def turnovers(span: Span) -> dict[str, Turnover]:
    """By account id, the debits and credits of some days; accounts without any are left out."""
    months, days = span_of_days(span.first, span.last)
    parts = [_MONTHS, *[_DAYS] * len(days)]
    parameters = [text for bounds in (months, *days) for text in bounds]
    rows = WORKSPACE.rows(_TURNOVERS.format(parts=" UNION ALL ".join(parts)), parameters)
    return {id: Turnover(debit, credit) for id, debit, credit in rows}


def imported(span: Span) -> dict[str, int] | None:
    """By account id, the imported income and expenses of days before the books began.

    They are as exact as the import: whole months. None for days of the books, or without an import.
    """
    if account_balances.imported(span.last, is_for_results=True) is None:
        return None
    amounts: dict[str, int] = {}
    for part in _fiscal_parts(span):
        start = workspace_settings.fiscal_year_start(part.first)
        for sign, day in ((1, part.last), (-1, part.before)):
            if day >= start:
                for id, amount in _to_date(day, start).items():
                    amounts[id] = amounts.get(id, 0) + sign * amount
    return amounts


def _to_date(day: date, start: date) -> dict[str, int]:
    """The imported balances at the end of the last month by a day, if that is in its fiscal year."""
    held = account_balances.imported(day, is_for_results=True)
    return held[1] if held is not None and held[0] >= start else {}


def _fiscal_parts(span: Span) -> list[Span]:
    """A span, split where fiscal years begin."""
    parts, first = [], span.first
    while first <= span.last:
        end = workspace_settings.fiscal_year_end(first)
        parts.append(Span(first, min(end, span.last)))
        first = end + ONE_DAY
    return parts


_TURNOVERS = "SELECT account_id, sum(debit), sum(credit) FROM ({parts}) AS turnover GROUP BY account_id"
_MONTHS = "SELECT account_id, debit, credit FROM balance WHERE month >= ? AND month < ?"
# CROSS JOIN keeps SQLite on the index by account and day.
_DAYS = (
    "SELECT p.account_id, CASE WHEN p.amount > 0 THEN p.amount ELSE 0 END,"
    " CASE WHEN p.amount < 0 THEN -p.amount ELSE 0 END"
    f" FROM account AS a {sql.THEN_JOIN} posting AS p ON p.account_id = a.id AND p.date BETWEEN ? AND ?"
)
