"""Invoices and credit notes over HTTP; their rules are in `invoices`."""

from erp.finance.books.ledger import AccountClosed, AmountOutOfRange, DatedTooEarly
from erp.finance.books.periods import PeriodLocked
from erp.finance.documents import invoices, listing
from erp.finance.documents.bodies import InvoiceChange, InvoiceVoid, NewInvoice
from erp.finance.documents.figures import work_out
from erp.finance.documents.invoices import NegativeTotal
from erp.finance.documents.listing import InvoiceFilter
from erp.finance.documents.models import Invoice
from erp.finance.documents.views import InvoicePreview, InvoiceSummary, InvoiceView
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: InvoiceFilter) -> Page[InvoiceSummary]:
        """List invoices and credit notes, without their lines."""
        return listing.search(query)

    @endpoint(
        permission="finance.write",
        status=201,
        refuses=(UnknownReference, NegativeTotal, PeriodLocked, AccountClosed, AmountOutOfRange),
    )
    def on_post(self, body: NewInvoice) -> InvoiceView:
        """Issue an invoice, or a credit note that stands by itself.

        It gets its number and is posted at once, unless `draft` is true. The customer is one of record
        (`customerId`) or is made along with it (`customer`). Accounts are named by id or by code.
        """
        return invoices.create(body)


class Preview:
    @endpoint(permission="finance.write", writes=False, refuses=(UnknownReference,))
    def on_post(self, body: NewInvoice) -> InvoicePreview:
        """Work out the totals of an invoice without storing anything.

        A total below zero is shown too, though an invoice with it is not issued.
        """
        return InvoicePreview.of(work_out(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> InvoiceView:
        """Show an invoice with its lines."""
        return invoices.show(Invoice.find(id))

    @endpoint(permission="finance.write", refuses=(UnknownReference, InvalidTransition))
    def on_patch(self, id: str, body: InvoiceChange) -> InvoiceView:
        """Change a draft, or the reference, notes and due date of an issued invoice.

        What is sent takes the place of what was, lists and objects as a whole; null clears, so that the default holds.
        A line of a draft that is sent with its `id` stays that line, and keeps its time logs; so does one without `id`
        whose description, project and task are those of a line. Time logs of lines that are gone are free again.
        """
        return invoices.change(id, body)

    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_delete(self, id: str) -> None:
        """Delete a draft; the time that it bills is free again."""
        invoices.remove(id)


class Issue:
    @endpoint(
        permission="finance.write",
        refuses=(UnknownReference, InvalidTransition, NegativeTotal, PeriodLocked, AccountClosed, AmountOutOfRange),
    )
    def on_post(self, id: str) -> InvoiceView:
        """Issue a draft.

        What the draft leaves to defaults (dates, currency, tax rates, accounts) is taken as it is on this day.
        """
        return invoices.issue(id)


class Void:
    @endpoint(
        permission="finance.write",
        refuses=(InvalidTransition, InUse, DatedTooEarly, PeriodLocked, AccountClosed, AmountOutOfRange),
    )
    def on_post(self, id: str, body: InvoiceVoid) -> InvoiceView:
        """Void an issued invoice to which nothing is allocated.

        Its entry is mirrored on `date`: by default today, or the invoice's own date if that is later; never before
        what was allocated to it was released. Its number stays; the time that it bills is free again.
        """
        return invoices.void(id, body)
