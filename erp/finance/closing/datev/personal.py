"""The accounts of customers and suppliers in DATEV: 10001 and on, 70001 and on, each kept for good."""

from erp.finance.books import ledger
from erp.finance.closing.datev import store
from erp.kernel.errors import Refusal
from erp.store.router import WORKSPACE

_FIRST = {"receivable": 10_000, "payable": 70_000}
_MOST = {"receivable": 59_999, "payable": 29_999}


class TooManyContacts(Refusal):
    """DATEV has room for 59,999 customers and 29,999 suppliers."""

    status = 422


class Personal:
    """The numbers that contacts have, and those that are new in what is being exported.

    The default accounts of receivables and payables are collective accounts, on which DATEV books nothing else; any
    other account of contacts, such as that of doubtful receivables, is an account like all others.
    """

    def __init__(self) -> None:
        rows = WORKSPACE.rows(store.NUMBERED)
        self._numbers: dict[tuple[str, str], int] = {(contact, side): number for contact, side, number in rows}
        self._last = {side: max((n for _, of, n in rows if of == side), default=0) for side in _FIRST}
        self._sides = {ledger.default_account(side): side for side in _FIRST}
        self._new: list[tuple[str, str, int]] = []

    def of(self, account_id: str, contact_id: str | None, length: int) -> str | None:
        """The number of a contact's account that stands in for an account; None where none does.

        Args:
            length: how many digits other accounts have; these have one more.
        """
        side = self._sides.get(account_id)
        if side is None or contact_id is None:
            return None
        if (contact_id, side) not in self._numbers:
            self._add(contact_id, side)
        return written(side, self._numbers[contact_id, side], length)

    def _add(self, contact_id: str, side: str) -> None:
        self._last[side] += 1
        if self._last[side] > _MOST[side]:
            raise TooManyContacts
        self._numbers[contact_id, side] = self._last[side]
        self._new.append((contact_id, side, self._last[side]))

    def keep(self) -> None:
        """Write the new numbers."""
        WORKSPACE.run_many(store.NUMBER, self._new)


def written(side: str, number: int, length: int) -> str:
    """A number as DATEV has it."""
    return f"{_FIRST[side] + number}".ljust(length + 1, "0")
