"""The balance sheet at a date: what the office owns, what it owes, and what remains."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from msgspec import UNSET, Meta

from erp.finance.books import ledger
from erp.finance.books.chart import NORMAL_BALANCE, SUBTYPES
from erp.kernel import money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Query, Report, Unset, View


class BalanceSheetQuery(Query):
    date: Annotated[Day, Meta(description="The last day that counts; today when absent.")] | None = None
    compare_date: Annotated[Day, Meta(description="Another day, whose figures stand in `previous`.")] | None = None
    format: Literal["json", "csv"] = "json"


class AccountBalance(View):
    """An account's balance, positive on the account's normal side."""

    id: str
    code: str
    name: str
    balance: Money
    previous: Money | Unset = UNSET


class Group(View):
    """The accounts of one subtype."""

    subtype: str
    name: str
    total: Money
    accounts: list[AccountBalance]
    previous: Money | Unset = UNSET


class Section(View):
    """The assets, or the liabilities."""

    total: Money
    groups: list[Group]


class Equity(Section):
    """What remains: what is posted to equity, and the results, which are computed from income and expenses."""

    retained_earnings: Annotated[Money, Meta(description="The results of earlier fiscal years.")]
    current_year_earnings: Annotated[Money, Meta(description="The result since the fiscal year began.")]


class Previous(View):
    """The sums at `compareDate`."""

    date: datetime.date
    assets: Money
    liabilities: Money
    equity: Money
    retained_earnings: Money
    current_year_earnings: Money


class BalanceSheetRow(View):
    """A line of the balance sheet as a table."""

    section: str
    group: str
    code: str
    name: str
    balance: Money
    previous: Money | Unset = UNSET


class BalanceSheet(Report):
    """The balance sheet; accounts without a balance on either day are left out."""

    ROW = BalanceSheetRow

    date: datetime.date
    currency: str
    assets: Section
    liabilities: Section
    equity: Equity
    total_assets: Money
    total_liabilities_and_equity: Money
    balanced: Annotated[bool, Meta(description="Whether both totals are equal; found by comparing them.")]
    previous: Previous | Unset = UNSET

    def table(self) -> list[BalanceSheetRow]:
        """A row for each account, and for the results that are computed."""
        return [*_account_rows(self), *_result_rows(self)]


class Account(NamedTuple):
    """An account as far as the report needs it."""

    id: str
    code: str
    name: str
    type: str
    subtype: str


class Position:
    """The books at the end of a day, in minor units, each sum positive on its normal side."""

    def __init__(self, day: datetime.date, accounts: Sequence[Account]) -> None:
        self.day = day
        self.balances = ledger.balances(day)
        year_before = ledger.balances(workspace_settings.fiscal_year_start(day) - datetime.timedelta(days=1))
        self.assets = self._sum(accounts, "asset")
        self.liabilities = self._sum(accounts, "liability")
        self.retained = _result(accounts, year_before)
        self.current = _result(accounts, self.balances) - self.retained
        self.equity = self._sum(accounts, "equity") + self.retained + self.current

    def of(self, account: Account) -> int:
        """The balance of an account."""
        return _sign(account.type) * self.balances.get(account.id, 0)

    def _sum(self, accounts: Sequence[Account], type: str) -> int:
        return sum(self.of(account) for account in accounts if account.type == type)


_ACCOUNTS = "SELECT id, code, name, type, subtype FROM account ORDER BY code"


def at(day: datetime.date, compared: datetime.date | None = None) -> BalanceSheet:
    """The balance sheet at the end of a day, with another day's figures beside it if asked."""
    accounts = [Account(*row) for row in WORKSPACE.rows(_ACCOUNTS)]
    return _Sheet(accounts, day, compared).view()


class _Sheet:
    """A balance sheet in the making: the position at its date and, if asked, that at another."""

    def __init__(self, accounts: Sequence[Account], day: datetime.date, compared: datetime.date | None) -> None:
        self.currency = workspace_settings.current().base_currency
        self.now = Position(day, accounts)
        self.then = None if compared is None else Position(compared, accounts)
        self.shown = [account for account in accounts if self.now.of(account) or (self.then and self.then.of(account))]

    def view(self) -> BalanceSheet:
        now = self.now
        return BalanceSheet(
            date=now.day,
            currency=self.currency,
            assets=Section(total=self._text(now.assets), groups=self._groups("asset")),
            liabilities=Section(total=self._text(now.liabilities), groups=self._groups("liability")),
            equity=Equity(
                total=self._text(now.equity),
                groups=self._groups("equity"),
                retained_earnings=self._text(now.retained),
                current_year_earnings=self._text(now.current),
            ),
            total_assets=self._text(now.assets),
            total_liabilities_and_equity=self._text(now.liabilities + now.equity),
            balanced=now.assets == now.liabilities + now.equity,
            previous=self._previous(),
        )

    def _groups(self, type: str) -> list[Group]:
        subtypes = [subtype for subtype, of_type in SUBTYPES.items() if of_type == type]
        members = {subtype: [each for each in self.shown if each.subtype == subtype] for subtype in subtypes}
        return [self._group(subtype, accounts) for subtype, accounts in members.items() if accounts]

    def _group(self, subtype: str, accounts: Sequence[Account]) -> Group:
        return Group(
            subtype=subtype,
            name=subtype.replace("_", " ").capitalize(),
            total=self._text(sum(map(self.now.of, accounts))),
            previous=UNSET if self.then is None else self._text(sum(map(self.then.of, accounts))),
            accounts=[self._account(account) for account in accounts],
        )

    def _account(self, account: Account) -> AccountBalance:
        return AccountBalance(
            id=account.id,
            code=account.code,
            name=account.name,
            balance=self._text(self.now.of(account)),
            previous=UNSET if self.then is None else self._text(self.then.of(account)),
        )

    def _previous(self) -> Previous | Unset:
        if self.then is None:
            return UNSET
        return Previous(
            date=self.then.day,
            assets=self._text(self.then.assets),
            liabilities=self._text(self.then.liabilities),
            equity=self._text(self.then.equity),
            retained_earnings=self._text(self.then.retained),
            current_year_earnings=self._text(self.then.current),
        )

    def _text(self, amount: int) -> str:
        return money.text(amount, self.currency)


def _sign(type: str) -> int:
    return 1 if NORMAL_BALANCE[type] == "debit" else -1


def _result(accounts: Sequence[Account], balances: Mapping[str, int]) -> int:
    return -sum(balances.get(account.id, 0) for account in accounts if account.type in ("income", "expense"))


def _account_rows(sheet: BalanceSheet) -> Iterator[BalanceSheetRow]:
    for section in ("assets", "liabilities", "equity"):
        for group in getattr(sheet, section).groups:
            for each in group.accounts:
                yield BalanceSheetRow(
                    section=section,
                    group=group.name,
                    code=each.code,
                    name=each.name,
                    balance=each.balance,
                    previous=each.previous,
                )


def _result_rows(sheet: BalanceSheet) -> Iterator[BalanceSheetRow]:
    for name in ("retained_earnings", "current_year_earnings"):
        yield BalanceSheetRow(
            section="equity",
            group="Results",
            code="",
            name="Results of earlier years" if name == "retained_earnings" else "Result of the current year",
            balance=getattr(sheet.equity, name),
            previous=getattr(sheet.previous, name, UNSET),
        )


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, query: BalanceSheetQuery) -> BalanceSheet:
        """Show the balance sheet at a date.

        Accounts stand in groups by subtype. Earlier years' results show as `retainedEarnings` by computation, without
        closing entries; whatever is posted to a retained earnings account shows as that account.
        """
        return at(query.date or workspace_settings.today(), query.compare_date)
