"""Account statements by mail, as PDF."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar

from msgspec.structs import replace

from erp.finance.contacts import contacts
from erp.finance.contacts.models import Contact
from erp.finance.output.paper.wording import Wording
from erp.finance.reports import statements
from erp.finance.reports.period import ReportPeriod, reversed_days
from erp.finance.reports.statements import ContactStatement
from erp.kernel import money
from erp.kernel.errors import Complaint
from erp.kernel.language import spoken
from erp.mail import sending
from erp.mail.bodies import Send
from erp.mail.messages import AttachedFile, Draft
from erp.mail.sending import REFUSES, Letter
from erp.mail.views import MessageDraftView, MessageView, shown_message
from erp.store import control, workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Day


class SendStatement(Send, kw_only=True):
    """The days of a statement to send."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"dateFrom": "2026-01-01", "dateTo": "2026-03-31"}

    date_from: Day
    date_to: Day

    def check(self) -> Iterable[Complaint]:
        yield from super().check()
        yield from reversed_days(self.date_from, self.date_to)


def prepare(body: SendStatement, id: str) -> Draft:
    """Compose the message before the transaction that queues it: the PDF has to be made."""
    with control.reading_own():
        return sending.draft_of(_letter(Contact.find(id), body), body)


def _letter(contact: Contact, body: SendStatement) -> Letter:
    language = body.language or spoken(contact.language or "") or workspace_settings.paper_language()
    settings = workspace_settings.current()
    words = Wording(language, settings.base_currency, settings.country)
    query = ReportPeriod(date_from=body.date_from, date_to=body.date_to, format="pdf", language=language)
    statement = statements.of(contact, query)
    file = statement.file("pdf", query)
    assert file is not None
    assert isinstance(file.content, bytes)
    values = {
        "period": _period(words, body.date_from, body.date_to),
        "date": words.day(body.date_to),
        "open": _open(statement, words),
        "customer": contact.name,
    }
    return Letter(
        kind="statement",
        resource=("contact", contact.id, contact.debtor_number or contact.creditor_number),
        text="statement",
        language=language,
        to=contacts.addresses_for(contact, "statement"),
        values=values,
        files=[AttachedFile(file.name, "application/pdf", file.content)],
    )


def _open(statement: ContactStatement, words: Wording) -> str:
    """The closing balance of each currency."""
    amounts = ((block.currency, money.minor(Decimal(block.closing), block.currency)) for block in statement.blocks)
    return ", ".join(replace(words, currency=currency).money(amount) for currency, amount in amounts)


def _period(words: Wording, first: date, last: date) -> str:
    return f"{words.day(first)} – {words.day(last)}"


class SendResource:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=REFUSES,
        prepare=prepare,
    )
    def on_post(self, id: str, body: SendStatement, prepared: Draft) -> MessageView | MessageDraftView:
        """Send a contact its account statement by e-mail, as PDF.

        It goes to the contact's `recipients` for statements, else to its `email`.
        """
        Contact.find_to_change(id)
        return shown_message(sending.send(prepared, body))
