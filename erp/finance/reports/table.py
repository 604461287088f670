"""What the reports share: their accounts, and amounts in the columns of their sides."""

from typing import NamedTuple

from erp.finance.books.chart import NORMAL_SIGN
from erp.kernel import money
from erp.store.router import WORKSPACE
from erp.web.schema import View


class ReportAccount(View):
    """An account as reports name it."""

    id: str
    code: str
    name: str


class AccountRow(NamedTuple):
    """An account as far as reports need it."""

    id: str
    code: str
    name: str
    type: str
    subtype: str

    def normal(self, amount: int) -> int:
        """A balance, positive on the account's normal side."""
        return NORMAL_SIGN[self.type] * amount


_ACCOUNTS = (
    "SELECT id, code, name, type, subtype FROM account"
    " WHERE EXISTS (SELECT 1 FROM balance WHERE account_id = account.id)"
    " OR EXISTS (SELECT 1 FROM comparison_balance WHERE account_id = account.id) ORDER BY code"
)


def accounts() -> list[AccountRow]:
    """All accounts with postings or with balances to compare with, by code."""
    return [AccountRow(*row) for row in WORKSPACE.rows(_ACCOUNTS)]


def sides(amount: int, currency: str) -> dict[str, str]:
    """An amount in the columns `debit` and `credit`, one of which is zero."""
    return {"debit": money.text(max(amount, 0), currency), "credit": money.text(max(-amount, 0), currency)}


def base_sides(amount: int, currency: str) -> dict[str, str]:
    """An amount in the columns `base_debit` and `base_credit`, for a row with amounts in two currencies."""
    return {f"base_{side}": text for side, text in sides(amount, currency).items()}
