"""Payments over HTTP."""

from contextlib import nullcontext

from erp.finance.books import voids
from erp.finance.books.ledger import POSTING, DatedTooEarly
from erp.finance.items.expense_claims import PaidByPayroll
from erp.finance.payments import listing, payments, reading, recording
from erp.finance.payments.bodies import AllocationRelease, NewAllocations, NewPayment, PaymentBatch, PaymentVoid
from erp.finance.payments.listing import PaymentFilter, PaymentSum
from erp.finance.payments.models import Payment
from erp.finance.payments.views import PaymentBatchView, PaymentView
from erp.kernel.complaints import all_or_none
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.schema import SummedPage

_CORRECTION = (*POSTING, DatedTooEarly, InvalidTransition)


def _record(body: NewPayment) -> Payment:
    return recording.record(reading.payment(body))


class Collection:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: PaymentFilter) -> SummedPage[PaymentView, PaymentSum] | list[PaymentSum]:
        """List payments, the newest first. `groupBy` answers counts and sums.

        With `total`, the page also has sums by currency. An unknown contact, account or project in a filter is a 422.
        CSV has all pages.
        """
        return listing.sums(query) if query.group_by else listing.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference, PaidByPayroll, *POSTING))
    def on_post(self, body: NewPayment) -> PaymentView:
        """Record a payment, and settle invoices with it.

        It is posted at once. A payment received debits the bank (less the fee) and credits the contact's receivable; a
        payment made does the reverse. The unallocated part remains as the contact's credit and can be
        allocated later. Sales invoices are settled by payments received, sales credit notes by payments made. Money
        that leaves a bank account in a foreign currency takes its share of the account's book value along; the
        difference to its value at the exchange rate is posted as realised.
        """
        return PaymentView.of(_record(body))


class Batch:
    @endpoint(permission="finance.write")
    def on_post(self, body: PaymentBatch) -> PaymentBatchView:
        """Record up to 200 payments at once, all or none.

        Each is as in `POST /finance/payments`, and posted in its order: an invoice that two of them pay is settled by
        both. Errors name the row (`payments[3].amount`), also for a locked period or a closed account. With `dryRun`
        nothing is recorded: the answer shows the payments as they would be, and their sums.
        """
        with WORKSPACE.undone() if body.dry_run else nullcontext():
            return PaymentBatchView.of(all_or_none(body.payments, _record, "payments"))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> PaymentView:
        """Show a payment.

        It shows the invoices and bills that it settles, the remaining amount, and `can`, the actions open to you now.
        """
        return PaymentView.of(Payment.find(id))


class Void:
    @endpoint(permission="finance.write", refuses=_CORRECTION)
    def on_post(self, id: str, body: PaymentVoid) -> PaymentView:
        """Void a payment.

        Its allocations are released and its entry is reversed on `date`. The number stays.
        """
        return PaymentView.of(payments.void(id, voids.read(body)))


class Allocations:
    @endpoint(permission="finance.write", refuses=(UnknownReference, PaidByPayroll, *_CORRECTION))
    def on_post(self, id: str, body: NewAllocations) -> PaymentView:
        """Settle invoices and old items with the rest of a payment.

        In a foreign currency the realised exchange difference is posted on `date`.
        """
        return PaymentView.of(payments.allocate(reading.allocation(id, body)))


class Release:
    @endpoint(permission="finance.write", refuses=_CORRECTION)
    def on_post(self, id: str, allocation_id: str, body: AllocationRelease) -> PaymentView:
        """Release an allocation: the invoice is due again, and the amount can settle another.

        Its exchange difference is reversed on `date`.
        """
        return PaymentView.of(payments.release(id, allocation_id, voids.read(body)))
