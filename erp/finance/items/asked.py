"""Facts of open items that rooms side by side exchange: the bank tells of payments, reminders of their demands.

Neither room knows the other; the application puts the functions here (`erp.app`).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple


class AskedLetter(NamedTuple):
    """A reminder with charges that are not invoiced yet: one payment may settle its items and these charges.

    Amounts are minor units of its currency.
    """

    id: str
    number: str
    contact_id: str
    contact_name: str
    total: int
    charges: int
    item_ids: Sequence[str]


class Told:
    """The functions that the application has put here; by themselves they know nothing."""

    paid: Callable[[], frozenset[str]] = staticmethod(lambda: frozenset())
    """The open items that transactions to confirm seem to pay."""
    letters: Callable[[str], Sequence[AskedLetter]] = staticmethod(lambda currency: ())
    """The newest letters in a currency that ask for charges."""
    charge: Callable[[str], str] | None = None
    """Invoice the charges of a letter; the answer is the invoice's open item."""
