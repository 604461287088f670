"""Invites: offers to join a workspace, bound to an e-mail address and good for one use within seven days."""

from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal, cast

import msgspec

from erp import caller, clock, config, control, events, tokens
from erp.control import Invite, Member, User, Workspace
from erp.errors import InvalidTransition, NotFound, Refusal, WorkspaceArchived
from erp.roles import Role
from erp.web.endpoint import endpoint
from erp.web.hosts import link_base
from erp.web.paging import page
from erp.web.scalars import Email, Instant
from erp.web.schema import Body, ListQuery, Page, RecordView, View
from erp.workspace.members import check_reach
from erp.workspace.workspaces import WorkspaceItem, of_user

VALID = timedelta(days=7)
Status = Literal["pending", "accepted", "revoked", "expired"]


class NewInvite(Body):
    """An invite to be made."""

    email: Email
    role: Role

    EXAMPLE: ClassVar[dict[str, Any]] = {"email": "anna@example.com", "role": "member"}


class InviteToken(Body):
    """The secret of an invite."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]

    EXAMPLE: ClassVar[dict[str, Any]] = {"token": "erp_…"}


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


class InvitePreview(View):
    """What an invite offers to whoever holds it."""

    workspace_name: str
    role: Role
    email: str
    invited_by: str
    expires_at: Instant


class AlreadyMember(Refusal):
    """This person is in the workspace already."""


class AlreadyInvited(Refusal):
    """This address has a pending invite; revoke it to make another."""


class InviteUsed(Refusal):
    """This invite was used already."""


class InviteRevoked(Refusal):
    """This invite was revoked; ask for another."""


class InviteExpired(Refusal):
    """This invite has expired; ask for another."""


class InviteForAnother(Refusal):
    """This invite is for another e-mail address; sign in with that one."""

    status = 403


SPENT: dict[str, type[Refusal]] = {"accepted": InviteUsed, "revoked": InviteRevoked, "expired": InviteExpired}


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
    invite = Invite.find(id)
    if invite.workspace_id != caller.current().workspace_id:
        raise NotFound("There is no such invite.")
    invite.check_version()
    check_reach(invite.role)
    if status_of(invite) != "pending":
        raise InvalidTransition(f"The invite is {status_of(invite)} already.")
    invite.change(status="revoked")
    _log("invite.revoked", invite)


def preview(token: str) -> InvitePreview:
    """What a token's invite offers.

    Raises:
        NotFound: no invite has this token.
        Refusal: one of `SPENT`; it can be used no more.
    """
    invite = _usable(token)
    inviter = User.get_or_none(User.id == invite.invited_by)
    return InvitePreview(
        workspace_name=Workspace.find(invite.workspace_id).name,
        role=cast(Role, invite.role),
        email=invite.email,
        invited_by=inviter.name if inviter else "",
        expires_at=invite.expires_at,
    )


def accept(token: str, user_id: str, email: str) -> Member:
    """Let a user into the workspace that she is invited to; within the control file's transaction.

    The caller of this rule delivers the outbox (`events.deliver`) after the commit.

    Raises:
        NotFound: no invite has this token.
        Refusal: one of `SPENT`; it can be used no more.
        InviteForAnother: it was made for another e-mail address.
        WorkspaceArchived: the workspace takes no changes.
        AlreadyMember: the user is in the workspace already.
    """
    invite = _usable(token)
    if email.casefold() != invite.email_key:
        raise InviteForAnother
    if Workspace.find(invite.workspace_id).status == "archived":
        raise WorkspaceArchived
    if Member.select().where(Member.workspace == invite.workspace_id, Member.user == user_id).exists():
        raise AlreadyMember
    now = clock.stamp()
    member = Member.add(workspace_id=invite.workspace_id, user_id=user_id, role=invite.role, joined_at=now)
    invite.change(status="accepted", accepted_at=now)
    told = {"userId": user_id, "role": invite.role, "inviteId": invite.id}
    events.write_later(invite.workspace_id, "member.joined", "member", member.id, told)
    return member


def status_of(invite: Invite) -> str:
    """An invite's status now; a pending one expires by time alone."""
    return "expired" if invite.status == "pending" and invite.expires_at <= clock.stamp() else invite.status


def find_all(query: InviteFilter) -> Page[InviteView]:
    """The invites of the caller's workspace."""
    found = Invite.select().where(Invite.workspace == caller.current().workspace_id)
    is_late = (Invite.status == "pending") & (Invite.expires_at <= clock.stamp())
    if query.status == "expired":
        found = found.where((Invite.status == "expired") | is_late)
    elif query.status is not None:
        found = found.where(Invite.status == query.status, ~is_late)
    return page(found, query, InviteView.of, sort=query.sort)


def _usable(token: str) -> Invite:
    invite: Invite | None = Invite.get_or_none(Invite.token_hash == tokens.hashed(token))
    if invite is None:
        raise NotFound("There is no such invite.")
    if status_of(invite) in SPENT:
        raise SPENT[status_of(invite)]
    return invite


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

    @endpoint(permission="invites.write", store="control", refuses=(InvalidTransition,))
    def on_delete(self, id: str) -> None:
        """Revoke a pending invite."""
        revoke(id)


class Preview:
    """Looking at an invite before it is accepted."""

    @endpoint(access="public", writes=False, refuses=(NotFound, *SPENT.values()))
    def on_post(self, body: InviteToken) -> InvitePreview:
        """Show what an invite offers."""
        with control.read():
            return preview(body.token)


class Accept:
    """Joining a workspace."""

    @endpoint(
        access="user",
        store="control",
        session_only=True,
        shows_secret=True,  # a token is used once: there is no answer to give again
        refuses=(NotFound, InviteForAnother, AlreadyMember, WorkspaceArchived, *SPENT.values()),
    )
    def on_post(self, body: InviteToken) -> WorkspaceItem:
        """Join the workspace that an invite is for.

        It must be for your e-mail address. The workspace is not selected by this.
        """
        who = caller.current()
        member = accept(body.token, who.user_id, who.email)
        return WorkspaceItem.of(of_user(who.user_id).where(Workspace.id == member.workspace_id).get())
