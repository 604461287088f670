"""Views of the mail server and of messages."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Annotated, get_args
from zoneinfo import ZoneInfo

from msgspec import Meta
from peewee import SQL

from erp.kernel import clock
from erp.mail import messages, rights, sealing
from erp.mail.bodies import MessageFilter
from erp.mail.messages import Action, Draft
from erp.mail.models import (
    MailSettings,
    Message,
    MessageFile,
    MessageKind,
    MessageStatus,
    PauseReason,
    Problem,
    RecipientStatus,
    Role,
    Security,
    Via,
)
from erp.mail.settings import find
from erp.store import sql, workspace_settings
from erp.store.event_types import ResourceType
from erp.store.sql import among
from erp.web.paging import page, several
from erp.web.scalars import Instant
from erp.web.schema import Page, RecordView, View, show

HasLink = Annotated[
    bool, Meta(description="Whether `{link}` in the text is the place of a secret link, which is new at each try.")
]


class MailView(View):
    """The mail server of the workspace; without one, `host` is null."""

    version: int
    host: str | None
    port: int
    security: Security
    user_name: str | None
    has_password: Annotated[bool, Meta(description="Whether a password is kept; it is never shown.")]
    from_address: str | None
    from_name: str | None
    reply_to: str | None
    copy_to: str | None
    certificate: str | None
    per_hour: int
    is_paused: Annotated[bool, Meta(description="Whether nothing is sent until the settings change, or you resume.")]
    pause_reason: PauseReason | None

    @classmethod
    def current(cls) -> "MailView":
        """The settings of the open workspace."""
        settings = find() or MailSettings(version=0, host=None, from_address=None)
        has_password = sealing.has(sealing.MAIL)
        return show(cls, settings, has_password=has_password, is_paused=settings.pause_reason is not None)


class RecipientView(View):
    """A recipient, and the answer of the mail server to it."""

    address: str
    status: RecipientStatus
    reply: str | None


class MessageFileView(View):
    """A file of a message; `sha256` is its hash."""

    name: str
    media_type: str
    size: int
    sha256: str


class MessageResource(View):
    """The record that a message is about."""

    type: ResourceType
    id: str
    number: str | None


class MessageDraftView(View):
    """A message that is composed, and not stored."""

    kind: MessageKind
    resource: MessageResource
    via: Via
    to: list[RecipientView]
    cc: list[RecipientView]
    subject: str
    text: str
    has_link: HasLink
    attachments: list[MessageFileView]

    @classmethod
    def of(cls, draft: Draft) -> "MessageDraftView":
        files = [
            MessageFileView(
                name=file.name,
                media_type=file.media_type,
                size=len(file.content),
                sha256=sha256(file.content).hexdigest(),
            )
            for file in draft.files
        ]
        return show(
            cls,
            draft,
            resource=_resource(*draft.resource),
            to=[
                RecipientView(address=at, status="pending", reply=None) for role, at in draft.recipients if role == "to"
            ],
            cc=[
                RecipientView(address=at, status="pending", reply=None) for role, at in draft.recipients if role == "cc"
            ],
            attachments=files,
        )


class MessageView(RecordView):
    """A message. `sent` says that the mail server has it, not that it arrived: bounces are not seen."""

    created_by: str | None
    created_by_name: str | None
    kind: MessageKind
    resource: MessageResource
    via: Via
    status: Annotated[
        MessageStatus,
        Meta(
            description="`waiting` is tried again at `nextAt`. `unsure` may have arrived: it is never sent again by"
            " itself. `prepared` is a file for your own mail program, which sends it."
        ),
    ]
    to: list[RecipientView]
    cc: list[RecipientView]
    subject: str
    text: str
    has_link: HasLink
    attachments: list[MessageFileView]
    message_id: Annotated[str, Meta(description="The header Message-ID, the same at every try.")]
    tries: int
    next_at: Instant | None
    problem: Annotated[Problem | None, Meta(description="The reason why it has not gone out, or is unsure.")]
    reply: Annotated[str | None, Meta(description="The last reply of the mail server.")]
    sent_at: Instant | None
    retry_of_id: Annotated[str | None, Meta(description="The message of which this is another try.")]
    can: Annotated[list[Action], Meta(description="Actions open to you now.")]

    @classmethod
    def of(cls, message: Message) -> "MessageView":
        return cls.of_many([message])[0]

    @classmethod
    def of_many(cls, shown: Sequence[Message]) -> "list[MessageView]":
        files: dict[str, list[MessageFileView]] = {}
        query = "SELECT * FROM message_file WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY position"
        for file in MessageFile.fetch(query, sql.array(message.id for message in shown)):
            files.setdefault(file.message_id, []).append(show(MessageFileView, file))
        return [cls._of(message, files.get(message.id, [])) for message in shown]

    @classmethod
    def _of(cls, message: Message, files: list[MessageFileView]) -> "MessageView":
        return show(
            cls,
            message,
            resource=_resource(message.resource_type, message.resource_id, message.resource_number),
            to=_recipients(message, "to"),
            cc=_recipients(message, "cc"),
            attachments=files,
            can=messages.actions(message),
        )


class SentMessages(View):
    """Messages that were queued or prepared together."""

    messages: list[MessageView]


class MessageDrafts(View):
    """Messages that would be sent together."""

    messages: list[MessageDraftView]


def shown_message(sent: Message | Draft) -> MessageView | MessageDraftView:
    """A message, or what it would be."""
    return MessageView.of(sent) if isinstance(sent, Message) else MessageDraftView.of(sent)


def shown_all(sent: Sequence[Message | Draft]) -> SentMessages | MessageDrafts:
    """Several messages, or what they would be."""
    stored = [message for message in sent if isinstance(message, Message)]
    if len(stored) == len(sent):
        return SentMessages(messages=MessageView.of_many(stored))
    return MessageDrafts(messages=[MessageDraftView.of(draft) for draft in sent if isinstance(draft, Draft)])


def _resource(type: ResourceType, id: str, number: str | None) -> MessageResource:
    return MessageResource(type=type, id=id, number=number)


def _recipients(message: Message, role: Role) -> list[RecipientView]:
    outcomes = message.outcomes
    return [
        RecipientView(address=address, status=status, reply=reply)
        for address in message.addresses(role)
        for status, reply in [outcomes.get(address, ("pending", None))]
    ]


def search(query: MessageFilter) -> Page[MessageView]:
    """The messages that the caller may see and that fit the filter, the newest first."""
    select = Message.select().where(among(Message.kind, rights.readable()))
    if query.status is not None:
        select = select.where(among(Message.status, several("status", query.status, get_args(MessageStatus))))
    for name in ("kind", "resource_id"):
        if (value := getattr(query, name)) is not None:
            select = select.where(getattr(Message, name) == value)
    if query.is_in_trouble is not None:
        condition = messages.IN_TROUBLE.format(id="t1.id")
        select = select.where(SQL(f"{'' if query.is_in_trouble else 'NOT '}({condition})"))
    if query.date_from is not None:
        select = select.where(Message.created_at >= _start_of(query.date_from))
    if query.date_to is not None:
        select = select.where(Message.created_at < _start_of(query.date_to + timedelta(days=1)))
    if query.q is not None:
        columns = ("resource_number", "subject", "recipients")
        select = select.where(sql.positional(sql.contains(columns, query.q)))
    return page(select, query, views=MessageView.of_many)


def _start_of(day: date) -> str:
    """The instant at which a day begins in the office."""
    zone = ZoneInfo(workspace_settings.time_zone())
    return clock.stamp(datetime(day.year, day.month, day.day, tzinfo=zone))
