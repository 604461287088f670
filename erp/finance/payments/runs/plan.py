"""The plan of a payment run: discounts in time are taken, open credit is used, and the rest is transferred."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from erp.finance.books.models import OpenItem
from erp.finance.contacts import heads
from erp.finance.contacts.models import Contact
from erp.finance.documents import prepaid
from erp.finance.documents.models import Invoice
from erp.finance.payments.runs.claims import DueClaim
from erp.finance.write_downs import discounts
from erp.finance.write_downs.discounts import Offer
from erp.store import sql

Owed = Invoice | DueClaim
"""A bill, or an expense claim of an employee."""

_Account = tuple[str, str]
"""A contact and a payable account: credit on one account does not pay bills on another."""


class UsedCredit(NamedTuple):
    """An amount of an open credit that is used."""

    item: OpenItem
    amount: int


class PlannedBill(NamedTuple):
    """A bill or claim with its open item, the discount that is taken, and the credit that pays a part of it.

    `due` leaves out the part that is said to be prepaid.
    """

    bill: Owed
    due: int
    item: OpenItem
    offer: Offer | None
    credits: Sequence[UsedCredit]

    @property
    def discount(self) -> int:
        """The amount of the discount taken."""
        return 0 if self.offer is None else self.offer.amount

    @property
    def credit(self) -> int:
        """The amount paid by credit."""
        return sum(used.amount for used in self.credits)

    @property
    def amount(self) -> int:
        """The amount to transfer."""
        return self.due - self.discount - self.credit


class PlannedSupplier(NamedTuple):
    """The bills of a supplier that are paid together; nothing is transferred where credit pays them all."""

    supplier: Contact
    bills: Sequence[PlannedBill]

    @property
    def amount(self) -> int:
        """The amount to transfer."""
        return sum(bill.amount for bill in self.bills)

    @property
    def paid(self) -> list[PlannedBill]:
        """The bills that money is transferred for."""
        return [bill for bill in self.bills if bill.amount]

    @property
    def credits(self) -> list[OpenItem]:
        """The credits that are used, each once."""
        return list({used.item.id: used.item for bill in self.bills for used in bill.credits}.values())


def make(bills: Sequence[Owed], day: date, declined: Collection[str], *, use_credit: bool) -> list[PlannedSupplier]:
    """Plan how bills and claims of one currency are paid on a day, by supplier's name.

    Args:
        bills: with an amount due, in the order in which credit is used for them.
        declined: the ids of bills whose discount is not taken.
        use_credit: whether open credit is used before money.
    """
    invoices = [bill for bill in bills if isinstance(bill, Invoice)]
    items = {item.document_id: item for item in OpenItem.fetch(_OF_BILLS, sql.array(bill.id for bill in invoices))}
    items |= {bill.id: bill.item for bill in bills if isinstance(bill, DueClaim)}
    suppliers = Contact.fetch(_SUPPLIERS, sql.array({heads.of(bill.contact_id) for bill in bills}))
    left = _Credit(suppliers, bills[0].currency, day) if use_credit and bills else None
    planned: dict[str, dict[str, list[PlannedBill]]] = defaultdict(lambda: defaultdict(list))
    unmatched = prepaid.unmatched(invoices)
    for bill in bills:
        offer = discounts.in_time(bill, day) if isinstance(bill, Invoice) and bill.id not in declined else None
        item = items[bill.id]
        due = bill.due - unmatched.get(bill.id, 0)
        rest = due - (0 if offer is None else offer.amount)
        contact_id, account_id = owed = (heads.of(bill.contact_id), item.account_id)
        used = list(left.use(owed, rest)) if left else []
        planned[contact_id][account_id].append(PlannedBill(bill, due, item, offer, used))
    return [PlannedSupplier(supplier, own) for supplier in suppliers for own in planned[supplier.id].values()]


class _Credit:
    """The open credit of suppliers on a day, which is used up from the oldest."""

    def __init__(self, suppliers: Sequence[Contact], currency: str, day: date) -> None:
        self._left: dict[_Account, list[UsedCredit]] = defaultdict(list)
        ids = sql.array(heads.groups(supplier.id for supplier in suppliers))
        for item in OpenItem.fetch(_CREDIT, ids, currency, day.isoformat(), day.isoformat()):
            self._left[heads.of(item.contact_id), item.account_id].append(UsedCredit(item, item.open))

    def use(self, owed: _Account, amount: int) -> Iterator[UsedCredit]:
        """Use credit for an amount, as far as there is any."""
        left = self._left[owed]
        while left and amount:
            item, rest = left.pop(0)
            used = min(rest, amount)
            yield UsedCredit(item, used)
            amount -= used
            if used < rest:
                left.insert(0, UsedCredit(item, rest - used))


_OF_BILLS = (
    "SELECT * FROM open_item WHERE document_type = 'invoice' AND document_id IN (SELECT value FROM json_each(?))"
    " AND open < 0"
)
_SUPPLIERS = "SELECT * FROM contact WHERE id IN (SELECT value FROM json_each(?)) ORDER BY name, id"
_CREDIT = (
    "SELECT * FROM open_item WHERE contact_id IN (SELECT value FROM json_each(?)) AND open > 0 AND currency = ?"
    " AND date <= ? AND (released_on IS NULL OR released_on <= ?) ORDER BY date, id"
)
