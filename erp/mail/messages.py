"""Messages: queued or prepared, and the acts of people on them; the sender's are in `erp.mail.tries`."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Literal, NamedTuple

from erp.attachments import stored
from erp.kernel import caller, clock
from erp.kernel.errors import Conflict, InvalidTransition, NotFound, Refusal
from erp.kernel.language import Word, says
from erp.mail import rights, settings
from erp.mail.following import MAY_SEND, SENDABLE, SENT
from erp.mail.models import MailSettings, Message, MessageFile, MessageStatus
from erp.mail.waking import watch
from erp.share_links import mailed
from erp.share_links.subjects import SUBJECTS
from erp.store import control, events
from erp.store.records import new_id

JUST_SENT = timedelta(minutes=5)

Action = Literal["cancel", "confirm_sent", "discard", "hand_over", "retry"]


class JustSent(Conflict):
    """The same was sent to the same addresses a few minutes ago. Send it again only on purpose."""


class AttachedFile(NamedTuple):
    """A file that goes with a message."""

    name: str
    media_type: str
    content: bytes


class Draft(NamedTuple):
    """A message before it is stored. `once_key` names what is made only once, such as the notices of a day."""

    kind: str
    resource: tuple[str, str, str | None]
    via: str
    sender: dict[str, str | None]
    recipients: list[tuple[str, str]]
    subject: str
    text: str
    files: Sequence[AttachedFile] = ()
    once_key: str | None = None
    has_link: bool = False


def add(draft: Draft, *, force: bool = False) -> Message:
    """Queue a message, or prepare it for the caller's own mail program.

    Raises:
        JustSent: the same went to the same addresses within five minutes.
        MailNotSetUp: the workspace has no mail server.
        SampleData: its data is made up.
    """
    control.refuse_sample()
    if draft.via == "smtp":
        settings.needed()
    if not force:
        _check_not_just_sent(draft)
    return _add(draft, None, [_kept(file) for file in draft.files])


def _kept(file: AttachedFile) -> dict[str, Any]:
    sha256 = stored.keep_bytes(file.content, file.media_type)
    return {"name": file.name, "media_type": file.media_type, "size": len(file.content), "sha256": sha256}


def _add(draft: Draft, retry_of_id: str | None, files: Sequence[dict[str, Any]]) -> Message:
    type, id, number = draft.resource
    is_queued = draft.via == "smtp"
    message = Message.add(
        kind=draft.kind,
        resource_type=type,
        resource_id=id,
        resource_number=number,
        via=draft.via,
        status="queued" if is_queued else "prepared",
        sender=draft.sender,
        recipients=[list(pair) for pair in draft.recipients],
        subject=draft.subject,
        text=draft.text,
        has_link=draft.has_link,
        message_id=f"<{new_id()}@{_domain(draft.sender)}>",
        once_key=draft.once_key,
        next_at=clock.stamp() if is_queued else None,
        retry_of_id=retry_of_id,
    )
    for position, file in enumerate(files):
        MessageFile.create(message=message.id, position=position, **file)
    _log(message)
    if is_shared(message):
        mailed.hold(message.kind, message.resource_id, message.id, retry_of_id)
    watch()
    return message


def is_shared(message: Message) -> bool:
    """Whether it brings a share link."""
    return bool(message.has_link) and message.kind in SUBJECTS


def _domain(sender: dict[str, str | None]) -> str:
    domain = (sender["address"] or "@localhost").rpartition("@")[2]
    return domain.encode("idna").decode()


_RECENT = (
    "SELECT * FROM message WHERE resource_id = ? AND kind = ? AND created_at > ?"
    " AND status NOT IN ('failed', 'cancelled', 'discarded')"
)


def _check_not_just_sent(draft: Draft) -> None:
    since = clock.stamp(clock.now() - JUST_SENT)
    addresses = {address.lower() for role, address in draft.recipients if role != "bcc"}
    for recent in Message.fetch(_RECENT, draft.resource[1], draft.kind, since):
        if {address.lower() for address in recent.addresses("to", "cc")} == addresses:
            raise JustSent


def find(id: str) -> Message:
    """A message that the caller may see.

    Raises:
        NotFound: there is none.
    """
    message = Message.find(id)
    if message.kind not in rights.readable():
        raise NotFound(Message.noun.missing())
    return message


def find_to_change(id: str) -> Message:
    """A message that the caller may send, in the version that they expect.

    Raises:
        NotFound, Forbidden: they may not see it, or not send such messages.
    """
    message = find(id)
    if not rights.may_change(message.kind):
        raise caller.refusal(rights.RIGHTS[message.kind].write)
    if message.kind in MAY_SEND:
        MAY_SEND[message.kind](message.resource_id)
    message.check_version()
    return message


def actions(message: Message) -> list[Action]:
    """The caller's actions on a message."""
    if not _may_change(message):
        return []
    return caller.passing({name: lambda check=check: check(message) for name, check in CHECKS.items()})  # type: ignore[misc]


def _may_change(message: Message) -> bool:
    if not rights.may_change(message.kind):
        return False
    try:
        if (check := MAY_SEND.get(message.kind)) is not None:
            check(message.resource_id)
    except Refusal:
        return False
    return True


def _check_in(message: Message, *statuses: MessageStatus) -> None:
    if message.status not in statuses:
        raise InvalidTransition(
            says("This does not go with the status of the message: {status}.", status=Word.of(message.status))
        )


def _check_retry(message: Message) -> None:
    _check_in(message, "failed", "unsure")
    if Message.find_by(retry_of_id=message.id) is not None:
        raise InvalidTransition(says("This message was sent again already."))
    if is_shared(message):
        mailed.check(message.id)
    if (check_sendable := SENDABLE.get(message.kind)) is not None:
        check_sendable(message.resource_id)


CHECKS: dict[Action, Callable[[Message], None]] = {
    "cancel": lambda message: _check_in(message, "queued", "waiting"),
    "confirm_sent": lambda message: _check_in(message, "unsure"),
    "discard": lambda message: _check_in(message, "prepared"),
    "hand_over": lambda message: _check_in(message, "prepared"),
    "retry": _check_retry,
}


def _checked(id: str, action: Action) -> Message:
    message = find_to_change(id)
    CHECKS[action](message)
    return message


def cancel(id: str) -> Message:
    """Do not send a message that has not gone out."""
    return _given_up(move(_checked(id, "cancel"), "cancelled", next_at=None))


def discard(id: str) -> Message:
    """Set a prepared message aside."""
    return _given_up(move(_checked(id, "discard"), "discarded"))


def _given_up(message: Message) -> Message:
    if is_shared(message):
        mailed.give_up(message.id)
    return message


def hand_over(id: str) -> Message:
    """Note that the caller's own mail program has sent a prepared message."""
    return mark_sent(_checked(id, "hand_over"), "handed_over")


def confirm_sent(id: str) -> Message:
    """Note that an unsure message has gone out."""
    message = _checked(id, "confirm_sent")
    return mark_sent(message, "sent", problem=None, outcomes=_accepted(message))


def _accepted(message: Message) -> dict[str, Any]:
    return {
        address: message.outcomes.get(address, ["accepted", None])
        if message.outcomes.get(address, ["pending"])[0] == "refused"
        else ["accepted", None]
        for address in message.addresses()
    }


def retry(id: str) -> Message:
    """Send the content of a message again, as a new message.

    Raises:
        InvalidTransition: it neither failed nor is unsure, was sent again already, or its record can no longer be sent.
        Superseded: its quote is, of which it brings a link.
        SharingOff: it brings a link, and the workspace does not share.
        MailNotSetUp: the workspace has no mail server any more.
    """
    message = _checked(id, "retry")
    server = settings.needed()
    draft = Draft(
        kind=message.kind,
        resource=(message.resource_type, message.resource_id, message.resource_number),
        via="smtp",
        sender=sender_of(server),
        recipients=[(role, address) for role, address in message.recipients],
        subject=message.subject,
        text=message.text,
        has_link=message.has_link,
    )
    message.change()
    return _add(draft, message.id, [_columns(file) for file in files_of(message.id)])


def _columns(file: MessageFile) -> dict[str, Any]:
    return {name: getattr(file, name) for name in ("name", "media_type", "size", "sha256")}


def sender_of(server: MailSettings | None) -> dict[str, str | None]:
    """The sender of a message by the settings of the workspace; without a mail server, none."""
    if server is None:
        return {"address": None, "name": None, "reply_to": None}
    return {"address": server.from_address, "name": server.from_name, "reply_to": server.reply_to}


def files_of(message_id: str) -> list[MessageFile]:
    """The files of a message, in their order."""
    return MessageFile.fetch("SELECT * FROM message_file WHERE message_id = ? ORDER BY position", message_id)


def mark_sent(message: Message, status: Literal["sent", "handed_over"], **values: object) -> Message:
    """Note that a message has gone out, and tell the area of its record."""
    at = clock.stamp()
    move(message, status, sent_at=at, **values)
    if (note_sent := SENT.get(message.kind)) is not None:
        note_sent(message.resource_id, message.via, at)
    return message


def move(message: Message, status: MessageStatus, **values: object) -> Message:
    """Give a message another status, and log it."""
    message.change(status=status, **values)
    _log(message)
    return message


def _log(message: Message) -> None:
    """An event says nothing that names a person: no addresses, subject, text, or words of the mail server."""
    data: dict[str, Any] = {
        "kind": message.kind,
        "number": message.resource_number,
        "recipients": len(message.recipients),
        "hashes": [file.sha256 for file in files_of(message.id)],
    }
    if message.reply is not None and message.reply[:3].isdigit():
        data["replyCode"] = int(message.reply[:3])
    events.write(f"message.{message.status}", "message", message.id, data)


IN_TROUBLE = """status IN ('failed', 'unsure')
    AND NOT EXISTS (SELECT 1 FROM message AS later WHERE later.retry_of_id = {id})"""
"""The condition of messages that someone must look into, and that were not sent again."""
