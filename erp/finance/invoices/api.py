"""Invoices and credit notes over HTTP."""

from erp.finance.books import voids
from erp.finance.books.ledger import POSTING, DatedTooEarly
from erp.finance.crediting import credits
from erp.finance.crediting.bodies import InvoiceCredit
from erp.finance.documents import bills, invoices, reading, store
from erp.finance.documents.allowed import NegativeTotal
from erp.finance.documents.bills import AccountNeeded, SupplierNumberTaken
from erp.finance.documents.bodies import (
    DraftDeletion,
    InvoiceBatchIssue,
    InvoiceChange,
    InvoiceIssue,
    InvoiceVoid,
    NewInvoice,
)
from erp.finance.documents.models import Invoice
from erp.finance.documents.store import FullInvoice
from erp.finance.invoices import issuing, listing, paid_bills, sent
from erp.finance.invoices.issuing import IssuePreview
from erp.finance.invoices.listing import InvoiceFilter, InvoiceSum
from erp.finance.invoices.views import (
    DeletedDraftsView,
    InvoiceSummary,
    InvoiceView,
    IssuedInvoicesView,
    KeptDocumentView,
)
from erp.finance.write_downs import bodies, write_offs
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.mail.marking import SentMark
from erp.web.endpoint import endpoint
from erp.web.schema import SummedPage


def _create(body: NewInvoice) -> FullInvoice:
    complaints = Complaints()
    paid_bills.check_paid(body.kind, body.paid_from_account_id, is_draft=body.draft)
    return paid_bills.pay(invoices.create(reading.invoice(body, complaints), complaints), body.paid_from_account_id)


def _issue(id: str, body: InvoiceIssue) -> FullInvoice:
    paid_bills.check_paid(Invoice.find(id).kind, body.paid_from_account_id)
    return paid_bills.pay(invoices.issue(id, allow_future=body.allow_future), body.paid_from_account_id)


class Collection:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: InvoiceFilter) -> SummedPage[InvoiceSummary, InvoiceSum] | list[InvoiceSum]:
        """List invoices, bills and credit notes, without their lines. `groupBy` answers counts and sums.

        With `total`, the page also has sums by currency. An unknown contact or project in a filter is a 422. CSV has
        all pages.
        """
        return listing.sums(query) if query.group_by else listing.search(query)

    @endpoint(
        permission="finance.write",
        status=201,
        refuses=(UnknownReference, NegativeTotal, SupplierNumberTaken, AccountNeeded, *POSTING),
    )
    def on_post(self, body: NewInvoice) -> InvoiceView | IssuePreview:
        """Issue an invoice or a bill, or a credit note without an invoice.

        It gets its number and is posted at once, unless `draft` is true. Name an existing customer by `customerId`,
        or add a new one with `customer`. Name accounts by id or by code; an item without one goes to the income
        account of its tax rate, by default to the sales account. An issue date more than 7 days after today needs
        `allowFuture`. Say when the service was rendered by `serviceDate` or `servicePeriod`, for a line too where it
        differs; it decides the tax period (`taxDate`).

        Not issued, since no e-invoice can express it (EN 16931): category O beside others; an AE, K or G rate above 0;
        AE or K without both VAT ids, G without yours; K without the country, city and postal code of the customer; an E
        rate without an exemption reason.

        A bill (kind `purchase_invoice`) has a supplier, named by `supplierId` or added by `supplier`. A line
        without an account goes to the account of the supplier's last bill for the same text or word, else to the
        expense account of its tax rate, by default to cost of sales, unless the setting `billsNeedAccount` refuses
        that (`account_needed`). A second bill with the same
        `supplierNumber` needs `force`. A rate of category AE or K above 0 is posted as tax that you owe and as input
        tax, and is no part of the total.

        A deposit invoice (kind `deposit_invoice`) is no income and owes no tax before it is paid: each receipt is
        posted to deposits received and to the tax of its rates, in proportion. A final invoice (kind `final_invoice`)
        has the whole performance as its lines and applies the deposits that `depositIds` names, as far as they were
        received; it asks for the rest of the total, and closes their unpaid rests. Both are numbered with the
        sales invoices.

        With `dryRun`, the answer is 200 and nothing is stored: it shows the number, what would be posted, and warnings.
        """
        if body.dry_run:
            issuing.check_no_draft(body)
            return issuing.rehearse(lambda: _create(body))
        return InvoiceView.of(_create(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> InvoiceView:
        """Show an invoice with its lines.

        A payment dated later than today is not shown as paid before its day, although no more than the rest can be
        allocated.
        """
        return InvoiceView.of(invoices.find(id))

    @endpoint(permission="finance.write", refuses=(UnknownReference, InvalidTransition, SupplierNumberTaken))
    def on_patch(self, id: str, body: InvoiceChange) -> InvoiceView:
        """Change a draft, or the reference, note, due date and prepaid amount of an issued invoice.

        Each field that is sent replaces the old value, lists and objects as a whole; null restores the default.
        A line that is sent with its `id` keeps that id and its time logs. A line without `id` continues the line with
        the same description, project and task. Time logs of removed lines can be billed again.
        """
        return InvoiceView.of(invoices.change(id, body))

    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_delete(self, id: str) -> None:
        """Delete a draft; the time that it bills can be billed again.

        An issued document is refused (409): void or credit it instead. Files that came from the inbox go back there,
        other files are deleted.
        """
        invoices.remove(id)


class Issue:
    @endpoint(
        permission="finance.write",
        refuses=(UnknownReference, InvalidTransition, NegativeTotal, SupplierNumberTaken, AccountNeeded, *POSTING),
    )
    def on_post(self, id: str, body: InvoiceIssue) -> InvoiceView | IssuePreview:
        """Issue a draft.

        Dates, currency, tax rates and accounts that the draft leaves out take their defaults as of today. An issue
        date more than 7 days after today needs `allowFuture`. With `dryRun`, nothing is stored: the answer shows the
        number that it would get, what would be posted, and warnings.
        """
        if body.dry_run:
            return issuing.rehearse(lambda: _issue(id, body))
        return InvoiceView.of(_issue(id, body))


class BatchIssue:
    @endpoint(permission="finance.write")
    def on_post(self, body: InvoiceBatchIssue) -> IssuedInvoicesView:
        """Issue up to 100 drafts at once, all or none, and number them in this order.

        The rules are the same as for a single draft. Errors name the row (`invoiceIds[3]`).
        """
        issued = invoices.issue_all(body.invoice_ids, allow_future=body.allow_future)
        return IssuedInvoicesView(invoices=[InvoiceView.of(full) for full in issued])


class DeleteDrafts:
    @endpoint(permission="finance.write")
    def on_post(self, body: DraftDeletion) -> DeletedDraftsView:
        """Delete up to 100 drafts; what is no draft any more stays, and is named with the reason.

        The time that they bill can be billed again.
        """
        deleted, kept = invoices.remove_all(body.ids)
        return DeletedDraftsView(deleted=deleted, kept=[KeptDocumentView(id=id, code=code) for id, code in kept])


class Approve:
    @endpoint(permission="bills.approve", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> InvoiceView:
        """Approve an issued bill, so that a payment run can pay it.

        Bills are issued as `pending` while the workspace has the setting `billApproval`.
        """
        return InvoiceView.of(store.full(bills.approve(id)))


class Void:
    @endpoint(
        permission="finance.write",
        refuses=(InvalidTransition, InUse, DatedTooEarly, *POSTING),
    )
    def on_post(self, id: str, body: InvoiceVoid) -> InvoiceView:
        """Void an issued invoice that has nothing allocated to it.

        Its entry is reversed on `date`: by default today, or the invoice's own date if that is later. The date must
        not be before the release of an earlier allocation. The number stays; the time can be billed again.

        A credit note that was made from an invoice first releases its allocation to it, so that the invoice is due
        again; its lines can be credited again. An invoice with such credit notes cannot be voided before them.
        """
        return InvoiceView.of(invoices.void(id, voids.read(body)))


class Credit:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/finance/invoices",
        refuses=(InvalidTransition, InUse, SupplierNumberTaken, *POSTING),
    )
    def on_post(self, id: str, body: InvoiceCredit) -> InvoiceView:
        """Credit an issued invoice or bill, or parts of its lines, with a credit note of its own.

        The credit note is issued at once, with the tax rates, accounts, projects, currency and exchange rate of the
        invoice. It settles the invoice as far as that is due; the rest stays the contact's credit. An invoice that
        credit notes alone have settled is `credited`.

        A line can be credited up to its rest. With `quantity`, that part of the rest is credited; `amount` lowers the
        price. The document's discount, and the allowances and charges of a line's tax rate, are credited in proportion.
        Allowances and charges of a rate that no line has, and the rounding, are credited with the last line. The last
        credit takes the whole rest, so that all credit notes together equal the invoice: net, tax and total.
        """
        return InvoiceView.of(credits.credit(credits.read(id, body)))


class MarkSent:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str, body: SentMark) -> InvoiceView:
        """Note that a document has gone out, such as by post.

        One that was sent already is refused (409).
        """
        sent.mark(id, body)
        return InvoiceView.of(invoices.find(id))


class UnmarkSent:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> InvoiceView:
        """Note that a document has not gone out after all.

        Messages that were sent stay in the list.
        """
        sent.unmark(id)
        return InvoiceView.of(invoices.find(id))


class WriteOff:
    @endpoint(
        permission="finance.write",
        refuses=(InvalidTransition, DatedTooEarly, *POSTING),
    )
    def on_post(self, id: str, body: bodies.WriteOff) -> InvoiceView:
        """Write off the amount due on an issued invoice or bill, or a part of it.

        The net amount goes to bad debts (of a bill: recovered debts), or to small differences, and the tax in it is
        corrected at each rate in proportion, unless `correctTax` is false. With nothing due, an uncollectable
        write-off makes the invoice `written_off`; a later payment on it is a recovery, and does not pass the
        receivable. `doubtful` moves all that is due to doubtful receivables, without tax, and payments settle it there.
        """
        return InvoiceView.of(write_offs.write_off(id, write_offs.read(body, Invoice.find(id).currency)))


class WriteOffUndo:
    @endpoint(
        permission="finance.write",
        refuses=(InvalidTransition, InUse, DatedTooEarly, *POSTING),
    )
    def on_post(self, id: str, body: bodies.WriteOffUndo) -> InvoiceView:
        """Reverse the last write-off of an invoice: its entry is reversed on `date`, and the invoice is due again.

        Refused while a part of it is recovered, or settled on doubtful receivables. A small difference that was
        settled with a payment goes with that payment.
        """
        return InvoiceView.of(write_offs.undo(id, voids.read(body)))


class Duplicate:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/finance/invoices",
        refuses=(UnknownReference,),
    )
    def on_post(self, id: str) -> InvoiceView:
        """Draft an invoice or a credit note like another one, of any status.

        The draft has today's date, the same lines, customer, reference and note, and as many days until it is due. It
        bills no time, and credits no invoice. Tax rates and accounts that the other one left to their defaults take
        them as of today, and so does the exchange rate; one that was given stays, and so does whether prices include
        tax.
        """
        return InvoiceView.of(invoices.duplicate(id))
