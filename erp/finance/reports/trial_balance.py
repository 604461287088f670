"""The trial balance: every account's balance at a date, in the column of its side."""

import datetime

from erp.finance.books import ledger
from erp.finance.reports import table
from erp.finance.reports.period import ReportDate
from erp.finance.reports.table import ReportAccount, sides
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Money
from erp.web.schema import Report, View, show


class TrialBalanceRow(View):
    """The balance of one account, as a debit or a credit."""

    account: ReportAccount
    debit: Money
    credit: Money


class TrialBalanceTotals(View):
    """The sums of both columns, which are equal."""

    debit: Money
    credit: Money


class TrialBalance(Report):
    """Every account with a balance, by code."""

    ROW = TrialBalanceRow

    date: datetime.date
    currency: str
    rows: list[TrialBalanceRow]
    totals: TrialBalanceTotals

    def table(self) -> list[TrialBalanceRow]:
        """The rows of the accounts."""
        return self.rows


def at(day: datetime.date) -> TrialBalance:
    """The trial balance at the end of a day."""
    currency = workspace_settings.current().base_currency
    balances = {id: amount for id, amount in ledger.balances(day).items() if amount}
    rows = [
        TrialBalanceRow(account=show(ReportAccount, account), **sides(balances[account.id], currency))
        for account in table.accounts()
        if account.id in balances
    ]
    debits = sum(amount for amount in balances.values() if amount > 0)
    credits = sum(amount for amount in balances.values() if amount < 0)
    totals = TrialBalanceTotals(debit=sides(debits, currency)["debit"], credit=sides(credits, currency)["credit"])
    return TrialBalance(date=day, currency=currency, rows=rows, totals=totals)


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, query: ReportDate) -> TrialBalance:
        """Show the trial balance at a date.

        Accounts with a balance of zero are left out.
        """
        return at(query.date or workspace_settings.today())
