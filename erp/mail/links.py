"""Secret links of messages, made afresh for each try; only their hashes are kept."""

from erp.auth import resets
from erp.kernel import caller, clock, config, tokens
from erp.kernel.errors import Forbidden, InvalidTransition
from erp.kernel.language import Word, says
from erp.mail.models import Message
from erp.members import invites
from erp.members.joining import status_of
from erp.members.members import check_reach
from erp.share_links import mailed
from erp.store import control
from erp.store.control import User
from erp.web.hosts import link_base


def of_document(message: Message) -> str:
    """A new share link of a document; the one that an earlier try made ends.

    Raises:
        InvalidTransition, SharingOff, Superseded: its link was revoked or has expired, or it is no longer shared.
    """
    return mailed.renew(message.id)


def of_invite(message: Message) -> str:
    """A new link of a pending invite, valid as long as a new invite is; the link before ends.

    Raises:
        NotFound, InvalidTransition: it is of another workspace, or no longer pending.
    """
    token = tokens.make()
    with control.write():
        invite = invites.find(message.resource_id)
        if status_of(invite) != "pending":
            raise InvalidTransition(
                says(
                    "Only open invites have a link. Status of this invite: {status}.", status=Word.of(status_of(invite))
                )
            )
        expires_at = clock.stamp(clock.now() + invites.VALID)
        invite.change(token_hash=tokens.hashed(token), expires_at=expires_at)
    return f"{link_base(config.current())}/#invite={token}"


def of_reset(message: Message) -> str:
    """A link with which a user sets a new password within the hour; the links before end.

    Raises:
        NotFound: there is no such user.
    """
    with control.write():
        _, token = resets.issue(User.find(message.resource_id))
    return resets.link_of(token)


def check_pending(id: str) -> None:
    """Refuse an invite that no one can accept any more.

    Raises:
        NotFound, InvalidTransition: it is of another workspace, or no longer pending.
    """
    with control.read():
        status = status_of(invites.find(id))
    if status != "pending":
        raise InvalidTransition(
            says("Only open invites can be sent. Status of this invite: {status}.", status=Word.of(status))
        )


def check_invite(id: str) -> None:
    """Refuse a caller to whom an invite would open more than they have.

    Raises:
        NotFound, Forbidden: it is of another workspace, or offers a role above the caller's own.
    """
    with control.read():
        check_reach(invites.find(id).role)


def check_reset(user_id: str) -> None:
    """Refuse everyone but an instance admin who is signed in.

    Raises:
        Invalid, Forbidden: there is no such user, or the caller may not reset their password.
    """
    who = caller.current()
    if not who.is_instance_admin or who.session_kind == "token":
        raise Forbidden(says("Only an administrator of the server can reset passwords. Sign in, without a token."))
    with control.read():
        resets.check_may_reset(user_id)
