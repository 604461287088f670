"""Quotes by mail: their letter, with the paper that is kept."""

from erp.finance.contacts import contacts, heads
from erp.finance.contacts.models import Contact
from erp.finance.output.paper.wording import Wording
from erp.finance.quotes import papers, quotes
from erp.finance.quotes.bodies import QuotePaperQuery
from erp.finance.quotes.models import Quote
from erp.kernel.language import spoken
from erp.mail import sending
from erp.mail.bodies import Send, SendShared
from erp.mail.messages import AttachedFile, Draft
from erp.mail.models import Message
from erp.mail.sending import Letter
from erp.projects.models import Project
from erp.share_links import links
from erp.store import control, workspace_settings


def check(id: str) -> None:
    """Refuse a quote that cannot be sent, with its workspace open.

    Raises:
        NotFound, InvalidTransition: there is no such quote, or it is a draft or superseded.
    """
    quotes.check_mailable(Quote.find(id))


def prepare(body: SendShared, id: str) -> Draft:
    """Compose the message of a quote, before the transaction that queues it: its PDF may have to be made.

    Raises:
        NotFound, InvalidTransition: there is no such quote, or it cannot be sent.
        SharingOff, Superseded: it is to bring a link, and is not shared.
        Invalid: it has no recipient.
    """
    with control.reading_own():
        if body.with_link:
            links.check("quote", id)
        check(id)
    paper = papers.file_of(id, QuotePaperQuery(), is_stored=not body.dry_run)
    assert isinstance(paper.content, bytes)
    file = AttachedFile(paper.name, papers.PDF, paper.content)
    with control.reading_own():
        return sending.draft_of(_letter(Quote.find(id), file, body), body)


def _letter(quote: Quote, file: AttachedFile, body: SendShared) -> Letter:
    contact = Contact.find(heads.of(quote.contact_id))
    language = body.language or spoken(contact.language or "") or workspace_settings.paper_language()
    words = Wording(language, quote.currency, workspace_settings.current().country)
    project = Project.find_or_none(quote.project_id) if quote.project_id else None
    values = {
        "number": quote.number or "",
        "date": words.day(quote.issue_date),
        "validUntil": words.day(quote.valid_until),
        "total": words.money(quote.total),
        "subject": quote.subject or "",
        "customer": quote.contact_name,
        "reference": quote.reference or "",
        "project": "" if project is None else project.name,
    }
    to = contacts.addresses_for(contact, "quote")
    resource = ("quote", quote.id, quote.number)
    return Letter("quote", resource, "quote", language, to, values, [file], has_link=body.with_link)


def send(draft: Draft, body: Send) -> Message | Draft:
    """Queue or prepare the message of a quote that can still be sent."""
    check(draft.resource[1])
    return sending.send(draft, body)
