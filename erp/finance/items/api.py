"""Open items and allocations over HTTP."""

from erp.finance.books import ledger, voids
from erp.finance.books.ledger import DatedTooEarly
from erp.finance.items import allocation_day, allocations, listing, settlement
from erp.finance.items.bodies import ItemAllocationRelease, NewItemAllocation
from erp.finance.items.expense_claims import PaidByPayroll
from erp.finance.items.listing import OpenItemFilter
from erp.finance.items.views import AllocationDayView, ItemAllocationView, OpenItemView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page

_POSTING = (*ledger.POSTING, DatedTooEarly)


class OpenItems:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: OpenItemFilter) -> Page[OpenItemView]:
        """List open items: receivables and payables of contacts.

        Every posting to a receivable or payable is an item: of an invoice, a credit note, a payment, or a manual entry.
        With `asOf`, each shows its open amount at the end of that day, and `openBase` is what its account holds of it:
        on the day of a revaluation with its `revaluation`. On every day, they sum to the balance of a contact.
        """
        return listing.search(query)


class Collection:
    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference, PaidByPayroll, *_POSTING))
    def on_post(self, body: NewItemAllocation) -> ItemAllocationView:
        """Allocate an open item to another, such as a manual credit to an invoice.

        One is a debit and one a credit, of the same contact, account and currency. Payments and credit notes settle
        invoices automatically; this is for all other items. In a foreign currency the realised exchange difference is
        posted on `date`.
        """
        return ItemAllocationView.of(allocations.make(allocations.read(body)))


class ProposedDay:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, other_id: str) -> AllocationDayView:
        """Show the day on which two open items would be allocated, and the reason.

        It is the later of both dates; where that is locked, the first open day. On cash basis, tax counts on this day:
        the warning `filed_return_changes` names a filed VAT return that it changes.
        """
        return allocation_day.proposed(id, other_id)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> ItemAllocationView:
        """Show an allocation.

        It names both open items, the amount and, once it is released, the day of the release.
        """
        return ItemAllocationView.of(settlement.find(id))


class Release:
    @endpoint(permission="finance.write", refuses=(*_POSTING, InvalidTransition))
    def on_post(self, id: str, body: ItemAllocationRelease) -> ItemAllocationView:
        """Release an allocation: both items are open again.

        Its exchange difference is reversed on `date`.
        """
        return ItemAllocationView.of(allocations.release(id, voids.read(body)))
