"""Secret links of invites and of password resets, made afresh for each try of a message; only their hashes are kept."""

from erp.auth import resets
from erp.kernel import clock, config, tokens
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import Word, says
from erp.members import invites
from erp.members.joining import status_of
from erp.store import control
from erp.store.control import Invite, User
from erp.web.hosts import link_base


def of_invite(id: str) -> str:
    """A new link of a pending invite, valid as long as a new invite is; the link before ends.

    Raises:
        NotFound, InvalidTransition: it is no longer pending.
    """
    token = tokens.make()
    with control.write():
        invite = Invite.find(id)
        if status_of(invite) != "pending":
            raise InvalidTransition(
                says(
                    "Only open invites have a link. Status of this invite: {status}.", status=Word.of(status_of(invite))
                )
            )
        expires_at = clock.stamp(clock.now() + invites.VALID)
        invite.change(token_hash=tokens.hashed(token), expires_at=expires_at)
    return f"{link_base(config.current())}/#invite={token}"


def of_reset(user_id: str) -> str:
    """A link with which a user sets a new password within the hour; the links before end.

    Raises:
        NotFound: there is no such user.
    """
    with control.write():
        _, token = resets.issue(User.find(user_id))
    return resets.link_of(token)
