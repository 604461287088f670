"""Transfers between own accounts over HTTP."""

from erp.finance.books import voids
from erp.finance.books.ledger import POSTING, DatedTooEarly
from erp.finance.payments.transfers import transfers, views
from erp.finance.payments.transfers.bodies import NewTransfer, TransferFilter, TransferVoid
from erp.finance.payments.transfers.models import Transfer
from erp.finance.payments.transfers.views import TransferView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: TransferFilter) -> Page[TransferView]:
        """List transfers between own accounts.

        The newest first, void ones included. An unknown account in the filter is a 422.
        """
        return views.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference, *POSTING))
    def on_post(self, body: NewTransfer) -> TransferView:
        """Move money from one own account to another, also from one currency to another.

        One journal entry is posted. An account in a foreign currency keeps its foreign amount, and money that
        leaves it takes its share of the book value along: of 1,000.00 USD worth 960.00, 500.00 USD leave at 480.00.
        The difference to the amount that arrives is a realised exchange gain or loss.
        """
        return TransferView.of(transfers.make(transfers.read(body)))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> TransferView:
        """Show a transfer.

        It shows both accounts and both amounts, which differ between currencies, and the entry.
        """
        return TransferView.of(Transfer.find(id))


class Void:
    @endpoint(permission="finance.write", refuses=(DatedTooEarly, InvalidTransition, *POSTING))
    def on_post(self, id: str, body: TransferVoid) -> TransferView:
        """Void a transfer: its entry is reversed on `date`. The number stays.

        A void transfer is refused (409), as is a `date` that is locked or before the transfer.
        """
        return TransferView.of(transfers.void(id, voids.read(body)))
