"""Checking the requested allocations of a payment: to invoices, credit notes, and payments that it repays."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple

import msgspec

from erp.finance.books import open_items
from erp.finance.books.models import OpenItem
from erp.finance.contacts import heads
from erp.finance.documents import invoices, standing
from erp.finance.documents.models import Deduction, Invoice
from erp.finance.items import settlement
from erp.finance.items import store as items
from erp.finance.items.documents import SETTLED_BY
from erp.finance.payments.models import Payment
from erp.finance.write_downs import discounts
from erp.finance.write_downs.deductions import Wanted
from erp.finance.write_downs.discounts import Taking
from erp.finance.write_downs.subjects import Subject
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.kernel.language import Digits, Noun, Sentence, Word, says


class Part(NamedTuple):
    """An open item, the amount to settle in minor units, and the deductions to take with it.

    `deposit` is the document of the item if it is a deposit invoice.
    """

    item: OpenItem
    amount: int
    deductions: Sequence[Wanted] = ()
    deposit: Invoice | None = None


class TakenOver(msgspec.Struct, frozen=True):
    """An open item of a journal entry, as a document to be settled: an entry may have many of them.

    Like an invoice it is `written_off` when it is settled and a write-off stands.
    """

    noun: ClassVar[str] = "item"

    id: str
    number: str
    contact_id: str
    currency: str
    amount: int
    status: str


Settled = Invoice | Payment | TakenOver
"""Documents that a payment can settle."""


def of_item(id: str, field: str) -> tuple[Settled, OpenItem]:
    """The document of an open item that a field names, and the item.

    Raises:
        UnknownReference: there is none in this workspace.
    """
    item = OpenItem.find_by(id=id)
    if item is None:
        raise UnknownReference(field, Noun("open item"))
    if item.document_type == "journal_entry":
        status = "written_off" if items.is_written_off(item) else "posted"
        return TakenOver(item.id, item.number, item.contact_id, item.currency, item.amount, status), item
    documents: dict[str, type[Invoice] | type[Payment]] = {"invoice": Invoice, "payment": Payment}
    return documents[item.document_type].find(item.document_id), item


class RequestedAllocation(msgspec.Struct, frozen=True):
    """A requested allocation, in minor units, with the paths of its fields in the request.

    A draft and an invoice of 0 have no open item.
    """

    document: Settled
    item: OpenItem | None
    amount: int
    document_field: str
    amount_field: str
    taking: Taking = Taking()

    @property
    def subject(self) -> Subject | None:
        """The subject of deductions with the allocation; a payment has none."""
        if self.item is None or isinstance(self.document, Payment):
            return None
        return Subject(self.item, self.document if isinstance(self.document, Invoice) else None)

    @classmethod
    def of(
        cls,
        document: Invoice | Payment,
        amount: int,
        document_field: str,
        amount_field: str,
        taking: Taking = Taking(),  # noqa: B008 it is frozen
    ) -> "RequestedAllocation":
        """The allocation of a document, with its open item."""
        own = open_items.of_document(document.id)
        item = open_items.standing_of(own) if own else None
        return cls(document, item, amount, document_field, amount_field, taking)

    @property
    def left(self) -> int:
        """The amount of the document that can still be settled."""
        if self.item is None or (isinstance(self.document, Invoice) and not self.document.due):
            return 0
        return settlement.remaining(self.item)


def check_allocatable(payment: Payment, standing: Iterable[Deduction]) -> None:
    """Refuse to allocate a void payment, or one without a rest.

    Args:
        standing: its deductions that stand.
    """
    if payment.status != "posted":
        raise InvalidTransition(says("{number} is void. Record a new payment instead.", number=payment.number))
    if any(deduction.kind == "recovery" for deduction in standing):
        raise InvalidTransition(says("{number} is a recovery and has no open amount.", number=payment.number))


def recovered(
    payment: Payment, account_id: str, requested: Sequence[RequestedAllocation], complaints: Complaints
) -> Subject | None:
    """The written-off document that a payment recovers, if any; it must be the payment's only allocation."""
    for allocation in requested:
        document = allocation.document
        if isinstance(document, Payment) or document.status != "written_off":
            continue
        number, left = document.number, standing.recoverable(document.id)
        mismatch = next(_differences(payment, account_id, allocation), None)
        if mismatch:
            complaints.add(allocation.document_field, *mismatch)
        elif len(requested) > 1 or allocation.taking or _is_part(payment, allocation):
            message = says("{number} has been written off. Record the recovery as a separate payment.", number=number)
            complaints.add(allocation.document_field, "written_off_apart", message)
        elif payment.amount > left:
            text = money.shown(left, payment.currency)
            message = says(
                "{number} has been written off. At most {text} can be recovered.",
                number=number,
                text=text,
            )
            complaints.add(allocation.amount_field, "overpayment", message)
        return allocation.subject
    return None


def _is_part(payment: Payment, allocation: RequestedAllocation) -> bool:
    """Whether an allocation is of less than the whole payment."""
    return allocation.amount != payment.amount


def check(
    payment: Payment,
    own: OpenItem | None,
    account_id: str,
    requested: Sequence[RequestedAllocation],
    complaints: Complaints,
) -> list[Part]:
    """Check that a payment can make the allocations.

    Args:
        payment: as it is, or as it is going to be.
        own: its open item, None before it is posted.
        account_id: the receivable or payable that it is posted to.
        requested: its allocations.
        complaints: collects the errors.

    Returns:
        The items with amounts; a document named twice has the same item object.
    """
    sums: Counter[str] = Counter()
    first = {allocation.document.id: allocation for allocation in reversed(requested)}
    parts, paid = [], 0
    for allocation in requested:
        mismatch = _mismatch(payment, account_id, allocation)
        if mismatch:
            complaints.add(allocation.document_field, *mismatch)
            continue
        amount, id = allocation.amount, allocation.document.id
        wanted = _wanted(allocation, amount, payment, complaints)
        sums[id] += amount + sum(deduction.amount for deduction in wanted)
        paid += amount
        if sums[id] > allocation.left:
            complaints.add(allocation.amount_field, "overpayment", _overpayment(allocation, sums[id]))
        item = first[id].item
        if item is not None:
            parts.append(Part(item, amount, wanted, _deposit(allocation.document)))
    _check_sum(payment, own, paid, complaints)
    return parts


def _wanted(allocation: RequestedAllocation, amount: int, payment: Payment, complaints: Complaints) -> Sequence[Wanted]:
    """The deductions to take with an allocation."""
    if not allocation.taking:
        return ()
    if isinstance(allocation.document, Payment):
        complaints.add(allocation.amount_field, "unsuitable", says("A payment can only be repaid in full or in part."))
    subject = allocation.subject
    return () if subject is None else discounts.wanted(subject, amount, allocation.taking, payment.date, complaints)


def _deposit(document: Settled) -> Invoice | None:
    return document if isinstance(document, Invoice) and document.kind == "deposit_invoice" else None


_NOTHING_DUE = {
    "draft": says("This invoice is a draft. Issue it first."),
    "void": says("{number} is void and has no amount due."),
    "written_off": says("{number} has been written off. Reverse the write-off first."),
}
_OPPOSITE = {"received": "made", "made": "received"}


def _mismatch(payment: Payment, account_id: str, allocation: RequestedAllocation) -> tuple[str, Sentence] | None:
    """A code and a message if a payment cannot settle a document at all."""
    document, number = allocation.document, allocation.document.number
    if document.status in _NOTHING_DUE:
        return f"{document.noun}_{document.status}", _NOTHING_DUE[document.status].fill(number=number)
    return next(_differences(payment, account_id, allocation), None)


def _differences(payment: Payment, account_id: str, allocation: RequestedAllocation) -> Iterator[tuple[str, Sentence]]:
    document, number = allocation.document, allocation.document.number
    told = {"number": number, "due": _due(document, allocation.left)}
    if heads.of(document.contact_id) != heads.of(payment.contact_id):
        message = _OTHER_CONTACT_NAMED if isinstance(document, Invoice) else _OTHER_CONTACT
        yield "wrong_contact", message.fill(name=_name(document), **told)
    if document.currency != payment.currency:
        yield "wrong_currency", _OTHER_CURRENCY.fill(theirs=document.currency, own=payment.currency, **told)
    direction, kind = _settled_by(document)
    if direction != payment.direction:
        yield "wrong_direction", _OTHER_DIRECTION.fill(kind=Word.of(kind), direction=Word.of(direction), **told)
    if allocation.item is not None and allocation.item.account_id != account_id:
        yield "wrong_type", _OTHER_ACCOUNT.fill(kind=Word.of(kind), **told)


_OTHER_CONTACT = says("{number} belongs to another contact. {due}")
_OTHER_CONTACT_NAMED = says("{number} belongs to another contact, {name}. {due}")
_OTHER_CURRENCY = says("{number} is in {theirs}, but the payment is in {own}. {due}")
_OTHER_DIRECTION = says("{number} ({kind}) can only be paid by a payment {direction}. {due}")
_OTHER_ACCOUNT = says("{number} ({kind}) is on another account than the payment. {due}")


def _due(document: Settled, left: int) -> Sentence:
    message = says("Amount due: {amount}.") if isinstance(document, Invoice) else says("Open amount: {amount}.")
    return message.fill(amount=money.shown(left, document.currency))


def _settled_by(document: Settled) -> tuple[str, str]:
    """The direction of payments that settle a document, and the document's name in messages."""
    if isinstance(document, TakenOver):
        return ("received", "debit") if document.amount > 0 else ("made", "credit")
    if isinstance(document, Payment):
        return _OPPOSITE[document.direction], f"payment {document.direction}"
    return SETTLED_BY[document.kind][0], document.kind.replace("_", " ")


def _name(document: Settled) -> str:
    return document.contact_name if isinstance(document, Invoice) else ""


_MORE_THAN_DUE = says("{amount} is more than the {due} open on {number}.")
_MORE_THAN_LATER_DUE = says("{amount} is more than the {due} open on {number}, including payments dated in the future.")
_MORE_THAN_LEFT = says("{amount} is more than the {left} open on {number}.")


def _overpayment(allocation: RequestedAllocation, amount: int) -> Sentence:
    document, left = allocation.document, allocation.left
    text = money.shown(amount, document.currency)
    if not isinstance(document, Invoice):
        return _too_much(document, left, text)
    message = _MORE_THAN_LATER_DUE if invoices.is_settled_later(document) else _MORE_THAN_DUE
    return message.fill(number=document.number, due=money.shown(left, document.currency), amount=text)


def _too_much(payment: Payment | TakenOver, left: int, text: str) -> Sentence:
    if not left:
        return says("{number} is fully allocated.", number=payment.number)
    return _MORE_THAN_LEFT.fill(number=payment.number, left=money.shown(left, payment.currency), amount=text)


def _check_sum(payment: Payment, own: OpenItem | None, amount: int, complaints: Complaints) -> None:
    left = payment.amount if own is None else settlement.remaining(own)
    if amount <= left or complaints.items:
        return
    total, rest = (Digits(money.text(minor, payment.currency)) for minor in (amount, left))
    message = says("{total} is more than the {rest} left of the payment.", total=total, rest=rest)
    if not left:
        message = says("{number} is fully allocated.", number=payment.number)
    complaints.add("allocations", "over_allocated", message)
