"""The ledger of one account: its postings by date, each with the balance after it."""

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Annotated, Any

from msgspec import Meta

from erp.finance.books import ledger
from erp.finance.books.chart import NORMAL_BALANCE
from erp.finance.books.models import Account
from erp.finance.reports.period import ReportPeriod, bounds
from erp.finance.reports.trial_balance import AccountName
from erp.kernel import money
from erp.kernel.errors import BadParameter
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Report, View


class AccountLedgerQuery(ReportPeriod):
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
    """An account's postings, oldest first; `opening` and `closing` are those of the days asked for, on every page."""

    ROW = AccountLedgerRow

    account: AccountName
    currency: str
    opening: Money
    closing: Money
    rows: list[AccountLedgerRow]
    next_cursor: str | None

    def table(self) -> list[AccountLedgerRow]:
        """The postings of this page."""
        return self.rows


Place = tuple[str, str, int]
"""Date, entry and line: the order of the ledger, for ids of entries sort in the order of posting."""

LINES = 10**6
"""No entry has as many lines."""

_START: Place = ("", "", 0)
_POSTINGS = (
    "SELECT p.date, p.entry_id, p.line, e.number, coalesce(p.description, e.description), p.amount"
    " FROM posting AS p JOIN journal_entry AS e ON e.id = p.entry_id"
    " WHERE p.account_id = ? AND p.date BETWEEN ? AND ? AND (p.date, p.entry_id, p.line) > (?, ?, ?)"
    " ORDER BY p.date, p.entry_id, p.line LIMIT ?"
)
_OF_DAY_UNTIL = (
    "SELECT coalesce(sum(amount), 0) FROM posting WHERE account_id = ? AND date = ? AND (entry_id, line) <= (?, ?)"
)


def show(id: str, asked: AccountLedgerQuery) -> AccountLedger:
    """One page of an account's ledger.

    Raises:
        NotFound: there is no such account.
        BadParameter: the days end before they begin, or the cursor is none of this list.
    """
    account, days = Account.find(id), bounds(asked)
    place = _START if asked.cursor is None else _read(asked.cursor)
    opening = _before(id, asked.date_from)
    found = WORKSPACE.rows(_POSTINGS, (id, *days, *place, asked.limit + 1))
    shown = _Shown(workspace_settings.current().base_currency, 1 if NORMAL_BALANCE[account.type] == "debit" else -1)
    before = opening if asked.cursor is None else _until(id, place)
    return AccountLedger(
        account=AccountName(id=account.id, code=account.code, name=account.name),
        currency=shown.currency,
        opening=shown.balance(opening),
        closing=shown.balance(ledger.balance(id, asked.date_to)),
        rows=shown.rows(found[: asked.limit], before),
        next_cursor=_cursor(found[asked.limit - 1]) if len(found) > asked.limit else None,
    )


def _before(id: str, day: date | None) -> int:
    return 0 if day is None else ledger.balance(id, day - timedelta(days=1))


def _until(id: str, place: Place) -> int:
    """The balance after the posting at a place."""
    day, entry_id, line = place
    ((of_day,),) = WORKSPACE.rows(_OF_DAY_UNTIL, (id, day, entry_id, line))
    return _before(id, date.fromisoformat(day)) + int(of_day)


class _Shown:
    """Amounts as they are shown: in the base currency, balances on the account's normal side."""

    def __init__(self, currency: str, sign: int) -> None:
        self.currency = currency
        self.sign = sign

    def balance(self, amount: int) -> str:
        return money.text(self.sign * amount, self.currency)

    def rows(self, found: Sequence[Sequence[Any]], before: int) -> list[AccountLedgerRow]:
        rows = []
        for day, entry_id, _, number, description, amount in found:
            before += amount
            rows.append(
                AccountLedgerRow(
                    date=day,
                    entry_id=entry_id,
                    number=number,
                    description=description,
                    debit=money.text(max(amount, 0), self.currency),
                    credit=money.text(max(-amount, 0), self.currency),
                    balance=self.balance(before),
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

        Balances are positive on the account's normal side. The answer comes in pages; `opening` and `closing` are the
        balances before `dateFrom` and at the end of `dateTo`.
        """
        return show(id, query)
