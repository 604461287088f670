"""Settling invoices by payments and credit notes, and taking that back.

An allocation posts nothing but the realised exchange difference: the worth of the payment's part when it was posted,
less that of the invoice's part. Each part is worth its share in proportion and the last part all that is left, so
that no cent remains on what is settled in full.
"""

from datetime import date

from erp.finance.books import ledger, periods
from erp.finance.books.ledger import DatedTooEarly, Entry, Leg
from erp.finance.items import store
from erp.finance.items.documents import SETTLED_BY, Invoice, Payment, Side, day_of, is_payment
from erp.finance.items.models import Allocation
from erp.kernel import caller, clock, money
from erp.kernel.errors import InvalidTransition, NotFound, Refusal
from erp.store.records import new_id

Source = Payment | Invoice
"""What settles: a payment or a credit note."""


class Overpayment(Refusal):
    """{number} has {due} due. Allocate no more than that."""

    status = 422


class CreditUsedUp(Refusal):
    """The payment or credit note has less left than that. Allocate a smaller amount."""

    status = 422


def earliest(source: Source, invoice: Invoice) -> date:
    """The first day on which a source can settle an invoice: the later of both dates."""
    return max(day_of(source), day_of(invoice))


def last_day(document: Payment | Invoice) -> date:
    """The last day on which something of a document was settled or released; at the earliest its own date."""
    return max([day_of(document), *store.last_days(document)])


def open_base(document: Invoice) -> int:
    """What is open of an issued document, in the base currency at the rate of its issue."""
    return int(document.base_total) - store.settled_base(document)


def allocate(source: Source, invoice: Invoice, amount: int, day: date) -> tuple[Allocation, list[Entry]]:
    """Settle a part of an invoice by a payment or a credit note, and post the exchange difference.

    The caller has checked that contact, currency and kind (`SETTLED_BY`) agree. Both records are brought up to date.

    Args:
        source: a payment or a credit note.
        invoice: what it settles; for a payment this may be a credit note.
        amount: minor units of the currency of both.
        day: the date of the allocation and of the exchange difference.

    Raises:
        Overpayment: less is due.
        CreditUsedUp: less of the payment or credit note is left.
        DatedTooEarly: the day is before the later of both dates.
        PeriodLocked: the day is in the locked period.
    """
    if day < earliest(source, invoice):
        raise DatedTooEarly("An allocation cannot be dated before the documents that it settles.", field="date")
    periods.check_open(day, "date")
    received, relieved = _source_base(source, amount), _invoice_base(invoice, amount)
    _move(source, invoice, amount)
    id = new_id()
    entry = _post_gain(id, invoice, gain(invoice.kind, received, relieved), day)
    allocation = Allocation.create(
        id=id,
        created_at=clock.stamp(),
        created_by=caller.current().user_id,
        payment_id=source.id if is_payment(source) else None,
        credit_note_id=None if is_payment(source) else source.id,
        invoice_id=invoice.id,
        amount=amount,
        date=day,
        base_received=received,
        base_relieved=relieved,
        journal_entry=entry and entry.id,
    )
    return allocation, [entry] if entry else []


def release(allocation: Allocation, source: Source, invoice: Invoice, day: date) -> list[Entry]:
    """Take an allocation back: the invoice is due again, and the exchange difference is reversed.

    Raises:
        InvalidTransition: it has already been released, or the invoice has been written off.
        DatedTooEarly: the day is before the allocation's.
        PeriodLocked: the day is in the locked period.
    """
    live = (Allocation.id == allocation.id) & Allocation.released_on.is_null()
    if not Allocation.update(released_on=day).where(live).execute():
        raise InvalidTransition("The allocation has already been released.")
    Allocation.record_columns(allocation.id, {"released_on": day})
    if day < allocation.date:
        raise DatedTooEarly(f"The allocation cannot be released before its own date, {allocation.date}.", field="date")
    periods.check_open(day, "date")
    if invoice.status == "written_off":
        raise InvalidTransition(f"{invoice.number} has been written off. Undo that first.")
    allocation.released_on = day
    _move(source, invoice, -allocation.amount)
    if allocation.journal_entry_id is None:
        return []
    return [ledger.reverse(allocation.journal_entry_id, day, f"Release of {source.number} from {invoice.number}")]


def find_allocation(payment: Payment, id: str) -> Allocation:
    """An allocation of a payment.

    Raises:
        NotFound: the payment has none with that id.
    """
    allocation = Allocation.find_by(id=id, payment_id=payment.id)
    if allocation is None:
        raise NotFound("The payment has no allocation with this id.")
    return allocation


def live_allocations(source: Source) -> list[Allocation]:
    """What a payment or a credit note settles: its allocations that have not been released."""
    column = Allocation.payment_id if is_payment(source) else Allocation.credit_note_id
    of_source = Allocation.select().where(column == source.id, Allocation.released_on.is_null())
    return list(of_source.order_by(Allocation.id))


def side_of(entry_id: str | None) -> Side | None:
    """Which account a payment was posted to; None where its amount is worth nothing in the books."""
    subtype = None if entry_id is None else store.subtype_of_contact_account(entry_id)
    if subtype is None:
        return None
    return "receivable" if subtype == "receivable" else "payable"


def gain(invoice_kind: str, received: int, relieved: int) -> int:
    """The exchange gain of an allocation in the base currency; a loss is below zero."""
    return received - relieved if SETTLED_BY[invoice_kind][0] == "received" else relieved - received


def _move(source: Source, invoice: Invoice, amount: int) -> None:
    """Take an amount from the source and settle the invoice with it, or the other way round when below zero."""
    if not is_payment(source):
        _settle(source, "amount_credited", amount)
        _settle(invoice, "amount_credited", amount)
        return
    if not store.use(source, amount):
        raise CreditUsedUp
    _settle(invoice, "amount_paid", amount)


def _settle(document: Invoice, column: str, amount: int) -> None:
    if not store.settle(document, column, amount):
        raise Overpayment(number=document.number, due=money.text(document.due, document.currency))


def _source_base(source: Source, amount: int) -> int:
    if not is_payment(source):
        return _invoice_base(source, amount)
    left = source.amount - source.allocated_amount
    return _share(amount, left, source.base_amount - store.allocated_base(source), source.amount, source.base_amount)


def _invoice_base(document: Invoice, amount: int) -> int:
    return _share(amount, document.due, open_base(document), document.total, document.base_total)


def _share(amount: int, left: int, base_left: int, total: int, base: int) -> int:
    """The base currency that goes with an amount: in proportion, or all that is left with the last part."""
    if amount == left:
        return base_left
    return min(base_left, money.divide(base * amount, total))


def _post_gain(allocation_id: str, invoice: Invoice, amount: int, day: date) -> Entry | None:
    if not amount:
        return None
    control = ledger.default_account(SETTLED_BY[invoice.kind][1])
    result = ledger.default_account(f"realised_exchange_{'gains' if amount > 0 else 'losses'}")
    legs = [Leg(control, amount, invoice.contact_id), Leg(result, -amount)]
    text = f"Exchange {'gain' if amount > 0 else 'loss'} on {invoice.number}"
    return ledger.post(day, text, legs, kind="exchange_difference", source=("allocation", allocation_id))
