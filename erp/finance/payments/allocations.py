"""The allocations that a request asks for, and whether the payment can make them."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

import msgspec

from erp.finance.documents import invoices
from erp.finance.documents.models import Invoice
from erp.finance.items.documents import SETTLED_BY, Side
from erp.finance.payments.bodies import NewAllocation
from erp.finance.payments.models import Payment
from erp.kernel import money
from erp.kernel.complaints import Complaints


class RequestedAllocation(msgspec.Struct, frozen=True):
    """An allocation that a request asks for, with the fields that name its parts."""

    invoice: Invoice
    amount: Decimal
    invoice_field: str
    amount_field: str


def refer_all(bodies: Sequence[NewAllocation], complaints: Complaints) -> list[RequestedAllocation]:
    """Find the invoices that a request names in its `allocations`."""
    requested = []
    for i, body in enumerate(bodies):
        field = f"allocations[{i}].invoiceId"
        with complaints.gathered():
            invoice = invoices.refer(body.invoice_id, field)
            requested.append(RequestedAllocation(invoice, body.amount, field, f"allocations[{i}].amount"))
    return requested


def check(
    payment: Payment, side: Side | None, requested: Sequence[RequestedAllocation], complaints: Complaints
) -> list[tuple[Invoice, int]]:
    """Check that a payment can make the allocations.

    Args:
        payment: as it is, or as it is going to be.
        side: which default account it is posted to; a payment worth nothing in the books, to either.
        requested: what a request asks for.
        complaints: takes what is wrong.

    Returns:
        The invoices with amounts in minor units; an invoice that is named twice is the same object.
    """
    sums: Counter[str] = Counter()
    objects = {allocation.invoice.id: allocation.invoice for allocation in requested}
    parts = []
    for allocation in requested:
        invoice = objects[allocation.invoice.id]
        mismatch = _mismatch(payment, side, invoice)
        if mismatch:
            complaints.add(allocation.invoice_field, *mismatch)
            continue
        amount = complaints.minor(allocation.amount, payment.currency, allocation.amount_field)
        sums[invoice.id] += amount
        if sums[invoice.id] > invoice.due:
            complaints.add(allocation.amount_field, "overpayment", _overpayment(invoice, sums[invoice.id]))
        parts.append((invoice, amount))
    _check_sum(payment, sums.total(), complaints)
    return parts


_NOTHING_DUE = {
    "draft": "This invoice is a draft. Issue it first.",
    "void": "{number} is void. Nothing is due on it.",
    "written_off": "{number} has been written off. Undo that first.",
}


def _mismatch(payment: Payment, side: Side | None, invoice: Invoice) -> tuple[str, str] | None:
    """Why a payment cannot settle an invoice at all: a code and a message."""
    number, due = invoice.number, f"{_amount(invoice, invoice.due)} is due on it."
    if invoice.status in _NOTHING_DUE:
        return f"invoice_{invoice.status}", _NOTHING_DUE[invoice.status].format(number=number)
    if invoice.contact_id != payment.contact_id:
        return "wrong_contact", f"{number} belongs to another contact, {invoice.contact_name}. {due}"
    if invoice.currency != payment.currency:
        return "wrong_currency", f"{number} is in {invoice.currency}, but the payment is in {payment.currency}. {due}"
    direction, invoice_side = SETTLED_BY[invoice.kind]
    kind = invoice.kind.replace("_", " ")
    if direction != payment.direction:
        return "wrong_direction", f"{number} is a {kind}. Only a payment {direction} can settle it. {due}"
    if side is not None and invoice_side != side:
        return "wrong_type", f"{number} is a {kind}, but the payment is posted to a {side} account. {due}"
    return None


def _overpayment(invoice: Invoice, amount: int) -> str:
    due = _amount(invoice, invoice.due)
    later = " Payments dated later than today are counted." if invoices.is_settled_later(invoice) else ""
    return f"{invoice.number} has {due} due. {_amount(invoice, amount)} is more than that.{later}"


def _check_sum(payment: Payment, amount: int, complaints: Complaints) -> None:
    left = payment.amount - payment.allocated_amount
    if amount > left and not complaints.items:
        total, rest = (money.text(minor, payment.currency) for minor in (amount, left))
        message = f"{total} is to be allocated, but only {rest} of the payment is left."
        complaints.add("allocations", "over_allocated", message)


def _amount(invoice: Invoice, amount: int) -> str:
    return f"{money.text(amount, invoice.currency)} {invoice.currency}"
