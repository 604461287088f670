"""The trial balance: every account's balance at a date, in the column of its side."""

import datetime
from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.books import ledger
from erp.kernel import money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Query, Report, View


class TrialBalanceQuery(Query):
    date: Annotated[Day, Meta(description="The last day that counts; today when absent.")] | None = None
    format: Literal["json", "csv"] = "json"


class AccountName(View):
    """An account as reports name it."""

    id: str
    code: str
    name: str


class TrialBalanceRow(View):
    """The balance of one account, as a debit or a credit."""

    account: AccountName
    debit: Money
    credit: Money


class Totals(View):
    """The sums of both columns; they are equal."""

    debit: Money
    credit: Money


class TrialBalance(Report):
    """Every account with a balance, by code."""

    ROW = TrialBalanceRow

    date: datetime.date
    currency: str
    rows: list[TrialBalanceRow]
    totals: Totals

    def table(self) -> list[TrialBalanceRow]:
        """The rows of the accounts."""
        return self.rows


_ACCOUNTS = "SELECT id, code, name FROM account ORDER BY code"


def at(day: datetime.date) -> TrialBalance:
    """The trial balance at the end of a day."""
    currency = workspace_settings.current().base_currency
    balances = ledger.balances(day)
    accounts = [AccountName(id=id, code=code, name=name) for id, code, name in WORKSPACE.rows(_ACCOUNTS)]
    amounts = [(account, balances.get(account.id, 0)) for account in accounts]
    rows = [_row(account, amount, currency) for account, amount in amounts if amount]
    debits, credits = (sum(max(sign * amount, 0) for amount in balances.values()) for sign in (1, -1))
    totals = Totals(debit=money.text(debits, currency), credit=money.text(credits, currency))
    return TrialBalance(date=day, currency=currency, rows=rows, totals=totals)


def _row(account: AccountName, amount: int, currency: str) -> TrialBalanceRow:
    debit, credit = (money.text(max(sign * amount, 0), currency) for sign in (1, -1))
    return TrialBalanceRow(account=account, debit=debit, credit=credit)


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, query: TrialBalanceQuery) -> TrialBalance:
        """Show the trial balance at a date.

        Accounts whose balance is zero are left out.
        """
        return at(query.date or workspace_settings.today())
