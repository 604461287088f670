"""Reminders by mail, as PDF."""

from erp.finance.contacts import contacts, heads
from erp.finance.contacts.models import Contact
from erp.finance.dunning import letters, pdf
from erp.finance.dunning.models import Reminder
from erp.mail import sending
from erp.mail.bodies import Send
from erp.mail.messages import AttachedFile, Draft
from erp.mail.models import Message
from erp.mail.sending import Letter
from erp.store import control
from erp.web.schema import File


def prepare(body: Send, id: str) -> Draft:
    """Compose the message of a letter, before the transaction that queues it: its PDF may have to be made.

    Raises:
        NotFound, InvalidTransition: there is no such letter, or it is undone.
        Invalid: it has no recipient.
    """
    with control.reading_own():
        letters.check_made(Reminder.find(id))
    file = pdf.file_of(id, is_stored=not body.dry_run)
    with control.reading_own():
        return sending.draft_of(_letter(Reminder.find(id), file), body)


def _letter(reminder: Reminder, file: File) -> Letter:
    assert isinstance(file.content, bytes)
    values = pdf.values(reminder)
    for name in ("office", "sender"):
        del values[name]  # of a message they are the office and the person who sends it
    return Letter(
        kind="reminder",
        resource=("reminder", reminder.id, reminder.number),
        text=letters.TEXTS[reminder.level - 1],
        language=reminder.paper["language"],
        to=contacts.addresses_for(Contact.find(heads.of(reminder.contact_id)), "reminder"),
        values=values,
        files=[AttachedFile(file.name, pdf.MEDIA_TYPE, file.content)],
    )


def send(id: str, draft: Draft, body: Send) -> Message | Draft:
    """Queue or prepare the message of a letter that stands.

    Raises:
        InvalidTransition: it is undone.
        JustSent, MailNotSetUp: it is not sent.
    """
    letters.check_made(Reminder.find_to_change(id))
    return sending.send(draft, body)
