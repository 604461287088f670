"""Quotes: drafted, issued, revised, declined, closed. Each figure is frozen from the issue on; nothing is posted."""

from collections.abc import Mapping
from typing import Any

from erp.finance.documents import drafts as documents
from erp.finance.documents import snapshot
from erp.finance.quotes import drafts, invoiced, reading
from erp.finance.quotes.bodies import NewQuote, QuoteChange, QuoteClose, QuoteDecline, early_end
from erp.finance.quotes.figures import compute
from erp.finance.quotes.invoiced import Invoiced, status_of
from erp.finance.quotes.models import AcceptedVia, Quote, QuoteAdjustment, QuoteLine
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import AlreadyExists, InUse, Invalid, InvalidTransition
from erp.kernel.language import Word, says
from erp.kernel.wire import wire_name
from erp.mail import marking
from erp.mail.marking import SentMark
from erp.store import changes, events, workspace_settings
from erp.store.records import WorkspaceTable
from erp.store.router import WORKSPACE

AMENDABLE = {"valid_until", "reference", "note"}
"""Fields that may change once a quote has been issued."""
ACCEPTANCE = ("at", "on", "by", "via", "note", "paper_sha256", "net", "tax", "total")
REFUSAL = ("declined_at", "declined_by", "declined_via", "decline_reason")


def create(body: NewQuote) -> Quote:
    """Save a draft.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        BadAlternative: a line names no included line to replace, or needs none.
        NothingIncluded: all lines are options.
    """
    complaints = Complaints()
    quote = drafts.write(compute(reading.quote(body, complaints), complaints))
    events.write("quote.draft", "quote", quote.id, event_data(quote))
    return quote


def change(id: str, body: QuoteChange) -> Quote:
    """Change a draft, or the last day, the reference and the note of an issued quote.

    Raises:
        InvalidTransition: it has been issued, and other fields are to change.
        Invalid: with a complaint for every field that is wrong.
    """
    quote = Quote.find_to_change(id)
    if quote.status != "draft":
        return _amend(quote, body.changes())
    complaints, are_new = Complaints(), "lines" in body.changes()
    line_ids = [line.id for line in body.lines] if isinstance(body.lines, list) else None
    if isinstance(body.lines, list):
        documents.check_line_ids([drafts.line_row(line) for line in quote.lines], body.lines, complaints)
    command = reading.quote(reading.changed(quote.terms, body), complaints, are_lines_new=are_new)
    drafts.rewrite(quote, compute(command, complaints), line_ids)
    changed = [wire_name(name) for name in body.changes()]
    events.write("quote.updated", "quote", id, event_data(quote) | {"changed": changed})
    return quote


def _amend(quote: Quote, values: dict[str, Any]) -> Quote:
    if values.keys() - AMENDABLE:
        message = says(
            "{number} has been issued. Only the last day of validity, the reference and the document text can still "
            "change.",
            number=quote.number,
        )
        raise InvalidTransition(message)
    if "valid_until" in values:
        if values["valid_until"] is None:
            raise Invalid.one("validUntil", "required", says("An issued quote must have a last day."))
        if wrong := list(early_end(quote.issue_date, values["valid_until"])):
            raise Invalid(wrong)
    if values := changes.differing(quote, values):
        data = {"number": quote.number, "changes": changes.before_and_after(quote, values)}
        quote.change(**values)
        events.write("quote.updated", "quote", quote.id, data)
    return quote


def remove(id: str) -> None:
    """Delete a draft; of a revision, the number stays with the revision before.

    Raises:
        InvalidTransition: it has been issued.
    """
    quote = Quote.find_to_change(id)
    check_removable(quote)
    quote.delete_instance()
    events.write("quote.deleted", "quote", id, event_data(quote))


def issue(id: str) -> Quote:
    """Give a draft its number, computed again as of today, and freeze it. The revision before is superseded.

    Raises:
        InvalidTransition: it has been issued, or the revision before has been accepted.
        Invalid: something that the draft names has changed.
    """
    quote = Quote.find_to_change(id)
    check_issuable(quote)
    before = _revision_before(quote)
    complaints = Complaints()
    command = reading.quote(reading.stored(quote.terms), complaints, are_lines_new=False)
    drafts.rewrite(quote, figures := compute(command, complaints))
    if before is not None:
        before.change(status="superseded")
    paper = snapshot.taken(drafts.as_invoice(quote), figures.figures.rates.values())
    number = (quote.number, quote.fiscal_year, quote.seq)
    if quote.number is None:
        number = workspace_settings.next_number("quote", quote.issue_date)
    quote.change(
        **dict(zip(("number", "fiscal_year", "seq"), number, strict=True)),
        status="issued",
        issued_at=clock.stamp(),
        paper=paper | {"texts": drafts.texts_of(quote, paper["language"])},
    )
    events.write("quote.issued", "quote", id, event_data(quote))
    return quote


def _revision_before(quote: Quote) -> Quote | None:
    if quote.revision == 1:
        return None
    return Quote.find_by(number=quote.number, revision=quote.revision - 1)


def revise(id: str) -> Quote:
    """Draft the next revision of a quote, under the same number.

    Raises:
        InvalidTransition: it is a draft, has been accepted, or is not the newest revision.
        AlreadyExists: there is such a draft.
    """
    original = Quote.find_to_change(id)
    check_revisable(original)
    if Quote.find_by(number=original.number, status="draft") is not None:
        raise AlreadyExists(says("{number} has a draft of its next version already.", number=original.number))
    own = {name: getattr(original, name) for name in ("number", "fiscal_year", "seq")}
    quote = _copy(original, **own, revision=original.revision + 1)
    events.write("quote.revised", "quote", quote.id, event_data(quote) | {"revisionOf": id})
    return quote


def duplicate(id: str) -> Quote:
    """Draft a quote like another one, of any status, dated today.

    Raises:
        UnknownReference: a record that it names has since been deleted.
        Invalid: a record that it names has since been archived.
    """
    quote = _copy(Quote.find_to_change(id))
    events.write("quote.draft", "quote", quote.id, event_data(quote) | {"duplicateOf": id})
    return quote


def _copy(original: Quote, **own: Any) -> Quote:
    """A draft with the lines and texts of another quote, without its dates."""
    request = reading.stored(original.terms)
    for name, value in (("issue_date", None), ("valid_until", None), ("currency", original.currency)):
        setattr(request, name, value)
    request.prices_include_tax = bool(original.prices_include_tax)
    request.reference, request.note = original.reference, original.note
    complaints = Complaints()
    return drafts.write(compute(reading.quote(request, complaints, are_lines_new=False), complaints), **own)


def decline(id: str, body: QuoteDecline, by: str | None = None) -> Quote:
    """Note that the customer said no; `by` is who said it by a share link.

    Raises:
        InvalidTransition: it is neither issued nor expired.
    """
    quote = Quote.find_to_change(id)
    check_declinable(quote)
    via: AcceptedVia = "office" if by is None else "link"
    values = dict(zip(REFUSAL, (clock.stamp(), by, via, body.reason), strict=True))
    quote.change(status="declined", **values)
    events.write("quote.declined", "quote", id, event_data(quote) | {"reason": body.reason, "via": via})
    return quote


def close(id: str, body: QuoteClose) -> Quote:
    """End an accepted quote of which the rest is not invoiced.

    Raises:
        InvalidTransition: it is not accepted, or all of it has been invoiced.
    """
    quote = Quote.find_to_change(id)
    check_closable(quote, invoiced.of(quote))
    quote.change(status="closed", closed_at=clock.stamp(), close_reason=body.reason)
    events.write("quote.closed", "quote", id, event_data(quote) | {"reason": body.reason})
    return quote


def reopen(id: str) -> Quote:
    """Take the last step back: a declined or accepted quote is issued again, a closed one accepted again.

    Raises:
        InvalidTransition: it is none of these.
        InUse: it is accepted, and an invoice bills it.
    """
    quote = Quote.find_to_change(id)
    check_reopenable(quote, invoiced.of(quote))
    if quote.status == "closed":
        quote.change(status="accepted", closed_at=None, close_reason=None)
    elif quote.status == "declined":
        quote.change(status="issued", **dict.fromkeys(REFUSAL))
    else:
        _forget_acceptance(quote)
    events.write("quote.reopened", "quote", id, event_data(quote))
    return quote


def _forget_acceptance(quote: Quote) -> None:
    for line in quote.lines:
        if line.accepted_net is not None:
            note_accepted(QuoteLine, line.id, {"accepted_net": None, "accepted_tax": None})
    for row in quote.adjustments:
        note_accepted(QuoteAdjustment, row.id, {"accepted_amount": None, "accepted_tax": None})
    quote.change(status="issued", is_above=False, **{f"accepted_{name}": None for name in ACCEPTANCE})


def mark_sent(id: str, body: SentMark) -> Quote:
    """Note that the quote has gone out, such as by post.

    Raises:
        InvalidTransition: it is a draft, or was sent.
        Invalid: the day is before the quote's, or after today.
    """
    quote = Quote.find_to_change(id)
    check_sendable(quote)
    marking.mark("quote", quote, quote.issue_date, body, event_data(quote))
    return quote


def note_mailed(id: str, via: str, at: str) -> None:
    """Note that a message with the quote has gone out; the first one counts."""
    quote = Quote.find_or_none(id)
    if quote is not None:
        marking.note("quote", quote, via, at, event_data(quote))


def unmark_sent(id: str) -> Quote:
    """Take back that the quote has gone out.

    Raises:
        InvalidTransition: it was not.
    """
    quote = Quote.find_to_change(id)
    marking.unmark("quote", quote, event_data(quote))
    return quote


def event_data(quote: Quote) -> dict[str, Any]:
    """The fields of every event of a quote."""
    return {
        "number": quote.number,
        "revision": quote.revision,
        "customerId": quote.contact_id,
        "total": money.text(quote.total, quote.currency),
        "currency": quote.currency,
    }


def note_accepted(table: type[WorkspaceTable], id: str, values: Mapping[str, int | None]) -> None:
    """Write the accepted amounts of a line or of an adjustment; the next event records them."""
    columns = ", ".join(f"{name} = ?" for name in values)
    WORKSPACE.run(f"UPDATE {table._meta.table_name} SET {columns} WHERE id = ?", (*values.values(), id))
    table.record_columns(id, values)


def check_removable(quote: Quote) -> None:
    """Refuse to delete a quote that has been issued."""
    if quote.status != "draft":
        message = says("{number} has been issued and cannot be deleted. Decline it instead.", number=quote.number)
        raise InvalidTransition(message)


def check_issuable(quote: Quote) -> None:
    """Refuse to issue a quote twice, or a revision of one that the customer has accepted."""
    if quote.status != "draft":
        raise InvalidTransition(says("{number} has already been issued.", number=quote.number))
    before = _revision_before(quote)
    if before is not None and before.status not in ("issued", "declined"):
        raise _wrong_step(before)


def check_revisable(quote: Quote) -> None:
    """Refuse to revise a quote that the customer may not answer any more."""
    _check_is(quote, ("issued", "declined"))


def check_acceptable(quote: Quote) -> None:
    """Refuse to accept a quote that is not out; one that has expired can still be accepted."""
    _check_is(quote, ("issued",))


def check_without_project(quote: Quote) -> None:
    """Refuse a project to a quote that is not accepted, or has one."""
    _check_is(quote, ("accepted",))
    if quote.project_id is not None:
        raise InvalidTransition(says("{number} has a project already.", number=quote.number))


def check_declinable(quote: Quote) -> None:
    _check_is(quote, ("issued",))


def check_closable(quote: Quote, bills: Invoiced) -> None:
    """Refuse to close a quote that has no rest to give up."""
    if quote.status != "accepted" or _status(quote, bills) == "invoiced":
        raise _wrong_step(quote, bills)


def check_reopenable(quote: Quote, bills: Invoiced) -> None:
    """Refuse to take back a step that was not taken, or that an invoice rests on."""
    if quote.status not in ("accepted", "declined", "closed"):
        raise _wrong_step(quote, bills)
    if quote.status == "accepted" and bills.live:
        message = says("{number} has invoices. Delete or void them first.", number=quote.number)
        raise InUse(message)


def check_invoiceable(quote: Quote) -> None:
    _check_is(quote, ("accepted",))


def check_sendable(quote: Quote) -> None:
    """Refuse to send a draft."""
    if quote.status == "draft":
        raise InvalidTransition(says("This quote is a draft. Issue it first."))


def check_mailable(quote: Quote) -> None:
    """Refuse to mail a draft, and a revision that a later one has replaced."""
    check_sendable(quote)
    if quote.status == "superseded":
        raise _wrong_step(quote)


def check_markable(quote: Quote) -> None:
    """Refuse to mark a draft, and what was sent."""
    check_sendable(quote)
    marking.check_unsent(quote.number, is_sent=quote.sent_at is not None)


def check_sent(quote: Quote) -> None:
    marking.check_sent(quote.number, is_sent=quote.sent_at is not None)


def _check_is(quote: Quote, statuses: tuple[str, ...]) -> None:
    if quote.status not in statuses:
        raise _wrong_step(quote)


def _wrong_step(quote: Quote, bills: Invoiced | None = None) -> InvalidTransition:
    if quote.status == "draft":
        return InvalidTransition(says("This quote is a draft. Issue it first."))
    status = _status(quote, invoiced.of(quote) if bills is None else bills)
    return InvalidTransition(
        says("{number} is {status}, so that this is not possible.", number=quote.number, status=Word.of(status))
    )


def _status(quote: Quote, bills: Invoiced) -> str:
    return status_of(quote, bills, workspace_settings.today())


def check_left(quote: Quote, bills: Invoiced) -> None:
    """Refuse to invoice a quote of which nothing is left; only `force` goes above it."""
    if quote.status != "accepted" or _status(quote, bills) == "invoiced":
        raise _wrong_step(quote, bills)
