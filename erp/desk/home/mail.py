"""Outgoing messages on the home page that failed or are unsure."""

from peewee import SQL

from erp.desk.home.waiting import MOST, Waiting
from erp.mail import messages, rights
from erp.mail.models import Message, MessageKind, MessageStatus
from erp.mail.views import MessageResource
from erp.store.sql import among
from erp.web.schema import View


class MessageInTrouble(View):
    """A message that failed or is unsure, and was not sent again."""

    id: str
    kind: MessageKind
    status: MessageStatus
    resource: MessageResource


class MessagesInTrouble(Waiting):
    """Messages to look into, the newest first."""

    items: list[MessageInTrouble]


def in_trouble() -> MessagesInTrouble | None:
    """The messages that the caller may send again; None if they may send none."""
    kinds = [kind for kind in rights.RIGHTS if rights.may_change(kind)]
    if not kinds:
        return None
    select = Message.select().where(among(Message.kind, kinds), SQL(messages.IN_TROUBLE.format(id="t1.id")))
    rows = list(select.order_by(Message.id.desc()).limit(MOST))
    total = len(rows) if len(rows) < MOST else select.count()
    return MessagesInTrouble(total=total, items=[_view(row) for row in rows])


def _view(row: Message) -> MessageInTrouble:
    resource = MessageResource(type=row.resource_type, id=row.resource_id, number=row.resource_number)
    return MessageInTrouble(id=row.id, kind=row.kind, status=row.status, resource=resource)  # type: ignore[arg-type]
