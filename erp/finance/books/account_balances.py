"""Balances of accounts at the end of a day, read from whole months and the days of parts of others.

An amount is in minor units: debit above zero, credit below. `ledger.post` keeps the monthly balances.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import chain

from erp.kernel.days import is_month_end, month_end
from erp.store import sql
from erp.store.router import WORKSPACE


def of_all(*days: date) -> dict[str, tuple[int, ...]]:
    """The balance of each account at the end of each of some days, debit above zero.

    Whole months are read from the monthly balances, the days of other months from their postings.

    Returns:
        Minor units by account id; accounts without postings until the last of the days are left out.
    """
    spans = [span_of_days(None, day) for day in days]
    names = ", ".join(f"sum(at_{index})" for index in range(len(days)))
    changes = " UNION ALL ".join([_in_months(len(days)), *_in_days(spans)])
    months = [last for (_, last), _ in spans]
    parameters = (*months, max(months), *chain.from_iterable(chain.from_iterable(parts for _, parts in spans)))
    rows = WORKSPACE.rows(f"SELECT account_id, {names} FROM ({changes}) AS changes GROUP BY account_id", parameters)
    return {id: tuple(amounts) for id, *amounts in rows}


def of_account(account_id: str, through: date | None = None, start: date | None = None) -> int:
    """The balance of one account, debit above zero, at the end of a day.

    Args:
        through: the last day that counts; without it, everything after counts.
        start: the first day that counts; without it, everything before counts.
    """
    months, days = span_of_days(start, through)
    changes = " UNION ALL ".join([_OF_ACCOUNT_IN_MONTHS, *[_OF_ACCOUNT_IN_DAYS] * len(days)])
    parameters = chain.from_iterable((account_id, *bounds) for bounds in (months, *days))
    ((amount,),) = WORKSPACE.rows(f"SELECT coalesce(sum(amount), 0) FROM ({changes}) AS changes", tuple(parameters))
    return int(amount)


def of_account_unrevalued(account_id: str, through: date) -> int:
    """The balance of one account at the end of a day, without a revaluation, which is reversed the next day."""
    ((added,),) = WORKSPACE.rows(_REVALUED, (account_id, through.isoformat()))
    return of_account(account_id, through=through) - int(added)


def in_foreign(account_id: str, currency: str, through: date | None = None, start: date | None = None) -> int:
    """The balance in its own currency of an account that is not kept in the base currency; as `of_account`."""
    bounds = (str(start or ""), str(through or "9999"))
    ((amount,),) = WORKSPACE.rows(_OF_FOREIGN_ACCOUNT, (account_id, currency, *bounds))
    return int(amount)


def imported(day: date, *, is_for_results: bool = False) -> tuple[date, dict[str, int]] | None:
    """The balances of accounts before the books began, at the end of the last month that had ended by a day.

    Args:
        is_for_results: whether the day of the opening balances is before the books as well: they have the balances of
            its end, but not the income and expenses until then.

    Returns:
        The end of that month, and minor units by account id, debit above zero; of income and expenses since the fiscal
            year began. None for a day of the books, and where no balances were imported for comparison.
    """
    begun = day - timedelta(days=1) if is_for_results else day
    rows = WORKSPACE.rows(_TAKEN_OVER, {"month": last_month(day), "day": begun.isoformat()})
    return (_end_of(rows[0][2]), {id: amount for id, amount, _ in rows}) if rows else None


def last_month(day: date) -> str:
    """The last month that has ended by a day, as `2026-04`."""
    end = (day + timedelta(days=1)).replace(day=1) - timedelta(days=1)
    return end.isoformat()[:7]


def _end_of(month: str) -> date:
    return month_end(date.fromisoformat(f"{month}-01"))


_TAKEN_OVER = (
    "SELECT account_id, base_amount, month FROM comparison_balance"
    " WHERE month = (SELECT max(month) FROM comparison_balance WHERE month <= :month)"
    " AND :day < (SELECT max(entry.date) FROM journal_entry AS entry WHERE entry.kind = 'opening'"
    "  AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = entry.id))"
)
_IN_MONTHS = "SELECT account_id, {amounts} FROM balance WHERE month < ?"
# CROSS JOIN keeps SQLite on the index by account and day, instead of all postings of the past.
_IN_DAYS = (
    f"SELECT p.account_id, {{amounts}} FROM account AS a {sql.THEN_JOIN} posting AS p"
    " ON p.account_id = a.id AND p.date BETWEEN ? AND ?"
)
_OF_ACCOUNT_IN_MONTHS = "SELECT debit - credit AS amount FROM balance WHERE account_id = ? AND month >= ? AND month < ?"
_OF_ACCOUNT_IN_DAYS = "SELECT amount FROM posting WHERE account_id = ? AND date BETWEEN ? AND ?"
_REVALUED = (
    "SELECT coalesce(sum(p.amount), 0) FROM revaluation AS r JOIN posting AS p ON p.entry_id = r.journal_entry_id"
    " WHERE p.account_id = ? AND r.date = ? AND r.status = 'posted'"
)
_OF_FOREIGN_ACCOUNT = (
    "SELECT coalesce(sum(foreign_amount), 0) FROM posting"
    " WHERE account_id = ? AND currency = ? AND date BETWEEN ? AND ?"
)

_Bounds = tuple[str, str]
_Span = tuple[_Bounds, list[_Bounds]]


def span_of_days(start: date | None, through: date | None) -> _Span:
    """The parts of a span of days: bounds of its whole months, and first and last days of the parts of others.

    As text, a month sorts before each of its days: `2026-04` < `2026-04-06` < `2026-05`.
    """
    first, last = "", "9999"
    days = []
    if start is not None:
        first = start.isoformat()[:7] if start.day == 1 else start.isoformat()
    if through is not None:
        last = through.isoformat() if is_month_end(through) else through.isoformat()[:7]
    if start is not None and start.day > 1:
        days.append((start.isoformat(), min(str(through or "9999"), f"{first[:7]}-31")))
    if through is not None and not is_month_end(through) and not (days and first[:7] == last):
        days.append((f"{last}-01", through.isoformat()))
    return (first, last), days


def _in_months(days: int) -> str:
    """A select of the changes of whole months, with a column for each of some days."""
    amounts = (f"CASE WHEN month < ? THEN debit - credit ELSE 0 END AS at_{index}" for index in range(days))
    return _IN_MONTHS.format(amounts=", ".join(amounts))


def _in_days(spans: Sequence[_Span]) -> Iterator[str]:
    """A select of the changes on the days after the whole months, for each span that has such days."""
    for own, (_, parts) in enumerate(spans):
        if parts:
            amounts = (f"{'p.amount' if index == own else 0} AS at_{index}" for index in range(len(spans)))
            yield _IN_DAYS.format(amounts=", ".join(amounts))
