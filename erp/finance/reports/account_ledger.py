"""The ledger of one account: its postings by date, each with the balance after it."""

import base64
import binascii
import json
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from erp.finance.books import account_balances, years
from erp.finance.books.chart import NORMAL_SIGN
from erp.finance.books.models import Account
from erp.finance.reports import source_documents
from erp.finance.reports.period import ReportPeriod, bounds
from erp.finance.reports.source_documents import SourceDocumentView
from erp.finance.reports.table.accounts import ReportAccount, base_sides, sides
from erp.kernel import money
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Report, TableFormat, View, show


class AccountLedgerQuery(ReportPeriod):
    """The postings of an account to show."""

    format: TableFormat = "json"
    limit: Annotated[int, Meta(ge=1, le=200, description="Number of rows of a page.")] = 50
    cursor: Annotated[str, Meta(max_length=1000, description="The `nextCursor` of the previous page.")] | None = None


Document = Annotated[SourceDocumentView, Meta(description="The document of the entry; null for a manual entry.")]


class AccountLedgerRow(View):
    """A posting, or the start of a fiscal year, with the balance after it on the account's normal side.

    Rows for the opening and the closing balance are in the table alone. A computed row has no entry.
    """

    kind: Literal["opening", "posting", "year_start", "closing"]
    date: Day | None
    entry_id: str | None
    number: str | None
    document: Document | None
    description: str
    debit: Money
    credit: Money
    balance: Money
    base_debit: Money
    base_credit: Money
    base_balance: Money


class AccountLedger(Report):
    """An account's postings, oldest first; `opening` and `closing` belong to the whole period on every page."""

    ROW = AccountLedgerRow

    account: ReportAccount
    date_from: Day | None
    date_to: Day | None
    currency: Annotated[str, Meta(description="The account's own currency, in which amounts are shown.")]
    base_currency: Annotated[str, Meta(description="The currency of the amounts whose names begin with `base`.")]
    opening: Money
    base_opening: Money
    closing: Money
    base_closing: Money
    rows: list[AccountLedgerRow]
    next_cursor: str | None

    def table(self) -> list[AccountLedgerRow]:
        """The rows of this page."""
        return self.rows

    def opening_rows(self) -> list[AccountLedgerRow]:
        """The balance before the first row."""
        return [self._total("opening", self.date_from, self.opening, self.base_opening)]

    def closing_rows(self) -> list[AccountLedgerRow]:
        """The balance after the last row."""
        return [self._total("closing", self.date_to, self.closing, self.base_closing)]

    def _total(self, kind: Literal["opening", "closing"], day: Day | None, own: Money, base: Money) -> AccountLedgerRow:
        nothing: dict[str, Any] = sides(0, self.currency) | base_sides(0, self.base_currency)
        return AccountLedgerRow(
            kind=kind,
            date=day,
            entry_id=None,
            number=None,
            document=None,
            description=f"{kind.capitalize()} balance",
            balance=own,
            base_balance=base,
            **nothing,
        )


Place = tuple[str, str, int]
"""Date, entry id and line: the order of the ledger. Ids of entries sort in the order of posting."""

LINES = 10**6
"""More lines than any entry has."""

_START: Place = ("", "", 0)
_POSTINGS = (
    "SELECT p.date, p.entry_id, p.line, e.number, coalesce(p.description, e.description), p.amount, p.foreign_amount,"
    " e.source_id FROM posting AS p JOIN journal_entry AS e ON e.id = p.entry_id"
    " WHERE p.account_id = ? AND p.date BETWEEN ? AND ? AND (p.date, p.entry_id, p.line) > (?, ?, ?)"
    " ORDER BY p.date, p.entry_id, p.line LIMIT ?"
)
_OF_DAY_THROUGH = (
    "SELECT coalesce(sum(amount), 0), coalesce(sum(foreign_amount), 0) FROM posting"
    " WHERE account_id = ? AND date = ? AND (entry_id, line) <= (?, ?)"
)
_NEVER = "9999"
"""Sorts after every day."""


def of(account: Account, query: AccountLedgerQuery) -> AccountLedger:
    """One page of an account's ledger.

    Raises:
        BadParameter: the period ends before it begins, or the cursor is not one of this list.
    """
    days = bounds(query)
    place = _START if query.cursor is None else _read(query.cursor)
    postings = WORKSPACE.rows(_POSTINGS, (account.id, *days, *place, query.limit + 1))
    is_last, page = len(postings) <= query.limit, _Ledger(account, query)
    opening, closing = page.opening(), page.balance(query.date_to, page.last_start)
    if query.cursor is None:
        running = page.running(opening, query.date_from or (date.fromisoformat(postings[0][0]) if postings else None))
    else:
        running = page.running(page.through(place), date.fromisoformat(place[0]))
    return AccountLedger(
        account=show(ReportAccount, account),
        date_from=query.date_from,
        date_to=query.date_to,
        currency=page.currency,
        base_currency=page.base,
        **page.texts(opening, "opening"),
        **page.texts(closing, "closing"),
        rows=list(running.rows(postings[: query.limit], is_last)),
        next_cursor=None if is_last else _cursor(postings[query.limit - 1]),
    )


class _Amounts(NamedTuple):
    """Minor units of the account's own currency and of the base currency, debit above zero."""

    own: int
    base: int


class _Ledger:
    """An account in a period: its balances, and the fiscal years in which they begin at zero."""

    def __init__(self, account: Account, query: AccountLedgerQuery) -> None:
        self.account, self.query = account, query
        self.base = workspace_settings.current().base_currency
        self.is_foreign = account.currency != self.base and not account.is_group
        self.currency = account.currency if self.is_foreign else self.base
        self.last_start = None if account.type not in years.RESULT_TYPES else self._last_start()

    def _last_start(self) -> date:
        """The first day of the last fiscal year of the period; without an end, future years do not begin."""
        today = workspace_settings.today()
        last_day = self.query.date_to or max(today, self.query.date_from or today)
        return workspace_settings.fiscal_year_start(last_day)

    def start(self, day: date) -> date | None:
        """The first day whose postings count in the balance of a day; None if all do."""
        return self.last_start and min(self.last_start, workspace_settings.fiscal_year_start(day))

    def next_start(self, day: date) -> str:
        """The next day on which the balance begins at zero."""
        start = self.last_start and years.next_start(day)
        return str(start) if start and self.last_start and start <= self.last_start else _NEVER

    def opening(self) -> _Amounts:
        """The balance before the first day."""
        day = self.query.date_from
        return _Amounts(0, 0) if day is None else self.balance(day - timedelta(days=1), self.start(day))

    def through(self, place: Place) -> _Amounts:
        """The balance after the posting at a place."""
        day, entry_id, line = date.fromisoformat(place[0]), *place[1:]
        before = self.balance(day - timedelta(days=1), self.start(day))
        ((base, foreign),) = WORKSPACE.rows(_OF_DAY_THROUGH, (self.account.id, place[0], entry_id, line))
        return self.sum(before, base, foreign)

    def balance(self, through: date | None, start: date | None) -> _Amounts:
        """The balance at the end of a day; without one, of all postings."""
        base = account_balances.of_account(self.account.id, through, start)
        if not self.is_foreign:
            return _Amounts(base, base)
        return _Amounts(account_balances.in_foreign(self.account.id, self.currency, through, start), base)

    def sum(self, balance: _Amounts, base: int, foreign: int | None) -> _Amounts:
        """A balance after a posting; one without a foreign amount changes the book value alone."""
        return _Amounts(balance.own + ((foreign or 0) if self.is_foreign else base), balance.base + base)

    def running(self, balance: _Amounts, since: date | None) -> "_Running":
        """The balance at a place in the period: on its day, if anything was posted by then."""
        return _Running(self, balance, _NEVER if since is None else self.next_start(since))

    def texts(self, balance: _Amounts, name: str) -> dict[str, str]:
        """A balance in both currencies, positive on the account's normal side."""
        sign = NORMAL_SIGN[self.account.type]
        own, base = money.text(sign * balance.own, self.currency), money.text(sign * balance.base, self.base)
        return {name: own, f"base_{name}": base}


class _Running(msgspec.Struct):
    """The balance that runs down a page, and the next day on which it begins at zero."""

    of: _Ledger
    balance: _Amounts
    year_ends: str

    def rows(self, postings: Sequence[Sequence[Any]], is_last: bool) -> Iterator[AccountLedgerRow]:
        """The rows of postings, with the rows of fiscal years that begin between them."""
        documents = source_documents.by_source([source_id for *_, source_id in postings])
        for day, entry_id, _, number, description, base, foreign, source_id in postings:
            yield from self._year_start(day)
            before, self.balance = self.balance, self.of.sum(self.balance, base, foreign)
            fields = {"entry_id": entry_id, "number": number, "document": documents.get(source_id)}
            yield self._row(before, kind="posting", date=day, description=description, **fields)
        if is_last:
            yield from self._year_start(str(self.of.last_start or ""))

    def _year_start(self, day: str) -> Iterator[AccountLedgerRow]:
        """The row of a fiscal year that has begun by that day, if there is a result to carry."""
        if day < self.year_ends:
            return
        start, self.year_ends = date.fromisoformat(self.year_ends), self.of.next_start(date.fromisoformat(day))
        if any(self.balance):
            before, self.balance = self.balance, _Amounts(0, 0)
            year = workspace_settings.fiscal_year(start - timedelta(days=1))
            text = f"Result of fiscal year {year}, carried forward"
            fields = dict.fromkeys(("entry_id", "number", "document"))
            yield self._row(before, kind="year_start", date=start, description=text, **fields)

    def _row(self, before: _Amounts, **fields: Any) -> AccountLedgerRow:
        amounts: dict[str, Any] = {
            **self.of.texts(self.balance, "balance"),
            **sides(self.balance.own - before.own, self.of.currency),
            **base_sides(self.balance.base - before.base, self.of.base),
        }
        return AccountLedgerRow(**fields, **amounts)


def _cursor(row: Sequence[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(list(row[:3])).encode()).decode().rstrip("=")


def _read(cursor: str) -> Place:
    try:
        day, entry_id, line = json.loads(base64.urlsafe_b64decode((cursor + "=" * (-len(cursor) % 4)).encode()))
        place = Day.read(day).isoformat(), entry_id, line
    except (ValueError, TypeError, binascii.Error):
        raise BadParameter(says("cursor: This is not a cursor of this list.")) from None
    if type(entry_id) is not str or type(line) is not int or not 0 <= line < LINES:
        raise BadParameter(says("cursor: This is not a cursor of this list."))
    return place


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: AccountLedgerQuery) -> AccountLedger:
        """Show an account's postings, oldest first, each with the balance after it.

        Amounts are in the account's own currency, and with `base` before their names in the base currency; balances are
        positive on the account's normal side. Income and expense begin at zero in each fiscal year: where one begins, a
        computed row of kind `year_start` carries the result forward. The list is paged; `opening` is the balance before
        `dateFrom` (of income and expense, since its fiscal year began), `closing` the balance at the end of `dateTo`.
        As a table, the ledger has a row for each of the two.
        """
        return of(Account.find(id), query)
