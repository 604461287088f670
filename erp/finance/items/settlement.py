"""Settling documents: what a payment or a credit note pays of an invoice, and taking that back.

An allocation posts nothing but the realised exchange difference: what the payment's part was worth when it was
posted, less what the invoice's part was worth. A part takes its share of either in proportion and the last part
all that is left, so that no cent stays on what is settled in full.
"""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from erp.finance.books import ledger, periods
from erp.finance.books.ledger import DatedTooEarly, Entry, Leg
from erp.finance.items.models import Allocation
from erp.kernel import caller, clock, money
from erp.kernel.errors import InvalidTransition, NotFound, Refusal
from erp.store.records import new_id
from erp.store.router import WORKSPACE

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Direction = Literal["received", "made"]
Side = Literal["receivable", "payable"]

SETTLED_BY: Mapping[str, tuple[Direction, Side]] = {
    "sales_invoice": ("received", "receivable"),
    "sales_credit_note": ("made", "receivable"),
    "purchase_invoice": ("made", "payable"),
    "purchase_credit_note": ("received", "payable"),
}
"""By type of document: which payments settle it, and the default account that both are posted to."""


class Record(Protocol):
    """What settles or is settled, as far as this room knows it; the rooms above have the tables."""

    noun: ClassVar[str]
    id: Any
    number: Any
    currency: Any


class Payment(Record, Protocol):
    """A payment that settles documents."""

    date: Any
    amount: Any
    base_amount: Any
    allocated_amount: Any


class Invoice(Record, Protocol):
    """An invoice that is settled, or a credit note that settles."""

    type: Any
    contact_id: str
    status: Any
    issue_date: Any
    total: Any
    base_total: Any

    @property
    def due(self) -> int:
        """What is still to be paid, in minor units of its currency."""


class Overpayment(Refusal):
    """{number} has {due} due; no more than that can be settled."""

    status = 422


class CreditUsedUp(Refusal):
    """Less of the payment or credit note is left than that."""

    status = 422


def earliest(source: Payment | Invoice, invoice: Invoice) -> date:
    """The first day on which the one can settle the other: the later of both documents' dates."""
    days: tuple[date, date] = (source.date if _is_payment(source) else source.issue_date, invoice.issue_date)
    return max(days)


def last_day(document: Payment | Invoice) -> date:
    """The day since which nothing was settled or released of a document; its own where nothing ever was."""
    ((settled, released),) = WORKSPACE.rows(_LAST_DAYS, (document.id, document.id, document.id))
    own: date = document.date if _is_payment(document) else document.issue_date
    return max([own, *(date.fromisoformat(day) for day in (settled, released) if day is not None)])


def open_base(document: Invoice) -> int:
    """What an issued document still has open, in the base currency, at the rate it was issued at."""
    ((settled,),) = WORKSPACE.rows(_DOCUMENT_BASE, (document.id, document.id, document.id))
    return int(document.base_total - settled)


def allocate(source: Payment | Invoice, invoice: Invoice, amount: int, day: date) -> tuple[Allocation, list[Entry]]:
    """Settle a part of an invoice by a payment or a credit note, and post the exchange difference.

    The caller has checked that the two fit: contact, currency, `SETTLED_BY`. Both objects are brought up to date.

    Args:
        amount: minor units of the currency of both.

    Raises:
        Overpayment: less is due.
        CreditUsedUp: less of the payment or credit note is left.
        DatedTooEarly: the day is before the later of both documents' dates.
        PeriodLocked: the day is in the locked period.
    """
    if day < earliest(source, invoice):
        raise DatedTooEarly("It cannot be dated before the documents it settles.", field="date")
    periods.check_open(day, "date")
    received, relieved = _source_part(source, amount), _document_part(invoice, amount)
    _take(source, amount)
    _settle(invoice, "amount_paid" if _is_payment(source) else "amount_credited", amount)
    id = new_id()
    entry = _post_gain(id, invoice, gain(invoice.type, received, relieved), day)
    origin = {"payment_id" if _is_payment(source) else "credit_note_id": source.id}
    allocation = Allocation.create(
        id=id,
        created_at=clock.stamp(),
        created_by=caller.current().user_id,
        invoice_id=invoice.id,
        amount=amount,
        date=day,
        base_received=received,
        base_relieved=relieved,
        journal_entry=entry and entry.id,
        **origin,
    )
    return allocation, [entry] if entry else []


def release(allocation: Allocation, source: Payment | Invoice, invoice: Invoice, day: date) -> list[Entry]:
    """Take an allocation back: the invoice is due again, and the exchange difference is reversed.

    Raises:
        InvalidTransition: it is released already, or the invoice was written off since.
        DatedTooEarly: the day is before the allocation's.
        PeriodLocked: the day is in the locked period.
    """
    live = (Allocation.id == allocation.id) & Allocation.released_on.is_null()
    if not Allocation.update(released_on=day).where(live).execute():
        raise InvalidTransition("The allocation is released already.")
    if day < allocation.date:
        raise DatedTooEarly(f"It cannot be released before {allocation.date}.", field="date")
    periods.check_open(day, "date")
    if invoice.status == "written_off":
        raise InvalidTransition(f"{invoice.number} is written off; undo that first.")
    allocation.released_on = day
    _take(source, -allocation.amount)
    _settle(invoice, "amount_paid" if _is_payment(source) else "amount_credited", -allocation.amount)
    if allocation.journal_entry_id is None:
        return []
    return [ledger.reverse(allocation.journal_entry_id, day, f"Release of {source.number} from {invoice.number}")]


def find_allocation(payment: Payment, id: str) -> Allocation:
    """An allocation of a payment.

    Raises:
        NotFound: the payment has none of that id.
    """
    found: Allocation | None = Allocation.get_or_none((Allocation.id == id) & (Allocation.payment_id == payment.id))
    if found is None:
        raise NotFound("The payment has no such allocation.")
    return found


def live_allocations(payment: Payment) -> list[Allocation]:
    """What a payment settles now."""
    of_payment = Allocation.select().where(Allocation.payment_id == payment.id, Allocation.released_on.is_null())
    return list(of_payment.order_by(Allocation.id))


def side_of(entry_id: str) -> Side:
    """Which kind of account the entry of a payment was posted to."""
    ((subtype,),) = WORKSPACE.rows(_SIDE, (entry_id,))
    return "receivable" if subtype == "receivable" else "payable"


def gain(invoice_type: str, received: int, relieved: int) -> int:
    """The exchange gain of an allocation in the base currency; a loss is below zero."""
    return received - relieved if SETTLED_BY[invoice_type][0] == "received" else relieved - received


_DOCUMENT_BASE = (
    "SELECT coalesce(sum(CASE WHEN invoice_id = ? THEN base_relieved ELSE base_received END), 0) FROM allocation"
    " WHERE released_on IS NULL AND (invoice_id = ? OR credit_note_id = ?)"
)
_LAST_DAYS = (
    "SELECT max(date), max(released_on) FROM allocation WHERE payment_id = ? OR invoice_id = ? OR credit_note_id = ?"
)
_PAYMENT_BASE = "SELECT coalesce(sum(base_received), 0) FROM allocation WHERE payment_id = ? AND released_on IS NULL"
_SIDE = (
    "SELECT account.subtype FROM posting JOIN account ON account.id = posting.account_id"
    " WHERE posting.entry_id = ? AND posting.contact_id IS NOT NULL"
)
_SETTLE = (
    "UPDATE invoice SET {column} = {column} + ?1, version = version + 1, updated_at = ?3, status = CASE"
    " amount_paid + amount_credited + ?1 WHEN total THEN 'paid' WHEN 0 THEN 'issued' ELSE 'partially_paid' END"
    " WHERE id = ?2 AND status IN ('issued', 'partially_paid', 'paid')"
    " AND amount_paid + amount_credited + ?1 BETWEEN 0 AND total"
    " RETURNING amount_paid, amount_credited, status, version, updated_at"
)
_USE = (
    "UPDATE payment SET allocated_amount = allocated_amount + ?1"
    " WHERE id = ?2 AND status = 'posted' AND allocated_amount + ?1 BETWEEN 0 AND amount"
    " RETURNING allocated_amount"
)


def _is_payment(record: Payment | Invoice) -> "TypeIs[Payment]":
    return record.noun == "payment"


def _source_part(source: Payment | Invoice, amount: int) -> int:
    if not _is_payment(source):
        return _document_part(source, amount)
    ((given,),) = WORKSPACE.rows(_PAYMENT_BASE, (source.id,))
    left = source.amount - source.allocated_amount
    return _part(amount, left, source.base_amount - given, source.amount, source.base_amount)


def _document_part(document: Invoice, amount: int) -> int:
    return _part(amount, document.due, open_base(document), document.total, document.base_total)


def _part(amount: int, left: int, base_left: int, total: int, base: int) -> int:
    """The base currency that goes with an amount: in proportion, or all that is left with the last."""
    if amount == left:
        return base_left
    return min(base_left, money.divide(base * amount, total))


def _take(source: Payment | Invoice, amount: int) -> None:
    if not _is_payment(source):
        _settle(source, "amount_credited", amount)
        return
    found = WORKSPACE.rows(_USE, (amount, source.id))
    if not found:
        raise CreditUsedUp
    ((source.allocated_amount,),) = found


def _settle(document: Invoice, column: str, amount: int) -> None:
    found = WORKSPACE.rows(_SETTLE.format(column=column), (amount, document.id, clock.stamp()))
    if not found:
        raise Overpayment(number=document.number, due=money.text(document.due, document.currency))
    names = ("amount_paid", "amount_credited", "status", "version", "updated_at")
    for name, value in zip(names, found[0], strict=True):
        setattr(document, name, value)


def _post_gain(allocation_id: str, invoice: Invoice, amount: int, day: date) -> Entry | None:
    if not amount:
        return None
    control = ledger.default_account(SETTLED_BY[invoice.type][1])
    legs = [Leg(control, amount, invoice.contact_id), Leg(ledger.default_account("exchange"), -amount)]
    text = f"Exchange {'gain' if amount > 0 else 'loss'} on {invoice.number}"
    return ledger.post(day, text, legs, kind="exchange_difference", source=("allocation", allocation_id))
