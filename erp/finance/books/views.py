"""Accounts as they are shown, each with its balance."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta

from erp.finance.books import ledger
from erp.finance.books.bodies import Subtype
from erp.finance.books.chart import NORMAL_BALANCE, NORMAL_SIGN, AccountType, Side
from erp.finance.books.models import Account
from erp.kernel import money
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Money
from erp.web.schema import RecordView, Unset

LAST_DAY = datetime.date(2199, 12, 31)
"""No business date is later."""


class AccountView(RecordView):
    """An account with its balance; a group's is the sum of all accounts below it."""

    created_by: str | None
    code: str
    name: str
    type: AccountType
    subtype: Subtype
    parent_id: str | None
    is_group: bool
    currency: str
    description: str | None
    archived_at: str | None
    system_key: Annotated[
        str | None, Meta(description="The first key under which the program posts to the account by itself.")
    ]
    normal_balance: Side
    balance: Annotated[Money, Meta(description="In the base currency; positive on the account's normal side.")]
    children: Annotated[list["AccountView"] | Unset, Meta(description="Only with `tree=true`.")] = UNSET

    @classmethod
    def of(cls, account: Account) -> "AccountView":
        """The account with the balance of everything posted to it and to the accounts below it."""
        return next(view for view in chart() if view.id == account.id)


_COLUMNS = (
    "id", "version", "created_at", "updated_at", "created_by", "code", "name", "type", "subtype", "parent_id",
    "is_group", "currency", "description", "archived_at", "system_key",
)  # fmt: skip
_CHART = (
    f"SELECT {', '.join(_COLUMNS[:-1])},"
    " (SELECT min(key) FROM default_account WHERE account_id = account.id) FROM account ORDER BY code"
)


def chart(through: datetime.date = LAST_DAY) -> list[AccountView]:
    """All accounts by code, with their balances at the end of a day."""
    rows = [dict(zip(_COLUMNS, row, strict=True)) for row in WORKSPACE.rows(_CHART)]
    parents = {row["id"]: row["parent_id"] for row in rows}
    totals = _totals(ledger.balances(through), parents)
    currency = workspace_settings.current().base_currency
    return [_view(row, totals.get(row["id"], 0), currency) for row in rows]


def tree(accounts: list[AccountView]) -> list[AccountView]:
    """The accounts nested in their groups; one whose group is not among them is at the top."""
    children: dict[str, list[AccountView]] = {account.id: [] for account in accounts}
    nested = [msgspec.structs.replace(account, children=children[account.id]) for account in accounts]
    top: list[AccountView] = []
    for account in nested:
        children.get(account.parent_id or "", top).append(account)
    return top


def _totals(balances: Mapping[str, int], parents: Mapping[str, str | None]) -> dict[str, int]:
    """Balances by account id, those of groups included."""
    totals: dict[str, int] = {}
    for account_id, amount in balances.items():
        id: str | None = account_id
        while id is not None:
            totals[id] = totals.get(id, 0) + amount
            id = parents[id]
    return totals


def _view(row: dict[str, Any], balance: int, currency: str) -> AccountView:
    return AccountView(
        **row | {"is_group": bool(row["is_group"])},
        normal_balance=NORMAL_BALANCE[row["type"]],
        balance=money.text(NORMAL_SIGN[row["type"]] * balance, currency),
    )
