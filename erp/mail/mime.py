"""The bytes of a message: the same at every try, but for the secret of its link."""

from collections.abc import Sequence

from erp.kernel import clock
from erp.mail.following import PLACE
from erp.mail.messages import AttachedFile
from erp.mail.models import Message


class Malformed(Exception):
    """A message cannot be written as mail."""


def encoded(address: str) -> str:
    """An address as mail servers take it: a domain with letters such as ü in Punycode."""
    name, _, domain = address.rpartition("@")
    return f"{name}@{domain.encode('idna').decode()}"


def of(message: Message, files: Sequence[AttachedFile], link: str | None = None, *, is_draft: bool = False) -> bytes:
    """A message as RFC 5322 has it; hidden copies are not in it.

    Args:
        is_draft: whether a mail program is to open it as a draft.

    Raises:
        Malformed: without the words of the library, which name addresses.
    """
    from email.errors import MessageError  # here, because few offices send mail

    text = message.text if link is None else message.text.replace(PLACE, link)
    try:
        return _written(message, text, files, is_draft=is_draft)
    except (ValueError, LookupError, MessageError):
        raise Malformed from None


def _written(message: Message, text: str, files: Sequence[AttachedFile], *, is_draft: bool) -> bytes:
    from email.message import EmailMessage
    from email.policy import SMTP

    mail = EmailMessage(policy=SMTP)
    for name, value in _headers(message, is_draft=is_draft):
        mail[name] = value
    mail.set_content(text, subtype="plain", charset="utf-8", cte="quoted-printable")
    for file in files:
        main, _, sub = file.media_type.partition("/")
        mail.add_attachment(file.content, maintype=main, subtype=sub, filename=file.name)
    if files:
        mail.set_boundary(f"erp-{message.id}")
    return mail.as_bytes()


def _headers(message: Message, *, is_draft: bool) -> "list[tuple[str, object]]":
    from email.headerregistry import Address

    def named(name: str | None, address: str) -> Address:
        return Address(display_name=name or "", addr_spec=encoded(address))

    sender = message.sender
    headers: list[tuple[str, object]] = [("Subject", message.subject)]
    if sender["address"]:
        headers.append(("From", named(sender["name"], sender["address"])))
    for header, role in (("To", "to"), ("Cc", "cc")):
        if addresses := message.addresses(role):  # type: ignore[arg-type]
            headers.append((header, [named(None, address) for address in addresses]))
    if sender["reply_to"]:
        headers.append(("Reply-To", named(None, sender["reply_to"])))
    headers += [("Date", clock.parse(message.created_at)), ("Message-ID", message.message_id)]
    if message.kind == "notice":
        headers.append(("Auto-Submitted", "auto-generated"))
    if is_draft:
        headers.append(("X-Unsent", "1"))
    return headers
