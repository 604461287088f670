"""The trial balance: every account's balance at a date, in the column of its side; as a tree, with its turnover."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, Meta

from erp.finance.books import years
from erp.finance.reports import turnover
from erp.finance.reports.period import ReportDate
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.table.accounts import sides
from erp.finance.reports.table.tree import ReportTree
from erp.finance.reports.table.views import ReportProof
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import File, Report, Unset, View, show


class TrialBalanceQuery(ReportDate):
    """The days of the trial balance, and another day for comparison."""

    date_from: Annotated[Day, Meta(description="The first day of the turnover in the tree.")] | None = None
    date_to: Annotated[Day, Meta(description="The last day that counts, as `date` is.")] | None = None
    compare_date: Annotated[Day, Meta(description="Another day, whose balances the tree shows.")] | None = None
    tree: Annotated[bool, Meta(description="Whether the answer has the tree as well, the source of the files.")] = False

    @property
    def has_columns(self) -> bool:
        """Whether it asks for more than balances at a day."""
        return self.date_from is not None or self.compare_date is not None or self.separator == "semicolon"


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
    proof: Annotated[ReportProof | Unset, Meta(description="The proof of its tree.")] = UNSET
    tree: Annotated[
        ReportTree | Unset, Meta(description="Opening balances, debits, credits and closing balances; with `tree`.")
    ] = UNSET

    def file(self, format: str, query: TrialBalanceQuery) -> File | None:
        """The tree as a file; as CSV, only if more than the balances is requested."""
        if format == "csv" and not query.has_columns:
            return None
        return turnover.of(query.date_from, self.date, query.compare_date).view(query).file(format, query)

    def headers(self) -> Mapping[str, str]:
        """The proof."""
        return {} if self.proof is UNSET else self.proof.headers

    def table(self) -> list[TrialBalanceRow]:
        """The rows, with the computed one."""
        return self.rows


EARLIER_YEARS = TrialBalanceAccount(id=None, code="", name="Result of earlier years")


def at(day: datetime.date) -> TrialBalance:
    """The trial balance at the end of a day."""
    currency, start = workspace_settings.current().base_currency, workspace_settings.fiscal_year_start(day)
    accounts = chart.accounts()
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


def tree_of(query: TrialBalanceQuery) -> ReportTree:
    """The tree that a query asks for.

    Raises:
        BadParameter: it has two last days, or one before the first.
    """
    if query.date is not None and query.date_to is not None:
        raise BadParameter(says("dateTo: Give either date or dateTo."))
    day = _day(query)
    if query.date_from is not None and query.date_from > day:
        raise BadParameter(says("dateTo: Must not be before dateFrom."))
    return turnover.of(query.date_from, day, query.compare_date).view(query)


def _day(query: TrialBalanceQuery) -> datetime.date:
    return query.date_to or query.date or workspace_settings.today()


def _totals(amounts: Sequence[int], currency: str) -> TrialBalanceTotals:
    debits = sum(amount for amount in amounts if amount > 0)
    credits = sum(amount for amount in amounts if amount < 0)
    return TrialBalanceTotals(debit=sides(debits, currency)["debit"], credit=sides(credits, currency)["credit"])


class Resource:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: TrialBalanceQuery) -> TrialBalance:
        """Show the trial balance at a date.

        Accounts with a balance of zero are left out. Income and expense begin at zero in each fiscal year; earlier
        years are one computed row, "Result of earlier years", so that debits and credits are equal.

        The tree has more: the balance of each account before `dateFrom` (by default the first day of the fiscal year),
        its debits, its credits and its closing balance, the same for the fiscal year so far, and with `compareDate` the
        balance on another day. Debits are above zero there and credits below. Files are made of it, except for a CSV of
        balances alone.
        """
        tree, shown = tree_of(query), at(_day(query))
        shown.proof = tree.proof
        if query.tree:
            shown.tree = tree
        return shown
