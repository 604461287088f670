"""Book values of money that is paid or moved: each account keeps its own currency and its book value.

Money that leaves an account in a foreign currency takes its share of the book value along, and the last of it all that
is left; so does money that pays back an overdrawn account. The difference to the value on that day is realised.
"""

from datetime import date

import msgspec

from erp.finance.books import account_balances
from erp.kernel import money
from erp.store import workspace_settings


class Side(msgspec.Struct, frozen=True):
    """An account and the change of its balance, an increase above zero."""

    account_id: str
    currency: str
    change: int

    @property
    def is_foreign(self) -> bool:
        """Whether the account is not kept in the base currency."""
        return self.currency != workspace_settings.current().base_currency


def is_covered(side: Side, day: date) -> bool:
    """Whether an account in a foreign currency holds the amount that leaves it."""
    return account_balances.in_foreign(side.account_id, side.currency, through=day) >= -side.change


def book_change(side: Side, value: int, day: date) -> int:
    """The change of an account's book value.

    Args:
        value: the value of the change on the day, unsigned.
    """
    sign = 1 if side.change > 0 else -1
    if not side.is_foreign:
        return side.change
    held = account_balances.in_foreign(side.account_id, side.currency, through=day)
    if held * sign >= 0:
        return sign * value
    part = min(abs(side.change), abs(held))
    book = account_balances.of_account_unrevalued(side.account_id, day)
    share = -book if part == abs(held) else -money.divide(book * part, abs(held))
    beyond = value - money.divide(value * part, abs(side.change))
    return share + sign * beyond
