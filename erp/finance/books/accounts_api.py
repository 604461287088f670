"""The chart of accounts over HTTP, each account with its balance."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET

from erp.finance.books import accounts, ledger
from erp.finance.books.accounts import AccountChange, NewAccount, Subtype
from erp.finance.books.chart import NORMAL_BALANCE, AccountType, Side
from erp.kernel import money
from erp.kernel.errors import AlreadyExists, Conflict, InUse, InvalidTransition, NotFound, UnknownReference
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import Query, RecordView, Unset

LAST_DAY = datetime.date(2199, 12, 31)
"""No business date is later."""


class ChartFilter(Query):
    """Which accounts to list, and as of when."""

    type: AccountType | None = None
    subtype: Subtype | None = None
    archived: Annotated[bool, msgspec.Meta(description="List those that are archived instead.")] = False
    date: Annotated[
        Day | None, msgspec.Meta(description="Balances at the end of this day; of all that is posted when absent.")
    ] = None
    tree: Annotated[bool, msgspec.Meta(description="Nest accounts in the `children` of their group.")] = False
    format: Literal["json", "csv"] = "json"


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
        str | None, msgspec.Meta(description="The first key under which the program posts to it by itself.")
    ]
    normal_balance: Side
    balance: Annotated[Money, msgspec.Meta(description="In the base currency; positive on the account's normal side.")]
    children: Annotated[list["AccountView"] | Unset, msgspec.Meta(description="Only with `tree=true`.")] = UNSET


_COLUMNS = (
    "id", "version", "created_at", "updated_at", "created_by", "code", "name", "type", "subtype", "parent_id",
    "is_group", "currency", "description", "archived_at", "system_key",
)  # fmt: skip
_CHART = (
    f"SELECT {', '.join(_COLUMNS[:-1])},"
    " (SELECT MIN(key) FROM default_account WHERE account_id = account.id) FROM account ORDER BY code"
)


def chart(through: datetime.date = LAST_DAY) -> list[AccountView]:
    """All accounts by code, with their balances at the end of a day."""
    rows = [dict(zip(_COLUMNS, row, strict=True)) for row in WORKSPACE.rows(_CHART)]
    parents = {row["id"]: row["parent_id"] for row in rows}
    totals = _totals(ledger.balances(through), parents)
    currency = workspace_settings.current().base_currency
    return [_view(row, totals.get(row["id"], 0), currency) for row in rows]


def _totals(balances: Mapping[str, int], parents: Mapping[str, str | None]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for account_id, amount in balances.items():
        each: str | None = account_id
        while each is not None:
            totals[each] = totals.get(each, 0) + amount
            each = parents[each]
    return totals


def _view(row: dict[str, Any], balance: int, currency: str) -> AccountView:
    side = NORMAL_BALANCE[row["type"]]
    shown = money.text(balance if side == "debit" else -balance, currency)
    return AccountView(**row | {"is_group": bool(row["is_group"])}, normal_balance=side, balance=shown)


def _is_wanted(account: AccountView, query: ChartFilter) -> bool:
    return (
        query.type in (None, account.type)
        and query.subtype in (None, account.subtype)
        and query.archived == (account.archived_at is not None)
    )


def _nested(listed: list[AccountView]) -> list[AccountView]:
    """The accounts below their groups; one whose group is not listed stands at the top."""
    children: dict[str, list[AccountView]] = {account.id: [] for account in listed}
    nested = [msgspec.structs.replace(account, children=children[account.id]) for account in listed]
    top: list[AccountView] = []
    for account in nested:
        children.get(account.parent_id or "", top).append(account)
    return top


def _shown(id: str) -> AccountView:
    for account in chart():
        if account.id == id:
            return account
    raise NotFound("There is no such account.")


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: ChartFilter) -> list[AccountView]:
        """List the whole chart of accounts with balances, sorted by code.

        It is not paged. Accounts that are archived are left out; `archived=true` lists them alone. A group shows the
        sum of all accounts below it, whatever the filters leave out. With `tree=true` an account whose group is left
        out stands at the top.
        """
        listed = [account for account in chart(query.date or LAST_DAY) if _is_wanted(account, query)]
        return _nested(listed) if query.tree else listed

    @endpoint(permission="finance.write", status=201, refuses=(AlreadyExists, UnknownReference))
    def on_post(self, body: NewAccount) -> AccountView:
        """Add an account to the chart."""
        return _shown(accounts.add(body).id)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> AccountView:
        """Show an account with its balance."""
        return _shown(id)

    @endpoint(permission="finance.write", refuses=(AlreadyExists, InUse, UnknownReference))
    def on_patch(self, id: str, body: AccountChange) -> AccountView:
        """Change an account.

        After its first posting its type and currency are fixed, it cannot become a group, and its subtype cannot
        change into or out of receivable or payable (`in_use`).
        """
        return _shown(accounts.change(id, body).id)

    @endpoint(permission="finance.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete an account that nothing refers to: no posting, document, tax rate or account, nor the program."""
        accounts.remove(id)


class Archive:
    @endpoint(permission="finance.write", refuses=(InUse, InvalidTransition))
    def on_post(self, id: str) -> AccountView:
        """Archive an account, so that nothing more can be posted to it.

        Refused as `in_use` while it has a balance, while accounts below it are in use, and where a tax rate or the
        program itself posts to it.
        """
        accounts.archive(id)
        return _shown(id)


class Unarchive:
    @endpoint(permission="finance.write", refuses=(Conflict, InvalidTransition))
    def on_post(self, id: str) -> AccountView:
        """Take an archived account back into use."""
        accounts.unarchive(id)
        return _shown(id)
