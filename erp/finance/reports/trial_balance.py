"""The trial balance: every account's balance at a date, in the column of its side."""

import datetime
from collections.abc import Sequence
from typing import Literal

from erp.finance.books import years
from erp.finance.reports import table
from erp.finance.reports.period import ReportDate
from erp.finance.reports.table import sides
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Money
from erp.web.schema import Report, View, show


class TrialBalanceAccount(View):
    """An account; the computed row has a name alone."""

    id: str | None
    code: str
    name: str


class TrialBalanceRow(View):
    """The balance of one account, or the computed result of earlier fiscal years, as a debit or a credit."""

    kind: Literal["account", "earlier_years"]
    account: TrialBalanceAccount
    debit: Money
    credit: Money


class TrialBalanceTotals(View):
    """The sums of both columns, which are equal."""

    debit: Money
    credit: Money


class TrialBalance(Report):
    """Every account with a balance, by code, and then the result of earlier fiscal years, if there is one."""

    ROW = TrialBalanceRow

    date: datetime.date
    currency: str
    fiscal_year_start: datetime.date
    rows: list[TrialBalanceRow]
    totals: TrialBalanceTotals

    def table(self) -> list[TrialBalanceRow]:
        """The rows, the computed one included."""
        return self.rows


EARLIER_YEARS = TrialBalanceAccount(id=None, code="", name="Result of earlier years")


def at(day: datetime.date) -> TrialBalance:
    """The trial balance at the end of a day."""
    currency, start = workspace_settings.current().base_currency, workspace_settings.fiscal_year_start(day)
    accounts = table.accounts()
    balances = years.balances({account.id: account.type for account in accounts}, day, start)
    rows = [
        TrialBalanceRow(kind="account", account=show(TrialBalanceAccount, account), **sides(amount, currency))
        for account in accounts
        if (amount := balances.of.get(account.id))
    ]
    if balances.earlier:
        rows.append(TrialBalanceRow(kind="earlier_years", account=EARLIER_YEARS, **sides(balances.earlier, currency)))
    return TrialBalance(
        date=day,
        currency=currency,
        fiscal_year_start=start,
        rows=rows,
        totals=_totals([*balances.of.values(), balances.earlier], currency),
    )


def _totals(amounts: Sequence[int], currency: str) -> TrialBalanceTotals:
    debits = sum(amount for amount in amounts if amount > 0)
    credits = sum(amount for amount in amounts if amount < 0)
    return TrialBalanceTotals(debit=sides(debits, currency)["debit"], credit=sides(credits, currency)["credit"])


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, query: ReportDate) -> TrialBalance:
        """Show the trial balance at a date.

        Accounts with a balance of zero are left out. Income and expense begin at zero in each fiscal year; what they
        came to before is one computed row, "Result of earlier years", so that debits and credits are equal.
        """
        return at(query.date or workspace_settings.today())
