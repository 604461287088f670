"""Views of accounts, each with its balance."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta

from erp.finance.books import years
from erp.finance.books.bodies import Subtype
from erp.finance.books.chart import NORMAL_BALANCE, NORMAL_SIGN, AccountType, Side
from erp.finance.books.dimensions.codes import of_text
from erp.finance.books.models import Account
from erp.kernel import money
from erp.kernel.days import LAST_DAY
from erp.store import names, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Money
from erp.web.schema import RecordView, Unset


class AccountView(RecordView):
    """An account with its balances; a group's are the sums of all accounts below it, both in the base currency.

    Income and expense begin at zero in each fiscal year.
    """

    IN_BASE = ("base_balance",)

    created_by: str | None
    created_by_name: str | None
    code: str
    name: str
    type: AccountType
    subtype: Subtype
    parent_id: str | None
    parent_code: str | None
    is_group: bool
    currency: str
    description: str | None
    archived_at: str | None
    dimensions: dict[str, str]
    is_intercompany: bool
    system_key: Annotated[
        str | None, Meta(description="The first key under which the program posts to the account automatically.")
    ]
    normal_balance: Side
    balance: Annotated[
        Money,
        Meta(description="In the account's own currency, a group's in the base currency; positive on the normal side."),
    ]
    base_balance: Annotated[Money, Meta(description="In the base currency; positive on the account's normal side.")]
    children: Annotated[list["AccountView"] | Unset, Meta(description="Only with `tree=true`.")] = UNSET

    @classmethod
    def of(cls, account: Account) -> "AccountView":
        """The account with the balance of all postings to it and to the accounts below it."""
        return next(view for view in chart() if view.id == account.id)


_COLUMNS = (
    "id", "version", "created_at", "updated_at", "created_by", "code", "name", "type", "subtype", "parent_id",
    "is_group", "currency", "description", "archived_at", "dimensions", "is_intercompany",
    "system_key",
)  # fmt: skip
_CHART = (
    f"SELECT {', '.join(_COLUMNS[:-1])},"
    " (SELECT min(key) FROM default_account WHERE account_id = account.id),"
    " (SELECT coalesce(sum(foreign_amount), 0) FROM posting WHERE account_id = account.id"
    " AND currency = account.currency AND date BETWEEN"
    f" CASE WHEN type IN {years.RESULT_TYPES} THEN CAST(:start AS TEXT) ELSE '' END AND CAST(:through AS TEXT))"
    " FROM account ORDER BY code"
)
"""The last column is the balance in the account's own currency, if that is not the base currency."""


def chart(day: datetime.date | None = None) -> list[AccountView]:
    """All accounts by code, with their balances.

    Args:
        day: the last day that counts, with income and expense of its fiscal year; without it, every posting counts,
            with income and expense of the present fiscal year.
    """
    start = workspace_settings.fiscal_year_start(day) if day else years.current_start()
    through = day or LAST_DAY
    rows = WORKSPACE.rows(_CHART, {"start": start.isoformat(), "through": through.isoformat()})
    accounts = [dict(zip(_COLUMNS, row, strict=False)) for row in rows]
    balances = years.balances({account["id"]: account["type"] for account in accounts}, through, start)
    totals = _totals(balances.of, {account["id"]: account["parent_id"] for account in accounts})
    currency = workspace_settings.current().base_currency
    codes = {account["id"]: account["code"] for account in accounts}
    for account in accounts:
        account["parent_code"] = codes.get(account["parent_id"])
    return [
        _view(account, row[-1], totals.get(account["id"], 0), currency)
        for account, row in zip(accounts, rows, strict=True)
    ]


def tree(accounts: list[AccountView]) -> list[AccountView]:
    """The accounts nested in their groups; one whose group is not among them is at the top."""
    children: dict[str, list[AccountView]] = {account.id: [] for account in accounts}
    nested = [msgspec.structs.replace(account, children=children[account.id]) for account in accounts]
    top: list[AccountView] = []
    for account in nested:
        children.get(account.parent_id or "", top).append(account)
    return top


def _totals(balances: Mapping[str, int], parents: Mapping[str, str | None]) -> dict[str, int]:
    """Balances by account id, groups included."""
    totals: dict[str, int] = {}
    for account_id, amount in balances.items():
        id: str | None = account_id
        while id is not None:
            totals[id] = totals.get(id, 0) + amount
            id = parents[id]
    return totals


def _view(row: dict[str, Any], foreign: int, total: int, base: str) -> AccountView:
    """The view of an account.

    Args:
        foreign: its balance in its own currency, if not the base currency.
        total: its balance in the base currency, with the accounts below it.
    """
    sign = NORMAL_SIGN[row["type"]]
    is_group, base_balance = bool(row["is_group"]), money.text(sign * total, base)
    is_foreign = row["currency"] != base and not is_group
    return AccountView(
        **row
        | {
            "is_group": is_group,
            "is_intercompany": bool(row["is_intercompany"]),
            "created_by_name": names.of_user(row["created_by"]),
            "dimensions": of_text(row["dimensions"]),
        },
        normal_balance=NORMAL_BALANCE[row["type"]],
        balance=money.text(sign * foreign, row["currency"]) if is_foreign else base_balance,
        base_balance=base_balance,
    )
