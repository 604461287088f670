"""The ledger of one account: its postings by date, each with the balance after it."""

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Annotated, Any

from msgspec import Meta

from erp.finance.books import ledger
from erp.finance.books.chart import NORMAL_SIGN
from erp.finance.books.models import Account
from erp.finance.reports.period import ReportPeriod, bounds
from erp.finance.reports.table import ReportAccount, sides
from erp.kernel import money
from erp.kernel.errors import BadParameter
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Report, View, show


class AccountLedgerQuery(ReportPeriod):
    """Which postings of an account to show."""

    limit: Annotated[int, Meta(ge=1, le=200, description="How many rows a page has.")] = 50
    cursor: Annotated[str, Meta(max_length=1000, description="The `nextCursor` of the page before.")] | None = None


class AccountLedgerRow(View):
    """A posting, with the balance after it on the account's normal side."""

    date: Day
    entry_id: str
    number: str
    description: str
    debit: Money
    credit: Money
    balance: Money


class AccountLedger(Report):
    """An account's postings, oldest first; `opening` and `closing` are those of the whole period on every page."""

    ROW = AccountLedgerRow

    account: ReportAccount
    currency: str
    opening: Money
    closing: Money
    rows: list[AccountLedgerRow]
    next_cursor: str | None

    def table(self) -> list[AccountLedgerRow]:
        """The postings of this page."""
        return self.rows


Place = tuple[str, str, int]
"""Date, entry id and line: the order of the ledger. Ids of entries sort in the order of posting."""

LINES = 10**6
"""More lines than any entry has."""

_START: Place = ("", "", 0)
_POSTINGS = (
    "SELECT p.date, p.entry_id, p.line, e.number, coalesce(p.description, e.description), p.amount"
    " FROM posting AS p JOIN journal_entry AS e ON e.id = p.entry_id"
    " WHERE p.account_id = ? AND p.date BETWEEN ? AND ? AND (p.date, p.entry_id, p.line) > (?, ?, ?)"
    " ORDER BY p.date, p.entry_id, p.line LIMIT ?"
)
_OF_DAY_THROUGH = (
    "SELECT coalesce(sum(amount), 0) FROM posting WHERE account_id = ? AND date = ? AND (entry_id, line) <= (?, ?)"
)


def of(account: Account, query: AccountLedgerQuery) -> AccountLedger:
    """One page of an account's ledger.

    Raises:
        BadParameter: the period ends before it begins, or the cursor is not one of this list.
    """
    days = bounds(query)
    place = _START if query.cursor is None else _read(query.cursor)
    opening = _before(account.id, query.date_from)
    rows = WORKSPACE.rows(_POSTINGS, (account.id, *days, *place, query.limit + 1))
    page = _Page(workspace_settings.current().base_currency, NORMAL_SIGN[account.type])
    return AccountLedger(
        account=show(ReportAccount, account),
        currency=page.currency,
        opening=page.balance(opening),
        closing=page.balance(ledger.balance(account.id, query.date_to)),
        rows=page.rows(rows[: query.limit], opening if query.cursor is None else _through(account.id, place)),
        next_cursor=_cursor(rows[query.limit - 1]) if len(rows) > query.limit else None,
    )


def _before(account_id: str, day: date | None) -> int:
    return 0 if day is None else ledger.balance(account_id, day - timedelta(days=1))


def _through(account_id: str, place: Place) -> int:
    """The balance after the posting at a place."""
    day, entry_id, line = place
    ((amount,),) = WORKSPACE.rows(_OF_DAY_THROUGH, (account_id, day, entry_id, line))
    return _before(account_id, date.fromisoformat(day)) + int(amount)


class _Page:
    """Amounts as they are shown: in the base currency, balances positive on the account's normal side."""

    def __init__(self, currency: str, sign: int) -> None:
        self.currency = currency
        self.sign = sign

    def balance(self, amount: int) -> str:
        return money.text(self.sign * amount, self.currency)

    def rows(self, postings: Sequence[Sequence[Any]], balance: int) -> list[AccountLedgerRow]:
        """The rows of postings; `balance` is that before the first."""
        rows = []
        for day, entry_id, _, number, description, amount in postings:
            balance += amount
            rows.append(
                AccountLedgerRow(
                    date=day,
                    entry_id=entry_id,
                    number=number,
                    description=description,
                    balance=self.balance(balance),
                    **sides(amount, self.currency),
                )
            )
        return rows


def _cursor(row: Sequence[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(list(row[:3])).encode()).decode().rstrip("=")


def _read(cursor: str) -> Place:
    try:
        day, entry_id, line = json.loads(base64.urlsafe_b64decode((cursor + "=" * (-len(cursor) % 4)).encode()))
        place = Day.read(day).isoformat(), entry_id, line
    except (ValueError, TypeError, binascii.Error):
        raise BadParameter("cursor: This is not a cursor of this list.") from None
    if type(entry_id) is not str or type(line) is not int or not 0 <= line < LINES:
        raise BadParameter("cursor: This is not a cursor of this list.")
    return place


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: AccountLedgerQuery) -> AccountLedger:
        """Show an account's postings, oldest first, each with the balance after it.

        Balances are positive on the account's normal side. The list is paged; `opening` and `closing` are the balances
        before `dateFrom` and at the end of `dateTo`.
        """
        return of(Account.find(id), query)
