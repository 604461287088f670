"""Documents by mail: their letters, with the PDF and the e-invoice."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from erp.finance.contacts import contacts, heads
from erp.finance.contacts.models import Contact
from erp.finance.documents import standing
from erp.finance.documents.models import Invoice
from erp.finance.invoices import sent
from erp.finance.output import files, kept, sources
from erp.finance.output.bodies import EInvoiceQuery, PaperQuery
from erp.finance.output.files import NotExpressible
from erp.finance.output.kept import Made
from erp.finance.output.paper import content, papers
from erp.finance.output.paper.wording import Wording
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.mail import sending, several
from erp.mail.bodies import Attach, Send, SendDocument, SendShared
from erp.mail.messages import AttachedFile, Draft
from erp.mail.models import Message
from erp.mail.sending import Letter
from erp.mail.texts import TextKind
from erp.share_links import links
from erp.store import control
from erp.web.scalars import Id
from erp.web.schema import File

TEXTS: dict[str, TextKind] = {
    "sales_invoice": "invoice",
    "sales_credit_note": "credit_note",
    "deposit_invoice": "deposit_invoice",
    "final_invoice": "final_invoice",
}


class SendInvoices(SendShared, kw_only=True):
    """Documents to send, each in a message of its own."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"invoiceIds": ["0199d6a2-7c00-7000-8000-000000000001"]}

    invoice_ids: Annotated[list[Id], Meta(min_length=1, max_length=100)]
    attach: Attach = "pdf"


def check(id: str) -> None:
    """Refuse a document that cannot be sent, with its workspace open.

    Raises:
        NotFound, InvalidTransition: there is no such document, or it cannot be sent.
    """
    sent.check_sendable(standing.of(Invoice.find(id)))


def prepare(body: SendDocument, id: str) -> Draft:
    """Compose the message of a document, before the transaction that queues it: its files may have to be made.

    Raises:
        NotFound, InvalidTransition: there is no such document, or it cannot be sent.
        SharingOff: it is to bring a link, and the workspace does not share.
        Invalid: it has no recipient, or no e-invoice can express it.
    """
    return _draft(id, body, body.attach)


def prepare_all(body: SendInvoices) -> list[Draft]:
    """Compose the messages of several documents.

    Raises:
        SharingOff: they are to bring links, and the workspace does not share.
        Invalid: of some, with the row of each.
    """
    if body.with_link:
        with control.reading_own():
            links.check_on()
    return several.each(body.invoice_ids, lambda id: _draft(id, body, body.attach), several.in_rows("invoiceIds"))


def send(draft: Draft, body: Send) -> Message | Draft:
    """Queue or prepare the message of a document that can still be sent."""
    check(draft.resource[1])
    return sending.send(draft, body)


def send_all(drafts: list[Draft], body: SendInvoices) -> list[Message | Draft]:
    """Queue or prepare messages, all or none.

    Raises:
        Invalid: some went out just now, with their rows.
    """
    return several.each(drafts, lambda draft: send(draft, body), several.in_rows("invoiceIds"))


def _draft(id: str, body: SendShared, attach: str) -> Draft:
    with control.reading_own():
        invoice = Invoice.find(id)
        if body.with_link:
            links.check("invoice", invoice.id)
        sent.check_sendable(standing.of(invoice))
    files = _files(invoice, attach, is_stored=not body.dry_run)
    with control.reading_own():
        return sending.draft_of(_letter(invoice, files, body), body)


def _letter(invoice: Invoice, files: list[AttachedFile], body: SendShared) -> Letter:
    source = sources.of(invoice)
    words = Wording(body.language or source.language, invoice.currency, source.country)
    values = {**content.values(source, words), "open": words.money(invoice.due)}
    to = contacts.addresses_for(Contact.find(heads.of(invoice.contact_id)), "invoice")
    resource = ("invoice", invoice.id, invoice.number)
    text, has_link = TEXTS[invoice.kind], body.with_link
    return Letter("invoice", resource, text, source.language, to, values, files, has_link=has_link)


def _files(invoice: Invoice, attach: str, *, is_stored: bool) -> list[AttachedFile]:
    made = []
    if attach in ("pdf", "both"):
        made.append(_pdf(invoice, is_stored=is_stored))
    if attach in ("xml", "both"):
        made.append(_xml(invoice, is_stored=is_stored))
    return made


def _pdf(invoice: Invoice, *, is_stored: bool) -> AttachedFile:
    if is_stored:
        return _attached(papers.file_of(invoice.id, PaperQuery()))
    with control.reading_own():
        present = kept.find(invoice.id, "pdf")
        return _attached(papers.made(invoice) if present is None else kept.as_file(present))


def _xml(invoice: Invoice, *, is_stored: bool) -> AttachedFile:
    try:
        if is_stored:
            return _attached(files.einvoice(invoice.id, EInvoiceQuery()))
        with control.reading_own():
            return _attached(files.made(invoice))
    except NotExpressible as refusal:
        first = refusal.details[0]
        message = says("No e-invoice is possible: {problem}", problem=first.message)
        raise Invalid.one("attach", first.code, message) from None


def _attached(file: File | Made) -> AttachedFile:
    assert isinstance(file.content, bytes)
    return AttachedFile(file.name, str(file.media_type), file.content)
