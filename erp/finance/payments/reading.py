"""From requests about payments to commands: references are resolved, amounts become minor units."""

from collections.abc import Sequence
from typing import NamedTuple

from erp.finance.books import accounts, open_items, periods
from erp.finance.books.accounts import AccountRef
from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import stored
from erp.finance.books.exchange_rates import rates
from erp.finance.books.models import OpenItem
from erp.finance.contacts import contacts, heads
from erp.finance.contacts.models import Contact
from erp.finance.documents import invoices
from erp.finance.documents.models import Invoice
from erp.finance.payments import allocations
from erp.finance.payments.allocations import RequestedAllocation, Settled
from erp.finance.payments.bodies import NewAllocation, NewAllocations, NewPayment, RepaidCredit
from erp.finance.payments.models import Payment
from erp.finance.payments.payments import AllocationCommand
from erp.finance.payments.recording import FeeTerms, PaymentCommand
from erp.finance.write_downs.discounts import Taking
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, UnknownReference
from erp.kernel.language import Noun, says
from erp.kernel.wire import wire_name
from erp.store import workspace_settings


class Named(NamedTuple):
    """A document that a request settles, with its open item if any; `path` is its place, with a point at its end."""

    body: NewAllocation | RepaidCredit | NewPayment
    document: Settled
    item: OpenItem | None
    document_field: str
    path: str


def payment(body: NewPayment) -> PaymentCommand:
    """The command for a request to record a payment.

    Raises:
        Invalid: with a complaint for every unknown reference, or amount that the currency cannot express.
    """
    complaints = Complaints()
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    named = _named(body, complaints)
    contact = _contact(body, named, complaints)
    day = body.date or workspace_settings.today()
    default = named[0].document.currency if named else contact and contact.currency
    currency = body.currency or default or workspace_settings.current().base_currency
    currency, exchange_rate = rates.read_rate(currency, rates.scaled(body.exchange_rate), complaints, day=day)
    account = _account(body, currency, complaints)
    complaints.refuse()
    assert contact is not None
    assert account is not None
    amount = complaints.minor(body.amount, currency, "amount")
    fee = 0 if body.fee_amount is None else complaints.minor(body.fee_amount, currency, "feeAmount")
    settles = _all_requested(named, currency, complaints, amount)
    assigning.check({"dimensions": body.dimensions}, complaints)
    complaints.refuse()
    return PaymentCommand(
        direction=body.direction,
        contact=contact,
        account=account,
        amount=amount,
        currency=currency,
        date=day,
        exchange_rate=exchange_rate,
        settles=settles,
        method=body.method,
        fee=fee,
        fee_terms=FeeTerms(dimensions=stored(body.dimensions)),
        reference=body.reference,
        note=body.note,
    )


def allocation(id: str, body: NewAllocations) -> AllocationCommand:
    """The command for a request to settle documents with the rest of a payment.

    Raises:
        Invalid: with a complaint for every unknown reference, or amount that the currency cannot express.
    """
    payment, complaints = Payment.find_to_change(id), Complaints()
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    named = _refer_all(body.allocations, body.settles, complaints)
    if not body.allocations and not body.settles:
        complaints.add("allocations", "required", says("Choose the open items that the payment pays."))
    complaints.refuse()
    settles = _all_requested(named, payment.currency, complaints)
    assigning.check({"dimensions": body.dimensions}, complaints)
    complaints.refuse()
    return AllocationCommand(payment, settles, body.date, stored(body.dimensions))


def _named(body: NewPayment, complaints: Complaints) -> list[Named]:
    if body.invoice_id is None:
        for name in ("discount_taken", "discount_amount", "settle_difference"):
            if getattr(body, name):
                complaints.add(wire_name(name), "not_needed", says("Send this in an allocation, or name invoiceId."))
        return _refer_all(body.allocations or (), body.settles or (), complaints)
    if body.allocations is not None or body.settles is not None:
        other = "settles" if body.allocations is None else "allocations"
        complaints.add("invoiceId", "exactly_one", says("Send either invoiceId or {other}, not both.", other=other))
    with complaints.gathered():
        return [_of_document(body, invoices.refer(body.invoice_id, "invoiceId"), "invoiceId", "")]
    return []


def _contact(body: NewPayment, named: Sequence[Named], complaints: Complaints) -> Contact | None:
    if body.contact_id is not None:
        with complaints.gathered():
            return contacts.refer(body.contact_id, "contactId", archived=bool(named))
    elif named:
        return Contact.find(heads.of(named[0].document.contact_id))
    elif not complaints.items:
        complaints.add("contactId", "required", says("Choose a contact or an invoice."))
    return None


def _account(body: NewPayment, currency: str, complaints: Complaints) -> AccountRef | None:
    """The bank or cash account of the payment."""
    with complaints.gathered():
        return accounts.refer_money(body.account_id, "accountId", currency)
    return None


def _refer_all(
    requested: Sequence[NewAllocation], settles: Sequence[RepaidCredit], complaints: Complaints
) -> list[Named]:
    """Resolve the `allocations` and `settles` of a request."""
    named = []
    for i, body in enumerate(requested):
        field = f"allocations[{i}].invoiceId"
        with complaints.gathered():
            named.append(_of_document(body, invoices.refer(body.invoice_id, field), field, f"allocations[{i}]."))
    for i, credit in enumerate(settles):
        with complaints.gathered():
            named.append(_refer_credit(credit, f"settles[{i}]"))
    return named


def _all_requested(
    named: Sequence[Named], currency: str, complaints: Complaints, paid: int = 0
) -> list[RequestedAllocation]:
    """The allocations that a request asks for, with amounts in the payment's currency.

    Args:
        paid: the payment's own amount, all of which a document takes that the payment itself names.
    """
    return [_requested(one, currency, complaints, paid) for one in named]


def _requested(named: Named, currency: str, complaints: Complaints, paid: int) -> RequestedAllocation:
    body, path, discount = named.body, named.path, None
    amount = paid if isinstance(body, NewPayment) else complaints.minor(body.amount, currency, f"{path}amount")
    if body.discount_amount is not None:
        discount = complaints.minor(body.discount_amount, named.document.currency, f"{path}discountAmount")
    taking = Taking(path, body.discount_taken, discount, body.settle_difference)
    return RequestedAllocation(named.document, named.item, amount, named.document_field, f"{path}amount", taking)


def _of_document(
    body: NewAllocation | RepaidCredit | NewPayment, document: Invoice | Payment, field: str, path: str
) -> Named:
    own = open_items.of_document(document.id)
    return Named(body, document, open_items.standing_of(own) if own else None, field, path)


def _refer_credit(credit: RepaidCredit, field: str) -> Named:
    """Resolve an item of `settles`."""
    named = {"paymentId": credit.payment_id, "creditNoteId": credit.credit_note_id, "itemId": credit.item_id}
    sent = {name: id for name, id in named.items() if id is not None}
    if len(sent) != 1:
        raise Invalid.one(field, "exactly_one", says("Send one of paymentId, creditNoteId and itemId."))
    ((name, id),) = sent.items()
    path, named_in = f"{field}.", f"{field}.{name}"
    if name == "itemId":
        return Named(credit, *allocations.of_item(id, named_in), named_in, path)
    document = _payment(id, named_in) if name == "paymentId" else invoices.refer(id, named_in)
    return _of_document(credit, document, named_in, path)


def _payment(name: str, field: str) -> Payment:
    payments = Payment.fetch("SELECT * FROM payment WHERE ? IN (id, number)", name)
    if not payments:
        raise UnknownReference(field, Noun("payment"))
    return payments[0]
