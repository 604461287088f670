"""The register of fixed assets at the end of a day, and what the ledger should hold for it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from erp.finance.assets import terms
from erp.finance.assets.models import Asset
from erp.finance.books import account_balances
from erp.store.router import WORKSPACE


class Held(NamedTuple):
    """An asset with the days and amounts of its depreciation that counts, by the account where it is collected."""

    asset: Asset
    depreciation: Sequence[tuple[date, str, int]]

    @property
    def since(self) -> date:
        """The day from which the ledger holds it: of an old one, the day of the opening balances."""
        since: date = self.asset.opening_date or self.asset.acquired_on
        return since

    @property
    def gone_on(self) -> date | None:
        """The day on which it left the books; one of a pool never does."""
        return None if self.asset.method == "pool" else self.asset.disposed_on

    def is_held(self, day: date) -> bool:
        """Whether the ledger holds it at the end of a day."""
        return self.since <= day and (self.gone_on is None or day < self.gone_on)

    def accumulated(self, day: date) -> int:
        """Its depreciation until a day, with its opening."""
        return self.asset.opening_accumulated + sum(amount for on, _, amount in self.depreciation if on <= day)


class Comparison(NamedTuple):
    """An account in the register and in the ledger, debit above zero."""

    account_id: str
    code: str
    name: str
    register: int
    ledger: int

    @property
    def difference(self) -> int:
        return self.ledger - self.register


def assets() -> list[Held]:
    """All assets but drafts, by account and number, with their depreciation."""
    posted: dict[str, list[tuple[date, str, int]]] = defaultdict(list)
    for asset_id, day, account_id, amount in WORKSPACE.rows(_DEPRECIATION):
        posted[asset_id].append((date.fromisoformat(day), account_id, amount))
    return [Held(asset, posted[asset.id]) for asset in Asset.fetch(_ASSETS)]


def compared(held: Sequence[Held], day: date) -> list[Comparison]:
    """The accounts for fixed assets at the end of a day, where register or ledger have something."""
    expected, ledger = _expected(held, day), account_balances.of_all(day)
    return [
        Comparison(id, code, name, expected.get(id, 0), ledger.get(id, (0,))[0])
        for id, code, name in WORKSPACE.rows(_ACCOUNTS)
        if expected.get(id) or ledger.get(id, (0,))[0]
    ]


def _expected(held: Sequence[Held], day: date) -> Mapping[str, int]:
    """The balance that each account should have for the assets held at the end of a day."""
    balances: dict[str, int] = defaultdict(int)
    for one in held:
        if one.is_held(day):
            balances[one.asset.account_id] += one.asset.cost
            balances[terms.accounts_of(one.asset).accumulated] -= one.asset.opening_accumulated
            for on, account_id, amount in one.depreciation:
                balances[account_id] -= amount if on <= day else 0
    return balances


_ASSETS = (
    "SELECT asset.* FROM asset JOIN account ON account.id = asset.account_id WHERE asset.status <> 'draft'"
    " ORDER BY account.code, asset.seq"
)
_DEPRECIATION = (
    f"SELECT d.asset_id, d.date, d.account_id, d.amount FROM depreciation AS d WHERE {terms.STANDS} ORDER BY d.date"
)
_ACCOUNTS = "SELECT id, code, name FROM account WHERE subtype = 'fixed_asset' ORDER BY code"
