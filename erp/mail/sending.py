"""A letter of an area becomes a message: recipients, text and files, checked all at once.

An area says in a `Letter` how its record goes out. `prepared` composes outside of the transaction that stores it.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from erp.kernel import caller
from erp.kernel.errors import Complaint, Invalid, SampleData
from erp.kernel.language import says, spoken
from erp.kernel.places import filled
from erp.mail import messages, settings, texts
from erp.mail.bodies import LONGEST_TEXT, Send
from erp.mail.following import MAY_SEND, PLACE
from erp.mail.messages import AttachedFile, Draft, JustSent
from erp.mail.models import Message
from erp.mail.settings import MailNotSetUp, of_address
from erp.mail.texts import TextKind
from erp.store import workspace_settings

MOST_BYTES = 20 << 20

REFUSES = (MailNotSetUp, JustSent, SampleData)


class Letter(NamedTuple):
    """The way of a record to its reader.

    Attributes:
        resource: its type, id and number.
        text: the kind of text, which may differ from the kind of message.
        language: of its reader.
        to: addresses by default.
        values: for the places of the text; `office` and `sender` are always the office and the person who sends it.
        files: the attachments.
        has_link: whether it brings a secret link, new at each try.
    """

    kind: str
    resource: tuple[str, str, str | None]
    text: TextKind
    language: str
    to: Sequence[str]
    values: Mapping[str, str | None]
    files: Sequence[AttachedFile] = ()
    once_key: str | None = None
    has_link: bool = False

    @property
    def is_for_one_reader(self) -> bool:
        return self.has_link and self.kind in MAY_SEND


def draft_of(letter: Letter, body: Send) -> Draft:
    """Compose a message, in the workspace that is open.

    Raises:
        Invalid: it has no recipient, or cannot be sent so.
    """
    server = settings.find()
    copy_to = None if server is None or letter.is_for_one_reader else server.copy_to
    recipients = _recipients(letter, body, copy_to)
    subject, text = _written(letter, body)
    if complaints := [*_complaints(letter, recipients), *_of_text(subject, text)]:
        raise Invalid(complaints)
    return Draft(
        kind=letter.kind,
        resource=letter.resource,
        via=body.via or ("eml" if server is None else "smtp"),
        sender=messages.sender_of(server),
        recipients=recipients,
        subject=subject,
        text=text,
        files=letter.files,
        once_key=letter.once_key,
        has_link=letter.has_link,
    )


def _recipients(letter: Letter, body: Send, copy_to: str | None) -> list[tuple[str, str]]:
    named = [("to", address) for address in (letter.to if body.to is None else body.to)]
    named += [("cc", address) for address in body.cc]
    hidden = [copy_to, caller.current().email if body.copy_to_self else None]
    named += [("bcc", address) for address in hidden if address]
    first: dict[str, tuple[str, str]] = {}
    for role, address in named:
        first.setdefault(address.lower(), (role, address))
    return list(first.values())


def _written(letter: Letter, body: Send) -> tuple[str, str]:
    text = texts.lookup(letter.text, body.language or spoken(letter.language) or "en")
    places = {**letter.values, "office": _office(), "sender": caller.current().name}
    subject = body.subject or " ".join(filled(text.subject, {**places, "link": ""}).split())
    if letter.has_link:
        places["link"] = PLACE
    written = body.text or filled(text.text, places).strip()
    if letter.has_link and PLACE not in written:
        written += f"\n\n{PLACE}"
    return subject[:200], written


def _office() -> str:
    return workspace_settings.current().legal_name or workspace_settings.office_name()


def _complaints(letter: Letter, recipients: Sequence[tuple[str, str]]) -> Iterator[Complaint]:
    if not any(role == "to" for role, _ in recipients):
        yield Complaint("to", "no_recipient", says("There is no e-mail address. Name one."))
    places = {"to": 0, "cc": 0}
    for role, address in recipients:
        if role != "bcc":
            yield from of_address(address, f"{role}[{places[role]}]")
            places[role] += 1
    hidden = (of_address(address, "copyToSelf") for role, address in recipients if role == "bcc")
    yield from itertools.islice(itertools.chain.from_iterable(hidden), 1)
    if sum(len(file.content) for file in letter.files) > MOST_BYTES:
        yield Complaint("attach", "too_large", says("The files of a message may have 20 MiB together."))


def _of_text(subject: str, text: str) -> Iterator[Complaint]:
    if not subject:
        yield Complaint("subject", "required", says("This field is required."))
    if len(text) > LONGEST_TEXT:
        yield Complaint("text", "too_long", says("Must have at most {most} characters.", most=LONGEST_TEXT))


def send(draft: Draft, body: Send) -> Message | Draft:
    """Store a message; the draft itself if the body asks only to see it.

    Raises:
        JustSent, MailNotSetUp, SampleData: it is not sent.
    """
    return draft if body.dry_run else messages.add(draft, force=body.force)
