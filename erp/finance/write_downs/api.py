"""Single open items, and write-offs of open items without a document, over HTTP."""

from erp.finance.books import ledger, voids
from erp.finance.books.ledger import DatedTooEarly
from erp.finance.write_downs import bodies, subjects, taken_over, write_offs
from erp.finance.write_downs.views import OpenItemDetail
from erp.kernel.errors import InUse, InvalidTransition
from erp.web.endpoint import endpoint

_POSTING = (*ledger.POSTING, DatedTooEarly)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> OpenItemDetail:
        """Show an open item with its deductions.

        It shows what the contact owes or is owed, what is still open, and the discounts and write-offs that reduced it.
        """
        return OpenItemDetail.of(subjects.find(id))


class WriteOff:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, *_POSTING))
    def on_post(self, id: str, body: bodies.WriteOff) -> OpenItemDetail:
        """Write off the remaining amount of an opening item or a manual entry, or a part of it.

        The item of an invoice is written off with the invoice. As there, the net amount goes to bad debts (of a
        payable: recovered debts), or to small differences, and the tax in it is corrected at the item's tax rate,
        unless `correctTax` is false. An item without a tax rate has no tax. A later payment on it is a recovery, and
        does not pass the receivable. `doubtful` moves the remaining amount to an open item on doubtful receivables.
        """
        return OpenItemDetail.of(taken_over.write_off(id, write_offs.read(body, subjects.find(id).currency)))


class WriteOffUndo:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, InUse, *_POSTING))
    def on_post(self, id: str, body: bodies.WriteOffUndo) -> OpenItemDetail:
        """Reverse the last write-off of an open item: its entry is reversed on `date`, and the item is open again.

        Refused while a part of it is recovered, or settled on doubtful receivables.
        """
        return OpenItemDetail.of(taken_over.undo(id, voids.read(body)))
