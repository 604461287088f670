"""Whether a document has gone out: noted by the first message that has, or said by a person."""

from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Literal
from zoneinfo import ZoneInfo

from msgspec import Meta

from erp.finance.documents import standing
from erp.finance.documents.models import PURCHASES, Invoice
from erp.finance.documents.standing import Standing
from erp.kernel import clock
from erp.kernel.errors import Invalid, InvalidTransition
from erp.kernel.language import says
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Day
from erp.web.schema import Body


class SentMark(Body):
    """The way and the day of a document to its customer, other than by mail."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"via": "post"}

    on: Annotated[Day, Meta(description="By default today.")] | None = None
    via: Literal["post", "link", "other"] = "post"


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
    if document.is_sent:
        raise InvalidTransition(says("This document is marked as sent already."))


def check_unmarkable(document: Standing) -> None:
    """Refuse a document that was not sent."""
    check_sendable(document)
    if not document.is_sent:
        raise InvalidTransition(says("This document is not marked as sent."))


_NOTE = "UPDATE invoice SET sent_at = ?, sent_via = ? WHERE id = ? AND sent_at IS NULL"


def note(id: str, via: str, at: str) -> None:
    """Note that a message with the document has gone out; the first one counts."""
    WORKSPACE.run(_NOTE, (at, via, id))


def mark(id: str, body: SentMark) -> None:
    """Note that a document has gone out, such as by post.

    Raises:
        InvalidTransition: it cannot be sent, or was.
        Invalid: the day is to come.
    """
    invoice = Invoice.find_to_change(id)
    check_markable(standing.of(invoice))
    if body.on is not None and body.on > workspace_settings.today():
        raise Invalid.one("on", "in_future", says("Must not be after today."))
    invoice.change(sent_at=_instant(body.on), sent_via=body.via)
    _log(invoice, "invoice.sent")


def _instant(day: date | None) -> str:
    """The present instant, or the start of an earlier day in the office."""
    if day is None or day == workspace_settings.today():
        return clock.stamp()
    return clock.stamp(datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(workspace_settings.time_zone())))


def unmark(id: str) -> None:
    """Take back that a document has gone out.

    Raises:
        InvalidTransition: it was not.
    """
    invoice = Invoice.find_to_change(id)
    check_unmarkable(standing.of(invoice))
    via = invoice.sent_via
    invoice.change(sent_at=None, sent_via=None)
    _log(invoice, "invoice.unsent", via)


def _log(invoice: Invoice, type: str, via: str | None = None) -> None:
    data = {"kind": invoice.kind, "number": invoice.number, "via": via or invoice.sent_via}
    events.write(type, "invoice", invoice.id, data)
