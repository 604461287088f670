"""The papers of a quote, kept from the first time they are made: the quote, and the confirmation of the order."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from erp.attachments import stored
from erp.finance.contacts.models import Contact
from erp.finance.documents.store import FullInvoice, LineRow, Parts
from erp.finance.output import files, sources
from erp.finance.output.kept import Made
from erp.finance.output.paper import content, papers
from erp.finance.output.paper.content import Content, LineText
from erp.finance.output.paper.wording import Wording
from erp.finance.output.sources import Source
from erp.finance.quotes import accepted, drafts, taxes
from erp.finance.quotes.bodies import QuotePaperQuery
from erp.finance.quotes.models import Quote, QuoteFile, QuoteLine
from erp.kernel import caller, clock, places
from erp.kernel.errors import Busy, InvalidTransition
from erp.kernel.language import Word, says
from erp.store import control, events, workspace_settings
from erp.store.connections import STORAGE_ERRORS
from erp.web.schema import File

PDF = papers.PDF


def file_of(id: str, query: QuotePaperQuery, *, is_stored: bool = True) -> File:
    """A paper of a quote, for download. It is made outside of the transaction that stores it.

    Raises:
        InvalidTransition: an order confirmation is asked for, and the quote has not been accepted.
    """
    current = caller.current()
    assert current.workspace_id is not None
    with control.reading_own():
        quote = Quote.find(id)
        form = _form(quote, query.paper)
        if (present := QuoteFile.find_by(quote_id=id, form=form)) is not None:
            return _as_file(present)
        made = _made(quote, query.paper)
    if is_stored and made.is_final and not current.is_workspace_archived:
        with suppress(Busy, *STORAGE_ERRORS), control.open_workspace(current.workspace_id, write=True):
            return _as_file(QuoteFile.find_by(quote_id=id, form=form) or _keep(quote, form, made))
    return File(made.content, made.name, made.media_type)


def unkept(quote: Quote) -> Made | None:
    """The paper of an issued quote, to be kept before it is accepted; None if it has been kept."""
    return None if _find(quote) else _made(quote, "quote")


def kept(quote: Quote, made: Made | None) -> str:
    """The SHA-256 of the paper of a quote, which is kept now unless it has been: also without an address of a party."""
    row = _find(quote)
    if row is None:
        assert made is not None
        row = _keep(quote, "quote", made)
    return str(row.sha256)


def _find(quote: Quote) -> QuoteFile | None:
    return QuoteFile.find_by(quote_id=quote.id, form="quote")


def office_of(quote: Quote) -> str:
    """The name of the office on the paper of a quote."""
    seller = (quote.paper or {}).get("seller", {})
    return seller.get("legal_name") or workspace_settings.office_name()


def _form(quote: Quote, paper: str) -> str:
    """The name under which a paper is kept: each acceptance has a confirmation of its own."""
    if paper == "quote":
        return paper
    if quote.accepted_at is None:
        name = says("draft") if quote.number is None else quote.number
        raise InvalidTransition(says("{number} has not been accepted.", number=name))
    return f"{paper}.{quote.accepted_at}"


def _keep(quote: Quote, form: str, made: Made) -> QuoteFile:
    digest = stored.keep_bytes(made.content, made.media_type)
    row = QuoteFile.add(quote_id=quote.id, form=form, name=made.name, media_type=made.media_type, sha256=digest)
    data = {"number": quote.number, "form": form.partition(".")[0], "sha256": digest}
    events.write("quote.filed", "quote", quote.id, data)
    return row


def _as_file(row: QuoteFile) -> File:
    return File(stored.whole(row.sha256), row.name, row.media_type, headers={"X-Content-SHA256": row.sha256})


def _made(quote: Quote, paper: str) -> Made:
    """A paper as it is now; the paper of a draft is marked, and not stored."""
    is_order = paper == "order_confirmation"
    source = _source(quote, is_order=is_order)
    made_at = clock.parse((quote.accepted_at if is_order else quote.issued_at) or quote.updated_at)
    texts = _texts(quote, source, is_order=is_order)
    bytes_of = papers.printed(texts, source, made_at)
    name = f"{files.file_name(source.invoice)}{'-confirmation' if is_order else ''}.pdf"
    return Made(name, papers.PDF, bytes_of, quote.status != "draft" and papers.is_whole(source))


def _source(quote: Quote, *, is_order: bool) -> Source:
    """The data of a paper: the quote as the invoice that it would be, with all lines or with the accepted ones."""
    invoice, lines, adjustments = drafts.as_invoice(quote), quote.lines, quote.adjustments
    contact, others = Contact.find(quote.contact_id), [drafts.adjustment_row(row) for row in adjustments]
    if not is_order:
        parts = Parts([drafts.line_row(line) for line in lines], others, taxes.of_quote(quote, lines, adjustments))
        return sources.of_full(FullInvoice(invoice, parts), contact)
    chosen = [line for line in accepted.in_place(lines) if line.accepted_net is not None]
    others = [
        row._replace(amount=own.accepted_amount or 0, tax=own.accepted_tax or 0)
        for row, own in zip(others, adjustments, strict=True)
    ]
    rows = [_as_accepted(line, i) for i, line in enumerate(chosen)]
    amounts = sum(row.net for row in rows)
    off = sum(row.net + row.tax - row.gross for row in rows)
    invoice.subtotal = amounts
    invoice.discount_total = off + sum(row.amount for row in others if not row.is_charge)
    invoice.charge_total = sum(row.amount for row in others if row.is_charge)
    invoice.tax_total, invoice.total = quote.accepted_tax or 0, quote.accepted_total or 0
    invoice.rounding_amount = invoice.total - (quote.accepted_net or 0) - invoice.tax_total
    parts = Parts(rows, others, taxes.of_accepted(quote, chosen, adjustments))
    return sources.of_full(FullInvoice(invoice, parts), contact)


def _as_accepted(line: QuoteLine, position: int) -> LineRow:
    """A line with its share of the discount of what was accepted."""
    net, tax = line.accepted_net or 0, line.accepted_tax or 0
    return drafts.line_row(line)._replace(position=position, tax=tax, gross=net + tax)


def _texts(quote: Quote, source: Source, *, is_order: bool) -> Content:
    texts = content.of(source)
    words = texts.wording
    filled = _own_texts(quote, source, words, is_order=is_order)
    title = words.say(Word("Order confirmation") if is_order else Word("Quote"))
    numbered = " ".join(part for part in (title, quote.number) if part)
    if quote.revision > 1:
        numbered = f"{numbered}, {words.say(says('version {revision}', revision=quote.revision))}"
    return replace(
        texts,
        title=numbered,
        facts=list(_order_facts(quote, source, words) if is_order else _facts(quote, source, words)),
        lines=list(texts.lines) if is_order else _with_choices(quote.lines, texts.lines, words),
        remarks=[
            *content.tax_remarks(source, words),
            *(_answer(quote, words) if is_order else ()),
            *content.own_remarks(source),
        ],
        payment=[],
        qr=None,
        intro=_joined(quote.subject, filled["intro"]),
        closing=filled["closing"],
    )


def _own_texts(quote: Quote, source: Source, words: Wording, *, is_order: bool) -> dict[str, str | None]:
    """The texts above and below the lines, with the values of the quote in their places."""
    values = content.values(source, words) | {
        "due": None,
        "validUntil": words.day(quote.valid_until),
        "subject": quote.subject,
    }
    chosen = drafts.texts_of(quote, source.language, is_order=is_order)
    if quote.paper is not None and not is_order:
        chosen = quote.paper.get("texts", {})
    return {name: places.filled(chosen.get(name) or "", values).strip() or None for name in ("intro", "closing")}


def _joined(*texts: str | None) -> str | None:
    return "\n\n".join(text for text in texts if text) or None


def _facts(quote: Quote, source: Source, words: Wording) -> Iterator[tuple[str, str]]:
    if quote.number:
        yield words.say(Word("Number", "document")), quote.number
    yield words.say(Word("Date")), words.day(quote.issue_date)
    yield words.say(Word("Valid until")), words.day(quote.valid_until)
    yield from _service(quote.service_from, quote.service_to, words)
    yield from content.facts_of_reader(source, words)


def _order_facts(quote: Quote, source: Source, words: Wording) -> Iterator[tuple[str, str]]:
    """The facts of an order, with the day and the name of the yes."""
    yield words.say(Word("Quote")), f"{quote.number}, {words.day(quote.issue_date)}"
    yield words.say(Word("Ordered on")), words.day(quote.accepted_on)
    if quote.accepted_by:
        yield words.say(Word("Ordered by")), quote.accepted_by
    yield from _service(quote.service_from, quote.service_to, words)
    yield from content.facts_of_reader(source, words)


def _answer(quote: Quote, words: Wording) -> Iterator[str]:
    """An acceptance by share link: who and when, and which paper."""
    if quote.accepted_via != "link" or quote.accepted_at is None:
        return
    at = clock.parse(quote.accepted_at).astimezone(ZoneInfo(workspace_settings.time_zone()))
    yield words.say(
        says(
            "Accepted by link by {name} on {day} at {time} ({zone}): {number}, version {revision}. "
            "SHA-256 of the PDF: {sha256}",
            name=quote.accepted_by or "–",
            day=words.day(at.date()),
            time=f"{at:%H:%M:%S}",
            zone=workspace_settings.time_zone(),
            number=quote.number,
            revision=quote.revision,
            sha256=quote.accepted_paper_sha256,
        )
    )
    if quote.accepted_note:
        yield words.say(says("Note of the customer: {note}", note=quote.accepted_note))


def _service(start: date | None, end: date | None, words: Wording) -> Iterator[tuple[str, str]]:
    if end is not None:
        yield from content.service_fact(start, end, words)


def _with_choices(lines: Sequence[QuoteLine], shown: Sequence[LineText], words: Wording) -> list[LineText]:
    """The lines of a quote; an option says so, and its amount, in brackets, is in no sum."""
    return [
        text if line.option == "included" else replace(text, **_as_option(line, text, words))
        for line, text in zip(lines, shown, strict=True)
    ]


def _as_option(line: QuoteLine, text: LineText, words: Wording) -> dict[str, object]:
    note = says("Optional, not in the total")
    if line.option == "alternative":
        note = says("Alternative to item {position}, not in the total", position=line.alternative_to)
    return {"notes": [words.say(note), *text.notes], "amount": f"({text.amount})", "net": 0}
