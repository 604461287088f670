"""Share links that messages bring: each has a row with its message, and another secret at each try."""

from typing import cast

from erp.kernel import caller
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import says
from erp.share_links import links
from erp.share_links.bodies import NewShareLink
from erp.share_links.models import ShareLink, SubjectType
from erp.store import control


def hold(kind: str, subject_id: str, message_id: str, former_id: str | None) -> None:
    """Make the link of a new message, whose secret is with no one yet; a message sent again takes the former's.

    Raises:
        InvalidTransition, SharingOff, Superseded: the document is not shared.
    """
    former = None if former_id is None else _of(former_id)
    if former is None:
        links.make(cast(SubjectType, kind), subject_id, NewShareLink(), message_id=message_id)
    else:
        former.change(message_id=message_id)


def _of(message_id: str) -> ShareLink | None:
    return ShareLink.find_by(message_id=message_id)


def check(message_id: str) -> ShareLink:
    """The link of a message, if it can have another secret.

    Raises:
        InvalidTransition, SharingOff, Superseded: it was revoked or has expired, or its document is no longer shared.
    """
    link = _of(message_id)
    if link is None or not link.is_live:
        raise InvalidTransition(says("The share link of this message no longer works. Send the document again."))
    links.check(cast(SubjectType, link.subject_type), link.subject_id)
    return link


def renew(message_id: str) -> str:
    """The address of the link with another secret, in a transaction of its own; the one before opens nothing any more.

    Raises:
        InvalidTransition, SharingOff, Superseded: as for `check`.
    """
    with control.open_workspace(str(caller.current().workspace_id), write=True):
        return links.renew(check(message_id))


def is_live(message_id: str) -> bool:
    """Whether the link of a message opens its document."""
    link = _of(message_id)
    return link is not None and link.is_live


def give_up(message_id: str) -> None:
    """Revoke the link of a message that is not sent."""
    link = _of(message_id)
    if link is not None and link.revoked_at is None:
        links.end(link, "message_given_up")
