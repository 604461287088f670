"""What a payment is to settle: the documents that a request names, and whether the payment fits them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import msgspec

from erp.finance.documents import invoices
from erp.finance.documents.models import Invoice
from erp.finance.items import settlement
from erp.finance.items.settlement import SETTLED_BY, Side
from erp.finance.payments.models import Payment
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Money, PositiveAmount
from erp.web.schema import Body, View

InvoiceName = Annotated[str, msgspec.Meta(min_length=1, max_length=64, description="An invoice's id or its number.")]
FIRST_OF_YEAR = f"INV-{clock.now():%Y}-00001"
"""The number of this year's first invoice, as examples name it."""


class NewAllocation(Body):
    """The part of a payment that settles an invoice."""

    invoice_id: InvoiceName
    amount: PositiveAmount


class AllocationView(View):
    """The part of a payment that settles an invoice.

    `exchangeDifference` is in the base currency, a gain above zero; a released allocation counts no more.
    """

    id: str
    invoice_id: str
    invoice_number: str
    amount: Money
    date: str
    exchange_difference: Money
    released_on: str | None


@dataclass(frozen=True, slots=True)
class Wish:
    """An allocation that is asked for, and the fields of the request that say so."""

    invoice: Invoice
    amount: Decimal
    invoice_field: str
    amount_field: str


def find_all(asked: Sequence[NewAllocation], complaints: Complaints) -> list[Wish]:
    """Find the invoices that a request names in its `allocations`."""
    wishes = []
    for i, each in enumerate(asked):
        field = f"allocations[{i}].invoiceId"
        with complaints.gathered():
            wishes.append(Wish(invoices.refer(each.invoice_id, field), each.amount, field, f"allocations[{i}].amount"))
    return wishes


def check(payment: Payment, side: Side, wishes: Sequence[Wish], complaints: Complaints) -> list[tuple[Invoice, int]]:
    """Check that a payment can settle what is asked for.

    Args:
        payment: as it is, or as it is going to be.
        side: which default account it is posted to.

    Returns:
        The invoices with amounts in minor units, one object for each invoice; what does not fit stands in `complaints`.
    """
    asked: Counter[str] = Counter()
    objects = {wish.invoice.id: wish.invoice for wish in wishes}
    pairs = []
    for wish in wishes:
        misfit = _misfit(payment, side, wish.invoice)
        if misfit:
            complaints.add(wish.invoice_field, *misfit)
            continue
        amount = complaints.minor(wish.amount, payment.currency, wish.amount_field)
        asked[wish.invoice.id] += amount
        if asked[wish.invoice.id] > wish.invoice.due:
            complaints.add(wish.amount_field, "overpayment", _overpaid(wish.invoice, asked[wish.invoice.id]))
        pairs.append((objects[wish.invoice.id], amount))
    _check_sum(payment, asked.total(), complaints)
    return pairs


def views(payment: Payment) -> list[AllocationView]:
    """The allocations of a payment, the released ones included, in the order they were made."""
    base = workspace_settings.current().base_currency
    return [_view(row, payment.currency, base) for row in WORKSPACE.rows(_OF_PAYMENT, (payment.id,))]


_OF_PAYMENT = (
    "SELECT a.id, a.invoice_id, i.number, i.type, a.amount, a.date, a.base_received, a.base_relieved, a.released_on"
    " FROM allocation AS a JOIN invoice AS i ON i.id = a.invoice_id WHERE a.payment_id = ? ORDER BY a.id"
)


def _view(row: tuple[Any, ...], currency: str, base: str) -> AllocationView:
    id, invoice_id, number, type, amount, day, received, relieved, released_on = row
    return AllocationView(
        id=id,
        invoice_id=invoice_id,
        invoice_number=number,
        amount=money.text(amount, currency),
        date=day,
        exchange_difference=money.text(settlement.gain(type, received, relieved), base),
        released_on=released_on,
    )


_CLOSED = {
    "draft": "It is a draft; nothing is due on it until it is issued.",
    "void": "{number} is void; nothing is due on it.",
    "written_off": "{number} is written off; nothing is due on it until that is undone.",
}


def _misfit(payment: Payment, side: Side, invoice: Invoice) -> tuple[str, str] | None:
    """Why a payment cannot settle an invoice at all: a code and a sentence."""
    number, due = invoice.number, f"{_shown(invoice, invoice.due)} is due on it"
    if invoice.status in _CLOSED:
        return f"invoice_{invoice.status}", _CLOSED[invoice.status].format(number=number)
    if invoice.contact_id != payment.contact_id:
        return "wrong_contact", f"{number} is of {invoice.contact_name}, another contact; {due}."
    if invoice.currency != payment.currency:
        return "wrong_currency", f"{number} is in {invoice.currency}, the payment in {payment.currency}; {due}."
    direction, settled_side = SETTLED_BY[invoice.type]
    kind = invoice.type.replace("_", " ")
    if direction != payment.direction:
        return "wrong_direction", f"{number} is a {kind}: it is settled by a payment {direction}; {due}."
    if settled_side != side:
        return "wrong_type", f"{number} is a {kind}; the payment is posted to {side} accounts; {due}."
    return None


def _overpaid(invoice: Invoice, asked: int) -> str:
    return f"{invoice.number} has {_shown(invoice, invoice.due)} due; {_shown(invoice, asked)} is more than that."


def _check_sum(payment: Payment, asked: int, complaints: Complaints) -> None:
    left = payment.amount - payment.allocated_amount
    if asked > left and not complaints.items:
        wanted, given = (money.text(amount, payment.currency) for amount in (asked, left))
        complaints.add("allocations", "over_allocated", f"{wanted} is to be allocated; {given} of the payment is left.")


def _shown(invoice: Invoice, amount: int) -> str:
    return f"{money.text(amount, invoice.currency)} {invoice.currency}"
