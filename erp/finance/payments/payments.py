"""Acts on recorded payments: allocate, release, void."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from erp.finance.books import ledger, open_items, voids
from erp.finance.books.ledger import Entry
from erp.finance.books.models import OpenItem
from erp.finance.books.voids import Correction
from erp.finance.documents import standing
from erp.finance.documents.deposits import receipts
from erp.finance.documents.models import Deduction, Invoice
from erp.finance.items import expense_claims, settlement
from erp.finance.items import store as items
from erp.finance.payments import allocations, recording
from erp.finance.payments.allocations import RequestedAllocation
from erp.finance.payments.models import Payment
from erp.finance.payments.recording import event_data
from erp.finance.write_downs import deductions, subjects
from erp.kernel import clock
from erp.kernel.complaints import Complaints
from erp.kernel.errors import NotFound
from erp.kernel.language import says
from erp.store import events, sql, workspace_settings


class AllocationCommand(NamedTuple):
    """The documents and items to settle with the rest of a payment, on a day; dimensions as stored."""

    payment: Payment
    settles: Sequence[RequestedAllocation]
    day: date | None = None
    dimensions: str | None = None


def allocate(command: AllocationCommand) -> Payment:
    """Settle invoices and old items with the rest of a payment.

    Raises:
        InvalidTransition: it is void.
        Invalid: with a complaint for every allocation that is not possible.
        DatedTooEarly: the day is before the payment or one of the invoices.
        PeriodLocked: the day is in the locked period.
    """
    payment, complaints = command.payment, Complaints()
    allocations.check_allocatable(payment, _standing(payment.id))
    item = settlement.item_of(payment.id)
    parts = allocations.check(payment, item, item.account_id, command.settles, complaints)
    complaints.refuse()
    settled = recording.settle(item, parts, command.day, command.dimensions)
    payment.change()
    data = event_data(payment, settled.made) | recording.deduction_data(settled.deductions)
    events.write("payment.allocated", "payment", payment.id, data, entries=settled.entries)
    expense_claims.write_paid(item for _, item in settled.made)
    return payment


def release(id: str, allocation_id: str, correction: Correction) -> Payment:
    """Release an allocation: the invoice is due again, and the amount can settle another.

    Raises:
        NotFound: the payment has no such allocation.
        InvalidTransition: it has already been released, or the invoice has been written off.
        DatedTooEarly: the day is before the allocation's.
        PeriodLocked: the day is in the locked period.
    """
    payment = Payment.find_to_change(id)
    allocation = next((made for made in items.allocations(id) if made.id == allocation_id), None)
    if allocation is None:
        raise NotFound(says("The payment has no allocation with this id."))
    day = correction.day or max(workspace_settings.today(), allocation.date)
    taken = [deduction for deduction in _standing(id) if deduction.allocation_id == allocation_id]
    entries = [*_give_back(taken, day), *receipts.release(allocation, day)]
    payment.change()
    data = event_data(payment, [(allocation, settlement.other_item(allocation, id))]) | {"date": day.isoformat()}
    data |= recording.deduction_data(taken)
    events.write("allocation.released", "allocation", allocation_id, data, entries=entries)
    return payment


def void(id: str, correction: Correction) -> Payment:
    """Void a payment: the documents that it settled are due again, and its entry is reversed.

    Raises:
        InvalidTransition: it is already void, or an invoice that it settles has been written off.
        DatedTooEarly: the day is before the payment, or before its last allocation or release.
        PeriodLocked: the day is in the locked period.
    """
    payment = Payment.find_to_change(id)
    voids.check_voidable(payment)
    return take_back(payment, correction)


def take_back(payment: Payment, correction: Correction) -> Payment:
    """Void a payment that stands, as `void` does."""
    live = settlement.live_allocations(payment.id)
    day = voids.day_of(correction, payment, settlement.last_day(payment.id, payment.date))
    entries: list[Entry] = []
    released = [(allocation, settlement.other_item(allocation, payment.id)) for allocation in live]
    taken = _standing(payment.id)
    entries += _give_back(taken, day)
    for allocation in live:
        entries += receipts.release(allocation, day)
    if payment.journal_entry_id is not None:
        entries.append(ledger.reverse(payment.journal_entry_id, day, says("Void of {number}", number=payment.number)))
    for item in open_items.of_document(payment.id)[:1]:
        open_items.close_unposted(item, day)
    payment.change(status="void", voided_at=clock.stamp(), void_reason=correction.reason)
    data = event_data(payment, released) | {"date": day.isoformat(), "reason": correction.reason}
    data |= recording.deduction_data(taken)
    events.write("payment.void", "payment", payment.id, data, entries=entries)
    return payment


def _standing(payment_id: str) -> list[Deduction]:
    """The deductions that were taken with a payment and stand."""
    taken = standing.deductions_of_payments(sql.array([payment_id]))
    return [deduction for deduction in taken if deduction.undone_on is None]


def _give_back(taken: Sequence[Deduction], day: date) -> list[Entry]:
    """Undo the deductions of a payment; a recovery has no entry of its own, but the payment's.

    Raises:
        InvalidTransition: the rest of a document was written off since.
    """
    entries: list[Entry] = []
    for deduction in taken:
        if deduction.kind != "recovery":
            settlement.check_not_written_off(_item_of(deduction))
    for deduction in reversed(taken):
        if deduction.kind == "recovery":
            deductions.mark_undone(deduction, day, None)
            if deduction.invoice_id is not None:
                Invoice.find(deduction.invoice_id).change()
        else:
            entries += deductions.undo(deduction, day, None)
    return entries


def _item_of(deduction: Deduction) -> OpenItem:
    """The open item that a deduction was taken off."""
    if deduction.invoice_id is not None:
        return settlement.item_of(deduction.invoice_id)
    return subjects.find(str(deduction.of_item_id))
