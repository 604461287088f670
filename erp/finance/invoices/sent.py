"""Whether a document has gone out: noted by the first message that has, or said by a person."""

from typing import Any

from erp.finance.documents import standing
from erp.finance.documents.models import PURCHASES, Invoice
from erp.finance.documents.standing import Standing
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import says
from erp.mail import marking
from erp.mail.marking import SentMark


def check_sendable(document: Standing) -> None:
    """Refuse a draft, a void document, and one that a supplier wrote."""
    if document.status == "draft":
        raise InvalidTransition(says("This invoice is a draft. Issue it first."))
    if document.status == "void":
        raise InvalidTransition(says("A void document cannot be sent."))
    if document.kind in PURCHASES:
        raise InvalidTransition(says("Only documents to customers can be sent."))


def check_markable(document: Standing) -> None:
    """Refuse what cannot be sent, and what was."""
    check_sendable(document)
    marking.check_unsent(document.number, is_sent=document.is_sent)


def check_unmarkable(document: Standing) -> None:
    """Refuse a document that was not sent."""
    check_sendable(document)
    marking.check_sent(document.number, is_sent=document.is_sent)


def note(id: str, via: str, at: str) -> None:
    """Note that a message with the document has gone out; the first one counts."""
    invoice = Invoice.find_or_none(id)
    if invoice is not None:
        marking.note("invoice", invoice, via, at, _event_data(invoice))


def mark(id: str, body: SentMark) -> None:
    """Note that a document has gone out, such as by post.

    Raises:
        InvalidTransition: it cannot be sent, or was.
        Invalid: the day is before the document's, or after today.
    """
    invoice = Invoice.find_to_change(id)
    check_sendable(standing.of(invoice))
    marking.mark("invoice", invoice, invoice.issue_date, body, _event_data(invoice))


def unmark(id: str) -> None:
    """Take back that a document has gone out.

    Raises:
        InvalidTransition: it was not.
    """
    invoice = Invoice.find_to_change(id)
    check_sendable(standing.of(invoice))
    marking.unmark("invoice", invoice, _event_data(invoice))


def _event_data(invoice: Invoice) -> dict[str, Any]:
    return {"kind": invoice.kind, "number": invoice.number}
