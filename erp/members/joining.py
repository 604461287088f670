"""Joining a workspace: what the token of an invite offers, and how it is used, once."""

from typing import Annotated, Any, ClassVar, cast

import msgspec

from erp.kernel import caller, clock, tokens
from erp.kernel.errors import NotFound, Refusal, Unavailable, WorkspaceArchived
from erp.kernel.roles import Role
from erp.members import memberships
from erp.members.memberships import MembershipView
from erp.store import control, events
from erp.store.control import Invite, Member, User, Workspace
from erp.web.endpoint import endpoint
from erp.web.scalars import Instant
from erp.web.schema import Body, View


class InviteToken(Body):
    """The secret of an invite."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]

    EXAMPLE: ClassVar[dict[str, Any]] = {"token": "erp_…"}


class InvitePreview(View):
    """What an invite offers to whoever holds it."""

    workspace_name: str
    role: Role
    email: str
    invited_by: str
    expires_at: Instant


class AlreadyMember(Refusal):
    """This person is in the workspace already."""


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


def find_for(token: str, email: str) -> Invite:
    """The invite of a token, if somebody of that e-mail address can use it.

    Raises:
        NotFound: no invite has this token.
        Refusal: one of `SPENT`; it can be used no more.
        InviteForAnother: it was made for another e-mail address.
    """
    invite = _usable(token)
    if email.casefold() != invite.email_key:
        raise InviteForAnother
    return invite


def accept(token: str, user_id: str, email: str) -> Member:
    """Let a user into the workspace that she is invited to; within the control file's transaction.

    The caller of this rule delivers the outbox (`events.deliver`) after the commit.

    Raises:
        NotFound: no invite has this token.
        Refusal: one of `SPENT`; it can be used no more.
        InviteForAnother: it was made for another e-mail address.
        WorkspaceArchived: the workspace takes no changes.
        Unavailable: its file cannot be used.
        AlreadyMember: the user is in the workspace already.
    """
    invite = find_for(token, email)
    _check_is_open(invite.workspace_id)
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


def _check_is_open(workspace_id: str) -> None:
    status = Workspace.find(workspace_id).status
    if status == "archived":
        raise WorkspaceArchived
    if status == "unavailable":
        raise Unavailable


def _usable(token: str) -> Invite:
    invite: Invite | None = Invite.get_or_none(Invite.token_hash == tokens.hashed(token))
    if invite is None:
        raise NotFound("There is no such invite.")
    if status_of(invite) in SPENT:
        raise SPENT[status_of(invite)]
    return invite


class Preview:
    """Looking at an invite before it is accepted."""

    @endpoint(access="public", writes=False, refuses=(NotFound, *SPENT.values()))
    def on_post(self, body: InviteToken) -> InvitePreview:
        """Show what an invite offers.

        `token` is the one that making the invite answered, once; it stands in the link, too, behind the `=`.
        """
        with control.read():
            return preview(body.token)


class Accept:
    """Joining a workspace."""

    @endpoint(
        access="user",
        store="control",
        session_only=True,
        shows_secret=True,  # a token is used once: there is no answer to give again
        refuses=(NotFound, InviteForAnother, AlreadyMember, WorkspaceArchived, Unavailable, *SPENT.values()),
    )
    def on_post(self, body: InviteToken) -> MembershipView:
        """Join the workspace that an invite is for.

        `token` is the one of its link. It must be for your e-mail address. The workspace is not selected by this. The
        employee record there that bears this address, if it is of nobody yet, becomes yours.
        """
        who = caller.current()
        member = accept(body.token, who.user_id, who.email)
        return memberships.find(who.user_id, member.workspace_id)
