"""Recording a payment: its journal entry and its allocations."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from erp.finance.books import default_accounts, descriptions, ledger, open_items, periods
from erp.finance.books.accounts import AccountRef
from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.books.ledger import Entry, Leg
from erp.finance.books.models import Allocation, OpenItem
from erp.finance.contacts.models import Contact
from erp.finance.documents.deposits import receipts
from erp.finance.documents.models import Deduction
from erp.finance.items import expense_claims, settlement
from erp.finance.items.documents import Direction
from erp.finance.payments import allocations, worth
from erp.finance.payments.allocations import Part, RequestedAllocation
from erp.finance.payments.models import Payment
from erp.finance.payments.worth import Side
from erp.finance.write_downs import deductions, subjects, write_offs
from erp.finance.write_downs.deductions import Wanted
from erp.finance.write_downs.subjects import Subject
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.language import Digits, says
from erp.kernel.money import LIMIT
from erp.kernel.wire import wire_name
from erp.store import events, workspace_settings
from erp.store.records import new_id


class FeeTerms(NamedTuple):
    """The tax in a fee with its account, and its project; the dimensions are of deductions as well, as stored."""

    tax: int = 0
    tax_account_id: str | None = None
    project_id: str | None = None
    dimensions: str | None = None


class PaymentCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A payment to record: amounts are minor units of its currency, the rate of a foreign one times `RATE_SCALE`."""

    direction: Direction
    contact: Contact
    account: AccountRef
    amount: int
    currency: str
    date: date
    exchange_rate: int | None = None
    settles: Sequence[RequestedAllocation] = ()
    method: str = "bank_transfer"
    fee: int = 0
    fee_terms: FeeTerms = FeeTerms()
    reference: str | None = None
    note: str | None = None


def record(command: PaymentCommand) -> Payment:
    """Record a payment, post it, and make its allocations.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        PeriodLocked: its day is in the locked period.
    """
    complaints = Complaints()
    contact, requested = command.contact, command.settles
    payment = _draft(command, complaints)
    owed_on = _owed_on(requested, contact)
    written_off = allocations.recovered(payment, owed_on, requested, complaints)
    parts = [] if written_off else allocations.check(payment, None, owed_on, requested, complaints)
    legs = _with_fee(_legs(payment, command.account, owed_on, complaints), command)
    complaints.refuse()
    if written_off is not None:
        return _recover(payment, contact, legs, written_off, command.fee_terms.dimensions)
    item, entries = _post(payment, contact, legs)
    settled = settle(item, parts, named=command.fee_terms.dimensions)
    data = event_data(payment, settled.made) | deduction_data(settled.deductions)
    events.write("payment.posted", "payment", payment.id, data, entries=[*entries, *settled.entries])
    expense_claims.write_paid(item for _, item in settled.made)
    return payment


class Settled(NamedTuple):
    """The allocations of a payment with their items, its deductions, and the entries of both."""

    made: list[tuple[Allocation, OpenItem]]
    deductions: list[Deduction]
    entries: list[Entry]


def settle(item: OpenItem, parts: Sequence[Part], day: date | None = None, named: str | None = None) -> Settled:
    """Allocate parts of a payment, with the discounts and small differences that go with them.

    Args:
        item: the open item of a payment.
        parts: items with amounts in minor units.
        day: the date of the allocations; when absent, each has its usual day.
        named: the dimensions that the request names for the deductions, as stored.
    """
    settled = Settled([], [], [])
    for part in parts:
        target, on = part.item, day or settlement.usual_day(item, part.item)
        allocation, posted = receipts.allocate(item, target, part.amount, on, part.deposit)
        settled.made.append((allocation, target))
        settled.entries.extend(posted)
        for wanted in part.deductions:
            made_with = wanted._replace(payment_id=item.document_id, allocation_id=allocation.id, dimensions=named)
            _deduct(made_with._replace(day=on), target, settled)
    return settled


def _deduct(wanted: Wanted, target: OpenItem, settled: Settled) -> None:
    deduction, entries = deductions.make(subjects.of_item(target), wanted)
    settled.deductions.append(deduction)
    settled.entries.extend(entries)
    present = subjects.of_item(target).item
    for name in ("open", "open_base", "settled_on"):
        setattr(target, name, getattr(present, name))


def deduction_data(made: Sequence[Deduction]) -> dict[str, Any]:
    """Event data of the deductions that a payment took or undid; empty without any."""
    return {"deductions": [deductions.event_data(deduction) for deduction in made]} if made else {}


def _recover(payment: Payment, contact: Contact, legs: Sequence[Leg], subject: Subject, named: str | None) -> Payment:
    """Post a recovery of a written-off document, which does not pass the receivable."""
    base = abs(legs[0].amount)
    against = write_offs.recovery_legs(subject, payment.amount, base, named)
    entries = _number_and_post(payment, contact, [*against, *legs[1:]], base)
    wanted = Wanted("recovery", payment.amount, payment.date, payment_id=payment.id)
    deduction = write_offs.insert_recovery(subject, wanted, base, payment.journal_entry_id)
    if subject.invoice is not None:
        subject.invoice.change()
    data = event_data(payment, ()) | deduction_data([deduction])
    events.write("payment.posted", "payment", payment.id, data, entries=entries)
    return payment


def event_data(payment: Payment, allocations: Sequence[tuple[Allocation, OpenItem]]) -> dict[str, Any]:
    """Event data of a payment, with the allocations made or released."""
    return {
        "number": payment.number,
        "direction": payment.direction,
        "contactId": payment.contact_id,
        "amount": money.text(payment.amount, payment.currency),
        "currency": payment.currency,
        "allocations": [
            {
                "id": allocation.id,
                f"{wire_name(item.document_type)}Id": item.document_id,
                "amount": money.text(allocation.amount, payment.currency),
                "date": allocation.date.isoformat(),
            }
            for allocation, item in allocations
        ],
    }


def _draft(command: PaymentCommand, complaints: Complaints) -> Payment:
    """The payment as it is going to be, without its number and entry."""
    if command.direction == "received" and command.fee >= command.amount > 0:
        amount = Digits(money.text(command.amount, command.currency))
        complaints.add("feeAmount", "too_large", says("Must be less than the amount, {amount}.", amount=amount))
    return Payment(
        id=new_id(),
        direction=command.direction,
        contact=command.contact.id,
        amount=command.amount,
        currency=command.currency,
        exchange_rate=command.exchange_rate,
        date=command.date,
        method=command.method,
        account=command.account.id,
        fee_amount=command.fee or None,
        reference=command.reference,
        note=command.note,
    )


def _owed_on(requested: Sequence[RequestedAllocation], contact: Contact) -> str:
    """The receivable or payable of the first settled item, else the default one: the payable for a supplier."""
    items = (allocation.item for allocation in requested)
    return next(
        (item.account_id for item in items if item is not None),
        default_accounts.of("payable" if contact.kind == "supplier" else "receivable"),
    )


def _legs(payment: Payment, account: AccountRef, owed_on: str, complaints: Complaints) -> list[Leg]:
    """The contact's leg, then the legs against it: the fee, the money, and the realised exchange difference.

    In a foreign currency the contact's leg and the fee are converted; the money takes the rounding difference. Money
    that leaves an account in that currency takes its share of the account's book value along.
    """
    sign = -1 if payment.direction == "received" else 1
    owed, fee = sign * payment.amount, payment.fee_amount or 0
    foreign = (owed, fee, -owed - fee)
    base = [in_base(amount, payment.currency, payment.exchange_rate) for amount in (owed, fee)]
    base.append(-sum(base))
    if max(map(abs, base)) > LIMIT:
        complaints.add("amount", "out_of_range", says("The amount is larger than the books can hold."))
    if payment.exchange_rate is None:
        amounts = zip(_accounts(payment, owed_on), base, strict=True)
        return [Leg(account_id, amount, contact_id) for (account_id, contact_id), amount in amounts]
    difference = _difference(Side(account.id, account.currency, foreign[2]), base[2], payment)
    base[2] -= difference
    legs = [
        Leg(account_id, amount, contact_id, currency=payment.currency, foreign_amount=foreign_amount)
        for (account_id, contact_id), amount, foreign_amount in zip(
            _accounts(payment, owed_on), base, foreign, strict=True
        )
    ]
    key = f"realised_exchange_{'losses' if difference > 0 else 'gains'}"
    return [*legs, Leg(default_accounts.of(key), difference)] if difference else legs


def _with_fee(legs: Sequence[Leg], command: PaymentCommand) -> list[Leg]:
    """The legs with the tax in the fee on a leg of its own."""
    owed, fee, *others = legs
    terms = command.fee_terms
    (fee,) = ledger.completed([replace(fee, project_id=terms.project_id)], terms.dimensions, command.contact.dimensions)
    if not terms.tax or terms.tax_account_id is None:
        return [owed, fee, *others]
    tax = in_base(terms.tax, command.currency, command.exchange_rate)
    foreign = (None, None) if fee.foreign_amount is None else (fee.foreign_amount - terms.tax, terms.tax)
    net = replace(fee, amount=fee.amount - tax, foreign_amount=foreign[0])
    return [
        owed,
        net,
        Leg(terms.tax_account_id, tax, currency=fee.currency, foreign_amount=foreign[1]),
        *others,
    ]


def _accounts(payment: Payment, owed_on: str) -> list[tuple[str, str | None]]:
    """The accounts of the contact's leg, the fee and the money, each with its contact."""
    fees = default_accounts.of("bank_charges")
    return [(owed_on, payment.contact_id), (fees, None), (payment.account_id, None)]


def _difference(money_leg: Side, value: int, payment: Payment) -> int:
    """The realised difference on a foreign account, a loss above zero: the value on the day less the book value."""
    if money_leg.currency != payment.currency:
        return 0
    change = worth.book_change(money_leg, abs(value), payment.date)
    return value - change if change else 0


def _post(payment: Payment, contact: Contact, legs: Sequence[Leg]) -> tuple[OpenItem, list[Entry]]:
    """Number the payment, post it, and insert it.

    Returns:
        Its open item, and its entry.
    """
    entries = _number_and_post(payment, contact, legs, abs(legs[0].amount))
    if entries and entries[0].rows:
        return entries[0].items[0], entries
    return _unposted(payment, legs[0]), entries


def _number_and_post(payment: Payment, contact: Contact, legs: Sequence[Leg], base: int) -> list[Entry]:
    """Number the payment, post it, and insert it; no entry if every leg is worth 0 in the base currency."""
    payment.number, payment.fiscal_year, payment.seq = workspace_settings.next_number("payment", payment.date)
    payment.base_amount = base
    text = _text(payment, contact)
    periods.check_open(payment.date, "date")
    entries = []
    if any(leg.amount for leg in legs):
        entry = ledger.post(
            payment.date,
            text,
            legs,
            kind="payment",
            source=("payment", payment.id),
            document_number=payment.number,
            reference=payment.reference,
        )
        entries = [entry]
    payment.journal_entry_id = entries[0].id if entries else None
    payment.save(force_insert=True)
    return entries


def _text(payment: Payment, contact: Contact) -> str:
    template = descriptions.RECEIVED if payment.direction == "received" else descriptions.MADE
    return template.fill(number=payment.number, name=contact.name)


def _unposted(payment: Payment, leg: Leg) -> OpenItem:
    """The open item of a payment that is worth nothing in the base currency."""
    sign = -1 if payment.direction == "received" else 1
    return open_items.add_unposted(
        ("payment", payment.id, payment.number),
        account_id=leg.account_id,
        contact_id=payment.contact_id,
        day=payment.date,
        due_date=payment.date,
        currency=payment.currency,
        amount=sign * payment.amount,
    )
