"""The accounts of reports, and amounts in the columns of their sides."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from erp.kernel import money
from erp.kernel.language import Word
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.web.schema import View

GROUPS: Mapping[str, str] = {
    "cash": Word("Cash"),
    "bank": Word("Bank"),
    "receivable": Word("Receivables"),
    "inventory": Word("Inventory"),
    "current_asset": Word("Other current assets"),
    "fixed_asset": Word("Fixed assets"),
    "other_asset": Word("Other assets"),
    "payable": Word("Payables"),
    "credit_card": Word("Credit cards"),
    "tax": Word("Taxes"),
    "payroll_liability": Word("Payroll liabilities"),
    "current_liability": Word("Other current liabilities"),
    "long_term_liability": Word("Long-term liabilities"),
    "equity": Word("Capital"),
    "retained_earnings": Word("Retained earnings"),
    "opening_balance": Word("Opening balances"),
    "income": Word("Income"),
    "other_income": Word("Other income"),
    "cost_of_sales": Word("Cost of sales"),
    "expense": Word("Expenses"),
    "payroll_expense": Word("Payroll expenses"),
    "other_expense": Word("Other expenses"),
}
"""The names of groups of accounts by subtype."""


class ReportAccount(View):
    """An account in reports."""

    id: str
    code: str
    name: str


class AccountRow(NamedTuple):
    """The columns of an account that reports need."""

    id: str
    code: str
    name: str
    type: str
    subtype: str


_ACCOUNTS = (
    "SELECT id, code, name, type, subtype FROM account"
    " WHERE EXISTS (SELECT 1 FROM balance WHERE account_id = account.id)"
    " OR EXISTS (SELECT 1 FROM comparison_balance WHERE account_id = account.id)"
    " OR id IN (SELECT value FROM json_each(?)) ORDER BY code"
)


def accounts(others: Iterable[str] = ()) -> list[AccountRow]:
    """All accounts with postings or with balances for comparison, and others by their ids; by code."""
    return [AccountRow(*row) for row in WORKSPACE.rows(_ACCOUNTS, (sql.array(others),))]


def sides(amount: int, currency: str) -> dict[str, str]:
    """An amount in the columns `debit` and `credit`, one of which is zero."""
    return {"debit": money.text(max(amount, 0), currency), "credit": money.text(max(-amount, 0), currency)}


def base_sides(amount: int, currency: str) -> dict[str, str]:
    """An amount in the columns `base_debit` and `base_credit`, for a row with amounts in two currencies."""
    return {f"base_{side}": text for side, text in sides(amount, currency).items()}
