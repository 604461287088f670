"""Reminders by mail, as PDF, one or several."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from erp.finance.contacts import contacts, heads
from erp.finance.contacts.models import Contact
from erp.finance.dunning import letters, pdf
from erp.finance.dunning.models import Reminder
from erp.mail import sending, several
from erp.mail.bodies import Send
from erp.mail.messages import AttachedFile, Draft
from erp.mail.models import Message
from erp.mail.sending import Letter
from erp.store import control
from erp.web.scalars import Id
from erp.web.schema import File


class SendReminders(Send, kw_only=True):
    """Letters to send, each in a message of its own."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"reminderIds": ["0199d6a2-7c00-7000-8000-000000000001"]}

    reminder_ids: Annotated[list[Id], Meta(min_length=1, max_length=100)]


def check(id: str) -> None:
    """Refuse a letter that cannot be sent, with its workspace open.

    Raises:
        NotFound, InvalidTransition: there is no such letter, or it is undone.
    """
    letters.check_made(Reminder.find(id))


def prepare(body: Send, id: str) -> Draft:
    """Compose the message of a letter, before the transaction that queues it: its PDF may have to be made.

    Raises:
        NotFound, InvalidTransition: there is no such letter, or it is undone.
        Invalid: it has no recipient.
    """
    with control.reading_own():
        check(id)
    file = pdf.file_of(id, is_stored=not body.dry_run)
    with control.reading_own():
        return sending.draft_of(_letter(Reminder.find(id), file, body.language), body)


def prepare_all(body: SendReminders) -> list[Draft]:
    """Compose the messages of several letters.

    Raises:
        Invalid: of some, with the row and the customer of each.
    """
    with control.reading_own():
        names = {id: letter.contact_name for id in body.reminder_ids if (letter := Reminder.find_or_none(id))}
    return several.each(body.reminder_ids, lambda id: prepare(body, id), several.in_rows("reminderIds", names.get))


def _letter(reminder: Reminder, file: File, language: str | None) -> Letter:
    assert isinstance(file.content, bytes)
    return Letter(
        kind="reminder",
        resource=("reminder", reminder.id, reminder.number),
        text=letters.TEXTS[reminder.level - 1],
        language=reminder.paper["language"],
        to=contacts.addresses_for(Contact.find(heads.of(reminder.contact_id)), "reminder"),
        values=pdf.values(reminder, language),
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


def send_all(drafts: list[Draft], body: SendReminders) -> list[Message | Draft]:
    """Queue or prepare the messages of letters, all or none.

    Raises:
        Invalid: some are undone, or went out just now, with their rows.
    """
    return several.each(
        drafts,
        lambda draft: send(draft.resource[1], draft, body),
        several.in_rows("reminderIds", lambda draft: draft.resource[2]),
    )
