"""Recording a payment: from what a request says of it to its entry in the books and what it settles."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.finance.books import accounts, ledger
from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.ledger import Entry, Leg
from erp.finance.contacts import contacts
from erp.finance.contacts.models import Contact
from erp.finance.documents import invoices
from erp.finance.documents.models import Invoice
from erp.finance.items import settlement
from erp.finance.items.models import Allocation
from erp.finance.items.settlement import SETTLED_BY, Direction, Side
from erp.finance.payments import allocations
from erp.finance.payments.allocations import InvoiceName, NewAllocation, Wish
from erp.finance.payments.models import Payment
from erp.kernel import money
from erp.kernel.complaints import Complaints, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.money import LIMIT, RATE_SCALE
from erp.store import events, workspace_settings
from erp.store.records import new_id
from erp.web.scalars import Currency, Day, ExchangeRate, Id, Line, Note, NotNegativeAmount, PositiveAmount
from erp.web.schema import Body

Method = Literal["cash", "bank_transfer", "card", "check", "direct_debit", "other"]
Allocations = Annotated[list[NewAllocation], msgspec.Meta(max_length=500)]


class NewPayment(Body, kw_only=True):
    """Money that was received or paid; `invoiceId` is short for one allocation of the whole amount."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "invoiceId": allocations.FIRST_OF_YEAR,
        "amount": "100.00",
        "method": "bank_transfer",
        "reference": "Statement 7",
    }

    direction: Direction = "received"
    contact_id: Annotated[Id, msgspec.Meta(description="The invoice's when absent.")] | None = None
    invoice_id: InvoiceName | None = None
    allocations: Allocations | None = None
    amount: PositiveAmount
    currency: Annotated[Currency, msgspec.Meta(description="The invoice's when absent.")] | None = None
    exchange_rate: ExchangeRate | None = None
    date: Annotated[Day, msgspec.Meta(description="Today when absent.")] | None = None
    method: Method = "bank_transfer"
    account_id: AccountIdOrCode | None = None
    fee_amount: (
        Annotated[
            NotNegativeAmount, msgspec.Meta(description="What the bank kept of a payment received, or took on top.")
        ]
        | None
    ) = None
    reference: Line | None = None
    note: Note | None = None


def record(new: NewPayment) -> Payment:
    """Record a payment, post it, and settle the documents it names.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        PeriodLocked: its day is in the locked period.
    """
    complaints = Complaints()
    wishes = _wishes(new, complaints)
    contact = _contact(new, wishes, complaints)
    currency, exchange_rate = _currency(new, wishes, contact, complaints)
    account_id = _account(new, currency, complaints)
    complaints.refuse()
    assert contact is not None
    payment = _draft(new, contact, currency, exchange_rate, account_id, complaints)
    side = _side(wishes, contact)
    settled = allocations.check(payment, side, wishes, complaints)
    legs = _legs(payment, side, complaints)
    complaints.refuse()
    entry = _post(payment, contact, legs)
    made, differences = settle(payment, settled)
    events.write("payment.recorded", "payment", payment.id, told(payment, made), entries=[entry, *differences])
    return payment


def settle(
    payment: Payment, settled: Sequence[tuple[Invoice, int]], day: date | None = None
) -> tuple[list[Allocation], list[Entry]]:
    """Allocate parts of a payment, each on the day or, when absent, as soon as both documents are there."""
    made, entries = [], []
    for invoice, amount in settled:
        allocation, posted = settlement.allocate(payment, invoice, amount, day or settlement.earliest(payment, invoice))
        made.append(allocation)
        entries += posted
    return made, entries


def told(payment: Payment, made: Sequence[Allocation]) -> dict[str, Any]:
    """What the log says of a payment and of allocations that were made, or released."""
    return {
        "number": payment.number,
        "direction": payment.direction,
        "contactId": payment.contact_id,
        "amount": money.text(payment.amount, payment.currency),
        "currency": payment.currency,
        "allocations": [
            {
                "id": allocation.id,
                "invoiceId": allocation.invoice_id,
                "amount": money.text(allocation.amount, payment.currency),
                "date": allocation.date.isoformat(),
            }
            for allocation in made
        ],
    }


def _wishes(new: NewPayment, complaints: Complaints) -> list[Wish]:
    if new.invoice_id is None:
        return allocations.find_all(new.allocations or (), complaints)
    if new.allocations is not None:
        complaints.add("invoiceId", "exactly_one", "Name one invoice by invoiceId, or several in allocations.")
    with complaints.gathered():
        return [Wish(invoices.refer(new.invoice_id, "invoiceId"), new.amount, "invoiceId", "amount")]
    return []


def _contact(new: NewPayment, wishes: Sequence[Wish], complaints: Complaints) -> Contact | None:
    if new.contact_id is not None:
        with complaints.gathered():
            return contacts.refer(new.contact_id, "contactId", archived=bool(wishes))
    elif wishes:
        return Contact.find(wishes[0].invoice.contact_id)
    elif not complaints.items:
        complaints.add("contactId", "required", "Say whose payment it is: name a contact, or an invoice.")
    return None


def _currency(
    new: NewPayment, wishes: Sequence[Wish], contact: Contact | None, complaints: Complaints
) -> tuple[str, int | None]:
    """The currency and, of a foreign one, its rate."""
    base: str = workspace_settings.current().base_currency
    usual = wishes[0].invoice.currency if wishes else contact and contact.currency
    currency = new.currency or usual or base
    if currency not in DIGITS:
        complaints.items.append(unknown_currency("currency"))
    elif currency == base and new.exchange_rate is not None:
        complaints.add("exchangeRate", "not_needed", f"The payment is in {base}, the currency of the books.")
    elif currency != base and new.exchange_rate is None:
        complaints.add("exchangeRate", "required", f"Say what 1 {currency} is worth in {base}.")
    return currency, None if new.exchange_rate is None else money.scaled(new.exchange_rate, RATE_SCALE)


def _account(new: NewPayment, currency: str, complaints: Complaints) -> str:
    """The id of the account that the money comes in to or goes out of."""
    with complaints.gathered():
        return accounts.refer_money(new.account_id, "accountId", currency).id
    return ""


def _draft(
    new: NewPayment, contact: Contact, currency: str, exchange_rate: int | None, account_id: str, complaints: Complaints
) -> Payment:
    """The payment as it is going to be, without its number and entry."""
    amount = complaints.minor(new.amount, currency, "amount")
    fee = complaints.minor(new.fee_amount, currency, "feeAmount") if new.fee_amount is not None else 0
    if new.direction == "received" and fee >= amount > 0:
        complaints.add("feeAmount", "too_large", f"Must be less than the amount, {money.text(amount, currency)}.")
    return Payment(
        id=new_id(),
        direction=new.direction,
        contact=contact.id,
        amount=amount,
        currency=currency,
        exchange_rate=exchange_rate,
        date=new.date or workspace_settings.today(),
        method=new.method,
        account=account_id,
        fee_amount=fee or None,
        reference=new.reference,
        note=new.note,
    )


def _side(wishes: Sequence[Wish], contact: Contact) -> Side:
    """Which account a payment settles: that of its documents; on account, a supplier's payable."""
    if wishes:
        return SETTLED_BY[wishes[0].invoice.type][1]
    return "payable" if contact.kind == "supplier" else "receivable"


def _legs(payment: Payment, side: Side, complaints: Complaints) -> list[Leg]:
    """The contact's leg, then those against it: the fee, and the money that moved.

    In a foreign currency the contact's leg and the fee are converted; the money takes what rounding leaves.
    """
    sign = -1 if payment.direction == "received" else 1
    owed, fee = sign * payment.amount, payment.fee_amount or 0
    foreign = (owed, fee, -owed - fee)
    base = [_in_base(payment, owed), _in_base(payment, fee)]
    base.append(-sum(base))
    if owed and not base[0]:
        complaints.add("amount", "too_small", f"It is worth nothing in {workspace_settings.current().base_currency}.")
    if max(map(abs, base)) > LIMIT:
        complaints.add("amount", "out_of_range", "It is larger than the books can hold.")
    places = [(ledger.default_account(side), payment.contact_id), (ledger.default_account("bank_charges"), None)]
    places.append((payment.account_id, None))
    return [
        Leg(account_id, amount, contact_id, currency=payment.currency, foreign_amount=given)
        if payment.exchange_rate is not None
        else Leg(account_id, amount, contact_id)
        for (account_id, contact_id), amount, given in zip(places, base, foreign, strict=True)
    ]


def _in_base(payment: Payment, amount: int) -> int:
    if payment.exchange_rate is None:
        return amount
    return money.convert(amount, payment.exchange_rate, payment.currency, workspace_settings.current().base_currency)


def _post(payment: Payment, contact: Contact, legs: Sequence[Leg]) -> Entry:
    """Give the payment its number, post it, and write it."""
    payment.number, payment.fiscal_year, payment.seq = workspace_settings.next_number("payment", payment.date)
    payment.base_amount = abs(legs[0].amount)
    way = "from" if payment.direction == "received" else "to"
    text = f"Payment {payment.number} {way} {contact.name}"
    entry = ledger.post(
        payment.date, text, legs, kind="payment", source=("payment", payment.id), reference=payment.reference
    )
    payment.journal_entry_id = entry.id
    payment.save(force_insert=True)
    return entry
