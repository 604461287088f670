"""Messages as files, for a person's own mail program."""

from erp.attachments import stored
from erp.kernel import caller
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import says
from erp.mail import messages, mime
from erp.mail.following import LINKS
from erp.mail.messages import AttachedFile
from erp.mail.models import Message
from erp.store import control
from erp.web.schema import File

MEDIA_TYPE = "message/rfc822"


def file_of(id: str) -> File:
    """A prepared message as a file; one with a link gets a fresh one, outside of any transaction.

    Raises:
        NotFound, Forbidden: the caller may not see it, or not send such messages.
        InvalidTransition: it is not prepared for a mail program, or its link has gone out.
    """
    with control.open_workspace(str(caller.current().workspace_id), write=False):
        message = messages.find_to_change(id)
        _check(message)
        files = [AttachedFile(file.name, file.media_type, stored.whole(file.sha256)) for file in messages.files_of(id)]
    link = LINKS[message.kind](message) if message.has_link else None
    content = mime.of(message, files, link, is_draft=message.status == "prepared")
    return File(content, _name(message), MEDIA_TYPE)


def _check(message: Message) -> None:
    if message.via != "eml" or message.status == "discarded":
        raise InvalidTransition(says("Only a message for your own mail program is a file."))
    if message.has_link and message.status != "prepared":
        raise InvalidTransition(says("A new link would end the one that was sent. Send another message."))


def _name(message: Message) -> str:
    text = message.resource_number or message.kind
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in text) + ".eml"
