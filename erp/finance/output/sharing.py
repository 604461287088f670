"""Invoices by share link: their view for the receiver, and the links of an invoice over HTTP."""

from collections.abc import Sequence
from datetime import date

from erp.finance.documents.models import PURCHASES, Invoice
from erp.finance.output import files, sources
from erp.finance.output.bodies import EInvoiceQuery, PaperQuery
from erp.finance.output.files import NotExpressible
from erp.finance.output.paper import epc, papers
from erp.finance.output.sources import Source
from erp.kernel import money, qr
from erp.kernel.errors import InvalidTransition, NotFound, SampleData
from erp.kernel.language import says
from erp.share_links import links
from erp.share_links.bodies import (
    Form,
    NewShareLink,
    SharedCode,
    SharedDocument,
    SharedPayment,
    ShareLinkQuery,
    ShareLinkView,
)
from erp.share_links.links import SharingOff
from erp.share_links.models import SubjectType
from erp.share_links.subjects import Subject
from erp.store import control, workspace_settings
from erp.web.endpoint import endpoint
from erp.web.schema import File

KIND: SubjectType = "invoice"


def _check(id: str) -> date:
    """Refuse a draft and a supplier's document; else the day on which the document is due."""
    invoice = Invoice.find(id)
    if invoice.status == "draft":
        raise InvalidTransition(says("This invoice is a draft. Issue it first."))
    if invoice.kind in PURCHASES:
        raise InvalidTransition(says("A document of a supplier cannot be shared. Share an invoice of your own."))
    due: date = invoice.due_date
    return due


def _view(id: str, _chosen: Sequence[str]) -> SharedDocument:
    with control.reading_own():
        invoice = Invoice.find(id)
        source = sources.of(invoice)
        is_ours = invoice.kind != "sales_credit_note"
        due = invoice.due if is_ours else 0
        is_late = due > 0 and invoice.due_date < workspace_settings.today()
        return SharedDocument(
            office=source.seller["name"],
            kind=invoice.kind,
            number=str(invoice.number),
            issue_date=invoice.issue_date.isoformat(),
            due_date=invoice.due_date.isoformat() if is_ours else None,
            currency=invoice.currency,
            total=money.text(invoice.total, invoice.currency),
            net_total=None,
            tax_total=None,
            amount_due=money.text(due, invoice.currency),
            state="overdue" if is_late else invoice.status,
            payment=_payment(source) if due > 0 else None,
            lines=None,
            prices_include_tax=None,
            revision=None,
            forms=_forms(source),
            can=[],
        )


def _payment(source: Source) -> SharedPayment | None:
    """Where the rest of an invoice is paid to; None without an account of the office."""
    iban = source.seller.get("iban")
    if iban is None:
        return None
    text = epc.text_of(source, source.invoice.due)
    return SharedPayment(
        holder=source.seller["name"],
        iban=iban,
        bic=source.seller.get("bic"),
        reference=str(source.invoice.number),
        qr_text=text,
        qr_code=None if text is None else _drawn(text),
    )


def _drawn(text: str) -> SharedCode:
    rows = qr.transfer(text)
    return SharedCode(size=len(rows), path=qr.path(rows))


def _forms(source: Source) -> list[Form]:
    is_expressible = not files.misfits(source, files.usual_profile(source.invoice))
    return ["pdf", "xml"] if is_expressible else ["pdf"]


def _file(id: str, form: Form) -> File:
    if form == "pdf":
        return papers.file_of(id, PaperQuery())
    if form == "xml":
        try:
            return files.einvoice(id, EInvoiceQuery())
        except NotExpressible:
            pass
    raise NotFound(says("This document has no such file."))


INVOICE = Subject(check=_check, view=_view, file=_file)


class Links:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: ShareLinkQuery) -> list[ShareLinkView]:
        """List the share links of an invoice, without their secrets.

        The newest first, revoked and expired ones included.
        """
        return [ShareLinkView.of(link) for link in links.of(KIND, Invoice.find(id).id)]

    @endpoint(
        permission="finance.write",
        status=201,
        shows_secret=True,
        refuses=(InvalidTransition, SharingOff, SampleData),
        prepare=links.hashed_pin,
    )
    def on_post(self, id: str, body: NewShareLink, prepared: str | None) -> ShareLinkView:
        """Make a share link of an issued invoice or credit note.

        Everyone with `url` sees and downloads the document, without signing in, until the link expires or is revoked.
        The address has the secret, and is shown only once. The workspace must have the setting `shareLinks`.
        """
        return ShareLinkView.of(*links.make(KIND, id, body, prepared))


class LinkRevoke:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str, link_id: str) -> ShareLinkView:
        """Revoke a share link: it opens nothing any more.

        One that is revoked already is refused (409).
        """
        return ShareLinkView.of(links.revoke(KIND, id, link_id))
