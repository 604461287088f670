"""The accounts of customers and suppliers in DATEV, which are their numbers: 10001 and on, 70001 and on."""

from collections.abc import Mapping

from erp.finance.books import default_accounts
from erp.finance.contacts import contacts, numbers
from erp.finance.contacts.store import Side
from erp.kernel.errors import Refusal

SIDES: Mapping[str, Side] = {"receivable": "customer", "payable": "supplier"}
"""By the key of the default account, which the account of a contact replaces."""


class TooManyContacts(Refusal):
    """DATEV has room for 59,999 customers and 29,999 suppliers."""

    status = 422


class Personal:
    """The numbers of contacts, and the new ones of an export.

    New are only the numbers of a customer who is booked as a supplier, and the other way round. The default accounts of
    receivables and payables are collective accounts, on which DATEV books nothing else; any other account of contacts,
    such as doubtful receivables, is an account like all others.
    """

    def __init__(self) -> None:
        self._numbers = numbers.assigned()
        self._sides = {default_accounts.of(key): side for key, side in SIDES.items()}
        self._new: list[tuple[str, Side]] = []

    def of(self, account_id: str, contact_id: str | None, length: int) -> str | None:
        """The number of the contact's account that replaces an account; None without one.

        Args:
            length: how many digits other accounts have; these have one more.
        """
        side = self._sides.get(account_id)
        if side is None or contact_id is None:
            return None
        if (contact_id, side) not in self._numbers:
            self._add(contact_id, side)
        return written(self._numbers[contact_id, side], length)

    def _add(self, contact_id: str, side: Side) -> None:
        number = numbers.upcoming(side, [new for _, new in self._new].count(side))
        if number is None:
            raise TooManyContacts
        self._numbers[contact_id, side] = number
        self._new.append((contact_id, side))

    def keep(self) -> None:
        """Store the new numbers of contacts."""
        for contact_id, side in self._new:
            contacts.give_number(contact_id, side)


def written(number: str, length: int) -> str:
    """A number in DATEV's form."""
    return number.ljust(length + 1, "0")
