"""Payments: money received from contacts or paid to them, what it settles, and taking it back."""

from typing import Annotated, Any, ClassVar, cast

import msgspec

from erp.finance.books import ledger, periods
from erp.finance.books.ledger import DatedTooEarly, Entry
from erp.finance.documents.models import Invoice
from erp.finance.items import settlement
from erp.finance.items.settlement import Direction
from erp.finance.payments import allocations, listing, recording
from erp.finance.payments.allocations import AllocationView, NewAllocation
from erp.finance.payments.listing import PaymentFilter, Status, matching
from erp.finance.payments.models import Payment
from erp.finance.payments.recording import Method, NewPayment
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.kernel.money import RATE_SCALE
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Day, Line, Money
from erp.web.schema import Body, Page, RecordView


class PaymentVoid(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Entered twice"}

    date: Annotated[Day, msgspec.Meta(description="Today when absent.")] | None = None
    reason: Line | None = None


class NewAllocations(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"allocations": [{"invoiceId": allocations.FIRST_OF_YEAR, "amount": "25.00"}]}

    allocations: Annotated[list[NewAllocation], msgspec.Meta(min_length=1, max_length=500)]
    date: Annotated[Day, msgspec.Meta(description="Today when absent.")] | None = None


class AllocationRelease(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {}

    date: Annotated[Day, msgspec.Meta(description="Today when absent.")] | None = None


class PaymentView(RecordView):
    """Money received from a contact, or paid to one."""

    created_by: str | None
    number: str
    direction: Direction
    status: Status
    contact_id: str
    contact_name: str
    amount: Money
    currency: str
    exchange_rate: str | None
    date: str
    method: Method
    account_id: str
    fee_amount: Money | None
    reference: str | None
    note: str | None
    allocated_amount: Money
    unallocated_amount: Money
    allocations: list[AllocationView]
    journal_entry_id: str
    voided_at: str | None
    void_reason: str | None

    @classmethod
    def of(cls, payment: Payment) -> "PaymentView":
        """Show a payment."""

        def shown(amount: int) -> str:
            return money.text(amount, payment.currency)

        return cls(
            id=payment.id,
            version=payment.version,
            created_at=payment.created_at,
            updated_at=payment.updated_at,
            created_by=payment.created_by,
            number=payment.number,
            direction=cast(Direction, payment.direction),
            status=cast(Status, payment.status),
            contact_id=payment.contact_id,
            contact_name=_contact_name(payment),
            amount=shown(payment.amount),
            currency=payment.currency,
            exchange_rate=None if payment.exchange_rate is None else money.plain(payment.exchange_rate, RATE_SCALE),
            date=payment.date.isoformat(),
            method=cast(Method, payment.method),
            account_id=payment.account_id,
            fee_amount=None if payment.fee_amount is None else shown(payment.fee_amount),
            reference=payment.reference,
            note=payment.note,
            allocated_amount=shown(payment.allocated_amount),
            unallocated_amount=shown(_unallocated(payment)),
            allocations=allocations.views(payment),
            journal_entry_id=payment.journal_entry_id,
            voided_at=payment.voided_at,
            void_reason=payment.void_reason,
        )


def allocate(id: str, wanted: NewAllocations) -> Payment:
    """Settle invoices with what is left of a payment.

    Raises:
        InvalidTransition: it is void.
        Invalid: with a complaint for every allocation that does not fit.
        DatedTooEarly: the day is before one of the documents.
        PeriodLocked: the day is in the locked period.
    """
    payment = Payment.find_to_change(id)
    if payment.status != "posted":
        raise InvalidTransition(f"{payment.number} is void.")
    complaints = Complaints()
    wishes = allocations.find_all(wanted.allocations, complaints)
    complaints.refuse()
    settled = allocations.check(payment, settlement.side_of(payment.journal_entry_id), wishes, complaints)
    complaints.refuse()
    day = wanted.date or max(
        workspace_settings.today(), *(settlement.earliest(payment, invoice) for invoice, _ in settled)
    )
    made, entries = recording.settle(payment, settled, day)
    payment.change()
    events.write("payment.allocated", "payment", id, recording.told(payment, made), entries=entries)
    return payment


def release(id: str, allocation_id: str, wanted: AllocationRelease) -> Payment:
    """Take an allocation back: the invoice is due again, the amount is free for another.

    Raises:
        NotFound: the payment has no such allocation.
        InvalidTransition: it is released already, or the invoice was written off since.
        DatedTooEarly: the day is before the allocation's.
        PeriodLocked: the day is in the locked period.
    """
    payment = Payment.find_to_change(id)
    allocation = settlement.find_allocation(payment, allocation_id)
    day = wanted.date or max(workspace_settings.today(), allocation.date)
    entries = settlement.release(allocation, payment, Invoice.find(allocation.invoice_id), day)
    payment.change()
    told = recording.told(payment, [allocation]) | {"date": day.isoformat()}
    events.write("allocation.released", "allocation", allocation_id, told, entries=entries)
    return payment


def void(id: str, wanted: PaymentVoid) -> Payment:
    """Void a payment: what it settled is due again, and its entry is mirrored.

    Raises:
        InvalidTransition: it is void already, or an invoice that it settled was written off since.
        DatedTooEarly: the day is before the payment, or before something of it was last settled or released.
        PeriodLocked: the day is in the locked period.
    """
    payment = Payment.find_to_change(id)
    if payment.status != "posted":
        raise InvalidTransition(f"{payment.number} is void already.")
    live = settlement.live_allocations(payment)
    first = settlement.last_day(payment)
    day = wanted.date or max(workspace_settings.today(), first)
    if day < first:
        raise DatedTooEarly(f"It cannot be voided before {first}.", field="date")
    entries: list[Entry] = []
    for allocation in live:
        entries += settlement.release(allocation, payment, Invoice.find(allocation.invoice_id), day)
    entries.append(ledger.reverse(payment.journal_entry_id, day, f"Void of {payment.number}"))
    payment.change(status="void", voided_at=clock.stamp(), void_reason=wanted.reason)
    told = recording.told(payment, live) | {"date": day.isoformat(), "reason": wanted.reason}
    events.write("payment.voided", "payment", id, told, entries=entries)
    return payment


def _contact_name(payment: Payment) -> str:
    ((name,),) = WORKSPACE.rows("SELECT name FROM contact WHERE id = ?", (payment.contact_id,))
    return str(name)


def _unallocated(payment: Payment) -> int:
    return payment.amount - payment.allocated_amount if payment.status == "posted" else 0


_POSTING = (periods.PeriodLocked, ledger.AccountClosed, ledger.AmountOutOfRange)
_CORRECTION = (*_POSTING, DatedTooEarly, InvalidTransition)


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: PaymentFilter) -> Page[PaymentView]:
        """List payments."""
        return page(matching(query), query, PaymentView.of, sort=query.sort, sortable=listing.SORTABLE)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference, *_POSTING))
    def on_post(self, body: NewPayment) -> PaymentView:
        """Record a payment, and settle invoices with it.

        It is posted at once: received, to the bank (less the fee) against the contact's receivable; made, the
        other way round. What it does not settle stays the contact's credit and can be allocated later. A sales
        invoice is settled by a payment received, a sales credit note by one made.
        """
        return PaymentView.of(recording.record(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> PaymentView:
        """Show a payment."""
        return PaymentView.of(Payment.find(id))


class Void:
    @endpoint(permission="finance.write", refuses=_CORRECTION)
    def on_post(self, id: str, body: PaymentVoid) -> PaymentView:
        """Void a payment.

        Its allocations are released and its entry is mirrored, all on the given day; the number is kept.
        """
        return PaymentView.of(void(id, body))


class Allocations:
    @endpoint(permission="finance.write", refuses=(UnknownReference, *_CORRECTION))
    def on_post(self, id: str, body: NewAllocations) -> PaymentView:
        """Settle invoices with what is left of a payment.

        In a foreign currency the realised exchange difference is posted on the given day.
        """
        return PaymentView.of(allocate(id, body))


class Release:
    @endpoint(permission="finance.write", refuses=_CORRECTION)
    def on_post(self, id: str, allocation_id: str, body: AllocationRelease) -> PaymentView:
        """Release an allocation: the invoice is due again, the amount can settle another.

        Its exchange difference is reversed on the given day.
        """
        return PaymentView.of(release(id, allocation_id, body))
