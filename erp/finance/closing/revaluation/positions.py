"""Open items and accounts in foreign currencies at the end of a day, and their gain at other rates.

Receivables and payables are revalued item by item, accounts that are kept in a foreign currency by their balance. Goods
and fixed assets are not money, and keep their cost.
"""

from collections.abc import Iterator, Mapping
from datetime import date

import msgspec

from erp.finance.books import account_balances, open_items
from erp.kernel import money
from erp.store.router import WORKSPACE


class Position(msgspec.Struct, frozen=True):
    """An open item, or the balance of an account; a debit above zero, `book` in the base currency."""

    account_id: str
    currency: str
    amount: int
    book: int
    item_id: str | None = None
    contact_id: str | None = None
    number: str | None = None

    def difference(self, rates: Mapping[str, int], base: str) -> int:
        """The value above book value; of a debt, less is more."""
        return money.convert(self.amount, rates[self.currency], self.currency, base) - self.book


_ITEMS = f"""
SELECT account_id, currency, open_then, book, id, contact_id, number FROM (
    SELECT open_item.*, {open_items.OPEN_AT} AS open_then, {open_items.OPEN_BASE_AT} AS book FROM open_item
    WHERE currency <> :base AND {open_items.MAY_BE_OPEN_AT}
) AS item WHERE open_then <> 0 ORDER BY account_id, date, id
"""
_ACCOUNTS = """
SELECT id, currency, code FROM account WHERE currency <> ? AND type IN ('asset', 'liability') AND NOT is_group
AND archived_at IS NULL AND subtype NOT IN ('receivable', 'payable', 'inventory', 'fixed_asset') ORDER BY code
"""


def at(day: date, base: str) -> list[Position]:
    """All positions in foreign currencies at the end of a day."""
    rows = WORKSPACE.rows(_ITEMS, {"base": base, "day": day.isoformat()})
    return [*(Position(*row) for row in rows), *_accounts(day, base)]


def _accounts(day: date, base: str) -> Iterator[Position]:
    for id, currency, code in WORKSPACE.rows(_ACCOUNTS, (base,)):
        amount = account_balances.in_foreign(id, currency, through=day)
        book = account_balances.of_account(id, through=day)
        if amount or book:
            yield Position(id, currency, amount, book, number=code)
