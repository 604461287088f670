"""Offsets over HTTP."""

from erp.finance.books import ledger, voids
from erp.finance.books.ledger import DatedTooEarly
from erp.finance.items.expense_claims import PaidByPayroll
from erp.finance.items.offsets import offsets, views
from erp.finance.items.offsets.bodies import NewOffset, OffsetFilter, OffsetVoid
from erp.finance.items.offsets.models import Offset
from erp.finance.items.offsets.views import OffsetView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page

_POSTING = (*ledger.POSTING, DatedTooEarly)


class Collection:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: OffsetFilter) -> Page[OffsetView]:
        """List offsets.

        The newest first, void ones included. An unknown contact in the filter is a 422.
        """
        return views.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference, PaidByPayroll, *_POSTING))
    def on_post(self, body: NewOffset) -> OffsetView:
        """Offset a contact's receivables against its payables, without a bank: an invoice against a bill.

        One journal entry is posted, and settles its items at once; nothing stays open of it. Items have one contact and
        one currency, and equal sums on both sides. Items of one account settle each other without an entry (`POST
        /finance/allocations`).
        """
        return OffsetView.of(offsets.make(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> OffsetView:
        """Show an offset.

        It names the invoices and bills that were settled against each other, and the entry.
        """
        return OffsetView.of(Offset.find(id))


class Void:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, *_POSTING))
    def on_post(self, id: str, body: OffsetVoid) -> OffsetView:
        """Void an offset: its items are open again, and its entry is reversed on `date`. The number stays.

        A void offset is refused (409), as is a `date` that is locked or before the offset.
        """
        return OffsetView.of(offsets.void(id, voids.read(body)))
