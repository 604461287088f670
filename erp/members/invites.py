"""Invites: offers to join a workspace, bound to an e-mail address and good for one use within seven days.

Here they are made, listed and revoked; `erp.members.joining` is how they are used.
"""

from datetime import timedelta
from typing import Any, ClassVar, Literal

from erp.kernel import caller, clock, config, tokens
from erp.kernel.errors import InvalidTransition, NotFound, Refusal
from erp.kernel.roles import Role
from erp.members.joining import AlreadyMember, status_of
from erp.members.members import check_reach
from erp.store import events
from erp.store.control import Invite, Member, User
from erp.web.endpoint import endpoint
from erp.web.hosts import link_base
from erp.web.paging import page
from erp.web.scalars import Email, Instant
from erp.web.schema import Body, ListQuery, Page, RecordView

VALID = timedelta(days=7)
Status = Literal["pending", "accepted", "revoked", "expired"]


class NewInvite(Body):
    """An invite to be made."""

    email: Email
    role: Role

    EXAMPLE: ClassVar[dict[str, Any]] = {"email": "anna@example.com", "role": "member"}


class InviteFilter(ListQuery):
    """Which invites."""

    status: Status | None = None
    sort: Literal["createdAt", "-createdAt"] = "-createdAt"


class InviteView(RecordView):
    """An invite; `invitedBy` is a user's id."""

    email: str
    role: Role
    status: Status
    invited_by: str
    expires_at: Instant
    accepted_at: Instant | None

    @classmethod
    def of(cls, invite: Invite) -> "InviteView":
        """Show an invite."""
        return cls(**_shown(invite))


class InviteMade(InviteView):
    """An invite just made, with the secret that is not shown again."""

    token: str
    accept_url: str


class AlreadyInvited(Refusal):
    """This address has a pending invite; revoke it to make another."""


def create(new: NewInvite) -> InviteMade:
    """Invite somebody into the caller's workspace.

    Raises:
        Forbidden: the role is above the caller's own.
        AlreadyMember: somebody of that address is in the workspace.
        AlreadyInvited: the address has a pending invite.
    """
    who = caller.current()
    check_reach(new.role)
    key = new.email.casefold()
    _check_is_new(key)
    token = tokens.make()
    invite = Invite.add(
        workspace_id=who.workspace_id,
        email=new.email,
        email_key=key,
        role=new.role,
        token_hash=tokens.hashed(token),
        invited_by=who.user_id,
        expires_at=clock.stamp(clock.now() + VALID),
    )
    _log("invite.created", invite)
    accept_url = f"{link_base(config.current())}/#invite={token}"
    return InviteMade(**_shown(invite), token=token, accept_url=accept_url)


def revoke(id: str) -> None:
    """Take an invite back.

    Raises:
        NotFound: there is no such invite in the workspace.
        Forbidden: it offers a role above the caller's own.
        InvalidTransition: it is not pending any more.
    """
    invite = find(id)
    invite.check_version()
    check_reach(invite.role)
    if status_of(invite) != "pending":
        raise InvalidTransition(f"The invite is {status_of(invite)} already.")
    invite.change(status="revoked")
    _log("invite.revoked", invite)


def find(id: str) -> Invite:
    """An invite to the caller's workspace.

    Raises:
        NotFound: there is no such one.
    """
    invite = Invite.find(id)
    if invite.workspace_id != caller.current().workspace_id:
        raise NotFound("There is no such invite.")
    return invite


def find_all(query: InviteFilter) -> Page[InviteView]:
    """The invites of the caller's workspace."""
    found = Invite.select().where(Invite.workspace == caller.current().workspace_id)
    is_late = (Invite.status == "pending") & (Invite.expires_at <= clock.stamp())
    if query.status == "expired":
        found = found.where((Invite.status == "expired") | is_late)
    elif query.status is not None:
        found = found.where(Invite.status == query.status, ~is_late)
    return page(found, query, InviteView.of, sort=query.sort)


def _check_is_new(email_key: str) -> None:
    here = caller.current().workspace_id
    if Member.select().join(User).where(Member.workspace == here, User.email_key == email_key).exists():
        raise AlreadyMember(field="email")
    pending = Invite.get_or_none(Invite.workspace == here, Invite.email_key == email_key, Invite.status == "pending")
    if pending is None:
        return
    if status_of(pending) == "pending":
        raise AlreadyInvited(field="email")
    pending.change(status="expired")


def _shown(invite: Invite) -> dict[str, Any]:
    plain = {name: getattr(invite, name) for name in InviteView.__struct_fields__}
    return plain | {"status": status_of(invite)}


def _log(event: str, invite: Invite) -> None:
    told = {"email": invite.email, "role": invite.role}
    events.write_later(invite.workspace_id, event, "invite", invite.id, told)


class Collection:
    """The invites of the active workspace."""

    @endpoint(permission="invites.read", store="control")
    def on_get(self, query: InviteFilter) -> Page[InviteView]:
        """List the invites of the workspace."""
        return find_all(query)

    @endpoint(
        permission="invites.write",
        store="control",
        status=201,
        shows_secret=True,
        refuses=(AlreadyMember, AlreadyInvited),
    )
    def on_post(self, body: NewInvite) -> InviteMade:
        """Invite somebody by e-mail address.

        The link is handed over by you: it is shown this once, is good for seven days, and only somebody who signs
        in or registers with that address can use it. Nobody grants a role above their own.
        """
        return create(body)


class Item:
    """One invite."""

    @endpoint(permission="invites.read", store="control")
    def on_get(self, id: str) -> InviteView:
        """Show an invite."""
        return InviteView.of(find(id))

    @endpoint(permission="invites.write", store="control", refuses=(InvalidTransition,))
    def on_delete(self, id: str) -> None:
        """Revoke a pending invite."""
        revoke(id)
