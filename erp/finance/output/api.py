"""Papers and e-invoices over HTTP."""

from erp.finance.documents.bills import SupplierNumberTaken
from erp.finance.documents.models import Invoice
from erp.finance.invoices.previews import TypedInvoice
from erp.finance.output import files, incoming, previews, sending, several
from erp.finance.output.bodies import EInvoiceQuery, PaperQuery, ReceivedEInvoice, SeveralPapers
from erp.finance.output.einvoice.xml import Unreadable
from erp.finance.output.files import NotExpressible, WrittenBySupplier
from erp.finance.output.incoming import ReadFile
from erp.finance.output.paper import papers
from erp.finance.output.previews import DocumentPreview, PreviewQuery
from erp.finance.output.sending import SendInvoices
from erp.finance.output.views import ReceivedBillView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.mail.bodies import SendDocument
from erp.mail.messages import Draft
from erp.mail.sending import REFUSES
from erp.mail.views import MessageDrafts, MessageDraftView, MessageView, SentMessages, shown_all, shown_message
from erp.share_links.links import SharingOff
from erp.web.endpoint import endpoint
from erp.web.inline import shown
from erp.web.schema import File


class Preview:
    @endpoint(permission="finance.write", writes=False, refuses=(UnknownReference,))
    def on_post(self, query: PreviewQuery, body: TypedInvoice) -> DocumentPreview:
        """Compute the totals of an invoice as far as it is typed, without storing anything.

        Incomplete input is accepted: without a customer, and with lines that lack their description, quantity or
        price, the totals cover the complete parts. `details` of the document and of each line hold the errors that
        creating it would return. The total may be below zero, although such an invoice cannot be issued. An id of a
        record that does not exist is refused.

        With `format=pdf`, the answer is its paper, marked as a draft. With `inline` as well, a page can show the paper
        in a frame: the header `Content-Location` has its address for a minute.
        """
        return DocumentPreview.made(body)


class PreviewPaper:
    @endpoint(permission="finance.write", store=None, produces="application/pdf")
    def on_get(self, id: str) -> File:
        """Show the paper of a preview in a page, for a minute.

        Only for the user who asked for it, in the same workspace.
        """
        return previews.held(id)


class Pdf:
    @endpoint(permission="finance.read", store=None, produces="application/pdf")
    def on_get(self, id: str, query: PaperQuery) -> File:
        """Print an invoice, a credit note or a bill as PDF/A-3, in the language of its customer.

        The file of an issued document is made at the first request, from the data of its issue, and stays the same; the
        e-invoice is inside as `factur-x.xml` (Factur-X, ZUGFeRD) where one can be made. The file is stored once it has
        the address and the tax number or VAT number of the office and the address of the customer. In euros, a QR code
        (EPC069-12) fills in the transfer. Drafts are marked. `X-Content-SHA256` is the hash of a stored file. With
        `inline`, a page may show it in a frame.
        """
        file = papers.file_of(id, query)
        return shown(file) if query.inline else file


class SeveralPdfs:
    @endpoint(permission="finance.read", store=None, writes=False, produces=("application/zip", "application/pdf"))
    def on_post(self, body: SeveralPapers) -> File:
        """Print up to 100 documents at once, packed as they are or as one PDF to print.

        The one PDF has the pages alone, without the e-invoices. Drafts are left out; `X-Left-Out` has their ids.
        """
        return several.file_of(body.ids, body.packing)


class Send:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=(InvalidTransition, SharingOff, *REFUSES),
        prepare=sending.prepare,
    )
    def on_post(self, id: str, body: SendDocument, prepared: Draft) -> MessageView | MessageDraftView:
        """Send an issued document to its customer by e-mail, as PDF, e-invoice or both.

        It goes to the contact's `recipients` for invoices, else to its `email`. Without a mail server, or with `via`
        `eml`, the message is `prepared` for your own mail program. The same document to the same addresses within 5
        minutes needs `force`. `sentAt` of the document is set once a message was handed to the mail server. With
        `withLink` it brings a share link, which is listed among the document's links: once that is revoked, the
        message is not sent any more (`link_ended`).
        """
        Invoice.find_to_change(id)
        return shown_message(sending.send(prepared, body))


class SendAll:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=(SharingOff, *REFUSES),
        prepare=sending.prepare_all,
    )
    def on_post(self, body: SendInvoices, prepared: list[Draft]) -> SentMessages | MessageDrafts:
        """Send up to 100 issued documents to their customers, all or none, each in a message of its own.

        Errors name the row (`invoiceIds[3]`).
        """
        return shown_all(sending.send_all(prepared, body))


class Xml:
    @endpoint(
        permission="finance.read",
        store=None,
        produces="application/xml",
        refuses=(InvalidTransition, NotExpressible, WrittenBySupplier),
    )
    def on_get(self, id: str, query: EInvoiceQuery) -> File:
        """Download an issued invoice or credit note as an e-invoice by EN 16931.

        It is made at the first request, from the data of the document's issue, and stays the same; `X-Content-SHA256`
        is its hash. Data that was missing at the issue, such as the office's IBAN, is taken from that first request. A
        broken rule is refused by its name: `br_11`, or `br_de_15` for a German authority.
        """
        return files.einvoice(id, query)


class Received:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/finance/invoices",
        refuses=(UnknownReference, SupplierNumberTaken, Unreadable),
        prepare=incoming.read_body,
    )
    def on_post(self, body: ReceivedEInvoice, prepared: ReadFile) -> ReceivedBillView:
        """Draft a bill from a supplier's e-invoice, with all its lines, and store the file with it.

        The supplier is the one on record with the same VAT id, else with the same name, or a new one. Each category and
        percentage of tax must be a tax rate of the workspace; for reverse charge (AE) and supplies within the EU (K)
        the workspace's own rate counts. The tax is the file's if it differs from the lines' by at most 0.05. Amounts
        below zero make a credit note; `warnings` say so where the file is one already. An amount prepaid (BT-113)
        becomes `prepaidAmount`. A file whose lines do not sum to its total is refused. A file with a document
        type declaration is never read, nor one that unpacks to more than 25 MiB or 200,000 XML elements.
        """
        return ReceivedBillView.of_file(incoming.receive(body, prepared), prepared)


class Original:
    @endpoint(permission="finance.read", produces=("application/xml", "application/pdf"))
    def on_get(self, id: str) -> File:
        """Download the original e-invoice of a bill.

        It is the file as it arrived, byte for byte; `X-Content-SHA256` is its hash. A document that did not come as a
        file is a 404.
        """
        return incoming.original(id)
